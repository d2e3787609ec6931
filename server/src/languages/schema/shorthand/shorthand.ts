/**
 * The parser for the schema shorthand (docs/format.md, section 3). Every shorthand has exactly one JSON Schema. A field
 * is a type in one line, a list of constants, or a map: `{type: integer, default: 10, min: 1}`.
 */

import { closestSlip, closestTypo, didYouMean, nearestNames } from '../../../nearest.ts';
import { contains } from '../../../text.ts';
import {
  findEntry,
  findValue,
  type Json,
  jsonOf,
  setProperty,
  stringOf,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
} from '../../yaml/node.ts';
import { JSON_TYPES, KEYWORDS } from '../keywords.ts';
import {
  type Field,
  isList,
  isObject,
  type JsonObject,
  newParseState,
  type ParseState,
  type SchemaProblem,
  show,
} from '../model.ts';
import { toJson } from '../origins.ts';
import { describeValue, duplicates, regexProblems, replaceWith } from '../problems.ts';
import { findEmptyRanges } from '../ranges.ts';
import { validateValue } from '../validate/value.ts';
import { FIELD_KEYS, FIELD_KEYWORDS, findTypeWord, isTypeText, readScalarField } from './type-expression.ts';

/**
 * Returns the schema of an object from a map of fields (docs/format.md, section 3). Adds problems, defaults and the
 * YAML nodes of its parts to `state`. Never throws.
 */
export function readFields(map: YamlMap, state: ParseState): JsonObject {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const entry of map.entries) {
    const name = String(entry.key.value);
    if (Object.hasOwn(properties, name)) continue;
    const field = readField(entry.value, state, entry);
    setProperty(properties, name, field.json);
    if (field.required) required.push(name);
  }
  state.origins.set(properties, map);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Reads one field. `entry` is the map entry of the field, if it is in a map. */
function readField(node: YamlNode, state: ParseState, entry?: YamlEntry): Field {
  if (node.kind === 'list') return { json: readConstants(node, state), required: true };
  if (node.kind === 'map') return readFieldMap(node, state);
  return readScalarField(node, state, entry);
}

const KEYS: ReadonlySet<string> = new Set(FIELD_KEYS);

/** Reads a map: a field with its keys, a JSON Schema, or (without `type`) an object with fields. */
function readFieldMap(map: YamlMap, state: ParseState): Field {
  if (isJsonSchema(map)) {
    const json = toJson(map, state.origins) as JsonObject;
    state.embedded.push(json);
    return { json, required: true };
  }
  if (!isFieldMap(map)) return { json: readFields(map, state), required: true };
  return readKeys(map, state);
}

/** Returns true for a map that is a JSON Schema: it has `$ref`, `allOf` or another keyword without shorthand. */
function isJsonSchema(map: YamlMap): boolean {
  if (stringOf(findValue(map, '$ref')) !== undefined) return true;
  if (['allOf', 'anyOf', 'oneOf'].some((key) => findValue(map, key)?.kind === 'list')) return true;
  return ['not', 'if'].some((key) => findValue(map, key)?.kind === 'map') && findValue(map, 'type') === undefined;
}

/**
 * Returns true for a map that defines one field: it has the key `type`, or only keys of a field, with values that are
 * not types.
 */
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
  checkRanges(map, json, state);
  if (defaultNode) {
    setProperty(json, 'default', jsonOf(defaultNode));
    state.defaults.push({ schema: json, node: defaultNode, within: map.span });
  }
  return { json, required };
}

