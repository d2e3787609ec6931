/**
 * The producer's side of assignability: a schema as the variants that it allows, each of one type and without `$ref`,
 * `allOf` and alternatives. A variant is a list of plain schemas that all hold, so nothing is ever merged.
 */
import type { Json } from '../../yaml/node.ts';
import { KEYWORDS } from '../keywords.ts';
import { impliedType } from '../label.ts';
import { isList, isObject, type JsonObject, listUnder, numberUnder, own } from '../model.ts';
import { resolveRef } from '../walk.ts';

export interface Variant {
  /** Plain schemas that all hold. */
  readonly all: readonly JsonObject[];
  readonly type: string;
  /** True where they may allow less, since they have keywords that are not decided here, or no type. */
  readonly loose: boolean;
}

const TYPES: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** More variants than this are not compared. */
const MAX_VARIANTS = 48;
const MAX_DEPTH = 40;

/** Keywords that narrow a value in a way that is not decided here. */
const UNDECIDED: readonly string[] = [
  '$dynamicRef',
  'contains',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'not',
  'nullable',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];

export const isUndecided = (schema: JsonObject): boolean => UNDECIDED.some((keyword) => Object.hasOwn(schema, keyword));

const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** The variants of schemas that all hold for one value; undefined where there are too many, or references lead nowhere. */
export function variantsOf(root: JsonObject, schemas: readonly Json[]): readonly Variant[] | undefined {
  const flat = productOf(schemas.map((schema) => flatten(root, schema, 0)));
  const variants = flat?.flatMap(splitTypes);
  return variants && variants.length <= MAX_VARIANTS ? variants : undefined;
}

type Alternatives = readonly (readonly JsonObject[])[];

function flatten(root: JsonObject, schema: Json, depth: number): Alternatives | undefined {
  if (schema === false) return [];
  if (!isObject(schema)) return [[]];
  if (depth > MAX_DEPTH) return undefined;
  const deeper = (sub: Json | undefined) => (sub === undefined ? undefined : flatten(root, sub, depth + 1));
  const rest = IN_PLACE.some((key) => Object.hasOwn(schema, key))
    ? (Object.fromEntries(Object.entries(schema).filter(([key]) => !IN_PLACE.includes(key))) as JsonObject)
    : schema;
  const factors: (Alternatives | undefined)[] = [[[rest]]];
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') factors.push(deeper(resolveRef(root, ref)));
  for (const part of listUnder(schema, 'allOf')) factors.push(deeper(part));
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = own(schema, keyword);
    if (!isList(list)) continue;
    const alternatives = list.map(deeper);
    factors.push(alternatives.includes(undefined) ? undefined : alternatives.flatMap((one) => one ?? []));
  }
  return productOf(factors);
}

function productOf(factors: readonly (Alternatives | undefined)[]): Alternatives | undefined {
  let product: Alternatives = [[]];
  for (const factor of factors) {
    if (!factor || product.length * factor.length > MAX_VARIANTS) return undefined;
    product = product.flatMap((left) => factor.map((right) => [...left, ...right]));
  }
  return product;
}

function splitTypes(all: readonly JsonObject[]): readonly Variant[] {
  const isLoose = all.some(isUndecided);
  let types: readonly string[] | undefined;
  for (const schema of all) {
    const type = own(schema, 'type');
    if (type === undefined) continue;
    const named = (isList(type) ? type : [type]).map(String);
    types = types ? intersect(types, named) : named;
  }
  if (types) return types.map((type) => ({ all, type, loose: isLoose }));
  const values = valuesOf(all);
  if (values) return [{ all, type: 'any', loose: isLoose }];
  const implied = all.map(impliedType).find((type) => type !== 'any');
  // A schema with `properties` is meant for a map, though JSON Schema lets everything else pass as well.
  return TYPES.map((type) => ({ all, type, loose: isLoose || type !== implied }));
}

const intersect = (a: readonly string[], b: readonly string[]): readonly string[] => [
  ...new Set([
    ...a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number'))),
    ...b.filter((type) => type === 'integer' && a.includes('number')),
  ]),
];

/** The values that a constant or an enumeration allows; undefined without either. */
export function valuesOf(all: readonly JsonObject[]): readonly Json[] | undefined {
  for (const schema of all) {
    const constant = own(schema, 'const');
    if (constant !== undefined) return [constant];
    const values = own(schema, 'enum');
    if (isList(values)) return values;
  }
  return undefined;
}

const numbers = (all: readonly JsonObject[], keyword: string): readonly number[] =>
  all.flatMap((schema) => numberUnder(schema, keyword) ?? []);

/** The greatest of the bounds that all hold; `-Infinity` without one. */
export const atLeast = (all: readonly JsonObject[], keyword: string): number => Math.max(...numbers(all, keyword));

/** The least of the bounds that all hold; `Infinity` without one. */
export const atMost = (all: readonly JsonObject[], keyword: string): number => Math.min(...numbers(all, keyword));

/** Whether a length that the schemas allow may lie outside of the consumer's bounds. */
export function mayExceed(all: readonly JsonObject[], to: JsonObject, least: string, most: string): boolean {
  const fewest = numberUnder(to, least) ?? 0;
  return (fewest > 0 && atLeast(all, least) < fewest) || atMost(all, most) > (numberUnder(to, most) ?? Infinity);
}

/** What the schemas have under a keyword. */
export const under = (all: readonly JsonObject[], keyword: string): readonly Json[] =>
  all.flatMap((schema) => own(schema, keyword) ?? []);

/** Whether a schema lets every value pass: it has nothing but annotations. */
export const isAny = (schema: Json): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every((key) => KEYWORDS.get(key)?.isAnnotation));
