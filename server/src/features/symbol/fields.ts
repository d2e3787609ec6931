/** Fields of schemas, by name. */
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** Returns the field at a path of names; list items add no segment to the path. */
export function findField(
  fields: readonly SchemaField[],
  [first, ...rest]: readonly string[],
): SchemaField | undefined {
  const field = fields.find(({ name }) => name === first);
  return field && rest.length > 0 ? findField(field.fields, rest) : field;
}

/** Returns whether the skill has an input with this name. */
export const isParameter = ({ contract }: SkillFile, name: string): boolean =>
  contract.input?.schema.fields.some((field) => field.name === name) === true;
