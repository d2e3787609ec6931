/**
 * The shorthand for schemas, read into JSON Schema (docs/format.md, section 3). Every shorthand means exactly one. A
 * field is a type in one line, a list of constants, or a map: `{type: integer, default: 10, min: 1}`.
 */

import { didYouMean, nearestNames } from '../../../nearest.ts';
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
} from '../../yaml/node.ts';
import { JSON_TYPES } from '../keywords.ts';
import { isObject, type JsonObject, type SchemaProblem, show } from '../model.ts';
import { toJson } from '../origins.ts';
import { type Field, newParseState, type ParseState } from '../parse-state.ts';
import { crossedBounds, describe } from '../problems.ts';
import { readConstants } from './constants.ts';
import { findMisplaced, readKey, spanOfEntry, wrong } from './field-keys.ts';
import { isTypeText, readWord } from './type-expression.ts';
import { FIELD_KEYS, FIELD_KEYWORDS, findTypeWord } from './type-words.ts';

/** A map of fields as the schema of an object. */
export function readFields(map: YamlMap, state: ParseState): JsonObject {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const entry of map.entries) {
    const name = String(entry.key.value);
    if (Object.hasOwn(properties, name)) continue;
    const field = readField(entry.value, state, entry);
    put(properties, name, field.json);
    if (field.required) required.push(name);
  }
  state.origins.set(properties, map);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** One field; `entry` is the key that it stands under, where there is one. */
function readField(node: YamlNode, state: ParseState, entry?: YamlEntry): Field {
  if (node.kind === 'list') return { json: readConstants(node, state), required: true };
  if (node.kind === 'map') return readFieldMap(node, state);
  return readWord(node, state, entry);
}

const KEYS: ReadonlySet<string> = new Set(FIELD_KEYS);

/** A map under a field's name: a field with its keys, a JSON Schema, or (without `type`) an object with fields of its own. */
function readFieldMap(map: YamlMap, state: ParseState): Field {
  if (isJsonSchema(map)) {
    const json = toJson(map, state.origins) as JsonObject;
    state.embedded.push(json);
    return { json, required: true };
  }
  if (!isFieldMap(map)) return { json: readFields(map, state), required: true };
  return readKeys(map, state);
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

function readKeys(map: YamlMap, state: ParseState): Field {
  const type = findEntry(map, 'type');
  const base = type ? readType(type.value, state) : { json: impliedJson(map), required: true };
  const json: Record<string, Json> = { ...base.json };
  let required = base.required && !findEntry(map, 'default');
  let defaultNode: YamlNode | undefined;
  const done = new Set<string>(['type']);
  for (const entry of map.entries) {
    const key = String(entry.key.value);
    if (done.has(key)) continue;
    done.add(key);
    if (key === 'default') defaultNode = entry.value;
    else if (key === 'required') required = readRequired(entry, state) ?? required;
    else {
      const problem = findMisplaced(key, entry, json) ?? readInner(key, entry, json, state);
      if (problem) state.problems.push(problem);
    }
  }
  overrideRequired(map, json);
  checkBounds(map, state);
  if (defaultNode) {
    put(json, 'default', jsonOf(defaultNode));
    state.defaults.push({ schema: json, node: defaultNode, within: map.span });
  }
  return { json, required };
}

/** The keys that hold fields lead back here; all others are `field-keys.ts`'s. */
function readInner(
  key: string,
  entry: YamlEntry,
  json: Record<string, Json>,
  state: ParseState,
): SchemaProblem | undefined {
  const { value: node } = entry;
  if (key === 'items') put(json, 'items', readField(node, state, entry).json);
  else if (key !== 'properties') return readKey(key, entry, json, state);
  else if (node.kind !== 'map') return wrong(entry, 'a map of names to types');
  else {
    const { properties = {}, required } = readFields(node, state);
    put(json, 'properties', properties);
    if (required) put(json, 'required', required);
  }
  return undefined;
}

function readType(node: YamlNode, state: ParseState): Field {
  if (node.kind !== 'list') return readField(node, state);
  const words: Json[] = [];
  for (const item of node.items) {
    const word = jsonOf(item);
    const type = word === null ? 'null' : findTypeWord(String(word))?.json.type;
    if (type === undefined) {
      const names = nearestNames(String(word), JSON_TYPES);
      state.problems.push({ span: item.span, message: `Unknown type ${show(word)}.${didYouMean(names)}` });
    } else if (!words.includes(type)) words.push(type);
  }
  if (node.items.length === 0)
    state.problems.push({ span: node.span, message: 'An empty list of types allows nothing. Name at least one.' });
  return { json: words.length > 0 ? { type: words } : {}, required: true };
}

/** The type that the keys of a field without `type` speak of. */
function impliedJson(map: YamlMap): JsonObject {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => findEntry(map, key));
  const constants = findValue(map, 'enum');
  if (constants?.kind === 'list') return readConstants(constants, newParseState());
  if (has('properties')) return { type: 'object' };
  if (has('items')) return { type: 'array' };
  if (has('regex', 'min_length', 'max_length')) return { type: 'string' };
  return has('min', 'max') ? { type: 'number' } : {};
}

const PAIRS = [
  ['min', 'max'],
  ['min_length', 'max_length'],
] as const;

function checkBounds(map: YamlMap, state: ParseState): void {
  for (const [low, high] of PAIRS) {
    const min = findValue(map, low);
    const max = findValue(map, high);
    const [from, to] = [jsonOf(min), jsonOf(max)];
    if (min && typeof from === 'number' && typeof to === 'number' && from > to) {
      state.problems.push(crossedBounds(low, from, high, to, min.span));
    }
  }
}

/** `required: true` or `false`; a list of names belongs to the object's properties, as in JSON Schema. */
function readRequired(entry: YamlEntry, state: ParseState): boolean | undefined {
  const { value: node } = entry;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.kind === 'list' && node.items.every((item) => stringOf(item) !== undefined)) return undefined;
  state.problems.push({
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
