/**
 * The problems with values that MiniJinja 2.11 renders without an error, but not as the author means: the iterators that
 * `split` returns, and differences from Jinja2.
 */
import { type Span, span, type TextEdit } from '../../../text.ts';
import type { Argument, Expression, FilterCall, TestCall } from '../ast.ts';
import type { TypeProblem } from './problems.ts';
import {
  isIterator,
  isOnly,
  type ListType,
  mayBeIterator,
  type TemplatePart,
  type UnsizedLoop,
  type ValueType,
} from './value-type.ts';

/** Returns the source of an expression, shortened to one line, and the whole source of a span. */
export interface Sources {
  readonly textOf: (expression: Expression) => string;
  readonly sourceOf: (place: Span) => string;
}

type Fixes = TypeProblem['fixes'];

/** The expressions that a filter can follow without parentheses. */
export const OPERANDS: readonly string[] = [
  'name',
  'attribute',
  'item',
  'slice',
  'call',
  'filter',
  'literal',
  'list',
  'dict',
];

const isInParentheses = (
  { span: { start, end } }: { readonly span: Span },
  { sourceOf }: Pick<Sources, 'sourceOf'>,
): boolean =>
  /\(\s*$/.test(sourceOf(span(Math.max(0, start - 100), start))) && /^\s*\)/.test(sourceOf(span(end, end + 100)));

/** Returns the edits that apply a filter to an expression. `isRead` is true if a subscript follows the expression. */
export function filterEdits(
  { kind, span: place }: Expression,
  filter: string,
  { sourceOf }: Pick<Sources, 'sourceOf'>,
  isRead = false,
): readonly TextEdit[] {
  const { start, end } = place;
  const isOperand = OPERANDS.includes(kind);
  // Only the parentheses before a subscript certainly enclose the value, because a call has parentheses, too.
  const isEnclosed = isRead && isInParentheses({ span: place }, { sourceOf });
  if (isOperand && (!isRead || isEnclosed)) return [{ span: span(end, end), newText: ` | ${filter}` }];
  return [
    { span: span(start, start), newText: '(' },
    { span: span(end, end), newText: isOperand ? ` | ${filter})` : `) | ${filter}` },
  ];
}

const addFilter = (expression: Expression, filter: string, sources: Sources, isRead = false): Fixes => [
  { title: `Add \`| ${filter}\``, edits: filterEdits(expression, filter, sources, isRead) },
];

/** Returns the call of `split` if it is another expression of the same template, where a fix repairs every use. */
const originOf = (
  origin: TemplatePart<Expression> | undefined,
  expression: Expression,
  { home }: { readonly home: unknown },
): Expression | undefined => (origin && origin.home === home && origin.part !== expression ? origin.part : undefined);

/** The use of an iterator in which its result is not that of a list. */
export type IteratorUse = 'printed' | 'text' | 'tested' | 'chosen' | 'sequence' | 'slice' | 'item' | 'inside';

/** Returns the problem with the use of a value that is, or may be, an iterator. */
export function iteratorProblem(
  use: IteratorUse,
  expression: Expression,
  type: ValueType,
  sources: Sources & { readonly home: unknown },
): TypeProblem {
  const isAlways = isIterator(type);
  const isList = isOnly(type, 'list');
  const text = `\`${sources.textOf(expression)}\` ${isAlways ? 'is' : 'may be'} an iterator`;
  const isRead = use === 'slice' || use === 'item';
  const origin = originOf(type.list?.origin, expression, sources);
  const list = isList ? addFilter(origin ?? expression, 'list', sources, !origin && isRead) : [];
  const join = isList ? addFilter(expression, 'join(", ")', sources) : [];
  const problem = (message: string, fixes: Fixes): TypeProblem => ({
    kind: 'iterator',
    span: expression.span,
    isCertain: false,
    message,
    fixes,
  });
  switch (use) {
    case 'printed':
      return problem(`${text}, which is printed as \`<iterator>\`. Add \`| list\` or \`| join(", ")\`.`, [
        ...list,
        ...join,
      ]);
    case 'text':
      return problem(
        `${text}, whose text is \`<iterator>\`. Add \`| join(", ")\` or \`| list\`.`,
        origin ? [...list, ...join] : [...join, ...list],
      );
    case 'inside':
      return problem(
        `A value in \`${sources.textOf(expression)}\` is an iterator, whose text is \`<iterator>\`. Add \`| list\` to that value.`,
        [],
      );
    case 'tested':
    case 'chosen': {
      // The first operand of `or` is also the value of the expression.
      const input = use === 'tested' && type.list?.isNeverEmpty && splitInput(expression);
      if (input) {
        const edits = [{ span: span(input.span.end, expression.span.end), newText: '' }];
        const tested = sources.textOf(input);
        const fixes = [{ title: `Test \`${tested}\``, edits }];
        return problem(`${text}, which is always true in a test. Test \`${tested}\` instead.`, fixes);
      }
      return problem(
        `${text}, which is always true in a test. Add \`| list\`, or test the string.`,
        type.list?.isNeverEmpty ? [] : list,
      );
    }
    case 'sequence':
      return problem(
        `The test \`sequence\` is false for \`${sources.textOf(expression)}\`. Add \`| list\`, or use \`is iterable\`.`,
        list,
      );
    case 'slice':
      return problem(
        `${text}, whose slices need a start and an end that count from the front. Add \`| list\` before the slice.`,
        list,
      );
    case 'item':
      return problem(`${text} and has no items that count from the end. Add \`| list\` before the index.`, list);
  }
}

