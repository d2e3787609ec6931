/** The values that flow between the steps of a composite, with their types and the places that they come from. */
import type { RelatedPlace } from '../../../finding.ts';
import {
  type Assignability,
  allSchemas,
  boundedLabel,
  isUsable,
  relateTypes,
  type Schema,
  type SchemaField,
  type SchemaPart,
} from '../../../languages/schema/schema.ts';
import { type Json, stringOf, type YamlMap } from '../../../languages/yaml/node.ts';
import type { ComposesEntry } from '../../../skill/contract.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { type Doubt, type Guards, isSettled } from './doubts.ts';

/** What a skill takes or gives. */
export interface Side {
  readonly uri: string;
  readonly schema: Pick<Schema, 'json' | 'dialect'>;
  readonly fields: readonly Field[];
  /** True where there may be fields that the schema does not name. */
  readonly isOpen: boolean;
}

export interface Field extends SchemaPart {
  /** Its name in the skill that takes or gives it. */
  readonly name: string;
  /** Whether a value without it is refused; of what is given, whether it is always there. */
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  readonly description: string | undefined;
  readonly uri: string;
  readonly span: Span;
  /** The type as it is written. */
  readonly written: Json;
}

/** A field as a value of the flow. */
export interface FlowValue {
  /** Its name in the flow. */
  readonly name: string;
  readonly field: Field;
  /** Where it comes from, in words: `the inputs`, `find-page`. */
  readonly source: string;
  /** The entry whose step gives it; undefined for an input of the composite. */
  readonly entry: ComposesEntry | undefined;
  /** Undefined where the step that gives it certainly runs. */
  readonly doubt: Doubt | undefined;
}

/** What a skill takes and what it gives; undefined where no schema is written, or one with errors. */
export interface Sides {
  readonly input: Side | undefined;
  readonly output: Side | undefined;
}

export const sidesOf = (file: SkillFile): Sides => file.derive(readSides);

const readSides = ({ uri, contract }: SkillFile): Sides => ({
  input: sideOf(uri, contract.input?.schema),
  output: sideOf(uri, contract.output?.schema),
});

/** Nothing is known of the fields of a schema with errors. */
function sideOf(uri: string, schema: Schema | undefined): Side | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  // The types of fields are not known where several parts of a schema restrict them.
  const isCombined = has(schema, ['allOf', 'anyOf', 'oneOf', 'if']);
  const fields = schema.fields.map((field) => fieldFrom(uri, field, schema, isCombined));
  const { json, dialect } = schema;
  return { uri, schema: { json, dialect }, fields, isOpen: isOpen(schema) };
}

const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const OPENING = ['patternProperties', '$dynamicRef', 'if', 'not', 'dependentSchemas', 'unevaluatedProperties'];

const has = ({ json }: Schema, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(json, key));

/** A schema made of parts is open where any of them lets fields pass that it does not name. */
function isOpen(schema: Schema): boolean {
  const parts = has(schema, COMBINING) ? [...allSchemas(schema.json)] : [schema.json];
  return parts.some((json) => {
    const rest = json.additionalProperties;
    return OPENING.some((key) => Object.hasOwn(json, key)) || (rest !== undefined && rest !== false);
  });
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

export const findField = ({ fields }: Side, name: string): Field | undefined =>
  fields.find((field) => field.name === name);

/** The type of a field in words. */
export const labelOf = ({ written, root }: Field): string => boundedLabel(written, root);

/** Whether a value is certainly there: it is required, or a default stands in for it. */
export const isGiven = ({ isRequired, hasDefault }: Field): boolean => isRequired || hasDefault;

/** Whether a value suffices for a required field of what runs under these conditions. */
export const isThere = ({ field, doubt }: Pick<FlowValue, 'field' | 'doubt'>, guards: Guards): boolean =>
  // A condition may be what tests whether an optional value is there.
  (guards.isConditional || isGiven(field)) && (!doubt || isSettled(doubt, guards));

export const relateFields = (from: SchemaPart, to: SchemaPart): Assignability => relateTypes(from, to, 'as-produced');

/** "`slug` of `find-page`". */
export const inFlow = ({ name, source }: FlowValue): string => `\`${name}\` of ${source}`;

export const placeOf = ({ uri, span }: Field, message: string): RelatedPlace => ({ uri, span, message });

/** The pairs of a mapping that have two names. */
export const pairsOf = (
  mapping: YamlMap | undefined,
): readonly { readonly from: string; readonly to: string; readonly fromSpan: Span; readonly toSpan: Span }[] =>
  (mapping?.entries ?? []).flatMap(({ key, value }) => {
    const to = stringOf(value);
    return to === undefined ? [] : [{ from: String(key.value), to, fromSpan: key.span, toSpan: value.span }];
  });
