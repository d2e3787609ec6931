/** Validates values by schemas (docs/format.md, section 3). */
import { type Json, jsonOf, type YamlNode } from '../../yaml/node.ts';
import type { JsonViolation, Schema, SchemaViolation } from '../model.ts';
import { findExcess, isExcessive } from '../origins.ts';
import { fillDefaults } from './defaults.ts';
import { locate } from './locate.ts';
import { Validator } from './validator.ts';

/** True where values can be validated by the schema: no errors in it. */
export const isUsable = ({ problems }: Schema): boolean => problems.every(({ severity }) => severity !== undefined);

/**
 * What is wrong with a value, one violation for each defect, at its place. Defaults are filled in first. Nothing where the
 * schema itself has errors, or where value or schema are too big to be validated in a short time. `judge` may know more.
 */
export function validate(
  schema: Schema,
  value: YamlNode,
  judge: (schema: Schema, value: Json) => readonly JsonViolation[] = validateJson,
): readonly SchemaViolation[] {
  if (!isUsable(schema) || findExcess(value)) return [];
  return judge(schema, jsonOf(value))
    .map((violation) => ({ ...violation, span: locate(value, violation) }))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** The same for a value without a tree, so without spans. */
export function validateJson(schema: Schema, value: Json): readonly JsonViolation[] {
  if (!isUsable(schema) || isExcessive(value)) return [];
  return (schema.validator ?? new Validator(schema.json, schema.dialect)).validate(value);
}

/** The value with the defaults of absent fields. */
export const withDefaults = (schema: Schema, value: Json): Json => fillDefaults(schema.json, value);
