/** The keywords of JSON Schema, with their values, the schemas in their values, and their dialects. */
import type { Json } from '../yaml/node.ts';
import { type Dialect, isList } from './model.ts';

/** The kind of a keyword's value. `check.ts` defines a check for each kind. */
export type ValueKind =
  | 'any'
  | 'text'
  | 'flag'
  | 'flags'
  | 'number'
  | 'positive-number'
  | 'count'
  | 'list'
  | 'enum'
  | 'anchor'
  | 'id'
  | 'types'
  | 'names'
  | 'dependent-names'
  | 'schema'
  | 'schema-or-list'
  | 'schema-list'
  | 'schema-map'
  | 'dependencies';

export interface Keyword {
  readonly value: ValueKind;
  /** The expected value in words, as in "must be …". */
  readonly takes: string;
  /** The form in which the keyword's value contains schemas. Undefined if the value contains no schema. */
  readonly schemaForm?: 'one' | 'list' | 'map';
  /** True if the schemas in the keyword's value apply to the same value as the enclosing schema. */
  readonly inPlace?: true;
  /** True if the keyword does not restrict values. */
  readonly isAnnotation?: true;
  /** The only dialect that has the keyword. */
  readonly only?: Dialect;
}

const text = (takes: string): Keyword => ({ value: 'text', takes });
const modern = (keyword: Keyword): Keyword => ({ ...keyword, only: '2020-12' });
const annotation = (keyword: Keyword): Keyword => ({ ...keyword, isAnnotation: true });
const inPlace = (keyword: Keyword): Keyword => ({ ...keyword, inPlace: true });

const any: Keyword = { value: 'any', takes: 'any value' };
const flag: Keyword = { value: 'flag', takes: '`true` or `false`' };
const number: Keyword = { value: 'number', takes: 'a number' };
const count: Keyword = { value: 'count', takes: 'a whole number of 0 or more' };
const anchor: Keyword = { value: 'anchor', takes: 'a name', only: '2020-12' };
const schema: Keyword = { value: 'schema', takes: 'a schema', schemaForm: 'one' };
const schemas: Keyword = { value: 'schema-list', takes: 'a list of schemas', schemaForm: 'list' };
const schemaMap: Keyword = { value: 'schema-map', takes: 'a map of names to schemas', schemaForm: 'map' };

export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['$anchor', annotation(anchor)],
  ['$comment', annotation(text('a string'))],
  ['$defs', annotation(modern(schemaMap))],
  ['$dynamicAnchor', anchor],
  ['$dynamicRef', modern(text('a reference'))],
  ['$id', { value: 'id', takes: 'a URI without a fragment' }],
  ['$ref', text('a reference such as `#/$defs/name`')],
  ['$schema', annotation(text('the URI of a JSON Schema dialect'))],
  ['$vocabulary', modern({ value: 'flags', takes: 'a map of URIs to `true` or `false`' })],
  ['additionalItems', { ...schema, only: 'draft-07' }],
  ['additionalProperties', schema],
  ['allOf', inPlace(schemas)],
  ['anyOf', inPlace(schemas)],
  ['const', any],
  ['contains', schema],
  ['contentEncoding', annotation(text('a string'))],
  ['contentMediaType', annotation(text('a string'))],
  ['contentSchema', modern(schema)],
  ['default', annotation(any)],
  ['definitions', annotation(schemaMap)],
  [
    'dependencies',
    inPlace({ value: 'dependencies', takes: 'a map of names to schemas or lists of names', schemaForm: 'map' }),
  ],
  ['dependentRequired', modern({ value: 'dependent-names', takes: 'a map of names to lists of names' })],
  ['dependentSchemas', modern(inPlace(schemaMap))],
  ['deprecated', annotation(modern(flag))],
  ['description', annotation(text('a string'))],
  ['else', inPlace(schema)],
  ['enum', { value: 'enum', takes: 'a list of values' }],
  ['examples', annotation({ value: 'list', takes: 'a list of values' })],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['format', text('the name of a format')],
  ['if', inPlace(schema)],
  ['items', { ...schema, value: 'schema-or-list' }],
  ['maxContains', modern(count)],
  ['maxItems', count],
  ['maxLength', count],
  ['maxProperties', count],
  ['maximum', number],
  ['minContains', modern(count)],
  ['minItems', count],
  ['minLength', count],
  ['minProperties', count],
  ['minimum', number],
  ['multipleOf', { value: 'positive-number', takes: 'a number above 0' }],
  ['not', inPlace(schema)],
  ['oneOf', inPlace(schemas)],
  ['pattern', text('a regular expression')],
  ['patternProperties', { ...schemaMap, takes: 'a map of regular expressions to schemas' }],
  ['prefixItems', modern(schemas)],
  ['properties', schemaMap],
  ['propertyNames', schema],
  ['readOnly', annotation(flag)],
  ['required', { value: 'names', takes: 'a list of property names' }],
  ['then', inPlace(schema)],
  ['title', annotation(text('a string'))],
  ['type', { value: 'types', takes: 'a type or a list of types' }],
  ['unevaluatedItems', modern(schema)],
  ['unevaluatedProperties', modern(schema)],
  ['uniqueItems', flag],
  ['writeOnly', annotation(modern(flag))],
]);

/** Unsupported keywords from an older dialect whose values the meta-schema of 2020-12 still checks. */
export const OLD_KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['$recursiveAnchor', { ...anchor, takes: 'another value' }],
  ['$recursiveRef', modern(text('another value'))],
]);

/** The types of JSON Schema. */
export const JSON_TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/**
 * Returns the form in which the value of a keyword contains schemas, or undefined. In draft-07, `items` can be a list
 * with a schema for each item.
 */
export function schemaFormOf(keyword: string, value: Json | undefined): Keyword['schemaForm'] {
  return keyword === 'items' && isList(value) ? 'list' : KEYWORDS.get(keyword)?.schemaForm;
}