/** Reads a key that contains fields. Passes any other key to `readKey`. */
function readInner(
  key: string,
  entry: YamlEntry,
  json: Record<string, Json>,
  state: ParseState,
): SchemaProblem | undefined {
  const { value: node } = entry;
  if (key === 'items') setProperty(json, 'items', readField(node, state, entry).json);
  else if (key !== 'properties') return readKey(key, entry, json, state);
  else if (node.kind !== 'map') return wrong(entry, 'a map of names to types');
  else {
    const { properties = {}, required } = readFields(node, state);
    setProperty(json, 'properties', properties);
    if (required) setProperty(json, 'required', required);
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
    state.problems.push({ span: node.span, message: 'This list of types is empty. Add at least one type.' });
  return { json: words.length > 0 ? { type: words } : {}, required: true };
}

/** Returns the type that the keys of a field without `type` imply. */
function impliedJson(map: YamlMap): JsonObject {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => findEntry(map, key));
  const constants = findValue(map, 'enum');
  if (constants?.kind === 'list') return readConstants(constants, newParseState());
  if (has('properties')) return { type: 'object' };
  if (has('items')) return { type: 'array' };
  if (has('regex', 'min_length', 'max_length')) return { type: 'string' };
  return has('min', 'max') ? { type: 'number' } : {};
}

/** Reports bounds and constants that no value can match, unless the field already has an error. */
function checkRanges(map: YamlMap, json: JsonObject, state: ParseState): void {
  if (state.problems.some(({ severity, span }) => severity === undefined && contains(map.span, span))) return;
  const problems = findEmptyRanges(json, json, '2020-12', (keyword) => {
    const entry = map.entries.find(({ key }) => keywordOf(String(key.value), json) === keyword);
    return entry && { name: String(entry.key.value), span: entry.value.span };
  });
  state.problems.push(...problems);
}

/** Reads `required: true` or `false`. A list of names applies to the object's properties, as in JSON Schema. */
function readRequired(entry: YamlEntry, state: ParseState): boolean | undefined {
  const { value: node } = entry;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.kind === 'list' && node.items.every((item) => stringOf(item) !== undefined)) return undefined;
  state.problems.push({
    span: spanOfEntry(entry),
    message: `\`required\` must be \`true\` or \`false\`, but is ${describeValue(node)}.`,
  });
  return undefined;
}

function overrideRequired(map: YamlMap, json: Record<string, Json>): void {
  const names = findValue(map, 'required');
  if (names?.kind !== 'list' || !isObject(json.properties)) return;
  const list = [...new Set(names.items.map(stringOf))].filter((name) => name !== undefined);
  if (list.length > 0) setProperty(json, 'required', list);
  else delete json.required;
}

// The keys of a field in the form of a map, and their JSON Schema keywords (docs/format.md, section 3).

interface Bound {
  /** The JSON Schema keyword for each type. */
  readonly means: Readonly<Partial<Record<string, string>>>;
  readonly belongs: string;
}

const NUMBERS = 'numbers and lists';
const LENGTHS = 'strings and lists';

const BOUNDS: ReadonlyMap<string, Bound> = new Map(
  Object.entries({
    min: { means: { number: 'minimum', integer: 'minimum', any: 'minimum', array: 'minItems' }, belongs: NUMBERS },
    max: { means: { number: 'maximum', integer: 'maximum', any: 'maximum', array: 'maxItems' }, belongs: NUMBERS },
    min_length: { means: { string: 'minLength', any: 'minLength', array: 'minItems' }, belongs: LENGTHS },
    max_length: { means: { string: 'maxLength', any: 'maxLength', array: 'maxItems' }, belongs: LENGTHS },
  }),
);

function typesOf(json: JsonObject): readonly string[] {
  const type = json.type;
  return isList(type) ? type.map(String) : [typeof type === 'string' ? type : 'any'];
}

/** Returns the JSON Schema keyword for a key of a field; undefined for a bound that the type does not have. */
function keywordOf(key: string, json: JsonObject): string | undefined {
  const bound = BOUNDS.get(key);
  if (!bound) return key;
  return typesOf(json)
    .map((type) => (Object.hasOwn(bound.means, type) ? bound.means[type] : undefined))
    .find((name) => name);
}

