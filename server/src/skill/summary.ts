/**
 * What other files may depend on, without places: an edit that leaves the summary as it was cannot change the findings of
 * any other file.
 */
import { isObject, type JsonObject, own } from '../languages/schema/model.ts';
import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import { findValue, isNull, type Json, jsonOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { readForeignEntries } from '../vocabulary/agent-skill-clients.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import { type AgentSkillFacts, readAgentSkillFacts } from './agent-skill-facts.ts';
import { digestOf } from './content-digest.ts';
import { type Capability, findSkillEntry, namesOf, type SkillContract } from './contract.ts';
import { type PlanNode, planOf, readExecution } from './execution/execution.ts';

/** An entry of `composes`. */
export interface ComposedSkill {
  readonly skill: string;
  /** What steps call it: its `as`, else the skill's name. */
  readonly step: string;
  /** The flow's name to the skill's own; null where there is none. */
  readonly inputMapping: Json;
  /** The skill's own name to the flow's; null where there is none. */
  readonly outputMapping: Json;
}

/** A schema in short, which keeps summaries small; the whole of it is in the file's contract. */
export interface SchemaSummary {
  /** The names of its fields; undefined where it allows others. */
  readonly fields: readonly string[] | undefined;
  /** Differs where the schema does. */
  readonly digest: string;
}

export interface SkillSummary {
  readonly dialect: Dialect;
  /** True where the frontmatter does not parse; no rule draws conclusions from such a skill. */
  readonly broken: boolean;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  readonly deprecated: boolean;
  readonly successor: string | undefined;
  /** When a deprecated skill will be removed, as written. */
  readonly sunset: string | undefined;
  /** True for a contract with a `backing_service`: a tool of the catalog, under its name. */
  readonly isTool: boolean;
  readonly inputs: SchemaSummary | undefined;
  readonly outputs: SchemaSummary | undefined;
  readonly requiredScopes: readonly string[];
  readonly allowedRoles: readonly string[];
  readonly allowedContexts: readonly string[];
  readonly capabilitiesRequired: readonly Capability[];
  readonly interrupts: readonly string[];
  readonly effects: readonly string[];
  /** False where `effects` is left out, and so is inferred from the parts. */
  readonly declaresEffects: boolean;
  readonly operation: string | undefined;
  readonly policy: Json;
  readonly composes: readonly ComposedSkill[];
  /** Undefined without an `execution`: the composed skills then run in the order of `composes`. */
  readonly execution: readonly PlanNode[] | undefined;
  readonly requires: readonly { readonly skill: string; readonly range: string | undefined }[];
  /** The names of all skills that the file may mention, in code and comments too; sorted, each once. */
  readonly mentions: readonly string[];
  /** What clients make of a `SKILL.md` depends on these; undefined for other files. */
  readonly agentSkill: AgentSkillFacts | undefined;
  /** Whether a `SKILL.md` has keys that neither the standard nor a client knows. */
  readonly hasUnknownKeys: boolean;
}

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
  const execution = entry('execution');
  const successor = contract.successor?.name;
  const mentions = new Set([
    ...composes.map(({ skill }) => skill),
    ...requires.map(({ skill }) => skill),
    ...mentioned,
  ]);
  if (successor) mentions.add(successor);
  return {
    dialect,
    broken: tree.broken,
    name: contract.name?.name,
    version: contract.version?.name,
    level: contract.level,
    deprecated: contract.deprecated,
    successor,
    sunset: stringOf(findValue(entry('deprecated'), 'sunset')),
    isTool: dialect === 'contract' && contract.backed,
    inputs: contract.input && schemaSummary(contract.input.schema.json),
    outputs: contract.output && schemaSummary(contract.output.schema.json),
    requiredScopes: contract.requiredScopes.map(({ name }) => name),
    allowedRoles: contract.allowedRoles.map(({ name }) => name),
    allowedContexts: contract.allowedContexts.map(({ name }) => name),
    capabilitiesRequired: contract.capabilitiesRequired.map(({ kind, value }) => ({ kind, value })),
    interrupts: contract.interrupts.map(({ name }) => name),
    effects: contract.effects.map(({ name }) => name),
    declaresEffects: entry('effects')?.kind === 'list',
    operation: contract.operation?.name,
    policy: jsonOf(entry('policy')),
    composes,
    execution: execution?.kind === 'list' ? planOf(readExecution(text, execution)) : undefined,
    requires,
    mentions: [...mentions].sort(),
    agentSkill: dialect === 'agent-skill' ? readAgentSkillFacts(text, frontmatter) : undefined,
    hasUnknownKeys: dialect === 'agent-skill' && readForeignEntries(frontmatter.tree).unknown.length > 0,
  };
}

