/** The problems that the types of a template's values show, and the text of those with undefined values. */

import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span, type TextEdit } from '../../../text.ts';
import type { Expression } from '../ast.ts';
import { type Absence, ANY, hasKind, isAny, isOnly, nounsOf, type ValueType } from './value-type.ts';

/**
 * `undefined-field`: a field that no value has. `maybe-undefined`: a value that may be undefined. `iterator`: a list
 * without a length, where it is not like a list. `difference`: another result than in Jinja2, without an error. All other
 * kinds are values or arguments that the engine refuses.
 */
export type TypeProblemKind =
  | ('undefined-field' | 'maybe-undefined' | 'iterator' | 'difference')
  | ('refused-value' | 'argument');

export interface TypeProblem {
  readonly kind: TypeProblemKind;
  readonly span: Span;
  /** True if the template fails whenever it gets here, false if it fails for some values. */
  readonly isCertain: boolean;
  readonly message: string;
  readonly fixes: readonly { readonly title: string; readonly edits: readonly TextEdit[] }[];
  /** The path of a value that may be left out, from the variable on, and its type. */
  readonly optional?: { readonly path: readonly string[]; readonly type: ValueType };
}

/** An absence, and the expression that is undefined. */
interface LocatedAbsence extends Absence {
  readonly expression: Expression;
}

/** The use of a value that is or may be undefined. */
interface AbsenceUse {
  /** True if the value is never defined. */
  readonly isAlways: boolean;
  /** True if the use fails for an undefined value. */
  readonly isStrict: boolean;
  /** True if the use is in code that always runs. */
  readonly isUnconditional: boolean;
  /** The expression that uses the value. */
  readonly user: Expression | undefined;
  /** The expression of the output tag, to which a fix can add a condition. */
  readonly output: Expression | undefined;
}

/** Returns the source of an expression, shortened to one line. */
type TextOf = (expression: Expression) => string;

/** Returns the problem with the use of a value that is or may be undefined. */
export function absenceProblem(
  absence: LocatedAbsence,
  { isAlways, isStrict, isUnconditional, user, output }: AbsenceUse,
  textOf: TextOf,
): TypeProblem {
  const { reason, expression, receiver, name = '' } = absence;
  const isField = reason === 'missing' || reason === 'no-fields';
  if (isField && (isAlways || absence.isNever)) {
    const near = reason === 'missing' && receiver?.map ? nearestNames(name, receiver.map.names()) : [];
    const place = nameSpan(expression);
    const filter =
      reason === 'no-fields' && receiver && isOnly(receiver, 'string', 'list') ? FILTER_FOR_FIELD.get(name) : undefined;
    return {
      kind: 'undefined-field',
      span: place,
      isCertain: isStrict,
      message: messageOf(absence, near, textOf) + (filter === undefined ? '' : ` Use the filter \`${filter}\`.`),
      fixes:
        filter !== undefined
          ? asFilter(expression, filter)
          : near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: place, newText: other }] })),
    };
  }
  if ((reason === 'argument' || reason === 'caller') && isAlways && isStrict && isUnconditional) {
    return {
      kind: 'argument',
      span: expression.span,
      isCertain: true,
      message: messageOf(absence, [], textOf),
      fixes: [],
    };
  }
  if (reason === 'closure') {
    const message = messageOf(absence, [], textOf);
    return { kind: 'undefined-field', span: expression.span, isCertain: isStrict && isAlways, message, fixes: [] };
  }
  const path = pathIn(expression);
  return {
    kind: 'maybe-undefined',
    span: reason === 'null' || isField ? nameSpan(expression) : expression.span,
    isCertain: false,
    message: messageOf(absence, [], textOf),
    fixes: reason === 'optional' || reason === 'skipped' ? guards(absence, user, output, textOf) : [],
    ...(reason === 'optional' && path && { optional: { path, type: absence.otherwise ?? ANY } }),
  };
}

/** The filters that have the value of a field in other languages. */
const FILTER_FOR_FIELD: ReadonlyMap<string, string> = new Map([
  ...['length', 'size', 'count', 'len'].map((name) => [name, 'length'] as const),
  ...['first', 'last'].map((name) => [name, name] as const),
]);

/** Returns the fix that replaces a field, such as `.length`, by a filter; none if the value is in parentheses. */
function asFilter(expression: Expression, filter: string): TypeProblem['fixes'] {
  const { start, end } = nameSpan(expression);
  if (expression.kind !== 'attribute' || expression.receiver.span.end !== start - 1) return [];
  return [{ title: `Use the filter \`${filter}\``, edits: [{ span: span(start - 1, end), newText: ` | ${filter}` }] }];
}

/** The largest number of items and fields, and of levels, in which absent values are found. */
const MAX_ITEMS = 50;
const MAX_LEVELS = 3;

/** Returns the values in a value that the engine prints as empty or as `undefined`, without an error. */
export function silentAbsences(type: ValueType, levels = MAX_LEVELS): readonly LocatedAbsence[] {
  const parts = levels === 0 ? [] : madeParts(type);
  const inside = parts.flatMap((part) => [
    ...(hasKind(part, 'undefined') && part.absence ? [part.absence] : []),
    ...silentAbsences(part, levels - 1),
  ]);
  return [...(type.emptied ? [type.emptied] : []), ...inside].flatMap((absence) =>
    absence.expression ? [{ ...absence, expression: absence.expression }] : [],
  );
}

