/** A field's type in one line, `integer[]?, what it is for` (docs/format.md, section 3). */

import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span } from '../../../text.ts';
import { stringOf, type YamlEntry, type YamlNode, type YamlScalar } from '../../yaml/node.ts';
import { type JsonObject, type SchemaProblem, show } from '../model.ts';
import type { Field, ParseState } from '../parse-state.ts';
import { replaceWith } from '../problems.ts';

const UNKNOWN: Field = { json: {}, required: true };

/** A field that is one scalar; `entry` is the key that it stands under, where there is one. */
export function readWord(node: YamlScalar, state: ParseState, entry: YamlEntry | undefined): Field {
  if (node.value === null && node.source.trim() !== '') return { json: { type: 'null' }, required: true };
  if (node.value === null) {
    const name = entry ? ` of ${show(entry.key.value)}` : '';
    state.problems.push({
      span: entry?.key.span ?? node.span,
      message: `The type${name} is missing. Write one behind the colon, such as \`string\`, or \`any\`.`,
    });
    return UNKNOWN;
  }
  if (typeof node.value !== 'string') {
    const message = `${show(node.source)} is not a type. For a fixed value write a list of one, \`[${node.source}]\`.`;
    state.problems.push({ span: node.span, message });
    return UNKNOWN;
  }
  const expression = readTypeExpression(node.value);
  if ('json' in expression) {
    const { json, optional, description } = expression;
    return { json: { ...json, ...(description !== '' && { description }) }, required: !optional };
  }
  state.problems.push(typeProblem(node, expression));
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
  const foreign = FOREIGN_TYPES.get(word.toLowerCase());
  const near = foreign
    ? [foreign]
    : nearestNames(
        word,
        shorthandTypes.map(({ name }) => name),
      );
  const [best] = near;
  if (best) {
    const whole = quoteLike(node, `${best}${suffix}${rest}`);
    const fix = exact ? replaceWith(best, exact) : replaceWith(best, node.span, whole);
    return { span: place, message: `Unknown type ${show(word)}.${didYouMean(near)}`, fix };
  }
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

export const isTypeText = (node: YamlNode): boolean => {
  const text = stringOf(node);
  return text !== undefined && 'json' in readTypeExpression(text);
};

/** The words of the shorthand as data: its types, and the keys of a field (docs/format.md, section 3). */
export interface TypeWord {
  readonly name: string;
  readonly docs: string;
  readonly json: JsonObject;
}

/** The type words of the shorthand, in the order in which completion offers them. */
export const shorthandTypes: readonly TypeWord[] = [
  { name: 'string', docs: 'Text.', json: { type: 'string' } },
  { name: 'integer', docs: 'A whole number.', json: { type: 'integer' } },
  { name: 'number', docs: 'A number, whole or not.', json: { type: 'number' } },
  { name: 'boolean', docs: '`true` or `false`.', json: { type: 'boolean' } },
  { name: 'object', docs: 'A map; a nested map says which fields it has.', json: { type: 'object' } },
  { name: 'array', docs: 'A list of anything; `string[]` is a list of texts.', json: { type: 'array' } },
  { name: 'date', docs: 'A day as text, `2025-03-31`.', json: { type: 'string', format: 'date' } },
  {
    name: 'datetime',
    docs: 'A moment as text, `2025-03-31T12:00:00Z`.',
    json: { type: 'string', format: 'date-time' },
  },
  { name: 'uri', docs: 'An absolute address, `https://example.com/a`.', json: { type: 'string', format: 'uri' } },
  { name: 'any', docs: 'Anything.', json: {} },
  { name: 'null', docs: 'Nothing but `null`.', json: { type: 'null' } },
  { name: 'float', docs: 'The same as `number`.', json: { type: 'number' } },
  { name: 'int', docs: 'The same as `integer`.', json: { type: 'integer' } },
  { name: 'bool', docs: 'The same as `boolean`.', json: { type: 'boolean' } },
];

export const findTypeWord = (name: string): TypeWord | undefined => shorthandTypes.find((word) => word.name === name);

/** What other languages call a type. */
const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    str: 'string',
    text: 'string',
    char: 'string',
    varchar: 'string',
    uuid: 'string',
    double: 'number',
    decimal: 'number',
    long: 'integer',
    list: 'array',
    tuple: 'array',
    set: 'array',
    dict: 'object',
    map: 'object',
    record: 'object',
    json: 'object',
    timestamp: 'datetime',
    'date-time': 'datetime',
    url: 'uri',
    none: 'null',
    nil: 'null',
    undefined: 'null',
    unknown: 'any',
    mixed: 'any',
  }),
);

/** The keys of a field written as a map. */
export const FIELD_KEYS = [
  'type',
  'required',
  'default',
  'min',
  'max',
  'min_length',
  'max_length',
  'regex',
  'enum',
  'items',
  'properties',
  'description',
] as const;

/** JSON Schema keywords that a field written as a map may hold as well; they mean what they mean there. */
export const FIELD_KEYWORDS = new Set([
  '$comment',
  'additionalProperties',
  'const',
  'contentEncoding',
  'contentMediaType',
  'deprecated',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'patternProperties',
  'propertyNames',
  'readOnly',
  'title',
  'uniqueItems',
  'writeOnly',
]);
