/** Fields of schemas, by name. */
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** The field at a path of names; the items of lists need no step of their own. */
export function findField(
  fields: readonly SchemaField[],
  [first, ...rest]: readonly string[],
): SchemaField | undefined {
  const field = fields.find(({ name }) => name === first);
  return field && rest.length > 0 ? findField(field.fields, rest) : field;
}

/** Whether the skill has an input of this name. */
export const isParameter = ({ contract }: SkillFile, name: string): boolean =>
  contract.input?.schema.fields.some((field) => field.name === name) === true;
