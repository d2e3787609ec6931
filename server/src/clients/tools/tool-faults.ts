/**
 * Finds the parts of a definition because of which a client offers fewer tools to its model (docs/tools.md, "What clients
 * leave out").
 */
import { findRejectedValues } from '../../languages/schema/check.ts';
import { isList, isObject, type JsonObject, own, show } from '../../languages/schema/model.ts';
import { allSchemas, isRemote, resolveRef } from '../../languages/schema/walk.ts';
import { nestsDeeper } from '../../languages/yaml/json-values.ts';
import type { Json } from '../../languages/yaml/node.ts';

/** The kinds of faults, each with the reason as the end of a sentence. `at` is the key or the input at fault. */
const REASONS = {
  'no-input': (tool: string) => `${tool} has no \`inputSchema\``,
  'input-not-object': (tool: string) => `the \`inputSchema\` of ${tool} does not have \`type: object\``,
  'wrong-value': (tool: string, at: string) => `\`${at}\` of ${tool} has a value of another type`,
  'wrong-hint': (tool: string, at: string) => `\`${at}\` of ${tool} is neither \`true\` nor \`false\``,
  'output-null': (tool: string) => `the \`outputSchema\` of ${tool} is null`,
  'output-not-object': (tool: string) => `the \`outputSchema\` of ${tool} does not have \`type: object\``,
  'boolean-input': (tool: string, at: string) =>
    `the schema of the input \`${at}\` of ${tool} is \`true\` or \`false\``,
  'input-name': (tool: string, at: string) =>
    `the name of the input ${show(at)} of ${tool} does not consist of 1 to 64 letters, digits, \`_\`, \`.\` and \`-\``,
  'invalid-input': (tool: string) => `the \`inputSchema\` of ${tool} is not a valid JSON Schema`,
  'list-of-items': (tool: string) =>
    `the \`inputSchema\` of ${tool} has a list as \`items\`, or something else than a list as \`required\``,
  'name-over-128': (tool: string, at: string) => `the name of ${tool} would have ${at} characters of 128`,
} as const;

export type ToolFaultKind = keyof typeof REASONS;

export const TOOL_FAULT_KINDS = Object.keys(REASONS) as readonly ToolFaultKind[];

export interface ToolFault {
  readonly kind: ToolFaultKind;
  /** The key or the name of the input that is at fault, or the length of a name; empty if the kind says everything. */
  readonly at: string;
}

/** Returns the reason as the end of a sentence. */
export const reasonOf = ({ kind, at }: ToolFault, tool: string): string => REASONS[kind](`\`${tool}\``, at);

/** The largest depth of a definition whose faults are found. The snapshot holds no deeper one. */
const MAX_DEPTH = 200;

/**
 * Returns the faults of a definition as a server sends it, the first one of each kind. Never throws.
 *
 * @param given the definition, of any form
 * @param server the name of the server, which is a part of the name in Claude Code
 */
export function toolFaults(given: unknown, server: string): readonly ToolFault[] {
  if (!isObject(given as Json) || nestsDeeper(given as Json, MAX_DEPTH)) return [];
  const tool = given as JsonObject;
  const input = own(tool, 'inputSchema');
  return [
    ...(isObject(input) ? faultsOfInput(input) : [fault('no-input')]),
    ...faultsOfKeys(tool),
    ...faultsOfOutput(tool),
    ...faultsOfName(tool, server),
  ];
}

const fault = (kind: ToolFaultKind, at = ''): ToolFault => ({ kind, at });

function* faultsOfInput(input: JsonObject): Generator<ToolFault> {
  if (own(input, 'type') !== 'object') yield fault('input-not-object');
  const [properties, required] = [own(input, 'properties'), own(input, 'required')];
  if (properties !== undefined && !isObject(properties)) yield fault('wrong-value', 'inputSchema.properties');
  if (required !== undefined && !isList(required)) yield fault('wrong-value', 'inputSchema.required');
  const inputs = isObject(properties) ? Object.entries(properties) : [];
  const flag = inputs.find(([, schema]) => typeof schema === 'boolean');
  if (flag) yield fault('boolean-input', flag[0]);
  const named = inputs.find(([name]) => !/^[\w.-]{1,64}$/.test(name));
  if (named) yield fault('input-name', named[0]);
  if (hasListOfItems(input)) yield fault('list-of-items');
  const { $schema, ...rest } = input;
  const isDraft7 = typeof $schema === 'string' && $schema.includes('draft-07');
  if (own(input, 'type') === 'object' && findRejectedValues(rest, isDraft7 ? 'draft-07' : '2020-12').length > 0)
    yield fault('invalid-input');
}

function hasListOfItems(input: JsonObject): boolean {
  for (const schema of allSchemas(input)) {
    const required = own(schema, 'required');
    if (isList(own(schema, 'items')) || (schema !== input && required !== undefined && !isList(required))) return true;
  }
  return false;
}

const TEXTS = ['description', 'title'];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function* faultsOfKeys(tool: JsonObject): Generator<ToolFault> {
  const text = TEXTS.find((key) => own(tool, key) !== undefined && typeof own(tool, key) !== 'string');
  if (text !== undefined) yield fault('wrong-value', text);
  const annotations = own(tool, 'annotations');
  if (annotations !== undefined && !isObject(annotations)) yield fault('wrong-value', 'annotations');
  if (!isObject(annotations)) return;
  const hint = HINTS.find((key) => own(annotations, key) !== undefined && typeof own(annotations, key) !== 'boolean');
  if (hint !== undefined) yield fault('wrong-hint', `annotations.${hint}`);
}

function faultsOfOutput(tool: JsonObject): readonly ToolFault[] {
  const output = own(tool, 'outputSchema');
  if (output === undefined) return [];
  if (output === null) return [fault('output-null')];
  return isObject(output) && own(output, 'type') === 'object' ? [] : [fault('output-not-object')];
}

function faultsOfName(tool: JsonObject, server: string): readonly ToolFault[] {
  const name = own(tool, 'name');
  const { length } = `mcp__${server}__${typeof name === 'string' ? name : ''}`;
  return length > 128 ? [fault('name-over-128', String(length))] : [];
}

/** The longest name of a tool that the models of OpenAI take, in characters (docs/tools.md, "What clients leave out"). */
const MAX_NAME = 64;

/**
 * Returns faults of a definition that reach the model, as sentences: references without a target, and a name that some
 * models refuse with the name of the server. Never throws.
 */
export function toolNotes(tool: JsonObject & { readonly name: string }, server: string): readonly string[] {
  const { name } = tool;
  const shown = `\`${name}\` of \`${server}\``;
  const lost = ['inputSchema', 'outputSchema'].flatMap((key) => {
    const schema = own(tool, key);
    const refs = isObject(schema) ? lostReferences(schema) : [];
    return refs.length === 0 ? [] : [`In the \`${key}\` of ${shown}, the reference ${show(refs[0])} has no target.`];
  });
  const { length } = `${server}_${name}`;
  const long = `The name of ${shown} has ${length} characters with the name of the server, as Kilo and OpenCode send it; models of OpenAI take ${MAX_NAME}.`;
  return [...lost, ...(length > MAX_NAME ? [long] : [])];
}

function lostReferences(root: JsonObject): readonly string[] {
  const refs = [...allSchemas(root)].flatMap((schema) => own(schema, '$ref') ?? []);
  return refs.filter(
    (ref) => typeof ref === 'string' && !isRemote(ref) && resolveRef(root, ref) === undefined,
  ) as string[];
}