/** Adds a key that contains no fields to the JSON Schema. Returns the problem with its value, if any. */
function readKey(
  key: string,
  entry: YamlEntry,
  json: Record<string, Json>,
  state: ParseState,
): SchemaProblem | undefined {
  const { value: node } = entry;
  if (BOUNDS.has(key)) return readBound(key, entry, json);
  switch (key) {
    case 'regex': {
      const source = stringOf(node);
      if (source === undefined) return wrong(entry, 'a regular expression as a string');
      setProperty(json, 'pattern', source);
      state.problems.push(...regexProblems(source, node.span));
      return undefined;
    }
    case 'enum':
      if (node.kind !== 'list') return wrong(entry, 'a list of values');
      readEnum(node, json, state);
      return undefined;
    case 'description': {
      const text = stringOf(node);
      if (text === undefined) return wrong(entry, 'a string');
      if (text.trim() !== '') setProperty(json, 'description', text.trim());
      return undefined;
    }
    default:
      if (!FIELD_KEYWORDS.has(key)) return unknownKey(key, entry);
      readKeyword(key, entry, json, state);
      return undefined;
  }
}

/** Returns the problem with a key that applies only to another type. */
function findMisplaced(key: string, entry: YamlEntry, json: JsonObject): SchemaProblem | undefined {
  const belongs = BELONGS.get(key);
  if (belongs === undefined || typesOf(json).some((type) => type === belongs || type === 'any')) return undefined;
  return misplaced(entry, json, `It applies only to the type \`${belongs}\`.`);
}

const BELONGS: ReadonlyMap<string, string> = new Map([
  ['regex', 'string'],
  ['items', 'array'],
  ['properties', 'object'],
]);

/** Returns the problem with a key whose value has the wrong kind. */
const wrong = (entry: YamlEntry, expected: string): SchemaProblem => ({
  span: spanOfEntry(entry),
  message: `\`${String(entry.key.value)}\` must be ${expected}, but is ${describeValue(entry.value)}.`,
});

const misplaced = ({ key }: YamlEntry, json: JsonObject, advice: string): SchemaProblem => ({
  span: key.span,
  message: `\`${String(key.value)}\` has no effect on the type \`${typesOf(json).join(' | ')}\`. ${advice}`,
});

function readBound(key: string, entry: YamlEntry, json: Record<string, Json>): SchemaProblem | undefined {
  const bound = BOUNDS.get(key);
  const value = jsonOf(entry.value);
  if (!bound || typeof value !== 'number' || !Number.isFinite(value)) return wrong(entry, 'a number');
  const keyword = keywordOf(key, json);
  if (!keyword) {
    const isText = typesOf(json).includes('string');
    return misplaced(entry, json, isText ? `Write \`${key}_length\`.` : `It applies only to ${bound.belongs}.`);
  }
  const known = KEYWORDS.get(keyword);
  if (known?.value === 'count' && !(Number.isInteger(value) && value >= 0)) return wrong(entry, known.takes);
  setProperty(json, keyword, value);
  return undefined;
}

function readEnum(list: YamlList, json: Record<string, Json>, state: ParseState): void {
  const problems = checkConstants(list);
  state.problems.push(...(problems.length > 0 ? problems : checkMembers(list.items, json)));
  setProperty(json, 'enum', list.items.map(jsonOf));
}

/** Reads a keyword as a separate JSON Schema, so that problems with the keyword are reported at its value. */
function readKeyword(key: string, entry: YamlEntry, json: Record<string, Json>, state: ParseState): void {
  const value = toJson(entry.value, state.origins);
  setProperty(json, key, value);
  const alone: JsonObject = { [key]: value };
  state.origins.set(alone, { kind: 'map', span: entry.span, flow: true, entries: [entry] });
  state.embedded.push(alone);
}

