/** What a skill may do, with all that it composes, and what a change adds to that (docs/mcp.md, "Capabilities"). */
import { allowedTools } from '../abilities/permissions.ts';
import type { Analysis } from '../analysis/analysis.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';

export interface Capabilities {
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly effects: readonly string[];
  readonly operation: string | null;
  readonly interrupts: readonly string[];
  /** The skills that it composes, directly or not. */
  readonly skills: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
}

export interface CapabilityChange {
  /** Such as `tool read_page`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const NONE: Capabilities = {
  ...{ tools: [], scopes: [], effects: [], operation: null },
  ...{ interrupts: [], skills: [], missing: [] },
};

/** Nothing for a file that is no skill. */
export function capabilitiesOf(analysis: Analysis, uri: string): Capabilities {
  const { graph } = analysis;
  const root = graph.skills.get(uri);
  if (!root) return NONE;
  const parts = [...graph.closureOf(root)].filter((part) => part.uri !== uri);
  const all = [root, ...parts];
  const { effects, operation, scopes, interrupts } = effectiveContract(all);
  const names = parts.map(({ summary }) => summary.name ?? '');
  const composed = all.flatMap(({ summary }) => summary.composes.map(({ skill }) => skill));
  return {
    tools: sorted(all.flatMap((one) => toolsOf(analysis.file(one.uri)))),
    scopes: sorted(scopes.keys()),
    effects: sorted(effects.keys()),
    operation: operation?.name ?? null,
    interrupts: sorted(interrupts.keys()),
    skills: sorted(names),
    missing: sorted(composed.filter((name) => !graph.byName.has(name))),
  };
}

/** Those of a `SKILL.md` are written as `allowed-tools` has them. */
function toolsOf(file: SkillFile | undefined): readonly string[] {
  if (!file) return [];
  const allowed = file.dialect === 'agent-skill' ? allowedTools(file) : [];
  return [
    ...file.contract.tools.map(({ name }) => name),
    ...allowed.map(({ name, pattern }) => (pattern === undefined ? name : `${name}(${pattern})`)),
  ];
}

export function capabilityChange(before: Capabilities, after: Capabilities): CapabilityChange {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  return { added: now.filter((word) => !old.includes(word)), removed: old.filter((word) => !now.includes(word)) };
}

const wordsOf = ({ tools, scopes, effects, operation, interrupts, skills }: Capabilities): readonly string[] => [
  ...tools.map((name) => `tool ${name}`),
  ...scopes.map((name) => `scope ${name}`),
  ...effects.map((name) => `effect ${name}`),
  ...(operation === null ? [] : [`operation ${operation}`]),
  ...interrupts.map((name) => `interrupt ${name}`),
  ...skills.map((name) => `skill ${name}`),
];

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();
