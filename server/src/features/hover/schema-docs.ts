/** What the keys of a field and the keywords of JSON Schema mean, in a line each. */

export const FIELD_KEY_DOCS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    type: 'The type: `string`, `integer`, `string[]` and so on.',
    required: '`false` makes the field optional.',
    default: 'The value where none is given; makes the field optional.',
    min: 'The least number, or the fewest items of a list.',
    max: 'The greatest number, or the most items of a list.',
    min_length: 'The least number of characters.',
    max_length: 'The greatest number of characters.',
    regex: 'A regular expression that the text matches.',
    enum: 'The values that are allowed.',
    items: 'What the items of a list are.',
    properties: 'The fields of an object.',
    description: 'What the field is for; models read it.',
  }),
);

export const KEYWORD_DOCS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $defs: 'Schemas that `$ref` leads to.',
    $ref: 'Takes over another schema.',
    $schema: 'The dialect.',
    additionalProperties: 'What properties beside those listed are; `false` for none.',
    allOf: 'All of these hold.',
    anyOf: 'At least one of these holds.',
    const: 'The one value that is allowed.',
    default: 'The value where none is given.',
    description: 'What the value is for; models read it.',
    enum: 'The values that are allowed.',
    exclusiveMaximum: 'The value is below this.',
    exclusiveMinimum: 'The value is above this.',
    format: 'A form that the text has: `date`, `uri` and so on.',
    items: 'What the items of a list are.',
    maximum: 'The greatest number.',
    maxItems: 'The most items.',
    maxLength: 'The greatest number of characters.',
    minimum: 'The least number.',
    minItems: 'The fewest items.',
    minLength: 'The least number of characters.',
    multipleOf: 'The value is a multiple of this.',
    not: 'This does not hold.',
    oneOf: 'Exactly one of these holds.',
    pattern: 'A regular expression that occurs in the text.',
    prefixItems: 'What the first, second … item of a list is.',
    properties: 'The properties of an object.',
    required: 'The properties that have to be there.',
    title: 'A name for people.',
    type: 'The type, or a list of types.',
    uniqueItems: '`true` where no item may occur twice.',
  }),
);

export const FORMATS: readonly (readonly [string, string])[] = [
  ['date', 'A day, `2025-03-31`.'],
  ['date-time', 'A moment, `2025-03-31T12:00:00Z`.'],
  ['time', 'A time of day, `12:00:00Z`.'],
  ['duration', 'A span of time, `P1DT2H`.'],
  ['email', 'An e-mail address.'],
  ['hostname', 'A host name.'],
  ['ipv4', 'An IPv4 address.'],
  ['ipv6', 'An IPv6 address.'],
  ['uri', 'An absolute address.'],
  ['uri-reference', 'An absolute or relative address.'],
  ['uuid', 'A UUID.'],
  ['json-pointer', 'A JSON pointer, `/a/0`.'],
  ['regex', 'A regular expression.'],
];

const COMMON = ['type', 'description', 'default', 'enum', 'required', 'const', 'title'];
const NUMBERS = ['min', 'max', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const TEXTS = ['min_length', 'max_length', 'regex', 'minLength', 'maxLength', 'pattern', 'format'];
const LISTS = ['items', 'min', 'max', 'min_length', 'max_length', 'minItems', 'maxItems', 'uniqueItems', 'prefixItems'];
const OBJECTS = ['properties', 'required', 'additionalProperties'];
const BY_TYPE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: TEXTS,
    number: NUMBERS,
    integer: NUMBERS,
    float: NUMBERS,
    int: NUMBERS,
    array: LISTS,
    object: OBJECTS,
  }),
);

/** The keys and keywords that apply to a type, without one all common ones. */
export function keysForType(type: string | undefined): ReadonlySet<string> {
  const own = type === undefined ? [...OBJECTS, ...LISTS, ...TEXTS, ...NUMBERS] : (BY_TYPE.get(type) ?? []);
  return new Set([...COMMON, ...own]);
}
