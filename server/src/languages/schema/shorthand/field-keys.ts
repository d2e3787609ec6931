/** The keys of a field written as a map, each taken over into JSON Schema (docs/format.md, section 3). */
import { nearestNames } from '../../../nearest.ts';
import { type Json, jsonOf, put, stringOf, type YamlEntry, type YamlList, type YamlNode } from '../../yaml/node.ts';
import { KEYWORDS } from '../keywords.ts';
import { isList, type JsonObject, type SchemaProblem, show } from '../model.ts';
import { toJson } from '../origins.ts';
import type { ParseState } from '../parse-state.ts';
import { describe, regexProblems } from '../problems.ts';
import { validateValue } from '../validate/value.ts';
import { checkConstants } from './constants.ts';
import { isTypeText } from './type-expression.ts';
import { FIELD_KEYS, FIELD_KEYWORDS } from './type-words.ts';

interface Bound {
  /** The keyword that the key means for each type. */
  readonly means: Readonly<Partial<Record<string, string>>>;
  readonly belongs: string;
}

const NUMBERS = 'numbers and lists';
const LENGTHS = 'texts and lists';

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

/** Writes one key that holds no fields into the JSON Schema; returns the problem of its value, if it has one. */
export function readKey(
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
      if (source === undefined) return wrong(entry, 'a regular expression as text');
      put(json, 'pattern', source);
      return regexProblems(source, node.span)[0];
    }
    case 'enum':
      if (node.kind !== 'list') return wrong(entry, 'a list of values');
      readEnum(node, json, state);
      return undefined;
    case 'description': {
      const text = stringOf(node);
      if (text === undefined) return wrong(entry, 'a text');
      if (text.trim() !== '') put(json, 'description', text.trim());
      return undefined;
    }
    default:
      if (!FIELD_KEYWORDS.has(key)) return unknownKey(key, entry);
      readKeyword(key, entry, json, state);
      return undefined;
  }
}

/** The problem of a key that has a meaning for another type only. */
export function findMisplaced(key: string, entry: YamlEntry, json: JsonObject): SchemaProblem | undefined {
  const belongs = BELONGS.get(key);
  if (belongs === undefined || typesOf(json).some((type) => type === belongs || type === 'any')) return undefined;
  return misplaced(entry, json, `${belongs}s`);
}

const BELONGS: ReadonlyMap<string, string> = new Map([
  ['regex', 'string'],
  ['items', 'array'],
  ['properties', 'object'],
]);

/** A key whose value is of the wrong kind. */
export const wrong = (entry: YamlEntry, takes: string): SchemaProblem => ({
  span: spanOfEntry(entry),
  message: `\`${String(entry.key.value)}\` takes ${takes}, not ${describe(entry.value)}.`,
});

const misplaced = ({ key }: YamlEntry, json: JsonObject, belongs: string): SchemaProblem => ({
  span: key.span,
  message: `\`${String(key.value)}\` has no meaning for the type \`${typesOf(json).join(' | ')}\`; it belongs to ${belongs}.`,
});

function readBound(key: string, entry: YamlEntry, json: Record<string, Json>): SchemaProblem | undefined {
  const bound = BOUNDS.get(key);
  const value = jsonOf(entry.value);
  if (!bound || typeof value !== 'number' || !Number.isFinite(value)) return wrong(entry, 'a number');
  const keyword = typesOf(json)
    .map((type) => (Object.hasOwn(bound.means, type) ? bound.means[type] : undefined))
    .find((name) => name);
  if (!keyword) {
    const isText = typesOf(json).includes('string');
    return misplaced(entry, json, isText ? `numbers. For a text write \`${key}_length\`` : bound.belongs);
  }
  const known = KEYWORDS.get(keyword);
  if (known?.value === 'count' && !(Number.isInteger(value) && value >= 0)) return wrong(entry, known.takes);
  put(json, keyword, value);
  return undefined;
}

function readEnum(list: YamlList, json: Record<string, Json>, state: ParseState): void {
  const problems = checkConstants(list);
  state.problems.push(...(problems.length > 0 ? problems : checkMembers(list.items, json)));
  put(json, 'enum', list.items.map(jsonOf));
}

/** The keyword is checked as a JSON Schema of its own, so that its problems stand at its value. */
function readKeyword(key: string, entry: YamlEntry, json: Record<string, Json>, state: ParseState): void {
  const value = toJson(entry.value, state.origins);
  put(json, key, value);
  const alone: JsonObject = { [key]: value };
  state.origins.set(alone, { kind: 'map', span: entry.span, flow: true, entries: [entry] });
  state.embedded.push(alone);
}

function unknownKey(key: string, { key: { span }, value, span: whole }: YamlEntry): SchemaProblem | undefined {
  if (key.startsWith('x-')) return undefined;
  const hint = (advice: string): SchemaProblem => ({
    span,
    severity: 'hint',
    message: `A field has no key ${show(key)}, so it has no effect. ${advice}`,
  });
  const [near] = nearestNames(key, [...FIELD_KEYS, ...FIELD_KEYWORDS]);
  if (near)
    return { ...hint(`Did you mean ${show(near)}?`), fix: { title: `Rename to \`${near}\``, span, newText: near } };
  if (key === 'optional') {
    const meant = jsonOf(value) === true ? 'required: false' : undefined;
    return {
      ...hint('Write `required: false`, or `?` behind the type.'),
      ...(meant && { fix: { title: `Write \`${meant}\``, span: whole, newText: meant } }),
    };
  }
  if (isTypeText(value)) return hint('If it is a field of its own, put it under `properties`.');
  if (!KEYWORDS.has(key)) return undefined;
  return hint('To use it, write the whole schema as JSON Schema, with `type: object` at its top.');
}

/** Values that the field's own type refuses. */
function* checkMembers(items: readonly YamlNode[], { type }: JsonObject): Generator<SchemaProblem> {
  if (type === undefined) return;
  for (const item of items) {
    const { violations } = validateValue({ root: { type }, dialect: '2020-12' }, jsonOf(item));
    if (violations.length === 0) continue;
    yield { span: item.span, message: `${show(jsonOf(item))} is not of the field's type, ${show(type)}.` };
  }
}

/** The value as written; the key where there is no value. */
export const spanOfEntry = ({ key, value }: YamlEntry): YamlNode['span'] =>
  value.span.start === value.span.end ? key.span : value.span;
