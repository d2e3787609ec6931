/** One-line descriptions of the keys of a field and of the keywords of JSON Schema. */

export const FIELD_KEY_DOCS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    type: 'The type: `string`, `integer`, `string[]` and so on.',
    required: '`false` makes the field optional.',
    default: 'The value that is used if none is given; makes the field optional.',
    min: 'The minimum number, or the minimum number of items in a list.',
    max: 'The maximum number, or the maximum number of items in a list.',
    min_length: 'The minimum number of characters.',
    max_length: 'The maximum number of characters.',
    regex: 'A regular expression that the text must match.',
    enum: 'The allowed values.',
    items: 'The schema of the items of a list.',
    properties: 'The fields of an object.',
    description: 'The purpose of the field; models read it.',
  }),
);

export const KEYWORD_DOCS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $defs: 'Schemas that `$ref` can refer to.',
    $ref: 'A reference to another schema.',
    $schema: 'The JSON Schema dialect.',
    additionalProperties: 'The schema of properties that are not listed; `false` allows none.',
    allOf: 'The value must match all of these schemas.',
    anyOf: 'The value must match at least one of these schemas.',
    const: 'The only allowed value.',
    default: 'The value that is used if none is given.',
    description: 'The purpose of the value; models read it.',
    enum: 'The allowed values.',
    exclusiveMaximum: 'The value must be less than this.',
    exclusiveMinimum: 'The value must be greater than this.',
    format: 'The format of the text, such as `date` or `uri`.',
    items: 'The schema of the items of a list.',
    maximum: 'The maximum number.',
    maxItems: 'The maximum number of items.',
    maxLength: 'The maximum number of characters.',
    minimum: 'The minimum number.',
    minItems: 'The minimum number of items.',
    minLength: 'The minimum number of characters.',
    multipleOf: 'The value must be a multiple of this.',
    not: 'The value must not match this schema.',
    oneOf: 'The value must match exactly one of these schemas.',
    pattern: 'A regular expression that must match a part of the text.',
    prefixItems: 'The schemas of the first, second and following items of a list.',
    properties: 'The properties of an object.',
    required: 'The required properties.',
    title: 'A display name.',
    type: 'The type, or a list of types.',
    uniqueItems: 'If `true`, no item may occur twice.',
  }),
);

export const FORMATS: readonly (readonly [string, string])[] = [
  ['date', 'A date, for example `2025-03-31`.'],
  ['date-time', 'A date with a time, for example `2025-03-31T12:00:00Z`.'],
  ['time', 'A time of day, for example `12:00:00Z`.'],
  ['duration', 'A duration, for example `P1DT2H`.'],
  ['email', 'An e-mail address.'],
  ['hostname', 'A host name.'],
  ['ipv4', 'An IPv4 address.'],
  ['ipv6', 'An IPv6 address.'],
  ['uri', 'An absolute URI.'],
  ['uri-reference', 'An absolute or relative URI.'],
  ['uuid', 'A UUID.'],
  ['json-pointer', 'A JSON pointer, for example `/a/0`.'],
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

/** Returns whether a key applies only to types other than the type for which `fitting` keys are known. */
export const isForOtherTypes = (key: string, fitting: ReadonlySet<string>): boolean =>
  !fitting.has(key) && [OBJECTS, LISTS, TEXTS, NUMBERS].some((keys) => keys.includes(key));

/** Returns the keys and keywords that apply to a type; without a type, the keys and keywords of all types. */
export function keysForType(type: string | undefined): ReadonlySet<string> {
  const own = type === undefined ? [...OBJECTS, ...LISTS, ...TEXTS, ...NUMBERS] : (BY_TYPE.get(type) ?? []);
  return new Set([...COMMON, ...own]);
}
