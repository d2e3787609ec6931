/** Ways through a JSON Schema: its sub-schemas and its local references. */
import type { Json } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, own, type Path } from './model.ts';

/** How a keyword holds schemas, and whether they judge the same value as the schema that holds them. */
const HOLDERS: ReadonlyMap<string, { readonly as: 'one' | 'list' | 'map'; readonly inPlace?: true }> = new Map([
  ['$defs', { as: 'map' }],
  ['additionalItems', { as: 'one' }],
  ['additionalProperties', { as: 'one' }],
  ['allOf', { as: 'list', inPlace: true }],
  ['anyOf', { as: 'list', inPlace: true }],
  ['contains', { as: 'one' }],
  ['contentSchema', { as: 'one' }],
  ['definitions', { as: 'map' }],
  ['dependencies', { as: 'map', inPlace: true }],
  ['dependentSchemas', { as: 'map', inPlace: true }],
  ['else', { as: 'one', inPlace: true }],
  ['if', { as: 'one', inPlace: true }],
  ['items', { as: 'one' }],
  ['not', { as: 'one', inPlace: true }],
  ['oneOf', { as: 'list', inPlace: true }],
  ['patternProperties', { as: 'map' }],
  ['prefixItems', { as: 'list' }],
  ['properties', { as: 'map' }],
  ['propertyNames', { as: 'one' }],
  ['then', { as: 'one', inPlace: true }],
  ['unevaluatedItems', { as: 'one' }],
  ['unevaluatedProperties', { as: 'one' }],
] as const);

/** How the schemas under a keyword are held; `items` is a list in draft-07, where it says what each item is. */
export function holds(keyword: string, value: Json | undefined): 'one' | 'list' | 'map' | undefined {
  if (keyword === 'items' && isList(value)) return 'list';
  return HOLDERS.get(keyword)?.as;
}

export interface SubSchema {
  readonly steps: Path;
  readonly schema: Json;
  readonly inPlace: boolean;
}

/** The schemas that stand directly within a schema, in document order. */
export function subSchemasOf(schema: JsonObject): readonly SubSchema[] {
  const result: SubSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const held = holds(keyword, value);
    if (!held) continue;
    const inPlace = HOLDERS.get(keyword)?.inPlace === true;
    if (held === 'one') result.push({ steps: [keyword], schema: value, inPlace });
    else if (held === 'list' && isList(value)) {
      value.forEach((item, index) => {
        result.push({ steps: [keyword, index], schema: item, inPlace });
      });
    } else if (held === 'map' && isObject(value)) {
      for (const [name, item] of Object.entries(value)) result.push({ steps: [keyword, name], schema: item, inPlace });
    }
  }
  return result;
}

/** Every schema within `root` once, itself first; `seen` keeps a shared one from being met again. */
export function* allSchemas(root: Json): Generator<JsonObject> {
  const open: Json[] = [root];
  const seen = new Set<Json>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    yield schema;
    pushSubSchemas(schema, open);
  }
}

/** Puts the schemas that stand directly within a schema upon a stack, the last one first. Most schemas hold none. */
function pushSubSchemas(schema: JsonObject, stack: Json[]): void {
  const keywords = Object.keys(schema);
  for (let at = keywords.length - 1; at >= 0; at--) {
    const keyword = keywords[at] ?? '';
    const value = schema[keyword];
    const held = holds(keyword, value);
    if (held === 'one' && value !== undefined) stack.push(value);
    else if (held === 'list' && isList(value)) pushAll(value, stack);
    else if (held === 'map' && isObject(value)) pushAll(Object.values(value), stack);
  }
}

function pushAll(schemas: readonly Json[], stack: Json[]): void {
  for (let at = schemas.length - 1; at >= 0; at--) stack.push(schemas[at] as Json);
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
