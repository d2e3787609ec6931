/** The corrections of filters, tests and functions of other languages, as edits of the code that uses them. */

import type { Span, TextEdit } from '../../text.ts';
import type { Argument, Expression } from './ast.ts';
import { FILTERS, findUnsupportedBuiltin } from './builtins.ts';
import {
  adviceInstead,
  filterInstead,
  isEmptyFunction,
  testInstead,
  testInsteadOfFunction,
  truthInstead,
} from './other-languages.ts';
import type { FilterUse, FunctionUse, TestUse } from './scope-model.ts';
import { argumentProblem } from './types/builtin-types.ts';
import { OPERANDS } from './types/silent-results.ts';

/** The correction of a word of another language. Spans are spans of the code. */
export interface Instead {
  /** A sentence. */
  readonly advice: string;
  /** The correction; undefined if the arguments do not fit, or if it is not known. */
  readonly fix?: { readonly title: string; readonly edits: readonly TextEdit[] };
}

/** Returns the text of the code at a span. */
type SourceOf = (place: Span) => string;

export interface Code {
  readonly sourceOf: SourceOf;
  /** True if the code is an expression of which only the truth matters, and not a template. */
  readonly isCondition: boolean;
}

const replacing = (advice: string, written: string, edits: readonly TextEdit[]): Instead => ({
  advice,
  ...(edits.length > 0 && { fix: { title: `Replace with \`${written}\``, edits } }),
});

/** Returns the correction of a filter that MiniJinja does not have; undefined if it is not known. */
export function insteadOfFilter({ name, span, call }: FilterUse): Instead | undefined {
  const filter = filterInstead(name);
  if (filter !== undefined) {
    const isFitting = call ? areAccepted(filter, call.args) : FILTERS.has(filter);
    return replacing(`Write \`${filter}\`.`, filter, isFitting ? [{ span, newText: filter }] : []);
  }
  const advice = findUnsupportedBuiltin('filter', name)?.instead ?? adviceInstead(name);
  return advice === undefined ? undefined : { advice };
}

/** Returns whether a filter, as it is written in a table, accepts further arguments. */
function areAccepted(filter: string, args: readonly Argument[]): boolean {
  if (args.length === 0) return true;
  const span = { start: 0, end: 0 };
  return FILTERS.has(filter) && !argumentProblem('filter', { text: filter, span }, args, () => '');
}

/** Returns the correction of a test that MiniJinja does not have; undefined if it is not known. */
export function insteadOfTest({ name, span, call }: TestUse, { sourceOf, isCondition }: Code): Instead | undefined {
  const test = testInstead(name);
  if (test !== undefined) {
    const isFitting = !call || !argumentProblem('test', { text: test, span }, call.args, sourceOf);
    return replacing(`Write \`${test}\`.`, test, isFitting ? [{ span, newText: test }] : []);
  }
  const truth = truthInstead(name);
  if (truth === undefined || !call || call.args.length > 0) return undefined;
  const { input, negated } = call;
  const value = sourceOf(input.span);
  const isTrue = truth !== negated;
  const written = isTrue ? value : `not ${value}`;
  const isTruth = isOperandOfCondition(call.span, sourceOf, isCondition);
  const newText = isTruth ? written : isTrue ? `(true if ${value} else false)` : `(${written})`;
  const isShort = value.length <= MAX_SHOWN && !value.includes('`') && OPERANDS.includes(input.kind);
  return replacing(
    isShort ? `Write \`${written}\`.` : 'Test the value itself: empty values are false.',
    newText,
    isShort ? [{ span: call.span, newText }] : [],
  );
}

/** The longest value in a sentence, in UTF-16 code units. */
const MAX_SHOWN = 40;

