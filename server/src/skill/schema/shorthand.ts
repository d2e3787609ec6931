/** The shorthand for schemas, read into JSON Schema (skill-format.md, section 3). Every shorthand means exactly one. */
import { type Span, span } from '../../text.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import {
  type Json,
  jsonOf,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../yaml/node.ts';
import { readFieldMap } from './field-map.ts';
import { type Default, type JsonObject, type Origins, type Places, put, type SchemaProblem, show } from './model.ts';
import { FOREIGN_TYPES, findTypeWord, shorthandTypes } from './words.ts';

/** What reading a schema gathers on its way. */
export interface Reading {
  readonly problems: SchemaProblem[];
  readonly places: Places;
  readonly origins: Origins;
  readonly defaults: Default[];
  /** JSON Schemas that stand within the shorthand. */
  readonly embedded: JsonObject[];
}

export interface Field {
  readonly json: JsonObject;
  readonly required: boolean;
}

export const newReading = (): Reading => ({
  problems: [],
  places: new Map(),
  origins: new Map(),
  defaults: [],
  embedded: [],
});

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

const UNKNOWN: Field = { json: {}, required: true };

/** One field; `entry` is the key that it stands under, where there is one. */
export function readField(node: YamlNode, reading: Reading, entry?: YamlEntry): Field {
  if (node.kind === 'list') return { json: readConstants(node, reading), required: true };
  if (node.kind === 'map') return readFieldMap(node, reading);
  return readWord(node, reading, entry);
}

function readWord(node: YamlScalar, reading: Reading, entry: YamlEntry | undefined): Field {
  if (node.value === null && node.source.trim() !== '') return { json: { type: 'null' }, required: true };
  if (node.value === null) {
    const name = entry ? ` of ${show(entry.key.value)}` : '';
    reading.problems.push({
      span: entry?.key.span ?? node.span,
      message: `The type${name} is missing. Write one behind the colon, such as \`string\`, or \`any\`.`,
    });
    return UNKNOWN;
  }
  if (typeof node.value !== 'string') {
    const message = `${show(node.source)} is not a type. For a fixed value write a list of one, \`[${node.source}]\`.`;
    reading.problems.push({ span: node.span, message });
    return UNKNOWN;
  }
  const expression = readTypeExpression(node.value);
  if ('json' in expression) {
    const { json, optional, description } = expression;
    return { json: { ...json, ...(description !== '' && { description }) }, required: !optional };
  }
  reading.problems.push(typeProblem(node, expression));
  return UNKNOWN;
}

interface TypeExpression {
  readonly json: JsonObject;
  readonly optional: boolean;
  readonly description: string;
}

/** The part of a type expression that is no type, and the offset at which it starts. */
interface NoType {
  readonly word: string;
  readonly at: number;
  /** What stands around the word. */
  readonly suffix: string;
  readonly rest: string;
}

const MAX_NESTED_LISTS = 8;

/** `string`, `integer[]?`, `string, what it is for`. */
export function readTypeExpression(text: string): TypeExpression | NoType {
  const comma = text.indexOf(',');
  const head = comma < 0 ? text : text.slice(0, comma);
  const description = comma < 0 ? '' : text.slice(comma + 1).trim();
  const trimmed = head.trimEnd();
  let end = trimmed.length;
  let lists = 0;
  let optional = false;
  for (;;) {
    if (trimmed.endsWith('?', end) && !optional) {
      optional = true;
      end--;
    } else if (trimmed.endsWith('[]', end) && lists < MAX_NESTED_LISTS) {
      lists++;
      end -= 2;
    } else break;
    while (trimmed[end - 1] === ' ') end--;
  }
  const at = trimmed.length - trimmed.trimStart().length;
  const word = trimmed.slice(at, end);
  let json = findTypeWord(word)?.json;
  if (!json) return { word, at, suffix: trimmed.slice(end), rest: text.slice(trimmed.length) };
  for (let i = 0; i < lists; i++) json = { type: 'array', items: json };
  return { json, optional, description };
}

