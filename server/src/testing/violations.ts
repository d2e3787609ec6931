/** Where a value does not fit a schema, in words. */
import { isUsable, type Schema, validateJson } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';

/** More tell no more. */
const MAX_TOLD = 5;

/** One sentence for each defect; none where the schema has errors, or nothing is written. */
export function violationsOf(schema: Schema | undefined, value: Json): readonly string[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [];
  return validateJson(schema, value)
    .slice(0, MAX_TOLD)
    .map(({ path, message }) => (path.length === 0 ? message : `At \`${path.join('.')}\`: ${message}`));
}
