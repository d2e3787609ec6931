/**
 * Summarizes the facts of a file that other files may depend on. A summary has no spans, and an edit that does not
 * change the summary cannot change the findings of other files.
 */
import type { JsonObject } from '../languages/schema/model.ts';
import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import { findValue, isNull, type Json, jsonOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import { wholeVersion } from '../vocabulary/formats.ts';
import { type AgentSkillFacts, readAgentSkillFacts } from './agent-skill-facts.ts';
import { type FieldNames, fieldNamesOf } from './composition-order.ts';
import { digestOf } from './content-digest.ts';
import { type Capability, findSkillEntry, namedOf, namesOf, type SkillContract } from './contract.ts';
import { type PlanNode, planOf, readExecution } from './execution/execution.ts';
import { isName } from './kebab-name.ts';
import { readRetry } from './retry.ts';

/** An entry of `composes`. */
export interface ComposedSkill {
  readonly skill: string;
  /** The name that steps use for the entry: its `as`, else the name of the skill. */
  readonly step: string;
  /** A map from names in the flow to inputs of the skill; null without a mapping. */
  readonly inputMapping: Json;
  /** A map from outputs of the skill to names in the flow; null without a mapping. */
  readonly outputMapping: Json;
}

/** The short form of a schema, which keeps summaries small. The contract of the file has the whole schema. */
export interface SchemaSummary extends FieldNames {
  /** A hash of the schema. */
  readonly digest: string;
}

/** A declared error. */
export interface ErrorSummary {
  readonly code: string;
  /** The value of `retry`: `never`, `once` or `backoff`. */
  readonly retry: string | undefined;
  /** A fallback that may be the name of a skill. */
  readonly fallback: string | undefined;
}

export interface SkillSummary {
  readonly dialect: Dialect;
  /** True if the frontmatter does not parse. Rules draw no conclusions from such a skill. */
  readonly broken: boolean;
  readonly name: string | undefined;
  /** The `id`; undefined if it is missing or equal to the name. */
  readonly id: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  readonly deprecated: boolean;
  readonly successor: string | undefined;
  /** The version or the date at which a deprecated skill will be removed, as in the source. */
  readonly sunset: string | undefined;
  /** True for a contract with a `backing_service`, because such a contract also defines a tool with the same name. */
  readonly isTool: boolean;
  readonly inputs: SchemaSummary | undefined;
  readonly outputs: SchemaSummary | undefined;
  readonly requiredScopes: readonly string[];
  readonly allowedRoles: readonly string[];
  readonly allowedContexts: readonly string[];
  readonly capabilitiesRequired: readonly Capability[];
  readonly interrupts: readonly string[];
  /** The names of the tools in `tools`, including optional tools. */
  readonly tools: readonly string[];
  readonly errors: readonly ErrorSummary[];
  readonly effects: readonly string[];
  /** False if `effects` is missing, so that the skill has the effects of the composed skills. */
  readonly declaresEffects: boolean;
  readonly operation: string | undefined;
  readonly policy: Json;
  /** The number of attempts of a run, from `retry`; 1 without a retry. */
  readonly attempts: number;
  /** The surfaces that offer the skill, with the percentage of the calls that it receives; empty for all surfaces. */
  readonly surfaces: readonly { readonly name: string; readonly percent: number | undefined }[];
  readonly composes: readonly ComposedSkill[];
  /** Undefined without an `execution`: the composed skills run in the order of their data. */
  readonly execution: readonly PlanNode[] | undefined;
  readonly requires: readonly { readonly skill: string; readonly range: string | undefined }[];
  /** The ranges of older versions that the skill serves, each with the name of its adapter. */
  readonly adapts: readonly { readonly from: string; readonly adapter: string }[];
  /** The names of all skills that the file may mention, also in code and comments; sorted, each once. */
  readonly mentions: readonly string[];
  /** The facts of a `SKILL.md` that clients check; undefined for other files. */
  readonly agentSkill: AgentSkillFacts | undefined;
}

/**
 * Returns the summary of the file `text`, with its parsed frontmatter and contract. `mentioned` are the names of skills
 * in its body. Never throws.
 */
export function summarize(
  dialect: Dialect,
  text: string,
  frontmatter: Frontmatter,
  contract: SkillContract,
  mentioned: readonly string[],
): SkillSummary {
  const { tree } = frontmatter;
  const entry = (key: string) => findSkillEntry(tree.root, key)?.value;
  const composes = contract.composes.map(({ name, step, inputMapping, outputMapping }) => ({
    skill: name,
    step,
    inputMapping: jsonOf(inputMapping),
    outputMapping: jsonOf(outputMapping),
  }));
  const requires = contract.requires.map(({ name, version }) => ({ skill: name, range: version?.name }));
  const adapts = contract.adapts.map(({ from, adapter }) => ({ from: from.name, adapter: adapter.name }));
  const errors = contract.errors.map(({ name, retry, fallback }): ErrorSummary => {
    const text = stringOf(fallback);
    return { code: name, retry: retry?.name, fallback: text !== undefined && isName(text) ? text : undefined };
  });
  const execution = entry('execution');
  const id = namedOf(entry('id'))?.name;
  const successor = contract.deprecation?.use?.name;
  const mentions = new Set([
    ...composes.map(({ skill }) => skill),
    ...requires.map(({ skill }) => skill),
    ...adapts.map(({ adapter }) => adapter),
    ...errors.flatMap(({ fallback }) => fallback ?? []),
    ...mentioned,
  ]);
  if (successor) mentions.add(successor);
  return {
    dialect,
    broken: tree.broken,
    name: contract.name?.name,
    id: id === contract.name?.name || dialect === 'agent-skill' ? undefined : id,
    version: contract.version && wholeVersion(contract.version.name),
    level: contract.level,
    deprecated: contract.deprecation !== undefined,
    successor,
    sunset: contract.deprecation?.sunset?.name,
    isTool: dialect === 'contract' && contract.backed,
    inputs: contract.input && schemaSummary(contract.input.schema.json),
    outputs: contract.output && schemaSummary(contract.output.schema.json),
    requiredScopes: contract.requiredScopes.map(({ name }) => name),
    allowedRoles: contract.allowedRoles.map(({ name }) => name),
    allowedContexts: contract.allowedContexts.map(({ name }) => name),
    capabilitiesRequired: contract.capabilitiesRequired.map(({ kind, value }) => ({ kind, value })),
    interrupts: contract.interrupts.map(({ name }) => name),
    tools: dialect === 'agent-skill' ? [] : contract.tools.map(({ name }) => name),
    errors,
    effects: contract.effects.map(({ name }) => name),
    declaresEffects: entry('effects')?.kind === 'list',
    operation: contract.operation?.name,
    policy: jsonOf(entry('policy')),
    attempts: readRetry(entry('retry') ?? findValue(entry('policy'), 'retry'))?.maxAttempts ?? 1,
    surfaces:
      dialect === 'agent-skill'
        ? []
        : contract.surfaces.map(({ name, percent }) => ({ name, percent: percent?.value })),
    composes,
    execution: execution?.kind === 'list' ? planOf(readExecution(text, execution)) : undefined,
    requires,
    adapts,
    mentions: [...mentions].sort(),
    agentSkill: dialect === 'agent-skill' ? readAgentSkillFacts(text, frontmatter) : undefined,
  };
}

const schemaSummary = (schema: JsonObject): SchemaSummary => ({
  ...fieldNamesOf(schema),
  digest: digestOf(JSON.stringify(schema)),
});

/** Returns whether two summaries are equal. */
export const isSameSummary = (a: SkillSummary, b: SkillSummary): boolean =>
  a === b || (isSameForOtherFiles(a, b) && isEqualData([a.mentions], [b.mentions]));

/**
 * Returns whether two summaries are equal in everything that matters to other files. Ignores `mentions`, which matter
 * only to the file itself.
 */
export const isSameForOtherFiles = (a: SkillSummary, b: SkillSummary): boolean =>
  isSameForIndirectComposers(a, b) && isEqualData(directDependencyKey(a), directDependencyKey(b));

/**
 * Returns whether two summaries are equal in everything that matters to skills that compose the skill indirectly.
 * Schemas and mentions matter only to skills that name the skill themselves.
 */
export const isSameForIndirectComposers = (a: SkillSummary, b: SkillSummary): boolean =>
  isEqualData(transitiveDependencyKey(a), transitiveDependencyKey(b));

/** Returns the facts that matter to skills that compose the skill indirectly. */
const transitiveDependencyKey = (summary: SkillSummary): readonly unknown[] => {
  const { dialect, broken, name, id, version, deprecated, isTool, requiredScopes, allowedRoles, interrupts } = summary;
  const {
    effects,
    declaresEffects,
    level,
    operation,
    policy,
    attempts,
    surfaces,
    composes,
    execution,
    requires,
    adapts,
  } = summary;
  const { tools, errors, allowedContexts, capabilitiesRequired } = summary;
  return [
    ...[dialect, broken, name, id, version, deprecated, isTool, requiredScopes, allowedRoles, interrupts],
    ...[effects, declaresEffects, level, operation, policy, attempts, surfaces, composes, execution, requires, adapts],
    ...[tools, errors, allowedContexts, capabilitiesRequired],
  ];
};

/** Returns the facts that matter only to skills that name the skill themselves. */
const directDependencyKey = (summary: SkillSummary): readonly unknown[] => {
  const { inputs, outputs, successor, sunset, agentSkill } = summary;
  return [inputs, outputs, successor, sunset, agentSkill];
};

/**
 * Returns whether two values of plain data are equal. The order of keys matters, because messages list fields in this
 * order.
 */
export function isEqualData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map || b instanceof Map)
    return a instanceof Map && b instanceof Map && isEqualData([...a].flat(), [...b].flat());
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && isEqualData(a[name as never], b[name as never]))
  );
}

