/**
 * The shorthand for schemas, read into JSON Schema (skill-format.md, section 3). Every shorthand means exactly one. A
 * field is a type in one line, a list of constants, or a map: `{type: integer, default: 10, min: 1}`.
 */

import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Span } from '../../text.ts';
import {
  findEntry,
  findValue,
  type Json,
  jsonOf,
  put,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../yaml/node.ts';
import { readConstants } from './constants.ts';
import { describe, findMisplaced, readKey, spanOfEntry, wrong } from './field-keys.ts';
import { isObject, type JsonObject, type SchemaProblem, show } from './model.ts';
import { type Field, newReading, type Reading } from './reading.ts';
import { toJson } from './source.ts';
import { isTypeText, readWord } from './type-expression.ts';
import { FIELD_KEYS, FIELD_KEYWORDS, findTypeWord } from './words.ts';

/** A map of fields as the schema of an object. */
export function readFields(map: YamlMap, reading: Reading): JsonObject {
  const properties: Record<string, Json> = {};
  const places = new Map<string, { keySpan: Span; span: Span }>();
  const required: string[] = [];
  for (const entry of map.entries) {
    const name = String(entry.key.value);
    if (places.has(name)) continue;
    const field = readField(entry.value, reading, entry);
    put(properties, name, field.json);
    places.set(name, { keySpan: entry.key.span, span: entry.value.span });
    if (field.required) required.push(name);
  }
  reading.places.set(properties, places);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** One field; `entry` is the key that it stands under, where there is one. */
export function readField(node: YamlNode, reading: Reading, entry?: YamlEntry): Field {
  if (node.kind === 'list') return { json: readConstants(node, reading), required: true };
  if (node.kind === 'map') return readFieldMap(node, reading);
  return readWord(node, reading, entry);
}

const KEYS: ReadonlySet<string> = new Set(FIELD_KEYS);

/** A map under a field's name: a field with its keys, a JSON Schema, or (without `type`) an object with fields of its own. */
function readFieldMap(map: YamlMap, reading: Reading): Field {
  if (isJsonSchema(map)) {
    const json = toJson(map, reading.origins) as JsonObject;
    reading.embedded.push(json);
    return { json, required: true };
  }
  if (!isFieldMap(map)) return { json: readFields(map, reading), required: true };
  return readKeys(map, reading);
}

/** `$ref`, `allOf` and the like have no shorthand: the map is a JSON Schema. */
function isJsonSchema(map: YamlMap): boolean {
  if (stringOf(findValue(map, '$ref')) !== undefined) return true;
  if (['allOf', 'anyOf', 'oneOf'].some((key) => findValue(map, key)?.kind === 'list')) return true;
  return ['not', 'if'].some((key) => findValue(map, key)?.kind === 'map') && findValue(map, 'type') === undefined;
}

/** With `type` always; without it where the other keys can only be a field's, since their values are no types. */
function isFieldMap(map: YamlMap): boolean {
  const type = findValue(map, 'type');
  if (type?.kind === 'list')
    return type.items.some((item) => item.kind === 'scalar' && findTypeWord(String(item.value)));
  if (type) return type.kind === 'scalar';
  if (!map.entries.every(({ key }) => KEYS.has(String(key.value)) || FIELD_KEYWORDS.has(String(key.value))))
    return false;
  return map.entries.some(({ key, value }) => {
    if (key.value === 'enum') return value.kind === 'list';
    if (key.value === 'properties') return value.kind === 'map';
    if (key.value === 'const') return value.kind === 'scalar' && !isTypeText(value);
    return value.kind === 'scalar' && value.value !== null && !isTypeText(value);
  });
}

function readKeys(map: YamlMap, reading: Reading): Field {
  const type = findEntry(map, 'type');
  const base = type ? readType(type.value, reading) : { json: impliedJson(map), required: true };
  const json: Record<string, Json> = { ...base.json };
  let required = base.required && !findEntry(map, 'default');
  let defaultNode: YamlNode | undefined;
  const done = new Set<string>(['type']);
  for (const entry of map.entries) {
    const key = String(entry.key.value);
    if (done.has(key)) continue;
    done.add(key);
    if (key === 'default') defaultNode = entry.value;
    else if (key === 'required') required = readRequired(entry, reading) ?? required;
    else {
      const problem = findMisplaced(key, entry, json) ?? readInner(key, entry, json, reading);
      if (problem) reading.problems.push(problem);
    }
  }
  overrideRequired(map, json);
  checkBounds(map, reading);
  if (defaultNode) {
    put(json, 'default', jsonOf(defaultNode));
    reading.defaults.push({ schema: json, node: defaultNode, within: map.span });
  }
  return { json, required };
}

/** The keys that hold fields lead back here; all others are `field-keys.ts`'s. */
function readInner(
  key: string,
  entry: YamlEntry,
  json: Record<string, Json>,
  reading: Reading,
): SchemaProblem | undefined {
  const { value: node } = entry;
  if (key === 'items') put(json, 'items', readField(node, reading, entry).json);
  else if (key !== 'properties') return readKey(key, entry, json, reading);
  else if (node.kind !== 'map') return wrong(entry, 'a map of names to types');
  else {
    const { properties = {}, required } = readFields(node, reading);
    put(json, 'properties', properties);
    if (required) put(json, 'required', required);
  }
  return undefined;
}

function readType(node: YamlNode, reading: Reading): Field {
  if (node.kind !== 'list') return readField(node, reading);
  const words: Json[] = [];
  for (const item of node.items) {
    const word = jsonOf(item);
    const type = word === null ? 'null' : findTypeWord(String(word))?.json.type;
    if (type === undefined) {
      const names = nearestNames(String(word), ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
      reading.problems.push({ span: item.span, message: `Unknown type ${show(word)}.${didYouMean(names)}` });
    } else if (!words.includes(type)) words.push(type);
  }
  if (node.items.length === 0)
    reading.problems.push({ span: node.span, message: 'An empty list of types allows nothing. Name at least one.' });
  return { json: words.length > 0 ? { type: words } : {}, required: true };
}

/** The type that the keys of a field without `type` speak of. */
function impliedJson(map: YamlMap): JsonObject {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => findEntry(map, key));
  const constants = findValue(map, 'enum');
  if (constants?.kind === 'list') return readConstants(constants, newReading());
  if (has('properties')) return { type: 'object' };
  if (has('items')) return { type: 'array' };
  if (has('regex', 'min_length', 'max_length')) return { type: 'string' };
  return has('min', 'max') ? { type: 'number' } : {};
}

const PAIRS = [
  ['min', 'max'],
  ['min_length', 'max_length'],
] as const;

function checkBounds(map: YamlMap, reading: Reading): void {
  for (const [low, high] of PAIRS) {
    const min = findValue(map, low);
    const max = findValue(map, high);
    const [from, to] = [jsonOf(min), jsonOf(max)];
    if (min && typeof from === 'number' && typeof to === 'number' && from > to) {
      reading.problems.push({
        span: min.span,
        message: `\`${low}\` ${show(from)} is above \`${high}\` ${show(to)}, so no value fits. Swap the two, or change one.`,
      });
    }
  }
}

/** `required: true` or `false`; a list of names belongs to the object's properties, as in JSON Schema. */
function readRequired(entry: YamlEntry, reading: Reading): boolean | undefined {
  const { value: node } = entry;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.kind === 'list' && node.items.every((item) => stringOf(item) !== undefined)) return undefined;
  reading.problems.push({
    span: spanOfEntry(entry),
    message: `\`required\` takes \`true\` or \`false\`, not ${describe(node)}.`,
  });
  return undefined;
}

function overrideRequired(map: YamlMap, json: Record<string, Json>): void {
  const names = findValue(map, 'required');
  if (names?.kind !== 'list' || !isObject(json.properties)) return;
  const list = [...new Set(names.items.map(stringOf))].filter((name) => name !== undefined);
  if (list.length > 0) put(json, 'required', list);
  else delete json.required;
}
