/** The review of a registry: overlap, upkeep, contracts (docs/registry.md, "The review"). */
import type { Analysis } from '../analysis/analysis.ts';
import { mayOverlap, replacedBy } from '../analysis/replaced-by.ts';
import {
  isObject,
  isUsable,
  type JsonObject,
  makeUp,
  parseSchema,
  toNode,
  validateJson,
} from '../languages/schema/schema.ts';
import { type Term, termsOf } from '../matching/words.ts';
import { missingPromises, standsForService } from '../rules/incomplete-contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isSkillDialect, nameFromUri } from '../vocabulary/dialect.ts';
import type { Overlaps, Pair } from './overlap.ts';
import { type Calls, type UpkeepNote, upkeepOf } from './upkeep.ts';

export interface AuditedSkill {
  readonly uri: string;
  readonly name: string;
}

export interface Audit {
  /** The skills that were compared; pairs are of places in this list. */
  readonly compared: readonly AuditedSkill[];
  readonly overlaps: Overlaps;
  readonly upkeep: readonly (AuditedSkill & UpkeepNote)[];
  readonly contracts: readonly (AuditedSkill & { readonly missing: readonly string[] })[];
}

export interface AuditOptions {
  /** What was measured, by the skills' names; undefined where nothing was. */
  readonly calls: ReadonlyMap<string, Calls> | undefined;
  /** Compares the skills; `terms` are those of their descriptions, none where another stands for a skill. */
  readonly compare: (skills: readonly AuditedSkill[], terms: readonly (readonly Term[])[]) => Overlaps;
}

/** Looks at each of the files in their order; what does not parse is left to `check`. */
export function audit(analysis: Analysis, uris: readonly string[], { calls, compare }: AuditOptions): Audit {
  const compared: AuditedSkill[] = [];
  const terms: (readonly Term[])[] = [];
  const upkeep: Audit['upkeep'][number][] = [];
  const contracts: Audit['contracts'][number][] = [];
  const { files, graph } = analysis.index;
  for (const uri of uris) {
    const indexed = graph.skills.get(uri);
    const entry = files.get(uri);
    if (!indexed || !entry || !isSkillDialect(indexed.summary.dialect) || indexed.summary.broken) continue;
    const { words, text } = entry;
    const skill = { uri, name: indexed.summary.name ?? nameFromUri(uri) };
    compared.push(skill);
    terms.push(replacedBy(analysis, indexed) ? [] : termsOf(words.description));
    // A `SKILL.md` has no contract, and no keys for its upkeep.
    if (indexed.summary.dialect === 'agent-skill') continue;
    for (const note of upkeepOf(analysis, indexed, words, calls)) upkeep.push({ ...skill, ...note });
    // Of thousands of files only those are parsed again that may stand for a service.
    const file = text.includes('backing_service') ? analysis.file(uri) : undefined;
    const missing = file ? missingIn(analysis, file) : [];
    if (missing.length > 0) contracts.push({ ...skill, missing });
  }
  const { pairs, isCut } = compare(compared, terms);
  const { skills } = graph;
  const isPair = ({ a, b }: Pair): boolean => {
    const [one, other] = [a, b].map((at) => skills.get(compared[at]?.uri ?? ''));
    return one !== undefined && other !== undefined && mayOverlap(analysis, one, other);
  };
  return { compared, overlaps: { pairs: pairs.filter(isPair), isCut }, upkeep, contracts };
}

// Whether the contract of a service can be relied on (docs/registry.md, "Contracts").

/** An input that is made up from the skill's schema; undefined where it has none that can be relied on. */
export function syntheticInput({ contract: { input } }: SkillFile): JsonObject | undefined {
  return input && isUsable(input.schema) ? makeUp(input.schema, {}) : undefined;
}

/** What the contract of a skill with a `backing_service` lacks, each as a key or a sentence. */
function missingIn(analysis: Analysis, file: SkillFile): readonly string[] {
  const { root } = file.frontmatter.tree;
  if (!standsForService(root)) return [];
  return [...missingPromises(root), ...refusedByTool(analysis, file)];
}

/** Why the tool that the snapshot has under the skill's name would refuse the synthetic input. */
function refusedByTool(analysis: Analysis, file: SkillFile): readonly string[] {
  const name = file.contract.name?.name;
  const tools = analysis.index.snapshots.get(analysis.catalogOf(file.uri).folder)?.tools ?? [];
  const json = tools.find((tool) => tool.name === name)?.inputSchema;
  const input = syntheticInput(file);
  if (!isObject(json) || !input) return [];
  const schema = parseSchema(toNode(json));
  if (!isUsable(schema)) return [];
  return validateJson(schema, input).map(({ message }) => `an input that the tool \`${name}\` takes: ${message}`);
}