/** Returns the items of a list, and the fields of a map that the template itself makes. */
function madeParts({ list, map }: ValueType): readonly ValueType[] {
  const fields = map?.isMade && !map.isNamespace ? [...map.names()].slice(0, MAX_ITEMS) : [];
  return [
    ...(list?.tuple ?? (list ? [list.item] : [])).slice(0, MAX_ITEMS).map((item) => item()),
    ...fields.flatMap((name) => map?.field(name) ?? []),
  ];
}

/** Returns the problem with a value that is undefined, where the engine renders it as empty without an error. */
export function silentProblem(absence: LocatedAbsence, textOf: TextOf): TypeProblem {
  const { reason, expression, conditional } = absence;
  const place = { isAlways: false, isStrict: false, isUnconditional: false, user: undefined, output: undefined };
  const problem = absenceProblem(absence, place, textOf);
  if (reason !== 'optional' && reason !== 'skipped') return problem;
  const text = textOf(expression);
  const why = `\`${text}\` is ${reason === 'optional' ? 'optional' : `missing if \`${absence.name}\` does not run`}`;
  if (!conditional) {
    return { ...problem, message: `${why}, and this is wrong or empty without it. Add a default, or test it first.` };
  }
  const edits = [{ span: span(conditional.span.end, conditional.span.end), newText: ' else ""' }];
  return {
    ...problem,
    message: `${why}, and this is empty without it. Add \`else\`, or test it with \`is defined\`.`,
    fixes: [{ title: 'Add `else ""`', edits }],
  };
}

function messageOf(
  { reason, expression, receiver = ANY, name = '' }: LocatedAbsence,
  near: readonly string[],
  textOf: TextOf,
): string {
  const text = textOf(expression);
  const owner = 'receiver' in expression ? `\`${textOf(expression.receiver)}\`` : 'An item';
  const noun = receiver.list && /^-?\d+$/.test(name) ? 'item' : 'field';
  const field = name === '' ? 'no items' : `no ${noun} \`${name}\``;
  switch (reason) {
    case 'missing':
      return `${owner} has ${field}.${didYouMean(near)}`;
    case 'no-fields':
      return isOnly(receiver, 'string', 'number', 'boolean', 'list', 'null', 'callable')
        ? `${owner} is ${nounsOf(receiver.kinds)} and has ${field}.`
        : `${owner} may be ${nounsOf([...receiver.kinds].filter((kind) => kind !== 'map'))}, which has ${field}. Test it first.`;
    case 'null':
      return `${owner} may be null and then has ${field}. Test it first.`;
    case 'edge':
      return `\`${text}\` is undefined in the ${name === 'previtem' ? 'first' : 'last'} iteration. Test it first.`;
    case 'argument':
      return `A call of the macro leaves out \`${text}\`. Pass it, or give the parameter a default.`;
    case 'caller':
      return 'A call of the macro has no `{% call %}` block, so `caller` is undefined. Test it with `is defined`.';
    case 'closure': {
      const owner = name === 'call' ? 'the `{% call %}` block' : `the macro \`${name}\``;
      return `\`${text}\` is undefined in ${owner}, because MiniJinja 2.11 finds no other use of it there. Add \`{% set own = ${text} %}\` at its start.`;
    }
    case 'skipped':
      return `\`${text}\` is missing if \`${name}\` does not run, and this fails without it. Add a default, or test it with \`is defined\`.`;
    default:
      return `\`${text}\` is optional, and this fails without it. Add a default, or test it with \`is defined\`.`;
  }
}

/** Returns the fixes for an optional value: a default, or a condition if a field of the value is used. */
function guards(
  { expression, otherwise = ANY }: LocatedAbsence,
  user: Expression | undefined,
  output: Expression | undefined,
  textOf: TextOf,
): TypeProblem['fixes'] {
  const text = textOf(expression);
  const usesField = user && 'receiver' in user && user !== expression;
  if (!usesField) {
    const newText = ` | default(${emptyOf(otherwise)})`;
    return [
      {
        title: `Add \`${newText.trim()}\``,
        edits: [{ span: span(expression.span.end, expression.span.end), newText }],
      },
    ];
  }
  if (!output || output.kind === 'conditional' || text.endsWith('…')) return [];
  const newText = ` if ${text} is defined`;
  return [{ title: `Add \`${newText.trim()}\``, edits: [{ span: span(output.span.end, output.span.end), newText }] }];
}

/** Returns the names of a path without subscripts, from its variable on. */
function pathIn(expression: Expression): readonly string[] | undefined {
  const names: string[] = [];
  let part = expression;
  for (; part.kind === 'attribute'; part = part.receiver) names.unshift(part.name.text);
  return part.kind === 'name' ? [part.name, ...names] : undefined;
}

/** Returns the span of the name of the field that an expression reads. */
export function nameSpan(expression: Expression): Span {
  if (expression.kind === 'attribute') return expression.name.span;
  const named = expression.kind === 'item' ? expression.index : expression;
  return (named.kind === 'literal' && named.content) || named.span;
}

/** Returns an empty value of a type, as a literal of the template language. */
function emptyOf(type: ValueType): string {
  if (isAny(type)) return '""';
  if (isOnly(type, 'number')) return '0';
  if (isOnly(type, 'boolean')) return 'false';
  if (isOnly(type, 'list')) return '[]';
  return isOnly(type, 'map') ? '{}' : '""';
}
