/** Reads the schemas of tools, which servers wrote (docs/tools.md, "Schemas of tools"). */
import { findValue, type Json, mapEntries, stringOf, type YamlMap, type YamlNode } from '../yaml/node.ts';
import { JSON_TYPES, KEYWORDS } from './keywords.ts';
import { isList, isObject, type JsonObject, own, type Schema } from './model.ts';
import { parseMap, parseSchema } from './parse-schema.ts';
import { toNode } from './print.ts';
import { validateValue } from './validate/value.ts';
import { allSchemas } from './walk.ts';

/**
 * Parses the schema of a tool. It is always a JSON Schema, and may be the schema of a list. A default
 * that does not match its own schema, such as `null` for an optional string, is left out. Never throws: invalid parts
 * become problems.
 */
export const parseToolSchema = (json: JsonObject): Schema =>
  parseMap(toNode(withoutWrongDefaults(json)) as YamlMap, true);

/**
 * Parses the schema of a tool that a catalog describes. Under a key of the protocol (`outputSchema`), a map of keywords is
 * a JSON Schema, so `{type: array, items: …}` is a list there. Never throws: invalid parts become problems.
 */
export const parseCatalogSchema = (key: string, node: YamlNode): Schema =>
  key.endsWith('Schema') && node.kind === 'map' && hasOnlyKeywords(node) ? parseMap(node, true) : parseSchema(node);

const hasOnlyKeywords = (map: YamlMap): boolean =>
  JSON_TYPES.includes(stringOf(findValue(map, 'type')) ?? '') &&
  mapEntries(map).every(({ key }) => KEYWORDS.has(String(key.value)));

function withoutWrongDefaults(root: JsonObject): JsonObject {
  const wrong = new Set<Json>();
  for (const schema of allSchemas(root)) {
    const value = own(schema, 'default');
    if (value === undefined) continue;
    const { violations, certain } = validateValue({ root, dialect: '2020-12' }, value, schema);
    if (certain && violations.length > 0) wrong.add(schema);
  }
  const copy = (json: Json): Json => {
    if (isList(json)) return json.map(copy);
    if (!isObject(json)) return json;
    const entries = Object.entries(json).filter(([key]) => !(key === 'default' && wrong.has(json)));
    return Object.fromEntries(entries.map(([key, value]) => [key, copy(value)]));
  };
  return wrong.size === 0 ? root : (copy(root) as JsonObject);
}
