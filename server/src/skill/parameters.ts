/** Validates the parameters of a skill (docs/composer.md, step 1). */
import {
  canonical,
  isObject,
  isUsable,
  type JsonViolation,
  type Schema,
  validateJson,
} from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';

/** Returns the names of the parameters; undefined if the schema is missing, invalid, or allows other names. */
export function parameterNames(schema: Schema | undefined): readonly string[] | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  const { additionalProperties, patternProperties } = schema.json;
  const open =
    (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
  return open ? undefined : schema.fields.map(({ name }) => name);
}

/**
 * Validates parameters like `validateJson` (docs/composer.md, step 1). In addition, reports an unknown name that is
 * similar to a name in the schema. Never throws.
 */
export function validateParameters(schema: Schema, parameters: Json): readonly JsonViolation[] {
  const violations = validateJson(schema, parameters);
  const names = parameterNames(schema);
  if (!names || !isObject(parameters)) return violations;
  // The violation for a missing name already mentions the similar name, and forbidden names are already reported.
  const reported = new Set(violations.flatMap(({ kind, path, nearest }) => (kind === 'missing' ? nearest : path[0])));
  const free = schema.fields.filter(({ name, json }) => isOpen(parameters[name], json)).map(({ name }) => name);
  const misspelt = Object.keys(parameters).flatMap((name): JsonViolation[] => {
    if (names.includes(name) || reported.has(name)) return [];
    const near = nearestNames(name, free);
    const [nearest] = near;
    if (nearest === undefined) return [];
    const message = `Unknown parameter \`${name}\`.${didYouMean(near)}`;
    return [{ path: [name], kind: 'additional', message, nearest }];
  });
  return [...violations, ...misspelt];
}

/** Returns whether a parameter is missing, and no other name is a misspelling of it. */
export const isLeftOut = ({ kind, path, nearest }: JsonViolation): boolean =>
  kind === 'missing' && path.length === 1 && nearest === undefined;

/** Returns whether a field has no value or only its default, so that another name may be a misspelling of the field. */
const isOpen = (value: Json | undefined, field: Json): boolean =>
  value === undefined ||
  (isObject(field) && field.default !== undefined && canonical(value) === canonical(field.default));
