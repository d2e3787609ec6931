/**
 * Finds schemas in a JSON Schema: its sub-schemas, the targets of local references, and the schemas that apply to parts
 * of a value.
 */
import type { Json } from '../yaml/node.ts';
import { KEYWORDS, schemaFormOf } from './keywords.ts';
import { type Dialect, isList, isObject, type JsonObject, listUnder, objectUnder, own } from './model.ts';
import { parseRegex, type Regex } from './regex/regex.ts';

interface SubSchema {
  readonly schema: Json;
  /** True if the sub-schema applies to the same value as the enclosing schema. */
  readonly inPlace: boolean;
}

/** Returns the direct sub-schemas of a schema, in document order. */
export function subSchemasOf(schema: JsonObject): SubSchema[] {
  const result: SubSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const held = schemaFormOf(keyword, value);
    if (!held) continue;
    const inPlace = KEYWORDS.get(keyword)?.inPlace === true;
    if (held === 'one') result.push({ schema: value, inPlace });
    else if (held === 'list' ? isList(value) : isObject(value)) {
      for (const sub of Object.values(value as JsonObject)) result.push({ schema: sub, inPlace });
    }
  }
  return result;
}

/** Yields `root` and every schema in it once, in document order. Does not follow references. */
export function* allSchemas(root: Json): Generator<JsonObject> {
  const open: Json[] = [root];
  const seen = new Set<Json>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    yield schema;
    for (const sub of subSchemasOf(schema).reverse()) open.push(sub.schema);
  }
}

/** Returns true if a schema, or a schema in it, has one of the keywords. */
export function hasKeyword(root: Json, ...keywords: readonly string[]): boolean {
  for (const schema of allSchemas(root)) if (keywords.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  return false;
}

/** Returns true if a schema, or a schema in it, has a reference, whose target depends on the root. */
export const hasReference = (root: Json): boolean => hasKeyword(root, '$ref', '$dynamicRef');

/** Returns true if a reference points to another document. Other documents are not fetched. */
export const isRemote = (ref: string): boolean => ref !== '' && !ref.startsWith('#');

/** Returns the target of a local reference (`#`, `#/$defs/name` or `#anchor`), or undefined. Never throws. */
export function resolveRef(root: JsonObject, ref: string): Json | undefined {
  if (isRemote(ref)) return undefined;
  const fragment = decode(ref.slice(1));
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) {
    for (const schema of allSchemas(root)) {
      if (own(schema, '$anchor') === fragment || own(schema, '$dynamicAnchor') === fragment) return schema;
    }
    return undefined;
  }
  let at: Json | undefined = root;
  for (const step of fragment.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isList(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined;
    else at = isObject(at) ? own(at, name) : undefined;
  }
  return at;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the target of the schema's own `$ref`, or undefined. */
export function refTarget(root: JsonObject, schema: JsonObject): Json | undefined {
  const ref = own(schema, '$ref');
  return typeof ref === 'string' ? resolveRef(root, ref) : undefined;
}

/** Returns the schemas that a value of a schema must also match: the target of `$ref`, and the parts of `allOf`. */
export function conjunctsOf(root: JsonObject, schema: JsonObject): readonly Json[] {
  const target = refTarget(root, schema);
  const all = listUnder(schema, 'allOf');
  return target === undefined ? all : [target, ...all];
}

/** Returns the schemas of the first items of a list, one schema for each item. */
export const firstItemSchemasOf = (schema: JsonObject, dialect: Dialect): readonly Json[] =>
  listUnder(schema, dialect === '2020-12' ? 'prefixItems' : 'items');

/**
 * Returns the schema of the items after the first items (see `firstItemSchemasOf`), or undefined if any item can
 * follow.
 */
export function otherItemsSchemaOf(schema: JsonObject, dialect: Dialect): Json | undefined {
  const items = own(schema, 'items');
  if (!isList(items)) return items;
  return dialect === 'draft-07' ? own(schema, 'additionalItems') : undefined;
}

/** The schemas of a property. */
export interface PropertySchemas {
  readonly declared: Json | undefined;
  /** The schemas of `patternProperties` whose pattern matches the name. */
  readonly patterned: readonly Json[];
  /** The schema of `additionalProperties`, if no other schema applies to the name. */
  readonly additional: Json | undefined;
  /** The number of engine steps that matching the name with the patterns takes. */
  readonly cost: number;
}

/** Returns the schemas of the property `name`. `regexes` caches parsed regular expressions. */
export function propertySchemas(schema: JsonObject, name: string, regexes: Map<string, Regex>): PropertySchemas {
  const declared = own(objectUnder(schema, 'properties'), name);
  const patterned: Json[] = [];
  let cost = 0;
  for (const [pattern, sub] of Object.entries(objectUnder(schema, 'patternProperties'))) {
    const regex = regexOf(pattern, regexes);
    cost += regex.cost(name.length);
    if (regex.test(name)) patterned.push(sub);
  }
  const isNamed = declared !== undefined || patterned.length > 0;
  return { declared, patterned, additional: isNamed ? undefined : own(schema, 'additionalProperties'), cost };
}

/** Returns a parsed regular expression, cached in `regexes`. */
export function regexOf(pattern: string, regexes: Map<string, Regex>): Regex {
  const known = regexes.get(pattern) ?? parseRegex(pattern);
  regexes.set(pattern, known);
  return known;
}
