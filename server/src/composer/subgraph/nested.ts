/**
 * Adds a composed skill as a node with its own graph; the top-level caller bounds its tools (docs/composer.md, step 5).
 */

import { withDefaults } from '../../languages/schema/schema.ts';
import { type Json, setProperty } from '../../languages/yaml/node.ts';
import { referencesInCondition, referencesInValue } from '../../skill/execution/execution.ts';
import type {
  PackageArtifact,
  PackageError,
  PackageExpression,
  PackageFallback,
  PackageSkill,
  PackageTool,
  SkillPackage,
  ToolDescriptor,
} from '../../skill/package.ts';
import type { Retry } from '../../skill/retry.ts';
import { availabilityOf } from '../capabilities.ts';
import type { ComposeError, GraphError, GraphFallback, Subgraph } from '../composition.ts';
import { conditionReason, evaluate, firstApproach } from '../conditions.ts';
import { isMap, sortKeys } from '../json.ts';
import type { ConditionContext } from '../prepare.ts';
import { firstErrorOfComposedSkill } from '../validate.ts';
import {
  addDecision,
  addError,
  addNode,
  newGraph,
  type OpenEdge,
  type SubgraphContext,
  uniqueSkillId,
} from './graph.ts';

/**
 * The maximum number of nested graphs. If several skills compose the same skills, the number of graphs multiplies with
 * every level. Beyond the limit, a skill gets no graph.
 */
const MAX_NESTED = 300;

/** The properties of a step that its entry in `composes` does not have. */
interface Call {
  readonly span: PackageSkill['span'];
  readonly inputs: Json | undefined;
  readonly retry: Retry | undefined;
}

/**
 * Adds a node for a composed skill with its own graph (docs/composer.md, step 5), and returns the open edge after it.
 * `call` is the step that runs the entry, if there is such a step.
 */
export function addSkill(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  entry: PackageSkill,
  call?: Call,
): readonly OpenEdge[] {
  const { graph, skillPackage, runtimeNames } = context;
  const composed = typeof entry.package === 'string' ? undefined : entry.package;
  const retry = call?.retry ?? composed?.retry;
  const timeoutMs = composed?.timeoutMs;
  const subgraph = shapeNested(context, entry, call?.inputs);
  for (const name of outputNamesOf(entry)) runtimeNames.add(name);
  return addNode(graph, open, {
    id: uniqueSkillId(graph, entry.step),
    kind: 'skill',
    label: entry.step,
    uri: skillPackage.uri,
    span: call?.span ?? entry.span,
    skill: {
      name: entry.name,
      step: entry.step,
      version: composed?.version,
      inputMapping: sortKeys(entry.inputMapping),
      outputMapping: sortKeys(entry.outputMapping),
      inputs: call?.inputs === undefined ? undefined : sortKeys(call.inputs),
    },
    ...(subgraph && { subgraph }),
    ...(retry && retry.maxAttempts > 1 && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/**
 * Returns the graph of a composed skill. Adds an error if the skill is missing, and a decision if there are already
 * `MAX_NESTED` graphs.
 */
function shapeNested(context: SubgraphContext, entry: PackageSkill, inputs: Json | undefined): Subgraph | undefined {
  const composed = entry.package;
  if (typeof composed === 'string') {
    addAbsentError(context, entry, composed);
    return undefined;
  }
  const { shared } = context;
  const nested = nestedContext(context, entry, composed, inputs);
  const error = firstErrorOfComposedSkill(composed, shared.modelNames);
  if (error) {
    addBrokenError(nested, entry, error);
    return undefined;
  }
  if (shared.nested >= MAX_NESTED) {
    const reason = `not drawn: the graph already has ${MAX_NESTED} composed skills`;
    addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    return undefined;
  }
  shared.nested++;
  return shared.buildShape(nested, nestedTools(nested), chooseKnownApproach(nested));
}

/**
 * Returns the errors that a caller of the graph may see, each code once, with their fallbacks (docs/format.md,
 * section 6, "Fallbacks"). A field of the output has no value after a failure, so it replaces nothing.
 */
export function graphErrors(context: SubgraphContext): readonly GraphError[] {
  const { errors } = context.skillPackage;
  const first = errors.filter(({ name }, at) => errors.findIndex((one) => one.name === name) === at);
  return first.map((error) => {
    const { name: code, retry, fallback } = error;
    const replacing = fallback && graphFallback(context, error, fallback);
    return { code, ...(retry !== undefined && { retry }), ...(replacing && { fallback: replacing }) };
  });
}

function graphFallback(
  context: SubgraphContext,
  { name: code, span }: PackageError,
  fallback: PackageFallback,
): GraphFallback | undefined {
  if (fallback.kind === 'value') return { value: fallback.value };
  if (fallback.kind === 'mapping') return { mapping: sortKeys(fallback.mapping) };
  if (fallback.kind === 'output') return undefined;
  const { name, package: own } = fallback;
  const { shared } = context;
  const version = typeof own === 'string' ? undefined : own.version;
  const isRunnable =
    typeof own !== 'string' && !firstErrorOfComposedSkill(own, shared.modelNames) && shared.nested < MAX_NESTED;
  const reason = isRunnable ? `runs instead if this skill fails with ${code}` : `cannot run instead of this skill`;
  addDecision(context, { span, subject: 'skill', name, taken: isRunnable, reason });
  if (!isRunnable) return { skill: { name, version } };
  shared.nested++;
  const entry = { name, span, step: name, inputMapping: {}, outputMapping: {}, package: own };
  const inputs = new Set(fieldsOf(own));
  const nested = { ...nestedContext(context, entry, own, undefined), knownInput: {}, runtimeInput: inputs };
  const subgraph = shared.buildShape(nested, nestedTools(nested), chooseKnownApproach(nested));
  return { skill: { name, version }, subgraph };
}

function nestedContext(
  context: SubgraphContext,
  entry: PackageSkill,
  composed: SkillPackage,
  inputs: Json | undefined,
): SubgraphContext {
  const known = knownInputOf(context, entry, composed, inputs);
  return {
    shared: context.shared,
    skillPackage: composed,
    graph: newGraph(),
    path: [...context.path, entry],
    topEntry: context.topEntry ?? { uri: context.skillPackage.uri, span: entry.span },
    ...known,
    runtimeNames: new Set(known.runtimeInput),
  };
}

function addAbsentError(context: SubgraphContext, { name, span }: PackageSkill, why: 'missing' | 'cycle'): void {
  // `check` finds most of these errors, too.
  if (context.skillPackage.faults.some((fault) => fault.span.start === span.start)) return;
  const isCycle = why === 'cycle';
  addError(context, {
    kind: 'InvalidComposition',
    span,
    subject: name,
    message: isCycle
      ? `The composed skill \`${name}\` is part of a cycle, which would never end.`
      : `The composed skill \`${name}\` does not exist.`,
    suggestion: isCycle
      ? 'Remove one skill in the cycle from `composes`.'
      : `Create \`${name}\`, or correct its name in \`composes\`.`,
  });
}

function addBrokenError(nested: SubgraphContext, { name }: PackageSkill, { kind, span, message }: ComposeError): void {
  addError(
    nested,
    {
      kind,
      span,
      subject: name,
      message: `The composed skill \`${name}\` cannot be composed: ${message}`,
      suggestion: `Correct \`${name}\`.`,
    },
    nested.path.slice(0, -1),
  );
}

/**
 * Returns the first approach whose condition holds for the inputs that are known before the run. An approach whose
 * condition reads other inputs, or fails, is not used.
 */
function chooseKnownApproach(context: SubgraphContext): PackageArtifact | undefined {
  const { skillPackage, runtimeInput, shared } = context;
  const variables = knownVariables(context);
  const { approach, decisions } = firstApproach(skillPackage, (artifact) => {
    const words = wordsOf(artifact.includeWhen?.source ?? '');
    const awaited = [...runtimeInput].find((name) => words.includes(name));
    if (awaited !== undefined) {
      return { taken: false, reason: `its include_when reads ${awaited}, which is known only at run time` };
    }
    const result = evaluate(shared.engine, skillPackage.uri, artifact.includeWhen, variables);
    return result.ok
      ? { taken: result.holds, reason: conditionReason(artifact, result.holds, variables) }
      : { taken: false, reason: 'its include_when cannot be evaluated before the run' };
  });
  for (const decision of decisions) addDecision(context, decision);
  return approach;
}

const knownVariables = ({ knownInput, shared }: SubgraphContext): ConditionContext => ({
  ...knownInput,
  parameters: knownInput,
  ...shared.contextVariables,
});

/**
 * Returns whether a condition of `execution` holds (docs/format.md, section 4, "Execution"). Returns undefined if the
 * condition reads an output, or an input that is known only at run time, or if it fails. Never throws.
 */
export function holdsBeforeRun(context: SubgraphContext, condition: PackageExpression): boolean | undefined {
  const { runtimeInput, shared, skillPackage } = context;
  const references = referencesInCondition(condition.source);
  if (references.some(({ source }) => source !== 'input')) return undefined;
  let source = condition.source;
  for (const { index, whole, rest } of references.toReversed()) {
    const path = rest.split('.').slice(1);
    const value = `parameters${path.map((name) => `["${name}"]`).join('')}`;
    source = source.slice(0, index) + value + source.slice(index + whole.length);
  }
  const words = wordsOf(source);
  const readsAll = /\bparameters\b(?!\["|\.)/.test(source);
  if (runtimeInput.size > 0 && (readsAll || [...runtimeInput].some((name) => words.includes(name)))) return undefined;
  const result = evaluate(shared.engine, skillPackage.uri, { ...condition, source }, knownVariables(context));
  return result.ok ? result.holds : undefined;
}

const wordsOf = (source: string): readonly string[] => source.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];

// Finds the inputs of a composed skill that are known before the run (docs/format.md, section 4, "Data flow").

type KnownInput = Pick<SubgraphContext, 'knownInput' | 'runtimeInput'>;

/**
 * Returns the inputs that are known before the run, and the names of the other inputs; `inputs` are the inputs of the
 * step. A default is used only if no value can arrive at run time.
 */
function knownInputOf(
  context: SubgraphContext,
  entry: PackageSkill,
  composed: SkillPackage,
  inputs: Json | undefined,
): KnownInput {
  const given = isMap(inputs) ? inputs : {};
  const input: Record<string, Json> = {};
  const runtimeInput = new Set<string>();
  for (const name of fieldsOf(composed)) {
    const value = Object.hasOwn(given, name)
      ? resolve(context, given[name] as Json)
      : flowValue(context, sourceOf(entry, name));
    if (value === 'at run time') runtimeInput.add(name);
    else if (value) setProperty(input, name, value.value);
  }
  const filled = composed.inputSchema ? withDefaults(composed.inputSchema, input) : input;
  const known: Record<string, Json> = {};
  for (const [name, value] of Object.entries(isMap(filled) ? filled : input))
    if (!runtimeInput.has(name)) setProperty(known, name, value);
  return { knownInput: known, runtimeInput };
}

/** Returns the names under which a composed skill's outputs enter the flow. */
function outputNamesOf({ outputMapping, package: composed }: PackageSkill): readonly string[] {
  if (typeof composed === 'string') return [];
  const outputs = composed.outputSchema?.fields.map(({ name }) => name) ?? [];
  return outputs.map((name) => (Object.hasOwn(outputMapping, name) ? (outputMapping[name] ?? name) : name));
}

type Known = { readonly value: Json } | 'at run time' | undefined;

const fieldsOf = ({ inputSchema }: SkillPackage): readonly string[] =>
  inputSchema?.fields.map(({ name }) => name) ?? [];

const sourceOf = ({ inputMapping }: PackageSkill, field: string): string =>
  Object.keys(inputMapping)
    .sort()
    .find((name) => inputMapping[name] === field) ?? field;

function flowValue({ knownInput, runtimeNames }: SubgraphContext, name: string): Known {
  return runtimeNames.has(name) ? 'at run time' : inputValue(knownInput, name);
}

const inputValue = (input: SubgraphContext['knownInput'], name: string): Known =>
  Object.hasOwn(input, name) ? { value: input[name] as Json } : undefined;

/** Returns a constant unchanged, and the known value of `$input.x`. Any other reference is known only at run time. */
function resolve({ knownInput, runtimeInput }: SubgraphContext, value: Json): Known {
  const [, name = ''] = typeof value === 'string' ? (/^\$input\.([A-Za-z_][\w-]*)$/.exec(value) ?? []) : [];
  if (name !== '' && !runtimeInput.has(name)) return inputValue(knownInput, name);
  return refers(value) ? 'at run time' : { value };
}

function refers(value: Json): boolean {
  if (typeof value === 'string') return referencesInValue(value).length > 0;
  return typeof value === 'object' && value !== null && Object.values(value).some(refers);
}

// Finds the tools that a graph may call, which are the tools in the surface that the caller's capabilities allow.

/**
 * Returns the names of the tools for the top-level skill: the `available` tools that both the surface and the caller
 * allow.
 */
export function topTools(
  { skillPackage, shared }: SubgraphContext,
  available: readonly ToolDescriptor[],
): readonly string[] {
  const { capabilities, source } = shared;
  const named = new Set(available.map(({ name }) => name));
  const held = skillPackage.tools.filter(
    (tool) => named.has(tool.name) && availabilityOf(tool, capabilities, source).available,
  );
  return distinct(held.map(({ name }) => name));
}

/**
 * Returns the tools of a composed skill that the top-level caller may use. Adds an error for each required tool that
 * the caller may not use.
 */
function nestedTools(context: SubgraphContext): readonly string[] {
  const { skillPackage, shared } = context;
  const considered = skillPackage.tools.map((tool) => ({
    tool,
    ...availabilityOf(tool, shared.capabilities, shared.source),
  }));
  for (const { tool, available, reason } of considered) {
    addDecision(context, { span: tool.span, subject: 'tool', name: tool.name, taken: available, reason });
  }
  const held = considered.filter(({ available }) => available).map(({ tool }) => tool.name);
  const lacking = considered.filter(({ tool, available }) => !available && !tool.optional);
  if (skillPackage.requiresTools && held.length === 0) addNoToolsError(context, lacking);
  else for (const { tool, reason } of lacking) addLackingError(context, tool, reason);
  return distinct(held);
}

interface Lacking {
  readonly tool: PackageTool;
  readonly reason: string;
}

function addNoToolsError(context: SubgraphContext, lacking: readonly Lacking[]): void {
  const skill = nameOf(context);
  const why = lacking.map(({ tool, reason }) => `\`${tool.name}\`: ${reason}`).join('; ');
  addError(
    context,
    {
      kind: 'CapabilityNarrowing',
      span: context.skillPackage.headSpan,
      subject: skill,
      message: `The composed skill \`${skill}\` requires tools, but none is available${why === '' ? '' : ` (${why})`}.`,
      suggestion: `Invoke it as a caller that holds its tools, or set \`requires_tools: false\` in \`${skill}\`.`,
    },
    parentsOf(context),
  );
}

function addLackingError(context: SubgraphContext, { name, span, descriptor }: PackageTool, reason: string): void {
  const skill = nameOf(context);
  addError(
    context,
    {
      kind: 'UnknownTool',
      span,
      subject: name,
      message: `The composed skill \`${skill}\` requires the tool \`${name}\`, which is not available: ${reason}.`,
      suggestion: descriptor
        ? `Invoke it as a caller that may use \`${name}\`, or mark the tool \`optional: true\` in \`${skill}\`.`
        : `Add \`${name}\` to the catalog, or correct its name in \`${skill}\`.`,
    },
    parentsOf(context),
  );
}

/** Returns the available tools, or the subset that the approach names. Adds errors for named tools that are missing. */
export function narrowToApproach(
  context: SubgraphContext,
  available: readonly string[],
  approach: PackageArtifact | undefined,
): readonly string[] {
  const wanted = approach?.tools;
  if (!approach || !wanted) return available;
  const { tools } = context.skillPackage;
  for (const { name, span } of wanted) {
    const declared = tools.find((tool) => tool.name === name);
    // `nestedTools` has already added an error for a declared tool of a composed skill.
    if (available.includes(name) || declared?.optional || (declared && context.topEntry)) continue;
    addError(context, {
      kind: 'UnknownTool',
      span,
      subject: name,
      message: `The approach \`${approach.name}\` needs the tool \`${name}\`, which is not available here.`,
      suggestion: declared
        ? `Invoke the skill as a caller that may use \`${name}\`, or remove it from the approach's \`tools\`.`
        : `Declare \`${name}\` under \`tools\`, or remove it from the approach's \`tools\`.`,
    });
  }
  const names = new Set(wanted.map(({ name }) => name));
  for (const { name, span } of tools) {
    if (names.has(name) || !available.includes(name)) continue;
    const reason = `the approach ${approach.name} does not need it`;
    addDecision(context, { span, subject: 'tool', name, taken: false, reason });
  }
  return available.filter((name) => names.has(name));
}

/**
 * Returns the skills through which this skill is composed, without the skill itself, since the message already names
 * it.
 */
const parentsOf = ({ path }: SubgraphContext): SubgraphContext['path'] => path.slice(0, -1);

const nameOf = ({ skillPackage }: SubgraphContext): string => skillPackage.name?.name ?? 'unnamed';

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];