function typeProblem(node: YamlScalar, { word, at, suffix, rest }: NoType): SchemaProblem {
  const text = String(node.value);
  const place = rest === '' && suffix === '' && at === 0 ? node.span : wordSpan(node, at, word.length);
  const exact = place.end - place.start === word.length ? place : undefined;
  const fix = (name: string): Pick<SchemaProblem, 'fix'> => ({
    fix: exact
      ? { title: `Replace with \`${name}\``, span: exact, newText: name }
      : { title: `Replace with \`${name}\``, span: node.span, newText: quoteLike(node, `${name}${suffix}${rest}`) },
  });
  const foreign = Object.hasOwn(FOREIGN_TYPES, word.toLowerCase()) ? FOREIGN_TYPES[word.toLowerCase()] : undefined;
  const near = foreign
    ? [foreign]
    : nearestNames(
        word,
        shorthandTypes.map(({ name }) => name),
      );
  const [best] = near;
  if (best) return { span: place, message: `Unknown type ${show(word)}.${didYouMean(near)}`, ...fix(best) };
  if (word.includes('|')) {
    return {
      span: node.span,
      message: `Unknown type ${show(word)}. For fixed values write a list, \`[a, b]\`; for several types a map with \`anyOf\`.`,
    };
  }
  if (/\s/.test(word) && node.style === 'plain') {
    const message = `${show(text)} does not begin with a type. Put one in front of the description, \`string, …\`.`;
    // Quoted, since the comma would end the value between braces.
    const newText = JSON.stringify(`string, ${text}`);
    return { span: node.span, message, fix: { title: 'Begin with `string,`', span: node.span, newText } };
  }
  const known = shorthandTypes.slice(0, 6).map(({ name }) => `\`${name}\``);
  return {
    span: place,
    message: `Unknown type ${show(word)}. Types are ${known.join(', ')} and others; a list \`[a, b]\` allows fixed values.`,
  };
}

/** Where a word of a scalar stands; the whole scalar where escapes and folding make that uncertain. */
function wordSpan({ span: whole, style, value }: YamlScalar, at: number, length: number): Span {
  const quotes = style === 'plain' ? 0 : style === 'single' || style === 'double' ? 1 : undefined;
  if (quotes === undefined || length === 0 || whole.end - whole.start !== String(value).length + 2 * quotes)
    return whole;
  return span(whole.start + quotes + at, whole.start + quotes + at + length);
}

const quoteLike = ({ style }: YamlScalar, text: string): string => (style === 'plain' ? text : JSON.stringify(text));

/** A list of constants as an enumeration, with the type that they share. */
export function readConstants(list: YamlList, reading: Reading): JsonObject {
  const values = list.items.map(jsonOf);
  reading.problems.push(...checkConstants(list, reading));
  const [only] = list.items;
  if (
    values.length > 0 &&
    list.items.every((item) => item.kind === 'scalar' && item.style === 'plain' && findTypeWord(String(item.value)))
  ) {
    const single = values.length === 1 && only;
    const word = String(values[0]);
    reading.problems.push({
      span: list.span,
      severity: 'hint',
      message: single
        ? `This allows only the text \`${word}\`. A list of that type is written \`${word}[]\`.`
        : 'This allows only these texts. For one of several types write a map with `anyOf`.',
      ...(single && { fix: { title: `Replace with \`${word}[]\``, span: list.span, newText: `'${word}[]'` } }),
    });
  }
  const type = commonType(values);
  return { ...(type && { type }), enum: values };
}

/** A list without values, with one twice, or with one that is no constant. */
export function checkConstants(list: YamlList, { origins }: Reading): readonly SchemaProblem[] {
  if (list.items.length === 0) {
    return [
      { span: list.span, message: 'An empty list of values allows nothing. Name at least one value, or a type.' },
    ];
  }
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  for (const item of list.items) {
    const value = jsonOf(item);
    const key = typeof value === 'number' ? `n${value}` : JSON.stringify(value);
    if (item.kind !== 'scalar') {
      problems.push({
        span: item.span,
        message: 'A list here names the values that are allowed, each a text, a number, `true`, `false` or `null`.',
      });
    } else if (seen.has(key)) {
      problems.push({ span: item.span, message: `${show(value)} stands in this list already. Remove one of the two.` });
    }
    seen.add(key);
    if (item.kind !== 'scalar') origins.set(value, item);
  }
  return problems;
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
