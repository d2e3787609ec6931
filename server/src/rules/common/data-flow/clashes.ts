/** Findings about values whose type does not match, and about unknown names, in the data flow of a composite. */
import type { Fix, RelatedLocation } from '../../../finding.ts';
import type { TypeClash } from '../../../languages/schema/schema.ts';
import { didYouMean, inWords, nearestNames } from '../../../nearest.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { replaceName } from '../name-fixes.ts';
import type { FlowProblem } from './gaps.ts';
import { type Field, findField, relateFields, type Side } from './values.ts';

/**
 * Returns the problem with a value whose schema does not match a field. `what` is the name of the value in the message.
 */
export function clashBetween(
  what: string,
  from: Parameters<typeof relateFields>[0],
  field: Field,
  wants: string,
  span: Span,
  related: readonly RelatedLocation[],
  fixes: readonly Fix[] = [],
): FlowProblem | undefined {
  const verdict = relateFields(from, field);
  if (verdict.kind !== 'clash') return undefined;
  const worst = verdict.clashes.find(({ kind }) => kind !== 'format') ?? verdict.clashes[0];
  return problemOfClash(worst, messageOf(what, worst, wants, field.name), span, related, fixes);
}

export const problemOfClash = (
  { kind }: TypeClash,
  message: string,
  span: Span,
  related: readonly RelatedLocation[],
  fixes: readonly Fix[] = [],
): FlowProblem => ({
  rule: kind === 'format' ? 'format-mismatch' : 'type-mismatch',
  draft: { span, message, related, fixes },
});

/** Returns the message for a clash; `wants` is text such as "`rate-page` expects", `name` the name of the field. */
export function messageOf(what: string, { kind, path, from, to }: TypeClash, wants: string, name: string): string {
  const inner = path.length === 0 ? '' : ` at \`${pathIn(name, path)}\``;
  if (kind === 'missing') {
    const lacks =
      from === 'nothing' ? `has no \`${pathIn(name, path)}\`` : `has \`${pathIn(name, path)}\` only as \`${from}\``;
    return `${what} ${lacks}, but ${wants} \`${to}\` there. Add the field, or make it optional.`;
  }
  if (kind === 'format') {
    return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Declare the format where the value comes from, or map another value.`;
  }
  return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Map another value, or change one of the two schemas.`;
}

/** Returns a path such as `user.tags[].name`. */
export const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );

/**
 * Returns the finding for an unknown name. `says` is the message without a period; `known` are the names to suggest.
 */
export function unknownName(
  file: SkillFile,
  span: Span,
  says: string,
  name: string,
  known: readonly string[],
): FlowProblem {
  const near = nearestNames(name, known);
  const advice = didYouMean(near) || (known.length > 0 ? ` Use ${inWords(known.slice(0, 8), 'or')}.` : ' It has none.');
  return {
    rule: 'type-mismatch',
    draft: { span, message: `${says}.${advice}`, fixes: replaceName(file, [span], near) },
  };
}

/** Returns whether an input or output certainly has no field with a name. */
export const lacks = (side: Side | undefined, name: string): side is Side =>
  side !== undefined && !side.isOpen && !findField(side, name);

export const namesOf = ({ fields }: Side): readonly string[] => fields.map(({ name }) => name);

/** Returns whether a field needs a value. */
export const requires = ({ isRequired, hasDefault }: Field): boolean => isRequired && !hasDefault;