/** Returns the value that a call of `split` with a separator splits, if the fix can remove the call. */
const splitInput = (expression: Expression): Expression | undefined =>
  expression.kind === 'filter' && expression.name.text === 'split' && expression.input ? expression.input : undefined;

/** Returns whether the value contains an iterator, in items and fields that the template itself makes. */
export function containsIterator({ list, map }: ValueType, levels = 3): boolean {
  if (levels === 0) return false;
  const names = map?.isMade && !map.isNamespace ? [...map.names()].slice(0, 50) : [];
  const items = (list?.tuple ?? (list ? [list.item] : [])).slice(0, 50).map((item) => item());
  const parts = [...items, ...names.flatMap((name) => map?.field(name) ?? [])];
  return parts.some((part) => mayBeIterator(part) || containsIterator(part, levels - 1));
}

/** Returns whether a slice of an iterator differs from the slice of a list. The parts are numbers, if they are known. */
export function isWrongSlice(
  start: number | undefined,
  stop: number | undefined,
  hasStop: boolean,
  step: number,
): boolean {
  if (step < 0) return false;
  return (start ?? 0) < 0 || (stop ?? 0) < 0 || !hasStop;
}

/** Returns the problem with a field of `loop` that a loop without a length lacks, or that is always false. */
export function unsizedProblem(
  field: string,
  { part: { iterable, origin, isAlways, isListable, isText }, home }: TemplatePart<UnsizedLoop>,
  place: Span,
  sources: Sources & { readonly home: unknown },
): TypeProblem {
  const isHere = home === sources.home;
  const value = isHere ? `\`${sources.textOf(iterable)}\`` : 'a value';
  const over = `${isText ? 'the characters of ' : ''}${value}, which ${isAlways ? 'has' : 'may have'} no length`;
  const state = field === 'last' ? `${isAlways ? 'always ' : ''}false` : 'undefined';
  return {
    kind: 'iterator',
    span: place,
    isCertain: false,
    message: `\`loop.${field}\` is ${state} in a loop over ${over}. Add \`| list\` to it.`,
    fixes: isHere && isListable ? addFilter(originOf(origin, iterable, sources) ?? iterable, 'list', sources) : [],
  };
}

/** Returns the span of a filter with its arguments. */
const callSpan = ({ name, span: { end } }: FilterCall): Span => span(name.span.start, end);

/** Returns the problem with `default(none)`, if the value is then compared with `none`. */
export function noneDefaultProblem(
  { part, home }: TemplatePart<Expression>,
  user: Expression,
  sources: Sources & { readonly home: unknown },
): TypeProblem {
  const isHere = home === sources.home && part.kind === 'filter';
  const input = isHere ? part.input : undefined;
  const text = input ? sources.sourceOf(input.span) : '';
  const isShort = text.length > 0 && text.length <= 30 && input && OPERANDS.includes(input.kind);
  const newText = `(${text} if ${text} is defined else none)`;
  const written = isInParentheses(part, sources) ? newText.slice(1, -1) : newText;
  return {
    kind: 'difference',
    span: isHere ? callSpan(part) : user.span,
    isCertain: false,
    message: `\`default(none)\` returns an empty string, which is not \`none\`. ${isShort ? `Write \`${newText}\`.` : 'Use `if … is defined else none`.'}`,
    fixes:
      isShort && isHere
        ? [{ title: `Replace with \`${newText}\``, edits: [{ span: part.span, newText: written }] }]
        : [],
  };
}

/** Returns the problem with `round` and a negative precision, which has no effect on whole numbers. */
export function roundProblem(filter: FilterCall, { sourceOf }: Sources): TypeProblem {
  const { input, name } = filter;
  const place = callSpan(filter);
  const newText = `float | ${sourceOf(place)} | int`;
  return {
    kind: 'difference',
    span: place,
    isCertain: false,
    message: `\`${name.text}\` with a negative precision does not change whole numbers. Write \`| float\` before it and \`| int\` after it.`,
    fixes: input ? [{ title: 'Add `| float` and `| int`', edits: [{ span: place, newText }] }] : [],
  };
}

