/**
 * What other files may depend on, without a place in it: an edit that leaves the summary as it was cannot change what
 * is said about any other file.
 */
import type { SkillContract } from './contract.ts';
import { findSkillEntry } from './contract.ts';
import type { Dialect } from './dialect.ts';
import { type Json, jsonOf, type YamlTree } from './yaml/node.ts';

export interface SkillSummary {
  readonly dialect: Dialect;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  readonly deprecated: boolean;
  readonly successor: string | undefined;
  /** True for a contract with a `backing_service`: a tool of the catalog, under its name. */
  readonly isTool: boolean;
  readonly inputSchema: Json | undefined;
  readonly outputSchema: Json | undefined;
  readonly requiredScopes: readonly string[];
  readonly effects: readonly string[];
  readonly operation: string | undefined;
  readonly policy: Json;
  readonly composes: readonly string[];
  readonly requires: readonly { readonly skill: string; readonly range: string | undefined }[];
  /** The names of all skills that the file may mention, in code and comments too; sorted, each once. */
  readonly mentions: readonly string[];
}

export function summarize(
  dialect: Dialect,
  tree: YamlTree,
  contract: SkillContract,
  mentioned: readonly string[],
): SkillSummary {
  const composes = contract.composes.map(({ name }) => name);
  const requires = contract.requires.map(({ name, version }) => ({ skill: name, range: version?.name }));
  const successor = contract.successor?.name;
  const mentions = new Set([...composes, ...requires.map(({ skill }) => skill), ...mentioned]);
  if (successor) mentions.add(successor);
  return {
    dialect,
    name: contract.name?.name,
    version: contract.version?.name,
    level: contract.level,
    deprecated: contract.deprecated,
    successor,
    isTool: dialect === 'contract' && contract.backed,
    inputSchema: contract.input?.schema.json as Json | undefined,
    outputSchema: contract.output?.schema.json as Json | undefined,
    requiredScopes: contract.requiredScopes.map(({ name }) => name),
    effects: contract.effects.map(({ name }) => name),
    operation: contract.operation?.name,
    policy: jsonOf(findSkillEntry(tree.root, 'policy')?.value),
    composes,
    requires,
    mentions: [...mentions].sort(),
  };
}

/** Whether two summaries say the same. Both are made by `summarize`, so their keys stand in the same order. */
export const sameSummary = (a: SkillSummary, b: SkillSummary): boolean => JSON.stringify(a) === JSON.stringify(b);
