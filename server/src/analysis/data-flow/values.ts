/** The values that flow between the steps of a composite, with their types and sources. */
import type { Fix, RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import {
  type Assignability,
  allSchemas,
  boundedLabel,
  compareTypes,
  hasReference,
  isUsable,
  type Schema,
  type SchemaField,
  type SchemaPart,
  toShorthand,
} from '../../languages/schema/schema.ts';
import {
  appendItem,
  formatJson,
  formatScalar,
  insertEntry,
  removeEntry,
  setScalar,
} from '../../languages/yaml/edit.ts';
import {
  findEntry,
  isNull,
  type Json,
  mapEntries,
  stringOf,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { allowsOtherFields } from '../../skill/composition-order.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { Guard } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineAt, lineBreakOf, lineEnd, type Span, sliceOf, span, type TextEdit } from '../../text.ts';

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
  readonly hasDefault: boolean;
  readonly description: string | undefined;
  readonly uri: string;
  readonly span: Span;
  /** The type as it is written. */
  readonly written: Json;
}

/** A field as a value in the flow. */
export interface FlowValue {
  /** The name of the value in the flow. */
  readonly name: string;
  readonly field: Field;
  /** The source of the value, for messages: "the inputs", or a step such as "`find-page`". */
  readonly source: string;
  /** The entry whose step provides the value; undefined for an input of the composite. */
  readonly entry: ComposesEntry | undefined;
  /** The reason why the step might not run; undefined if it certainly runs. */
  readonly doubt: Doubt | undefined;
  /** True if a parallel step may write another value with this name in the same run. */
  readonly isRaced?: true;
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

/** Returns the type of a field, for messages. */
export const labelOf = ({ written, root }: Field): string => boundedLabel(written, root);

/** Returns whether a value certainly exists: it is required, or it has a default. */
export const isAlwaysSet = ({ isRequired, hasDefault }: Field): boolean => isRequired || hasDefault;

/**
 * Returns whether a value is certain enough to provide a required field of a step that runs under the conditions in
 * `guards`.
 */
export const isAvailable = ({ field, doubt }: Pick<FlowValue, 'field' | 'doubt'>, guards: Guards): boolean =>
  // A condition may test whether an optional value exists.
  (guards.isConditional || isAlwaysSet(field)) && (!doubt || isGuarded(doubt, guards));

/** Returns whether each value that `from` produces fits `to`. */
export const relateFields = (from: SchemaPart, to: SchemaPart): Assignability => compareTypes(from, to, 'as-produced');

/** Returns text such as "`slug` of `find-page`". */
export const inFlow = ({ name, source }: FlowValue): string => `\`${name}\` of ${source}`;

/** Returns the declaration of a field as a related location. */
export const placeOf = ({ uri, span }: Field, message: string): RelatedLocation => ({ uri, span, message });

/** Returns the pairs of a mapping, without those whose value is not a string. */
export const pairsOf = (
  mapping: YamlMap | undefined,
): readonly { readonly from: string; readonly to: string; readonly fromSpan: Span; readonly toSpan: Span }[] =>
  (mapping?.entries ?? []).flatMap(({ key, value }) => {
    const to = stringOf(value);
    return to === undefined ? [] : [{ from: String(key.value), to, fromSpan: key.span, toSpan: value.span }];
  });

/** A pair of a mapping. */
type Pair = ReturnType<typeof pairsOf>[number];

/**
 * Returns whether a pair has its two names in the wrong order. `own` is the input or the output of the step, which the
 * pair names on one side.
 */
export const isReversed = (own: Side, { from, to }: Pair, key: MappingKey): boolean => {
  const [right, wrong] = key === 'input_mapping' ? [from, to] : [to, from];
  return !own.isOpen && findField(own, right) !== undefined && findField(own, wrong) === undefined;
};

// Fixes that provide a value to a step: a mapping, or another input of the composite.

type MappingKey = 'input_mapping' | 'output_mapping';

/**
 * Returns the fix that adds a pair to an entry's mapping, or no fix if the name is already mapped or the entry cannot
 * be edited.
 */
export function addMapping(file: SkillFile, entry: ComposesEntry, key: MappingKey, from: string, to: string): Fix[] {
  const edits = mappingEdits(file, entry, key, from, to);
  const what =
    key === 'input_mapping'
      ? `\`${from}\` to \`${to}\` of \`${entry.step}\``
      : `\`${from}\` of \`${entry.step}\` to \`${to}\``;
  return fixHere(file, `Map ${what}`, edits);
}

function mappingEdits(
  file: SkillFile,
  entry: ComposesEntry,
  key: MappingKey,
  from: string,
  to: string,
): readonly TextEdit[] {
  const { text } = file;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  const item = list?.kind === 'list' ? list.items.find((one) => contains(one.span, entry.span)) : undefined;
  if (!item || list?.kind !== 'list') return [];
  const pair = `{${formatScalar(from, true)}: ${formatScalar(to, true)}}`;
  if (item.kind === 'scalar') return list.flow ? wrapInFlow(text, item, key, pair) : wrapInBlock(file, item, key, pair);
  if (item.kind !== 'map') return [];
  const mapping = findEntry(item, key)?.value;
  if (!mapping) return insertEntry(text, item, key, pair, { after: findEntry(item, 'as') ? 'as' : 'skill' });
  if (mapping.kind === 'list' || findEntry(mapping, from)) return [];
  return insertEntry(text, mapping, from, formatScalar(to, true));
}

function wrapInFlow(text: string, { span: place }: YamlScalar, key: MappingKey, pair: string): readonly TextEdit[] {
  const source = sliceOf(text, place);
  return /^[*&!]/.test(source) ? [] : [{ span: place, newText: `{skill: ${source}, ${key}: ${pair}}` }];
}

function wrapInBlock(
  { text, lines }: SkillFile,
  { span: place }: YamlScalar,
  key: MappingKey,
  pair: string,
): readonly TextEdit[] {
  const line = lineAt(lines, place.start);
  const before = text.slice(lines[line], place.start);
  // An anchor or a tag before the name would then apply to the whole map.
  if (!/^ *(?:- +)+$/.test(before) || /^[*&!]/.test(text.slice(place.start)) || lineAt(lines, place.end) !== line)
    return [];
  const end = lineEnd(text, lines, line);
  const indent = ' '.repeat(before.length);
  return [
    { span: span(place.start, place.start), newText: 'skill: ' },
    { span: span(end, end), newText: `${lineBreakOf(text)}${indent}${key}: ${pair}` },
  ];
}

/** Returns the fix that adds a field to the composite's inputs, with the type of the step that needs it. */
export function addInput(file: SkillFile, field: Field): Fix[] {
  const edits = inputEdits(file, field);
  return fixHere(file, `Add \`${field.name}\` to the inputs`, edits);
}

function inputEdits({ text, contract }: SkillFile, { name, json }: Field): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (!contract.input || !value || value.kind === 'list' || hasReference(json)) return [];
  if (contract.input.schema.form !== 'json-schema') {
    const shorthand = toShorthand({ type: 'object', properties: { [name]: json }, required: [name] });
    const field = shorthand && Object.hasOwn(shorthand, name) ? shorthand[name] : undefined;
    return field === undefined ? [] : insertEntry(text, value, name, formatJson(field));
  }
  const properties = findEntry(value, 'properties')?.value;
  if (value.kind !== 'map' || !properties || properties.kind === 'list') return [];
  const required = findEntry(value, 'required')?.value;
  if (required && required.kind !== 'list' && !isNull(required)) return [];
  return [
    ...insertEntry(text, properties, name, formatJson(json as Json)),
    ...appendItem(text, value, 'required', formatScalar(name, true)),
  ];
}

/**
 * Returns the fix that makes an optional input of the composite required, or no fix if the schema does not show why the
 * input is optional.
 */
export function requireInput(file: SkillFile, name: string): Fix[] {
  const edits = requireEdits(file, name);
  return fixHere(file, `Make the input \`${name}\` required`, edits);
}

function requireEdits({ text, contract }: SkillFile, name: string): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (value?.kind !== 'map') return [];
  if (contract.input?.schema.form === 'json-schema') {
    const required = findEntry(value, 'required')?.value;
    const isList = !required || required.kind === 'list' || isNull(required);
    return isList && findEntry(value, 'properties')
      ? appendItem(text, value, 'required', formatScalar(name, true))
      : [];
  }
  const field = findEntry(value, name)?.value;
  // Shorthand such as `string?` or `string[]?, the description`.
  const words = field?.kind === 'scalar' && typeof field.value === 'string' ? field.value : undefined;
  if (field?.kind === 'scalar' && words !== undefined && /^\w+(?:\[\])?\?/.test(words)) {
    return setScalar(text, field, words.replace('?', ''));
  }
  const flag = findEntry(field, 'required')?.value;
  return flag?.kind === 'scalar' && flag.value === false ? setScalar(text, flag, true) : [];
}

// Values that exist only if a step runs (docs/format.md, section 4, "Data flow").

/** The reason why a step might not run. */
export interface Doubt {
  readonly by: 'condition' | 'arm' | 'keep_when';
  /** The condition; undefined for an `else`. */
  readonly guard: Guard | undefined;
  /** The name of the step that might not run. */
  readonly step: string;
}

/** Returns the condition under which a value exists, as the end of a sentence about the value. */
export function conditionText({ by, guard }: Doubt): string {
  if (!guard) return 'only if no condition in its `when` is true';
  return by === 'keep_when'
    ? `only if \`${guard.source}\` is true, because otherwise its step is cancelled`
    : `only if \`${guard.source}\` is true`;
}

/**
 * Returns a sentence that says how to guarantee a value. `otherwise` is another way to avoid the gap, as an imperative.
 */
export function adviceOn({ by, step }: Doubt, name: string, otherwise: string): string {
  if (by === 'arm') return `Provide \`${name}\` in all other arms, including \`else\`, or ${otherwise}.`;
  if (by === 'keep_when') return `Always keep \`${step}\`, or ${otherwise}.`;
  return `Always run \`${step}\`, provide \`${name}\` in the \`else\` of a \`when\`, or ${otherwise}.`;
}

/** Returns the location of the condition of a doubt; an `else` has no location. */
export const placeOfDoubt = ({ uri }: SkillFile, { guard, step }: Doubt): readonly RelatedLocation[] =>
  guard ? [{ uri, span: guard.span, message: `This condition decides whether \`${step}\` runs to its end` }] : [];