/** Returns the problem with the tests `upper` and `lower`, which a space, a digit or a hyphen makes false. */
export function caseProblem(
  { name, input, negated, span: place }: TestCall,
  { textOf, sourceOf }: Sources,
): TypeProblem {
  const text = sourceOf(input.span);
  const operand = OPERANDS.includes(input.kind) ? text : `(${text})`;
  const comparison = `${operand} ${negated ? '!=' : '=='} ${operand} | ${name.text}`;
  const before = sourceOf(span(Math.max(0, place.start - 100), place.start));
  const after = sourceOf(span(place.end, place.end + 100));
  const isWhole =
    /(?:^|\{%-?\s*(?:if|elif)|\{\{[-+]?|\b(?:and|or|not|if)|\()\s*$/.test(before) &&
    /^\s*(?:$|[-+]?[%}]\}|(?:and|or|if|else)\b|\))/.test(after);
  const newText = isWhole ? comparison : `(${comparison})`;
  const short = textOf(input);
  return {
    kind: 'difference',
    span: place,
    isCertain: false,
    message: `\`is ${name.text}\` is false for text with a space, a digit or punctuation. Write \`${short} == ${short} | ${name.text}\`.`,
    fixes: [{ title: `Compare with \`| ${name.text}\``, edits: [{ span: place, newText }] }],
  };
}

/** Returns the problem with `sort` by several attributes, which MiniJinja 2.11 reads as one name. */
export function sortProblem(filter: FilterCall, attribute: Argument, { sourceOf }: Sources): TypeProblem {
  const { value } = attribute;
  const text = value.kind === 'literal' ? String(value.value) : '';
  const names = text.split(',').map((one) => one.trim());
  // `reverse` turns the sorted list around, also equal items, so only the last call takes it.
  const calls = names.toReversed().map((one, at) => {
    const others = filter.args.filter(({ name }) => at === names.length - 1 || name?.text !== 'reverse');
    const rest = others.flatMap((other) => (other === attribute ? [] : [sourceOf(other.span)]));
    return `sort(${[`attribute="${one}"`, ...rest].join(', ')})`;
  });
  const newText = calls.join(' | ');
  return {
    kind: 'difference',
    span: value.kind === 'literal' && value.content ? value.content : value.span,
    isCertain: false,
    message: `MiniJinja 2.11 sorts by one attribute, so this list is not sorted. Write \`${newText.slice(0, 60)}${newText.length > 60 ? '…' : ''}\`.`,
    fixes: names.every((one) => /^\w+(?:\.\w+)*$/.test(one))
      ? [{ title: 'Sort by one attribute after the other', edits: [{ span: callSpan(filter), newText }] }]
      : [],
  };
}

/** Returns the problem with a divisor that may be 0. `isFloat` is true for a divisor that is not a whole number. */
export function divisionProblem(
  expression: Expression & { kind: 'binary' },
  isFloat: boolean,
  isCertain: boolean,
  isWholeOutput: boolean,
  { textOf }: Sources,
): TypeProblem {
  const { operator, right, span: place } = expression;
  const text = textOf(right);
  const isSilent = operator === '/' || isFloat;
  const isZero = right.kind === 'literal';
  const fault = isSilent ? `returns ${operator === '%' ? '`NaN`' : '`inf` or `NaN`'}` : 'fails';
  const isPath = right.kind === 'name' || right.kind === 'attribute';
  const message = isZero
    ? `\`${operator}\` by 0 ${fault}. Use another divisor.`
    : `\`${operator}\` ${fault} if \`${text}\` is 0. Test it first${isPath ? ', or declare a `minimum`' : ''}.`;
  const condition = ` if ${text} else 0`;
  const isPlain = (isPath || right.kind === 'filter') && !text.endsWith('…');
  const edits = isWholeOutput
    ? [{ span: span(place.end, place.end), newText: condition }]
    : [
        { span: span(place.start, place.start), newText: '(' },
        { span: span(place.end, place.end), newText: `${condition})` },
      ];
  return {
    kind: isSilent ? 'difference' : 'refused-value',
    span: place,
    isCertain: isCertain && isZero && !isSilent,
    message,
    fixes: isPlain ? [{ title: `Add \`${condition.trim()}\``, edits }] : [],
  };
}

/** Returns the list type of the result of `split`. */
export const splitList = (item: () => ValueType, hasSeparator: boolean): ListType => ({
  item,
  form: 'iterator',
  ...(hasSeparator && { isNeverEmpty: true }),
});
