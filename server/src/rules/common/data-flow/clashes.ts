/** Values of the flow whose type does not fit what takes them. */
import type { Fix, RelatedPlace } from '../../../finding.ts';
import type { TypeClash } from '../../../languages/schema/schema.ts';
import type { Span } from '../../../text.ts';
import type { FlowProblem } from './gaps.ts';
import { type Field, type FlowValue, inFlow, placeOf, relateFields } from './values.ts';

/**
 * The first of several values that does not fit a field. `wants` begins what is said of the consumer: "`rate-page` takes".
 */
export function firstClash(
  values: readonly FlowValue[],
  field: Field,
  wants: string,
  span: Span,
): FlowProblem | undefined {
  for (const value of values) {
    const problem = clashOf(value, field, wants, span);
    if (problem) return problem;
  }
  return undefined;
}

function clashOf(value: FlowValue, field: Field, wants: string, span: Span): FlowProblem | undefined {
  if (relateFields(value.field, field).kind !== 'clash') return undefined;
  const related = [
    placeOf(value.field, `\`${value.field.name}\` comes from here`),
    placeOf(field, `\`${field.name}\` has its type here`),
  ].filter((place) => place.span !== span);
  return clashBetween(inFlow(value), value.field, field, wants, span, related);
}

/** The same for anything with a schema; `what` names it in the message. */
export function clashBetween(
  what: string,
  from: Parameters<typeof relateFields>[0],
  field: Field,
  wants: string,
  span: Span,
  related: readonly RelatedPlace[],
  fixes: readonly Fix[] = [],
): FlowProblem | undefined {
  const verdict = relateFields(from, field);
  if (verdict.kind !== 'clash') return undefined;
  const worst = verdict.clashes.find(({ kind }) => kind !== 'format') ?? verdict.clashes[0];
  return {
    rule: worst.kind === 'format' ? 'format-mismatch' : 'type-mismatch',
    draft: { span, message: messageOf(what, worst, wants, field.name), related, fixes },
  };
}

function messageOf(what: string, { kind, path, from, to }: TypeClash, wants: string, name: string): string {
  const inner = path.length === 0 ? '' : ` at \`${pathIn(name, path)}\``;
  if (kind === 'missing') {
    const lacks =
      from === 'nothing' ? `has no \`${pathIn(name, path)}\`` : `has \`${pathIn(name, path)}\` only as \`${from}\``;
    return `${what} ${lacks}, but ${wants} \`${name}\` only with it (\`${to}\`). Give it, or make it optional.`;
  }
  if (kind === 'format') {
    return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`, and nothing promises that format. Declare it where the value comes from, or map another value.`;
  }
  return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Map another value, or change one of the two schemas.`;
}

/** `user.tags[].name`. */
const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );
