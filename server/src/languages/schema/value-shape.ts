/** The kinds of values that a schema accepts, with their fields and items, for the types of templates. */
import type { Json } from '../yaml/node.ts';
import { type SchemaPart, UNDECIDED_KEYWORDS, type Variant, valuesOf, variantsOf } from './assignable.ts';
import { impliedType, typeLabel } from './label.ts';
import { isList, isObject, type JsonObject, listUnder, objectUnder, own } from './model.ts';
import { firstItemSchemasOf, otherItemsSchemaOf } from './walk.ts';

/** A field of the objects that a schema accepts. */
export interface FieldShape {
  /** The schemas that apply to the field's value. */
  readonly schemas: readonly Json[];
  /** True if every value has the field, because it is required or has a default. */
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
  /** The schemas of every item, except the first items of a tuple. */
  readonly items: readonly Json[];
  readonly isTuple: boolean;
  /** The only values that are allowed, if there are few. */
  readonly constants: readonly Json[] | undefined;
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
  return meant.flatMap(({ all, type }) => {
    const values = type === 'any' ? valuesOf(all) : undefined;
    if (type === 'any' && !values) return [];
    const types = values ? [...new Set(values.map(jsonTypeOf))] : [type];
    if (all.some((schema) => own(schema, 'nullable') === true)) types.push('null');
    return types.map((one): ValueShape => shapeOf(one, all, dialect));
  });
}

function shapeOf(type: string, all: readonly JsonObject[], dialect: SchemaPart['dialect']): ValueShape {
  const fields = new Map<string, FieldShape>();
  const required = new Set(all.flatMap((schema) => listUnder(schema, 'required')));
  for (const schema of all) {
    for (const [name, sub] of Object.entries(objectUnder(schema, 'properties'))) {
      const known = fields.get(name);
      const hasDefault = isObject(sub) && Object.hasOwn(sub, 'default');
      const isPresent = required.has(name) || hasDefault || known?.isPresent === true;
      fields.set(name, { schemas: [...(known?.schemas ?? []), sub], isPresent });
    }
  }
  const rests = all.flatMap((schema) => own(schema, 'additionalProperties') ?? []);
  const isClosed = rests.includes(false);
  const hasOthers = rests.length > 0 || all.some((schema) => OPENING.some((keyword) => Object.hasOwn(schema, keyword)));
  return {
    type,
    fields,
    isOpen: !isClosed && (fields.size === 0 || hasOthers),
    rest: rests.filter(isObject),
    items: all.flatMap((schema) => otherItemsSchemaOf(schema, dialect) ?? []).filter((one) => one !== false),
    isTuple: all.some((schema) => firstItemSchemasOf(schema, dialect).length > 0),
    constants: type === 'boolean' ? [true, false] : valuesOf(all),
  };
}

const OPENING: readonly string[] = ['patternProperties', ...UNDECIDED_KEYWORDS];

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