function unknownKey(key: string, { key: { span }, value, span: whole }: YamlEntry): SchemaProblem | undefined {
  if (key.startsWith('x-')) return undefined;
  const hint = (advice: string): SchemaProblem => ({
    span,
    severity: 'hint',
    message: `Unknown key ${show(key)}. ${advice}`,
  });
  const known = [...FIELD_KEYS, ...FIELD_KEYWORDS];
  const typo = closestTypo(key, known) ?? closestSlip(key, known);
  const near = typo ?? nearestNames(key, known)[0];
  if (near !== undefined) {
    const fix = { title: `Rename to \`${near}\``, span, newText: near };
    const severity = typo === undefined ? 'hint' : 'warning';
    return { ...hint(`Did you mean ${show(near)}?`), severity, meant: near, fix };
  }
  if (key === 'optional') {
    const problem = hint('Write `required: false`, or `?` after the type.');
    if (jsonOf(value) !== true) return problem;
    return {
      ...problem,
      meant: 'required',
      fix: { title: 'Write `required: false`', span: whole, newText: 'required: false' },
    };
  }
  if (isTypeText(value)) return hint('If it is a field, move it under `properties`.');
  if (!KEYWORDS.has(key)) return undefined;
  return hint('To use this JSON Schema keyword, write the whole schema as JSON Schema, with `type: object`.');
}

/** Reports values that do not fit the type of the field. */
function* checkMembers(items: readonly YamlNode[], { type }: JsonObject): Generator<SchemaProblem> {
  if (type === undefined) return;
  for (const item of items) {
    const { violations } = validateValue({ root: { type }, dialect: '2020-12' }, jsonOf(item));
    if (violations.length === 0) continue;
    yield {
      span: item.span,
      message: `${show(jsonOf(item))} does not match the type ${show(type)} of this field. Change or remove it.`,
    };
  }
}

/** Returns the span of the value, or of the key if the value is empty. */
const spanOfEntry = ({ key, value }: YamlEntry): YamlNode['span'] =>
  value.span.start === value.span.end ? key.span : value.span;

// A list of allowed values, the shorthand for an enumeration (docs/format.md, section 3).

/** Reads a list of constants as an enumeration with the common type of the constants. */
function readConstants(list: YamlList, state: ParseState): JsonObject {
  const values = list.items.map(jsonOf);
  state.problems.push(...checkConstants(list));
  const [only] = list.items;
  if (
    values.length > 0 &&
    list.items.every((item) => item.kind === 'scalar' && item.style === 'plain' && findTypeWord(String(item.value)))
  ) {
    const single = values.length === 1 && only;
    const word = String(values[0]);
    state.problems.push({
      span: list.span,
      severity: 'hint',
      message: single
        ? `This allows only the value \`${word}\`. For a list of that type, write \`${word}[]\`.`
        : 'This allows only these strings. For several types, write a map with `anyOf`.',
      ...(single && { fix: replaceWith(`${word}[]`, list.span, `'${word}[]'`) }),
    });
  }
  const type = commonType(values);
  return { ...(type && { type }), enum: values };
}

/** Reports an empty list, duplicate values, and values that are not constants. */
function checkConstants(list: YamlList): readonly SchemaProblem[] {
  if (list.items.length === 0) {
    return [
      { span: list.span, message: 'This list of allowed values is empty. Add at least one value, or write a type.' },
    ];
  }
  const scalars = list.items.filter((item) => item.kind === 'scalar');
  const others = list.items.filter((item) => item.kind !== 'scalar');
  const message = 'A list of allowed values can contain only strings, numbers, `true`, `false` and `null`.';
  return [...others.map(({ span }) => ({ span, message })), ...duplicates(scalars)];
}

function commonType(values: readonly Json[]): string | undefined {
  const types = new Set(values.map(typeOfConstant));
  const [only] = types;
  if (types.size === 1) return only;
  return types.size === 2 && types.has('integer') && types.has('number') ? 'number' : undefined;
}

function typeOfConstant(value: Json): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : undefined;
  return typeof value === 'object' ? undefined : typeof value;
}
