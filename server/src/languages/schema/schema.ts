/**
 * The entry point for schemas: parsing, validating values, comparing types and printing (docs/format.md, section 3).
 * Code outside this folder imports only this file.
 */
export type { Assignability, ProducerValues, SchemaPart, TypeClash } from './assignable.ts';
export { compareTypes } from './assignable.ts';
export { nearestKeyword } from './check.ts';
export { describeSchemas, fieldAt, typeAt, type ValueShape, valueShapes } from './fields.ts';
export { generateValues } from './generate/generate-values.ts';
export { JSON_TYPES, KEYWORDS, schemaFormOf, type ValueKind } from './keywords.ts';
export { boundedLabel, boundsOf } from './label.ts';
export type {
  JsonObject,
  JsonViolation,
  Schema,
  SchemaField,
  SchemaProblem,
  SchemaViolation,
} from './model.ts';
export { canonical, isObject } from './model.ts';
export { parseSchema } from './parse-schema.ts';
export { printYaml, toNode } from './print.ts';
export { regexProblems } from './problems.ts';
export { parseRegex } from './regex/regex.ts';
export { toShorthand } from './shorthand/to-shorthand.ts';
export {
  FIELD_KEYS,
  FIELD_KEYWORDS,
  findTypeWord,
  shorthandTypes,
  type TypeWord,
} from './shorthand/type-expression.ts';
export { parseCatalogSchema, parseToolSchema } from './tool-schema.ts';
export { isUsable, validate, validateJson, withDefaults } from './validate/validate.ts';
export { allSchemas, hasReference } from './walk.ts';