/**
 * The search terms of a skill (docs/matching.md), and the facts that a review lists. The terms and facts have no spans,
 * so an edit to the body does not change them.
 */
export interface SkillWords {
  readonly description: string;
  readonly whenToUse: string;
  readonly tags: readonly string[];
  readonly triggerPhrases: readonly string[];
  readonly intentPatterns: readonly string[];
  /** True if the skill lists requests for which it must, or must not, be chosen. */
  readonly hasRoutingCases: boolean;
  readonly hasSamples: boolean;
  readonly hasOwner: boolean;
}

/**
 * Returns the search terms of a skill from the `root` of its frontmatter. Returns the object `before` if nothing has
 * changed, so that callers can compare by identity.
 */
export function readSkillWords(root: YamlNode | undefined, contract: SkillContract, before?: SkillWords): SkillWords {
  const value = (key: string) => findSkillEntry(root, key)?.value;
  const texts = (key: string) => namesOf(value(key)).map(({ name }) => name);
  const words: SkillWords = {
    description: contract.description?.name ?? '',
    whenToUse: stringOf(value('when_to_use')) ?? '',
    tags: texts('tags'),
    triggerPhrases: texts('trigger_phrases'),
    intentPatterns: texts('intent_patterns'),
    hasRoutingCases:
      value('routing')?.kind === 'map' || contract.samples.some(({ value: sample }) => isSelected(sample)),
    hasSamples: contract.samples.length > 0,
    hasOwner: hasValue(value('owner')),
  };
  return before && isEqualData(words, before) ? before : words;
}

const hasValue = (node: YamlNode | undefined): boolean => node !== undefined && !isNull(node);

const isSelected = (sample: YamlNode): boolean => stringOf(findValue(sample, 'source')) === 'agent-selected';
