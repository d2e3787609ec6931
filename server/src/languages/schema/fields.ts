/** The fields of a schema, the schema at a path in a value, and the kinds of values that a schema accepts. */
import type { Span } from '../../text.ts';
import type { Json, YamlNode } from '../yaml/node.ts';
import { type SchemaPart, UNDECIDED_KEYWORDS, type Variant, valuesOf, variantsOf } from './assignable.ts';
import { impliedType, typeLabel } from './label.ts';
import {
  isList,
  isObject,
  type JsonObject,
  type KeyPath,
  listUnder,
  numberUnder,
  objectUnder,
  own,
  type Schema,
  type SchemaField,
} from './model.ts';
import { entryOf } from './origins.ts';
import { type NumberRange, rangeOf } from './ranges.ts';
import { conjunctsOf, firstItemSchemasOf, otherItemsSchemaOf, refTarget } from './walk.ts';

/** The limits for following nested schemas and references, which can be circular. */
const MAX_DEPTH = 12;
const MAX_FIELDS = 1_000;
const MAX_PARTS = 100;

interface FieldSource {
  readonly part: JsonObject;
  /** False for an alternative, which might not apply. */
  readonly certain: boolean;
}

/**
 * Returns the schemas that apply to one value: the schema, the target of its `$ref`, its `allOf` schemas and its
 * alternatives.
 */
function partsOf(root: JsonObject, schema: Json): readonly FieldSource[] {
  const parts: FieldSource[] = [];
  const seen = new Set<Json>();
  const collect = (item: Json, certain: boolean, depth: number): void => {
    if (!isObject(item) || seen.has(item) || depth > MAX_DEPTH || parts.length >= MAX_PARTS) return;
    seen.add(item);
    parts.push({ part: item, certain });
    for (const sub of conjunctsOf(root, item)) collect(sub, certain, depth + 1);
    for (const sub of [...listUnder(item, 'anyOf'), ...listUnder(item, 'oneOf')]) collect(sub, false, depth + 1);
  };
  collect(schema, true, 0);
  return parts;
}

/**
 * Returns the fields of an object's schema. Fields below a circular reference are not repeated. `nodeOf` returns the
 * YAML node of a `properties` object; fields without such a node have the span `whole`. Never throws.
 */
export function fieldsOf(
  root: JsonObject,
  nodeOf: (properties: Json) => YamlNode | undefined,
  whole: Span,
): readonly SchemaField[] {
  let count = 0;
  const fieldsAt = (schema: Json, above: readonly Json[]): readonly SchemaField[] => {
    const fields = new Map<string, SchemaField>();
    for (const { name, sub, required, holder } of propertiesOf(root, schema)) {
      const known = fields.get(name);
      if (known || count++ > MAX_FIELDS) {
        if (known && required && !known.required) fields.set(name, { ...known, required });
        continue;
      }
      const entry = entryOf(nodeOf(holder), name);
      const [inner] = itemsOf(root, sub);
      const held = inner ?? sub;
      const target = isObject(held) ? (refTarget(root, held) ?? held) : held;
      const repeats = above.includes(target) || above.length > MAX_DEPTH;
      const { description, default: value } = isObject(sub) ? sub : ({} as JsonObject);
      fields.set(name, {
        name,
        keySpan: entry?.key.span ?? whole,
        span: entry?.value.span ?? whole,
        required,
        type: typeLabel(sub, root),
        ...(typeof description === 'string' && { description }),
        ...(value !== undefined && { default: value }),
        fields: repeats ? [] : fieldsAt(held, [...above, target]),
        json: sub,
      });
    }
    return [...fields.values()];
  };
  return fieldsAt(root, [root]);
}

interface Property {
  readonly name: string;
  readonly sub: Json;
  readonly required: boolean;
  readonly holder: Json;
}

function propertiesOf(root: JsonObject, schema: Json): readonly Property[] {
  const parts = partsOf(root, schema);
  const required = new Set<Json>();
  for (const { part, certain } of parts) {
    if (certain) for (const name of listUnder(part, 'required')) required.add(name);
  }
  return parts.flatMap(({ part }) => {
    const holder = objectUnder(part, 'properties');
    return Object.entries(holder).map(([name, sub]) => ({ name, sub, required: required.has(name), holder }));
  });
}

function itemsOf(root: JsonObject, schema: Json): readonly Json[] {
  return partsOf(root, schema).flatMap(({ part }) => {
    const items = own(part, 'items');
    return items === undefined || isList(items) ? [] : [items];
  });
}

/** The schema at a path in a value, its type in words and its description. */
interface TypeInfo {
  readonly json: Json;
  readonly type: string;
  readonly description?: string;
  readonly required: boolean;
}

/**
 * Returns the schema at a path of names and indices such as `['user', 'name']`, through properties, items and local
 * references. Returns undefined if the schema does not define that path. Never throws.
 */
export function typeAt({ json: root }: Pick<Schema, 'json'>, path: KeyPath): TypeInfo | undefined {
  let at: Json = root;
  let required = true;
  for (const step of path) {
    const next = stepInto(root, at, step);
    if (!next) return undefined;
    at = next.schema;
    required = next.required;
  }
  const description = partsOf(root, at)
    .map(({ part }) => own(part, 'description'))
    .find((text) => typeof text === 'string');
  return { json: at, type: typeLabel(at, root), ...(typeof description === 'string' && { description }), required };
}

function stepInto(
  root: JsonObject,
  schema: Json,
  step: string | number,
): { schema: Json; required: boolean } | undefined {
  const property = propertiesOf(root, schema).find(({ name }) => name === String(step));
  if (property) return { schema: property.sub, required: property.required };
  const parts = partsOf(root, schema);
  if (typeof step === 'number' || /^\d+$/.test(step)) {
    for (const { part } of parts) {
      const list = own(part, 'prefixItems') ?? own(part, 'items');
      const item = isList(list) ? list[Number(step)] : undefined;
      if (item !== undefined) return { schema: item, required: true };
    }
    const [items] = itemsOf(root, schema);
    if (items !== undefined) return { schema: items, required: true };
  }
  for (const { part } of parts) {
    const rest = own(part, 'additionalProperties');
    if (isObject(rest)) return { schema: rest, required: false };
  }
  return undefined;
}

/**
 * The field at a path. `missing` is certain: no value has the field `path[at]`. `type` is the type of the value that
 * lacks the field, in words; `known` are the names of its fields, and none if it is not an object.
 */
type FieldAt =
  | {
      readonly kind: 'found';
      readonly json: Json;
      readonly type: string;
      readonly isGiven: boolean;
      readonly lastOptional: number | undefined;
    }
  | { readonly kind: 'missing'; readonly at: number; readonly type: string; readonly known: readonly string[] }
  | { readonly kind: 'unknown' };

/**
 * Returns the field at a path of names below a schema whose references are resolved from `root` (docs/format.md,
 * section 4, "Execution"). `isGiven` is true if every value has the field; otherwise, `lastOptional` is the number of names
 * up to the last one that may have no value, or may be null. Returns `unknown` if the schema may allow
 * fields that it does not name. Never throws.
 */
export function fieldAt(root: JsonObject, schema: Json, path: readonly string[]): FieldAt {
  let json = schema;
  let lastOptional: number | undefined;
  for (const [at, name] of path.entries()) {
    const parts = partsOf(root, json);
    const [first, ...others] = parts.filter(({ part }) => Object.hasOwn(objectUnder(part, 'properties'), name));
    if (!first) {
      if (parts.length === 0 || parts.length >= MAX_PARTS || parts.some(({ part }) => mayHaveOthers(root, part)))
        return { kind: 'unknown' };
      const known = new Set(propertiesOf(root, json).map((property) => property.name));
      return { kind: 'missing', at, type: typeLabel(json, root), known: [...known] };
    }
    const isNullable = parts.some(({ part }) => typesOf(part).includes('null'));
    const isRequired = parts.some(({ part, certain }) => certain && listUnder(part, 'required').includes(name));
    // If several schemas restrict the field, its type is not known.
    json = others.length === 0 ? (own(objectUnder(first.part, 'properties'), name) ?? true) : true;
    if (!isRequired && !(isObject(json) && Object.hasOwn(json, 'default'))) lastOptional = at + 1;
    else if (isNullable) lastOptional = at;
  }
  return { kind: 'found', json, type: typeLabel(json, root), isGiven: lastOptional === undefined, lastOptional };
}

/** The keywords by which a schema may allow fields that it does not name. */
const OPENING = ['$dynamicRef', 'if', 'not', 'dependentSchemas', 'unevaluatedProperties', 'patternProperties'];

/** Returns whether a schema may allow an object with fields that neither it nor the schemas it refers to name. */
function mayHaveOthers(root: JsonObject, part: JsonObject): boolean {
  const rest = own(part, 'additionalProperties');
  if (OPENING.some((key) => Object.hasOwn(part, key)) || (rest !== undefined && rest !== false)) return true;
  const alternatives = [...listUnder(part, 'allOf'), ...listUnder(part, 'anyOf'), ...listUnder(part, 'oneOf')];
  const isRefLost = Object.hasOwn(part, '$ref') && !isObject(refTarget(root, part));
  if (isRefLost || !alternatives.every(isObject)) return true;
  if (Object.hasOwn(part, 'properties') || rest === false) return false;
  if (Object.hasOwn(part, '$ref') || alternatives.length > 0) return false;
  const types = typesOf(part);
  return types.length > 0 ? types.includes('object') : !Object.hasOwn(part, 'const') && !Object.hasOwn(part, 'enum');
}

const typesOf = (part: JsonObject): readonly Json[] => {
  const type = own(part, 'type');
  return type === undefined ? [] : isList(type) ? type : [type];
};

/** A field of the objects that a schema accepts. */
export interface FieldShape {
  /** The schemas that apply to the field's value. */
  readonly schemas: readonly Json[];
  /** True if every value has the field, because it is required or has a default, or if other fields decide this. */
  readonly isPresent: boolean;
}

/** The values of one JSON type that a schema accepts. */
export interface ValueShape {
  readonly type: string;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** False if values have no fields except `fields`. A schema that lists fields is meant to list all of them. */
  readonly isOpen: boolean;
  /** The schemas of the fields that are not declared. */
  readonly rest: readonly Json[];
  /** The schemas of every item, except those of `first`. */
  readonly items: readonly Json[];
  /** The schemas of each of the first items. */
  readonly first: readonly (readonly Json[])[];
  /** True if every value has exactly the items of `first`. */
  readonly isTuple: boolean;
  /** The only values that are allowed, if there are few. */
  readonly constants: readonly Json[] | undefined;
  /** The range of the numbers. */
  readonly range: NumberRange;
  /** The number of characters of strings, of items of lists, or of fields of objects. */
  readonly size: { readonly least: number; readonly most: number };
  /** The regular expressions that strings match. */
  readonly patterns: readonly string[];
}

/**
 * Returns one shape for each type that values of the schemas, all of which apply, may have. Returns undefined if the
 * schemas accept any value or are not understood. Never throws.
 */
export function valueShapes(
  schemas: readonly Json[],
  { root, dialect }: Omit<SchemaPart, 'json'>,
): readonly ValueShape[] | undefined {
  const variants = variantsOf(root, schemas);
  if (!variants || variants.length === 0) return undefined;
  const isTyped = ({ all }: Variant): boolean => all.some((schema) => own(schema, 'type') !== undefined);
  const isUnknown = ({ all }: Variant): boolean =>
    !valuesOf(all) && all.every((schema) => impliedType(schema) === 'any');
  if (variants.some((variant) => !isTyped(variant) && isUnknown(variant))) return undefined;
  // A schema without a type that lists fields is meant for objects only.
  const meant = variants.filter((variant) => !variant.loose || isTyped(variant));
  if (meant.length === 0) return undefined;
  const maps = meant.filter(({ type }) => type === 'object');
  // A value gets no defaults of one of several alternatives.
  const isFilled = (schema: JsonObject): boolean => maps.every(({ all }) => all.includes(schema));
  return meant.flatMap(({ all, type }) => {
    const values = type === 'any' ? valuesOf(all) : undefined;
    if (type === 'any' && !values) return [];
    const types = values ? [...new Set(values.map(jsonTypeOf))] : [type];
    if (all.some((schema) => own(schema, 'nullable') === true)) types.push('null');
    return types.map((one): ValueShape => shapeOf(one, all, dialect, isFilled));
  });
}

function shapeOf(
  type: string,
  all: readonly JsonObject[],
  dialect: SchemaPart['dialect'],
  isFilled: (schema: JsonObject) => boolean,
): ValueShape {
  const fields = new Map<string, FieldShape>();
  const required = new Set(all.flatMap((schema) => [...listUnder(schema, 'required'), ...sometimesRequired(schema)]));
  for (const schema of all) {
    for (const [name, sub] of Object.entries(objectUnder(schema, 'properties'))) {
      const known = fields.get(name);
      const hasDefault = isObject(sub) && Object.hasOwn(sub, 'default') && isFilled(schema);
      const isPresent = required.has(name) || hasDefault || known?.isPresent === true;
      fields.set(name, { schemas: [...(known?.schemas ?? []), sub], isPresent });
    }
  }
  const rests = all.flatMap((schema) => own(schema, 'additionalProperties') ?? []);
  const hasPatterns = all.some((schema) => Object.hasOwn(schema, 'patternProperties'));
  const isClosed = rests.includes(false) && !hasPatterns;
  const first = firstItemsOf(all, dialect);
  const hasOthers =
    rests.length > 0 || all.some((schema) => OPEN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword)));
  return {
    type,
    fields,
    isOpen: !isClosed && (fields.size === 0 || hasOthers),
    rest: hasPatterns ? [] : rests.filter(isObject),
    items: all.flatMap((schema) => otherItemsSchemaOf(schema, dialect) ?? []).filter((one) => one !== false),
    first,
    isTuple: first.length > 0 && hasLength(all, first.length, dialect),
    constants: type === 'boolean' ? [true, false] : valuesOf(all),
    range: rangeOf(all, type === 'integer'),
    size: sizeOf(type, all),
    patterns: all.flatMap((schema) => own(schema, 'pattern') ?? []).filter((pattern) => typeof pattern === 'string'),
  };
}

function sizeOf(type: string, all: readonly JsonObject[]): ValueShape['size'] {
  const required = type === 'object' ? new Set(all.flatMap((schema) => listUnder(schema, 'required'))).size : 0;
  const noun = { string: 'Length', array: 'Items' }[type] ?? 'Properties';
  const under = (keyword: string) => all.flatMap((schema) => numberUnder(schema, keyword) ?? []);
  return { least: Math.max(required, ...under(`min${noun}`)), most: Math.min(...under(`max${noun}`)) };
}

/** Returns the names that `required` contains under a keyword that depends on the value. */
const sometimesRequired = (schema: JsonObject): readonly Json[] => [
  ...['dependentRequired', 'dependencies'].flatMap((keyword) =>
    Object.values(objectUnder(schema, keyword)).flatMap((names) => (isList(names) ? names : [])),
  ),
  ...[own(schema, 'then'), own(schema, 'else'), ...Object.values(objectUnder(schema, 'dependentSchemas'))].flatMap(
    (part) => (isObject(part) ? listUnder(part, 'required') : []),
  ),
];

/** Returns the schemas of each item that has a schema of its own. */
function firstItemsOf(all: readonly JsonObject[], dialect: SchemaPart['dialect']): readonly (readonly Json[])[] {
  const lists = all.map((schema) => firstItemSchemasOf(schema, dialect));
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, at) =>
    all.flatMap((schema, index) => lists[index]?.[at] ?? otherItemsSchemaOf(schema, dialect) ?? []),
  );
}

/** Returns true if every list that matches the schemas has this length. */
function hasLength(all: readonly JsonObject[], length: number, dialect: SchemaPart['dialect']): boolean {
  const isClosed = all.some((schema) => otherItemsSchemaOf(schema, dialect) === false);
  const least = Math.max(0, ...all.map((schema) => numberUnder(schema, 'minItems') ?? 0));
  const most = Math.min(...all.map((schema) => numberUnder(schema, 'maxItems') ?? Number.POSITIVE_INFINITY));
  return least >= length && (isClosed || most <= length);
}

const OPEN_KEYWORDS: readonly string[] = ['patternProperties', ...UNDECIDED_KEYWORDS];

function jsonTypeOf(value: Json): string {
  if (value === null) return 'null';
  return isList(value) ? 'array' : typeof value;
}

/** Returns the type of schemas that all apply in a few words, and their first description. */
export function describeSchemas(schemas: readonly Json[], root: JsonObject): { label: string; description?: string } {
  const label = schemas.map((schema) => typeLabel(schema, root)).find((one) => one !== 'any') ?? 'any';
  const description = schemas
    .map((schema) => isObject(schema) && own(schema, 'description'))
    .find((text) => typeof text === 'string');
  return { label, ...(typeof description === 'string' && { description }) };
}
