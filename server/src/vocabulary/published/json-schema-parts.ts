/** What JSON Schema can say of our texts, and of a contract's schemas (docs/format.md, section 3). */
import { shorthandTypes } from '../../languages/schema/shorthand/type-words.ts';
import type { JsonObject } from '../../languages/yaml/same-json.ts';
import { SERVICE_PROMISES } from '../policy-keys.ts';
import type { Format, Shape } from '../shape.ts';

/** The form that semver.org publishes. */
const SEMVER = String.raw`(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}`;

const FORMATS: ReadonlyMap<Format, JsonObject> = new Map([
  ['semver', { pattern: `^${SEMVER}$` }],
  ['semver-or-date', { pattern: `^(?:${SEMVER}|${DATE})$` }],
  ['date', { format: 'date', pattern: `^${DATE}$` }],
  ['regex', { format: 'regex' }],
]);

/** What is written counts, also where YAML reads a number or a truth value: `version: 1`, `condition: true`. */
const WRITTEN: ReadonlySet<Format> = new Set(['semver-range', 'condition', 'regex']);

export function ofString(shape: Extract<Shape, { kind: 'string' }>, isYaml: boolean): JsonObject {
  const { format, minLength, maxLength, pattern } = shape;
  return {
    type: isYaml && format && WRITTEN.has(format) ? ['string', 'number', 'boolean'] : 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    // Blanks alone say nothing.
    ...(minLength !== undefined && { pattern: String.raw`\S` }),
    ...(pattern && { pattern: pattern.source }),
    ...(format && FORMATS.get(format)),
  };
}

const WORDS = shorthandTypes.map(({ name }) => name).join('|');

/** A type in one line, `integer[]?, what it is for`. */
const TYPE_EXPRESSION = String.raw`^\s*(?:${WORDS}) *(?:\[\] *)*(?:\? *(?:\[\] *)*)?\s*(?:,[\s\S]*)?$`;

const isText: JsonObject = { type: 'string' };
const isList: JsonObject = { type: 'array' };

/** What makes a map a JSON Schema. Of each, the key must be there. */
const JSON_SCHEMA_KEYS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['type', { const: 'object' }],
  ['$ref', isText],
  ['$schema', isText],
  ['allOf', isList],
  ['anyOf', isList],
  ['oneOf', isList],
  ['properties', { type: 'object', not: { required: ['type'], properties: { type: isText } } }],
]);

/** A contract's schema, in shorthand or as JSON Schema, and a field of the shorthand. */
export const fieldsSchema: ReadonlyMap<string, JsonObject> = new Map([
  [
    'schema',
    {
      description: 'A map of fields to their types, or a JSON Schema.',
      type: 'object',
      if: {
        anyOf: [...JSON_SCHEMA_KEYS].map(([name, value]) => ({
          required: [name],
          properties: { [name]: value },
        })),
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {},
      else: { additionalProperties: { $ref: '#/$defs/field' } },
    },
  ],
  [
    'field',
    {
      description: `A type (${shorthandTypes.map(({ name }) => `\`${name}\``).join(', ')}) with \`[]\` for a list and \`?\` for what may be left out, the values that are allowed, or a map.`,
      type: ['string', 'array', 'object', 'null'],
      pattern: TYPE_EXPRESSION,
      minItems: 1,
      items: { type: ['string', 'number', 'boolean', 'null'] },
      properties: { type: { description: 'The type of the field.', $ref: '#/$defs/field' } },
    },
  ],
]);

const isThere = (path: readonly string[]): JsonObject => {
  const [name = '', ...rest] = path;
  const value = rest.length > 0 ? { type: 'object', ...isThere(rest) } : { not: { type: 'null' } };
  return { required: [name], properties: { [name]: value } };
};

/** A skill that stands for a service must keep all that a service promises. */
export const serviceSchema: JsonObject = {
  if: isThere(['backing_service']),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    allOf: SERVICE_PROMISES.map(({ paths }) =>
      paths.length === 1 ? isThere(paths[0] ?? []) : { anyOf: paths.map(isThere) },
    ),
  },
};
