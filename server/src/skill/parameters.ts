/** The parameters of a skill: their names, and values held against them (docs/composer.md, step 1). */
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

/** Undefined where the schema allows others, so that no name is unknown. */
export function parameterNames(schema: Schema | undefined): readonly string[] | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  const { additionalProperties, patternProperties } = schema.json;
  const open =
    (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
  return open ? undefined : schema.fields.map(({ name }) => name);
}

/** Like `validateJson`, where a name that the schema does not have is wrong, too, if it nearly is one that it has. */
export function validateParameters(schema: Schema, parameters: Json): readonly JsonViolation[] {
  const violations = validateJson(schema, parameters);
  const names = parameterNames(schema);
  if (!names || !isObject(parameters)) return violations;
  // What is missing names what was written in its place, and what is not allowed is told already.
  const told = new Set(violations.flatMap(({ kind, path, nearest }) => (kind === 'missing' ? nearest : path[0])));
  const free = schema.fields.filter(({ name, json }) => isOpen(parameters[name], json)).map(({ name }) => name);
  const misspelt = Object.keys(parameters).flatMap((name): JsonViolation[] => {
    if (names.includes(name) || told.has(name)) return [];
    const near = nearestNames(name, free);
    const [nearest] = near;
    if (nearest === undefined) return [];
    const message = `No parameter is called \`${name}\`, so nothing reads it.${didYouMean(near)}`;
    return [{ path: [name], kind: 'additional', message, nearest }];
  });
  return [...violations, ...misspelt];
}

/** Whether a field is left to its default, so that another name may have been meant for it. */
const isOpen = (value: Json | undefined, field: Json): boolean =>
  value === undefined ||
  (isObject(field) && field.default !== undefined && canonical(value) === canonical(field.default));