/** Returns whether only the truth of an expression matters: it is an operand of an `if`, without another operator. */
function isOperandOfCondition({ start, end }: Span, sourceOf: SourceOf, isCondition: boolean): boolean {
  const before = sourceOf({ start: Math.max(0, start - 200), end: start });
  const tag = isCondition
    ? ` if ${before}`
    : before.slice(Math.max(before.lastIndexOf('{%'), before.lastIndexOf('{{')) + 2);
  const after = sourceOf({ start: end, end: end + 20 });
  return (
    /^[-+]?\s*(?:el)?if\b|\bif\b/.test(tag) &&
    /\b(?:if|and|or|not)\s*$/.test(tag) &&
    (/^\s*(?:[-+]?%\}|(?:and|or|else)\b)/.test(after) || (isCondition && after.trim() === ''))
  );
}

/** Returns the correction of a function that MiniJinja does not have; undefined if it is not known. */
export function insteadOfFunction({ name, args, call }: FunctionUse, sourceOf: SourceOf): Instead | undefined {
  const filter = FILTERS.has(name) ? name : filterInstead(name);
  const [first, ...rest] = args;
  const [value, open, close] = first?.kind === 'positional' ? operandOf(first.value, sourceOf) : ['', '', ''];
  const { start, end } = call.span;
  // A call with a syntax error ends before its parenthesis.
  const isWhole = sourceOf(call.span).endsWith(')');
  // A subscript would belong to the filter, and a filter would follow a sign or the argument of a test.
  const isPart =
    /^\s*[.[(]/.test(sourceOf({ start: end, end: end + 20 })) ||
    /(?:[-*]|\bis\s+(?:not\s+)?\w+)\s*$/.test(sourceOf({ start: Math.max(0, start - 60), end: start }));
  const written = (expression: string, isFilter: boolean): Instead => {
    const newText = !isFilter || isPart ? `(${expression})` : expression;
    const isShort = expression.length <= MAX_SHOWN && !expression.includes('`') && !/[\r\n]/.test(expression);
    return replacing(
      `Write \`${isShort ? expression : '…'}\`.`,
      isShort ? newText : name,
      isWhole ? [{ span: call.span, newText }] : [],
    );
  };
  const [second] = rest;
  if (second?.kind === 'positional' && rest.length === 1 && value !== '') {
    if (['contains', 'includes'].includes(name)) return written(`${sourceOf(second.value.span)} in ${value}`, false);
  }
  if (value !== '' && rest.length === 0) {
    const test = testInsteadOfFunction(name);
    if (test !== undefined) return written(`${value} is ${test}`, false);
    if (isEmptyFunction(name)) return written(`not ${value}`, false);
  }
  if (filter === undefined) {
    const advice = adviceInstead(name);
    return advice === undefined ? undefined : { advice };
  }
  const use = `Use the filter \`${filter}\`.`;
  // Several values are one list for the filter, as in `max(a, b)`.
  const isOfMany = ['max', 'min', 'sum', 'maximum', 'minimum'].includes(name) && rest.length > 0;
  if (isOfMany && args.every(({ kind }) => kind === 'positional')) {
    const items = args.map((one) => sourceOf(one.value.span)).join(', ');
    return { ...written(`[${items}] | ${filter}`, true), advice: use };
  }
  if (value === '' || !areAccepted(filter, rest)) return { advice: use };
  const given = rest.map((one) => sourceOf(one.span)).join(', ');
  const filtered = `${open}${value}${close} | ${filter}${given === '' ? '' : `(${given})`}`;
  return { ...written(filtered, true), advice: use };
}

/** Returns whether a filter or a test replaces a function, or whether there is advice about it. */
export const isKnownFunction = (name: string): boolean =>
  FILTERS.has(name) ||
  filterInstead(name) !== undefined ||
  adviceInstead(name) !== undefined ||
  testInsteadOfFunction(name) !== undefined ||
  isEmptyFunction(name);

/** Returns the source of a value, with the parentheses that a filter after it needs. */
function operandOf(value: Expression, sourceOf: SourceOf): readonly [string, string, string] {
  const source = sourceOf(value.span);
  return OPERANDS.includes(value.kind) ? [source, '', ''] : [source, '(', ')'];
}