const schemaSummary = (schema: JsonObject): SchemaSummary => ({
  fields: fieldNames(schema),
  digest: digestOf(JSON.stringify(schema)),
});

const OPEN = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Undefined where a schema allows fields that it does not name. */
export function fieldNames(schema: JsonObject): readonly string[] | undefined {
  if (OPEN.some((key) => Object.hasOwn(schema, key))) return undefined;
  const properties = own(schema, 'properties');
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Whether two summaries are equal. */
export const sameSummary = (a: SkillSummary, b: SkillSummary): boolean =>
  a === b || (sameForOthers(a, b) && same([a.mentions], [b.mentions]));

/** Whether two summaries are the same for all other files: whom a skill mentions concerns only itself. */
export const sameForOthers = (a: SkillSummary, b: SkillSummary): boolean =>
  sameForIndirectComposers(a, b) && same(seenDirectly(a), seenDirectly(b));

/**
 * Whether two summaries are the same for skills that compose them indirectly. Schemas, mentions in prose and the like
 * concern only skills that name the skill themselves.
 */
export const sameForIndirectComposers = (a: SkillSummary, b: SkillSummary): boolean =>
  same(seenIndirectly(a), seenIndirectly(b));

/** What skills depend on that compose the skill indirectly. */
const seenIndirectly = (summary: SkillSummary): readonly unknown[] => {
  const { dialect, broken, name, version, deprecated, isTool, requiredScopes, allowedRoles, interrupts } = summary;
  const { effects, declaresEffects, level, operation, policy, composes, execution, requires } = summary;
  return [
    ...[dialect, broken, name, version, deprecated, isTool, requiredScopes, allowedRoles, interrupts],
    ...[effects, declaresEffects, level, operation, policy, composes, execution, requires],
  ];
};

/** What only skills depend on that name the skill themselves. */
const seenDirectly = (summary: SkillSummary): readonly unknown[] => {
  const { inputs, outputs, successor, sunset, agentSkill, hasUnknownKeys } = summary;
  const { allowedContexts, capabilitiesRequired } = summary;
  return [inputs, outputs, successor, sunset, agentSkill, hasUnknownKeys, allowedContexts, capabilitiesRequired];
};

/** Whether two values of plain data are equal, their keys in the same order: messages list fields in that order. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && same(a[name as never], b[name as never]))
  );
}

/**
 * What a skill says of when it is to be chosen (docs/matching.md), and what a review asks of all, without places: an edit of
 * the body leaves it as it was.
 */
export interface SkillWords {
  readonly description: string;
  readonly whenToUse: string;
  readonly tags: readonly string[];
  readonly triggerPhrases: readonly string[];
  readonly intentPatterns: readonly string[];
  /** Whether it names requests that are to lead to it, or not. */
  readonly hasRoutingCases: boolean;
  readonly hasSamples: boolean;
  /** Whether somebody answers for it. */
  readonly hasOwner: boolean;
}

/** Gives `before` where nothing of it has changed, so that the same object shows at once that nothing did. */
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
  return before && same(words, before) ? before : words;
}

const hasValue = (node: YamlNode | undefined): boolean => node !== undefined && !isNull(node);

const isSelected = (sample: YamlNode): boolean => stringOf(findValue(sample, 'source')) === 'agent-selected';
