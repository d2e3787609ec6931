/** The inputs and outputs of skills with their fields. */

import type { RelatedLocation } from '../../finding.ts';
import {
  type Assignability,
  allSchemas,
  boundedLabel,
  compareTypes,
  isUsable,
  type Schema,
  type SchemaField,
  type SchemaPart,
} from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { allowsOtherFields } from '../../skill/composition-order.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

/** The input or the output of a skill. */
export interface Side {
  readonly uri: string;
  readonly schema: Pick<Schema, 'json' | 'dialect'>;
  readonly fields: readonly Field[];
  /** True if there may be fields that the schema does not name. */
  readonly isOpen: boolean;
}

export interface Field extends SchemaPart {
  /** The name of the field in the skill that declares it. */
  readonly name: string;
  /** For an input, true if a value must be passed. For an output, true if the value always exists. */
  readonly isRequired: boolean;
  /** True for an optional input that is required because the prompt of the skill fails without it. */
  readonly isForPrompt?: true;
  readonly hasDefault: boolean;
  readonly description: string | undefined;
  readonly uri: string;
  readonly span: Span;
  /** The type as it is written. */
  readonly written: Json;
}

/**
 * The input and the output of a skill. The input or output is undefined if it has no schema, or if its schema has
 * errors.
 */
export interface Sides {
  readonly input: Side | undefined;
  readonly output: Side | undefined;
}

/** Returns the input and the output of a file's skill. */
export const sidesOf = (file: SkillFile): Sides => file.derive(readSides);

const readSides = ({ uri, contract }: SkillFile): Sides => ({
  input: sideOf(uri, contract.input?.schema),
  output: sideOf(uri, contract.output?.schema),
});

/**
 * Returns the input or output with a schema; undefined if the schema is missing or has errors, because its fields are
 * then not known.
 */
function sideOf(uri: string, schema: Schema | undefined): Side | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  // The types of fields are not known if several parts of a schema restrict them.
  const isCombined = has(schema, ['allOf', 'anyOf', 'oneOf', 'if']);
  const fields = schema.fields.map((field) => fieldFrom(uri, field, schema, isCombined));
  const { json, dialect } = schema;
  return { uri, schema: { json, dialect }, fields, isOpen: isOpen(schema) };
}

const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf'];

const has = ({ json }: Schema, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(json, key));

/**
 * Returns whether a schema allows fields that it does not name. A combined schema allows unnamed fields if one of its
 * parts allows them.
 */
function isOpen(schema: Schema): boolean {
  const parts = has(schema, COMBINING) ? [...allSchemas(schema.json)] : [schema.json];
  return parts.some(allowsOtherFields);
}

const fieldFrom = (
  uri: string,
  { name, json, required, default: value, description, keySpan }: SchemaField,
  { json: root, dialect }: Schema,
  isCombined: boolean,
): Field => ({
  name,
  json: isCombined ? {} : json,
  root,
  dialect,
  isRequired: required,
  hasDefault: value !== undefined,
  description,
  uri,
  span: keySpan,
  written: json,
});

/** Returns the field with a given name. */
export const findField = ({ fields }: Side, name: string): Field | undefined =>
  fields.find((field) => field.name === name);

/** Returns whether an input or output certainly has no field with a name. */
export const lacks = (side: Side | undefined, name: string): side is Side =>
  side !== undefined && !side.isOpen && !findField(side, name);

export const namesOf = ({ fields }: Side): readonly string[] => fields.map(({ name }) => name);

/** Returns the type of a field, for messages. */
export const labelOf = ({ written, root }: Field): string => boundedLabel(written, root);

/** Returns whether a value certainly exists: it is required, or it has a default. */
export const isAlwaysSet = ({ isRequired, hasDefault }: Field): boolean => isRequired || hasDefault;

/** Returns whether a field needs a value. */
export const requires = ({ isRequired, hasDefault }: Field): boolean => isRequired && !hasDefault;

/** Returns whether each value that `from` produces fits `to`. */
export const relateFields = (from: SchemaPart, to: SchemaPart): Assignability => compareTypes(from, to, 'as-produced');

/** Returns the declaration of a field as a related location. */
export const placeOf = ({ uri, span }: Field, message: string): RelatedLocation => ({ uri, span, message });
