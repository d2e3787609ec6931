/** The parser for a field's type on one line, such as `integer[]?, its purpose` (docs/format.md, section 3). */

import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span } from '../../../text.ts';
import { stringOf, type YamlEntry, type YamlNode, type YamlScalar } from '../../yaml/node.ts';
import { type Field, type JsonObject, type ParseState, type SchemaProblem, show } from '../model.ts';
import { replaceWith } from '../problems.ts';

const UNKNOWN: Field = { json: {}, required: true };

/**
 * Reads a field that is a scalar. `entry` is the map entry of the field, if it is in a map. Adds problems to `state`.
 * An invalid type accepts any value.
 */
export function readScalarField(node: YamlScalar, state: ParseState, entry: YamlEntry | undefined): Field {
  if (node.value === null && node.source.trim() !== '') return { json: { type: 'null' }, required: true };
  if (node.value === null) {
    const name = entry ? ` of ${show(entry.key.value)}` : '';
    state.problems.push({
      span: entry?.key.span ?? node.span,
      message: `Missing type${name}. Add one after the colon, such as \`string\` or \`any\`.`,
    });
    return UNKNOWN;
  }
  if (typeof node.value !== 'string') {
    const message = `${show(node.source)} is not a type. For a fixed value, write a list: \`[${node.source}]\`.`;
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

/** An invalid type expression: the part that is not a type, and its offset. */
interface InvalidType {
  readonly word: string;
  readonly at: number;
  /** The `[]` and `?` after the word. */
  readonly suffix: string;
  /** The text from the comma to the end. */
  readonly rest: string;
}

const MAX_NESTED_LISTS = 8;

/**
 * Parses a type expression such as `string`, `integer[]?` or `string, a description` (docs/format.md, section 3).
 * Returns the invalid part if it is not a type. Never throws.
 */
export function readTypeExpression(text: string): TypeExpression | InvalidType {
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

function typeProblem(node: YamlScalar, { word, at, suffix, rest }: InvalidType): SchemaProblem {
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
  const values = word.split('|').map((part) => part.trim());
  if (values.length > 1 && values.every((part) => /^["']?[A-Za-z][\w-]*["']?$/.test(part) && !findTypeWord(part))) {
    const list = `[${values.join(', ')}]`;
    const isWhole = rest === '' && suffix === '' && node.style === 'plain';
    return {
      span: node.span,
      message: `Unknown type ${show(word)}. Write the fixed values as a list: \`${list}\`.`,
      ...(isWhole && { fix: replaceWith(list, node.span) }),
    };
  }
  if (word.includes('|')) {
    return {
      span: node.span,
      message: `Unknown type ${show(word)}. For fixed values, write \`[a, b]\`; for several types, write a map with \`anyOf\`.`,
    };
  }
  if (/\s/.test(word) && node.style === 'plain') {
    const message = `${show(text)} does not start with a type. Add a type before the description: \`string, …\`.`;
    // The value is quoted because a comma would end it in a flow map.
    const newText = JSON.stringify(`string, ${text}`);
    return { span: node.span, message, fix: { title: 'Start with `string,`', span: node.span, newText } };
  }
  const known = shorthandTypes.slice(0, 6).map(({ name }) => `\`${name}\``);
  return {
    span: place,
    message: `Unknown type ${show(word)}. Known types include ${known.join(', ')}. For fixed values, write \`[a, b]\`.`,
  };
}

/**
 * Returns the span of a word in a scalar, or of the whole scalar if escapes or folding make the word's position
 * uncertain.
 */
function wordSpan({ span: whole, style, value }: YamlScalar, at: number, length: number): Span {
  const quotes = style === 'plain' ? 0 : style === 'single' || style === 'double' ? 1 : undefined;
  if (quotes === undefined || length === 0 || whole.end - whole.start !== String(value).length + 2 * quotes)
    return whole;
  return span(whole.start + quotes + at, whole.start + quotes + at + length);
}

const quoteLike = ({ style }: YamlScalar, text: string): string => (style === 'plain' ? text : JSON.stringify(text));

/** Returns true for a scalar that is a valid type expression. */
export const isTypeText = (node: YamlNode): boolean => {
  const text = stringOf(node);
  return text !== undefined && 'json' in readTypeExpression(text);
};

/** A type word of the shorthand and its JSON Schema (docs/format.md, section 3). */
export interface TypeWord {
  readonly name: string;
  readonly docs: string;
  readonly json: JsonObject;
}

/** The type words of the shorthand, in the order of completion. */
export const shorthandTypes: readonly TypeWord[] = [
  { name: 'string', docs: 'Text.', json: { type: 'string' } },
  { name: 'integer', docs: 'A whole number.', json: { type: 'integer' } },
  { name: 'number', docs: 'A number.', json: { type: 'number' } },
  { name: 'boolean', docs: '`true` or `false`.', json: { type: 'boolean' } },
  { name: 'object', docs: 'A map. A nested map defines its fields.', json: { type: 'object' } },
  { name: 'array', docs: 'A list of any values. `string[]` is a list of strings.', json: { type: 'array' } },
  { name: 'date', docs: 'A date as a string: `2025-03-31`.', json: { type: 'string', format: 'date' } },
  {
    name: 'datetime',
    docs: 'A date and time as a string: `2025-03-31T12:00:00Z`.',
    json: { type: 'string', format: 'date-time' },
  },
  { name: 'uri', docs: 'An absolute URI: `https://example.com/a`.', json: { type: 'string', format: 'uri' } },
  { name: 'any', docs: 'Any value.', json: {} },
  { name: 'null', docs: 'Only `null`.', json: { type: 'null' } },
  { name: 'float', docs: 'The same as `number`.', json: { type: 'number' } },
  { name: 'int', docs: 'The same as `integer`.', json: { type: 'integer' } },
  { name: 'bool', docs: 'The same as `boolean`.', json: { type: 'boolean' } },
];

/** Returns the type word with a name, or undefined. */
export const findTypeWord = (name: string): TypeWord | undefined => shorthandTypes.find((word) => word.name === name);

/** The names of types in other languages. */
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

/** The keys of a field in the form of a map. */
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

/** JSON Schema keywords that a field in the form of a map can contain too, with the same meaning. */
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
