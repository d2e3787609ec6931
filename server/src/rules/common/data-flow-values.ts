/** The values that flow between the steps of a composite, with their types and the places that they come from. */
import type { RelatedPlace } from '../../finding.ts';
import type { ComposesEntry } from '../../skill/contract.ts';
import { allSchemas } from '../../skill/schema/walk.ts';
import {
  type Assignability,
  boundedLabel,
  isUsable,
  relateTypes,
  type SchemaField,
  type SchemaPart,
  type SkillSchema,
} from '../../skill/schema.ts';
import { stringOf, type YamlMap } from '../../skill/yaml/node.ts';
import type { Span } from '../../text.ts';

/** What a skill takes or gives. */
export interface Side {
  readonly uri: string;
  readonly schema: SkillSchema;
  /** True where there may be fields that the schema does not name. */
  readonly isOpen: boolean;
}

export interface Field extends SchemaPart {
  readonly name: string;
  /** Whether a value without it is refused; of what is given, whether it is always there. */
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  readonly description: string | undefined;
  readonly uri: string;
  readonly span: Span;
  readonly label: string;
}

export interface FlowValue extends Field {
  /** Where it comes from, in words: `the inputs`, `find-page`. */
  readonly source: string;
  /** The entry whose step gives it; undefined for an input of the composite. */
  readonly entry: ComposesEntry | undefined;
  /** Its name in the skill that gives it. */
  readonly ownName: string;
}

/** Undefined where no schema is written, or one with errors: nothing is known of the fields then. */
export function sideOf(uri: string, schema: SkillSchema | undefined): Side | undefined {
  if (!schema || !isUsable(schema)) return undefined;
  return { uri, schema, isOpen: isOpen(schema) };
}

const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const OPENING = ['patternProperties', '$dynamicRef', 'if', 'not', 'dependentSchemas', 'unevaluatedProperties'];

const has = ({ json }: SkillSchema, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(json, key));

/** A schema made of parts is open where any of them lets fields pass that it does not name. */
function isOpen(schema: SkillSchema): boolean {
  const parts = has(schema, COMBINING) ? [...allSchemas(schema.json)] : [schema.json];
  return parts.some((json) => {
    const rest = json.additionalProperties;
    return OPENING.some((key) => Object.hasOwn(json, key)) || (rest !== undefined && rest !== false);
  });
}

export const fieldsOf = (side: Side): readonly Field[] =>
  side.schema.fields.map((field) => fieldFrom(side, field, side.schema));

function fieldFrom({ uri }: Side, field: SchemaField, schema: SkillSchema): Field {
  const root = schema.json;
  // What several parts of a schema say together is not put together here.
  const json = has(schema, ['allOf', 'anyOf', 'oneOf', 'if']) ? {} : field.json;
  return {
    name: field.name,
    json,
    root,
    dialect: schema.dialect,
    isRequired: field.required,
    hasDefault: field.default !== undefined,
    description: field.description,
    uri,
    span: field.keySpan,
    label: boundedLabel(field.json, root),
  };
}

export const findField = (side: Side, name: string): Field | undefined => {
  const field = side.schema.fields.find((candidate) => candidate.name === name);
  return field && fieldFrom(side, field, side.schema);
};

/** Whether a value is certainly there: it is required, or a default stands in for it. */
export const isGiven = ({ isRequired, hasDefault }: Field): boolean => isRequired || hasDefault;

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