/** Returns the fix that removes the condition of a step. The condition of an arm has no such fix. */
export function removeCondition(file: SkillFile, { by, guard, step }: Doubt): readonly Fix[] {
  if (!guard || by === 'arm') return [];
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const holder = execution && mapThatHolds(execution, guard);
  const edits = holder ? removeEntry(file.text, holder, by) : [];
  return fixHere(file, by === 'condition' ? `Always run \`${step}\`` : `Always keep \`${step}\``, edits);
}

/** Returns the map that contains the condition. */
function mapThatHolds(root: YamlNode, { span }: Guard): YamlMap | undefined {
  // Recursion could overflow the stack, because blocks may be nested very deep.
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.kind === 'map' && at.entries.some(({ value }) => value.span.start === span.start)) return at;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return undefined;
}

/** The conditions under which a step runs. */
export interface Guards {
  readonly conditions: readonly Guard[];
  /** True if the step has a condition or is within an `else`, which has no condition of its own. */
  readonly isConditional: boolean;
}

export const UNCONDITIONAL: Guards = { conditions: [], isConditional: false };

/**
 * Returns whether the step that uses a value runs only if the value exists, or refers in its condition to the step that
 * provides the value.
 */
export function isGuarded({ guard, step }: Doubt, { conditions }: Guards): boolean {
  if (conditions.some(({ references }) => references.some(({ source }) => source === step))) return true;
  const known = new Set(conditions.flatMap(conjuncts));
  return guard !== undefined && conjuncts(guard).every((part) => known.has(part));
}

/**
 * Returns the operands of `and`. A condition with `or` or `if` is one operand, because these operators have a lower
 * precedence than `and`.
 */
const conjuncts = ({ source }: Guard): readonly string[] =>
  /\b(?:or|if)\b/.test(source) ? [source] : source.split(/\s+and\s+/);
