/** Findings about a value whose schema does not match the input or output that uses it. */

import { type Guards, UNCONDITIONAL } from '../../analysis/data-flow/doubts.ts';
import { type Field, placeOf, relateFields } from '../../analysis/data-flow/fields.ts';
import { narrowedPart } from '../../analysis/data-flow/narrowing.ts';
import { type FlowValue, inFlow } from '../../analysis/data-flow/values.ts';
import type { RelatedLocation } from '../../finding.ts';
import type { TypeClash } from '../../languages/schema/schema.ts';
import type { Span } from '../../text.ts';
import type { FlowProblem } from './flow-problem.ts';

/**
 * Returns the problem with the first value that does not match a field. `expectation` is text such as
 * "`rate-page` expects". `guards` are the conditions under which the field is used.
 */
export function firstClash(
  values: readonly FlowValue[],
  field: Field,
  expectation: string,
  span: Span,
  guards: Guards = UNCONDITIONAL,
): FlowProblem | undefined {
  for (const value of values) {
    const problem = clashOf(value, field, expectation, span, guards);
    // If a parallel step writes a value that fits, `parallel-outputs` reports both.
    const isReported =
      value.isRaced && values.some((other) => other.isRaced && !clashOf(other, field, expectation, span, guards));
    if (problem && !isReported) return problem;
  }
  return undefined;
}

function clashOf(
  value: FlowValue,
  field: Field,
  expectation: string,
  span: Span,
  guards: Guards,
): FlowProblem | undefined {
  if (relateFields(value.field, field).kind !== 'clash') return undefined;
  // Only a value that does not fit is narrowed by the conditions.
  const path = { source: value.entry?.step ?? 'input', fields: [value.field.name] };
  const verdict = relateFields(narrowedPart(value.field, path, guards), field);
  if (verdict.kind !== 'clash') return undefined;
  const worst = worstOf(verdict.clashes);
  const related = [
    placeOf(value.field, `\`${value.field.name}\` comes from here`),
    placeOf(field, `The type of \`${field.name}\``),
  ].filter((place) => place.span !== span);
  return problemOfClash(worst, messageOf(inFlow(value), worst, expectation, field.name), span, related);
}

/** Returns the first clash that is not only about a format, if there is one. */
export const worstOf = (clashes: readonly [TypeClash, ...TypeClash[]]): TypeClash =>
  clashes.find(({ kind }) => kind !== 'format') ?? clashes[0];

export const problemOfClash = (
  { kind }: TypeClash,
  message: string,
  span: Span,
  related: readonly RelatedLocation[],
): FlowProblem => ({
  rule: kind === 'format' ? 'format-mismatch' : 'type-mismatch',
  draft: { span, message, related },
});

/** Returns the message for a clash. `expectation` is text such as "`rate-page` expects", `name` the name of the field. */
export function messageOf(
  what: string,
  { kind, path, from, to }: TypeClash,
  expectation: string,
  name: string,
): string {
  const inner = path.length === 0 ? '' : ` at \`${pathIn(name, path)}\``;
  if (kind === 'missing') {
    const lacks =
      from === 'nothing' ? `has no \`${pathIn(name, path)}\`` : `has \`${pathIn(name, path)}\` only as \`${from}\``;
    return `${what} ${lacks}, but ${expectation} \`${to}\` there. Add the field, or make it optional.`;
  }
  if (kind === 'extra') {
    return `${what} may have \`${pathIn(name, path)}\`, but ${expectation} no such field there. Map another value, or allow the field.`;
  }
  if (kind === 'format') {
    return `${what} is \`${from}\`${inner}, but ${expectation} \`${to}\`. Declare the format where the value comes from, or map another value.`;
  }
  return `${what} is \`${from}\`${inner}, but ${expectation} \`${to}\`. Map another value, or change one of the two schemas.`;
}

/** Returns a path such as `user.tags[].name`. */
export const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );
