/** The fields of a schema, and what stands at a path of a value. */
import type { Json } from '../yaml/node.ts';
import { typeLabel } from './label.ts';
import {
  isList,
  isObject,
  type JsonObject,
  own,
  type Path,
  type Places,
  type SchemaField,
  type SkillSchema,
} from './model.ts';
import { refTarget } from './walk.ts';

/** Schemas nest and refer to each other at will; beyond this depth and number they are not followed. */
const MAX_DEPTH = 12;
const MAX_FIELDS = 1_000;
const MAX_PARTS = 100;

interface SchemaPart {
  readonly part: JsonObject;
  /** False for an alternative, which need not be the one that holds. */
  readonly certain: boolean;
}

/** The schemas that say what one value is: the schema, what it refers to, its parts, and its alternatives. */
function partsOf(root: JsonObject, schema: Json): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  const seen = new Set<Json>();
  const collect = (item: Json, certain: boolean, depth: number): void => {
    if (!isObject(item) || seen.has(item) || depth > MAX_DEPTH || parts.length >= MAX_PARTS) return;
    seen.add(item);
    parts.push({ part: item, certain });
    const target = refTarget(root, item);
    if (target !== undefined) collect(target, certain, depth + 1);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = own(item, keyword);
      if (isList(list)) for (const sub of list) collect(sub, certain && keyword === 'allOf', depth + 1);
    }
  };
  collect(schema, true, 0);
  return parts;
}

/** The fields of an object's schema; those of a reference to itself are left out where they would repeat. */
export function fieldsOf(
  root: JsonObject,
  placesIn: (holder: Json) => ReturnType<Places['get']>,
  whole: { start: number; end: number },
): readonly SchemaField[] {
  let count = 0;
  const fieldsAt = (schema: Json, above: readonly Json[]): readonly SchemaField[] => {
    if (isObject(schema) && isLeaf(schema)) return [];
    const fields = new Map<string, SchemaField>();
    for (const { name, sub, required, holder } of propertiesOf(root, schema)) {
      const known = fields.get(name);
      if (known || count++ > MAX_FIELDS) {
        if (known && required && !known.required) fields.set(name, { ...known, required });
        continue;
      }
      const place = placesIn(holder)?.get(name) ?? { keySpan: whole, span: whole };
      const [inner] = isObject(sub) && isLeaf(sub) ? [] : itemsOf(root, sub);
      const held = inner ?? sub;
      const target = isObject(held) ? (refTarget(root, held) ?? held) : held;
      const repeats = above.includes(target) || above.length > MAX_DEPTH;
      const { description, default: value } = isObject(sub) ? sub : ({} as JsonObject);
      fields.set(name, {
        name,
        ...place,
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

/** The keywords by which a schema may have fields, or items that have some. */
const HOLDING = ['properties', 'items', '$ref', 'allOf', 'anyOf', 'oneOf'];

/** Most fields hold no further ones; to look for them all the same was two thirds of this walk. */
const isLeaf = (schema: JsonObject): boolean => !HOLDING.some((keyword) => Object.hasOwn(schema, keyword));

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
    const names = own(part, 'required');
    if (certain && isList(names)) for (const name of names) required.add(name);
  }
  return parts.flatMap(({ part }) => {
    const holder = own(part, 'properties');
    if (!isObject(holder)) return [];
    return Object.entries(holder).map(([name, sub]) => ({ name, sub, required: required.has(name), holder }));
  });
}

function itemsOf(root: JsonObject, schema: Json): readonly Json[] {
  return partsOf(root, schema).flatMap(({ part }) => {
    const items = own(part, 'items');
    return items === undefined || isList(items) ? [] : [items];
  });
}

/** What stands at a path of a value: its schema, its type in words, and what is said of it. */
export interface TypeInfo {
  readonly json: Json;
  readonly type: string;
  readonly description?: string;
  readonly required: boolean;
}

/**
 * The schema at a path of names and indices, `['user', 'name']`, through properties, items and local references.
 * Undefined where the schema says nothing about that place.
 */
export function typeAt({ json: root }: Pick<SkillSchema, 'json'>, path: Path): TypeInfo | undefined {
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
