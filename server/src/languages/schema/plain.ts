/**
 * JSON Schemas of the plain kind, which the meta-schemas certainly accept: everyday keywords with values of the right
 * kind. Nearly all schemas of skills are so, and then the meta-schemas need not be compiled (150 ms at the first schema),
 * nor asked (0.1 ms a schema). `test/properties/skill/schema-plain.test.ts` holds that they would accept.
 */
import type { Json } from '../yaml/node.ts';
import { isList, isObject } from './model.ts';
import { JSON_TYPES } from './words.ts';

/** Beyond this a schema is for the meta-schema to judge. */
const MAX_DEPTH = 20;

/** True where no meta-schema refuses anything; false where that is not certain. */
export function isPlainSchema(schema: Json, depth = 0): boolean {
  if (!isObject(schema) || depth >= MAX_DEPTH) return false;
  for (const keyword in schema) {
    if (!CHECKS.get(keyword)?.(schema[keyword] as Json, depth)) return false;
  }
  return true;
}

type Check = (value: Json, depth: number) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isInner: Check = (value, depth) => isPlainSchema(value, depth + 1);
const isTexts: Check = (value) =>
  isList(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>(
  Object.entries({
    type: (value) => typeof value === 'string' && JSON_TYPES.includes(value),
    title: isText,
    description: isText,
    default: () => true,
    enum: (value, depth) => isTexts(value, depth) && isList(value) && value.length > 0,
    minimum: isNumber,
    maximum: isNumber,
    minLength: isCount,
    maxLength: isCount,
    minItems: isCount,
    maxItems: isCount,
    items: isInner,
    properties: (value, depth) => isObject(value) && Object.values(value).every((inner) => isInner(inner, depth)),
    required: isTexts,
    additionalProperties: (value, depth) => typeof value === 'boolean' || isInner(value, depth),
  } satisfies Record<string, Check>),
);
