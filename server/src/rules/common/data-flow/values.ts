/** The values that flow between the steps of a composite, with their types and the places that they come from. */
import type { Fix, RelatedPlace } from '../../../finding.ts';
import {
  type Assignability,
  allSchemas,
  boundedLabel,
  isUsable,
  relateTypes,
  type Schema,
  type SchemaField,
  type SchemaPart,
  toShorthand,
} from '../../../languages/schema/schema.ts';
import {
  appendItem,
  formatJson,
  formatScalar,
  insertEntry,
  removeEntry,
  setScalar,
} from '../../../languages/yaml/edit.ts';
import {
  findEntry,
  isNull,
  type Json,
  mapEntries,
  stringOf,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../../skill/contract.ts';
import type { Guard } from '../../../skill/execution/execution.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { contains, lineAt, lineBreakOf, lineEnd, type Span, sliceOf, span, type TextEdit } from '../../../text.ts';
import { fixHere } from '../../rule.ts';

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

// Edits that let a value of the flow reach a step: a mapping of an entry, or one more input of the composite.

type MappingKey = 'input_mapping' | 'output_mapping';

/** Adds a pair to a mapping of an entry; none where the name is mapped already, or the entry's form leaves no place. */
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
  // An anchor or a tag of the name would become one of the map.
  if (!/^ *(?:- +)+$/.test(before) || /^[*&!]/.test(text.slice(place.start)) || lineAt(lines, place.end) !== line)
    return [];
  const end = lineEnd(text, lines, line);
  const indent = ' '.repeat(before.length);
  return [
    { span: span(place.start, place.start), newText: 'skill: ' },
    { span: span(end, end), newText: `${lineBreakOf(text)}${indent}${key}: ${pair}` },
  ];
}

/** Adds a field to the composite's inputs as the step that needs it has it. */
export function addInput(file: SkillFile, field: Field): Fix[] {
  const edits = inputEdits(file, field);
  return fixHere(file, `Add \`${field.name}\` to the inputs`, edits);
}

function inputEdits({ text, contract }: SkillFile, { name, json }: Field): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (!contract.input || !value || value.kind === 'list' || /"\$(?:dynamicR|r)ef":/.test(JSON.stringify(json)))
    return [];
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

/** Makes an input of the composite required that is optional; none where its form does not say so in one place. */
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
  // `string?`, `string[]?, what it is`
  const words = field?.kind === 'scalar' && typeof field.value === 'string' ? field.value : undefined;
  if (field?.kind === 'scalar' && words !== undefined && /^\w+(?:\[\])?\?/.test(words)) {
    return setScalar(text, field, words.replace('?', ''));
  }
  const flag = findEntry(field, 'required')?.value;
  return flag?.kind === 'scalar' && flag.value === false ? setScalar(text, flag, true) : [];
}

// Values that are there only where a step runs, and whether that is so (docs/format.md, section 4, "Data flow").

/** Why it is decided at run time whether a step runs. */
export interface Doubt {
  readonly by: 'condition' | 'arm' | 'keep_when';
  /** Undefined for an `else`. */
  readonly guard: Guard | undefined;
  /** What steps call the one that may not run. */
  readonly step: string;
}

/** When a value is there, to stand behind "is there". */
export function whereOf({ by, guard }: Doubt): string {
  if (!guard) return 'only where no condition of its `when` holds';
  return by === 'keep_when'
    ? `only where \`${guard.source}\` keeps it from being cancelled`
    : `only where \`${guard.source}\` holds`;
}

export function adviceOn({ by, step }: Doubt, name: string): string {
  const or = `or give \`${name}\` a default where it is taken`;
  if (by === 'arm') return `Give \`${name}\` in every other arm too, the \`else\` among them, ${or}.`;
  if (by === 'keep_when') return `Keep \`${step}\` in any case, ${or}.`;
  return `Run \`${step}\` in any case, give \`${name}\` in the \`else\` of a \`when\` too, ${or}.`;
}

export const placeOfDoubt = ({ uri }: SkillFile, { guard, step }: Doubt): readonly RelatedPlace[] =>
  guard ? [{ uri, span: guard.span, message: `this decides whether \`${step}\` runs to its end` }] : [];

/** Removes the step's own condition. */
export function withoutDoubt(file: SkillFile, { by, guard, step }: Doubt): readonly Fix[] {
  if (!guard || by === 'arm') return [];
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const holder = execution && mapThatHolds(execution, guard);
  const edits = holder ? removeEntry(file.text, holder, by) : [];
  return fixHere(file, by === 'condition' ? `Run \`${step}\` in any case` : `Keep \`${step}\` in any case`, edits);
}

/** The map one of whose values is the condition. */
function mapThatHolds(root: YamlNode, { span }: Guard): YamlMap | undefined {
  // No recursion: blocks may be nested very deep.
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.kind === 'map' && at.entries.some(({ value }) => value.span.start === span.start)) return at;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return undefined;
}

/** Under which conditions a step runs. */
export interface Guards {
  readonly conditions: readonly Guard[];
  /** True also within an `else`, which has none of its own. */
  readonly isConditional: boolean;
}

export const UNCONDITIONAL: Guards = { conditions: [], isConditional: false };

/** Whether what asks for a value runs only where the value is there, or asks for its step in its own condition. */
export function isSettled({ guard, step }: Doubt, { conditions }: Guards): boolean {
  if (conditions.some(({ references }) => references.some(({ source }) => source === step))) return true;
  const known = new Set(conditions.flatMap(conjuncts));
  return guard !== undefined && conjuncts(guard).every((part) => known.has(part));
}

/** The parts of an `and`; a condition with other operators of little binding is one part. */
const conjuncts = ({ source }: Guard): readonly string[] =>
  /\b(?:or|if)\b/.test(source) ? [source] : source.split(/\s+and\s+/);
