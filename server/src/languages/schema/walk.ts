/** Ways through a JSON Schema: its sub-schemas, its local references, and what it says of a part of a value. */
import type { Json } from '../yaml/node.ts';
import { holdsSchemas, KEYWORDS } from './keywords.ts';
import { type Dialect, isList, isObject, type JsonObject, listUnder, objectUnder, own } from './model.ts';
import { parseRegex, type Regex } from './regex/regex.ts';

interface SubSchema {
  readonly schema: Json;
  /** True where it applies to the same value as the schema that it stands in. */
  readonly inPlace: boolean;
}

/** The schemas that stand directly within a schema, in document order. */
export function subSchemasOf(schema: JsonObject): SubSchema[] {
  const result: SubSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const held = holdsSchemas(keyword, value);
    if (!held) continue;
    const inPlace = KEYWORDS.get(keyword)?.inPlace === true;
    if (held === 'one') result.push({ schema: value, inPlace });
    else if (held === 'list' ? isList(value) : isObject(value)) {
      for (const sub of Object.values(value as JsonObject)) result.push({ schema: sub, inPlace });
    }
  }
  return result;
}

/** Every schema within `root` once, in document order, itself first. */
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

/** True where the reference leads to another document, which is never fetched. */
export const isRemote = (ref: string): boolean => ref !== '' && !ref.startsWith('#');

/** What a local reference leads to: `#`, `#/$defs/name` or `#anchor`. */
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

/** What the schema's own `$ref` leads to, if it has one that leads somewhere. */
export function refTarget(root: JsonObject, schema: JsonObject): Json | undefined {
  const ref = own(schema, '$ref');
  return typeof ref === 'string' ? resolveRef(root, ref) : undefined;
}

/** The other schemas that a value of this one has to fit as well: what `$ref` leads to, and the parts of `allOf`. */
export function conjunctsOf(root: JsonObject, schema: JsonObject): readonly Json[] {
  const target = refTarget(root, schema);
  const all = listUnder(schema, 'allOf');
  return target === undefined ? all : [target, ...all];
}

/** The schemas of the first items of a list, one for each. */
export const headsOf = (schema: JsonObject, dialect: Dialect): readonly Json[] =>
  listUnder(schema, dialect === '2020-12' ? 'prefixItems' : 'items');

/** The schema of the items behind those; undefined where any item may follow. */
export function restOf(schema: JsonObject, dialect: Dialect): Json | undefined {
  const items = own(schema, 'items');
  if (!isList(items)) return items;
  return dialect === 'draft-07' ? own(schema, 'additionalItems') : undefined;
}

/** What a schema says of a property by its name. */
export interface PropertySchemas {
  readonly declared: Json | undefined;
  /** Those of the `patternProperties` that the name matches. */
  readonly patterned: readonly Json[];
  /** What `additionalProperties` says, where neither of the others says anything. */
  readonly additional: Json | undefined;
  /** Steps of the regular expressions. */
  readonly cost: number;
}

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

/** A regular expression, read once for all who share the map. */
export function regexOf(pattern: string, regexes: Map<string, Regex>): Regex {
  const known = regexes.get(pattern) ?? parseRegex(pattern);
  regexes.set(pattern, known);
  return known;
}
