/** The names of a skill's parameters. */
import { isUsable, type Schema } from '../languages/schema/schema.ts';

/** Undefined where the schema allows others, so that no name is unknown. */
export function parameterNames(schema: Schema | undefined): readonly string[] | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  const { additionalProperties, patternProperties } = schema.json;
  const open =
    (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
  return open ? undefined : schema.fields.map(({ name }) => name);
}
