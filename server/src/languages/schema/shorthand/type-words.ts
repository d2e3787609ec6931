/** The words of the shorthand as data: its types, and the keys of a field (docs/format.md, section 3). */
import type { JsonObject } from '../model.ts';

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
export const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map(
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
