/** The review of a registry: overlap, upkeep, contracts (docs/registry.md, "The review"). */
import type { Analysis } from '../analysis/analysis.ts';
import { mayOverlap, replacedBy } from '../analysis/replaced-by.ts';
import {
  generateValues,
  isObject,
  isUsable,
  type JsonObject,
  parseSchema,
  toNode,
  validateJson,
} from '../languages/schema/schema.ts';
import { type Term, termsOf } from '../matching/words.ts';
import { isService, missingServiceKeys } from '../skill/service-contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isSkillDialect, nameFromUri } from '../vocabulary/dialect.ts';
import { visibleSkills } from '../workspace/workspace-index.ts';
import type { Measured, UpkeepNote } from './calls.ts';
import type { Overlaps, Pair } from './overlap.ts';
import { upkeepOf } from './upkeep.ts';

export interface AuditedSkill {
  readonly uri: string;
  readonly name: string;
}

export interface Audit {
  /** The compared skills. Pairs contain indices into this list. */
  readonly compared: readonly AuditedSkill[];
  readonly overlaps: Overlaps;
  readonly upkeep: readonly (AuditedSkill & UpkeepNote)[];
  readonly contracts: readonly (AuditedSkill & { readonly missing: readonly string[] })[];
}

export interface AuditOptions {
  /** The measured calls; undefined without measurements. */
  readonly calls: Measured | undefined;
  /**
   * Compares the skills. `terms` contains the terms of each description, and is empty for a skill that another one
   * replaces.
   */
  readonly compare: (skills: readonly AuditedSkill[], terms: readonly (readonly Term[])[]) => Overlaps;
}

/** Reviews the files in order. Skips files that do not parse, because `check` reports them. */
export function audit(analysis: Analysis, uris: readonly string[], { calls, compare }: AuditOptions): Audit {
  const compared: AuditedSkill[] = [];
  const terms: (readonly Term[])[] = [];
  const upkeep: Audit['upkeep'][number][] = [];
  const contracts: Audit['contracts'][number][] = [];
  const { files, graph } = analysis.index;
  for (const uri of visibleSkills(graph, uris)) {
    const indexed = graph.skills.get(uri);
    const entry = files.get(uri);
    if (!indexed || !entry || !isSkillDialect(indexed.summary.dialect) || indexed.summary.broken) continue;
    const { words, text } = entry;
    const skill = { uri, name: indexed.summary.name ?? nameFromUri(uri) };
    compared.push(skill);
    terms.push(replacedBy(analysis, indexed) ? [] : termsOf(words.description));
    // A `SKILL.md` has no contract, and no keys for upkeep.
    if (indexed.summary.dialect === 'agent-skill') continue;
    for (const note of upkeepOf(analysis, indexed, words, calls)) upkeep.push({ ...skill, ...note });
    // Parses only the files that may be contracts of a service.
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

// Contracts of services (docs/registry.md, "Contracts").

/**
 * Returns an input that is generated from the skill's schema; undefined without a valid schema, or if no input that
 * matches the schema was found.
 */
export function syntheticInput({ contract: { input } }: SkillFile): JsonObject | undefined {
  if (!input || !isUsable(input.schema)) return undefined;
  const { values, complete } = generateValues(input.schema, {});
  return complete ? values : undefined;
}

/** Returns what is missing in the contract of a skill with a `backing_service`, each as a key or a phrase. */
function missingIn(analysis: Analysis, file: SkillFile): readonly string[] {
  const { root } = file.frontmatter.tree;
  if (!isService(root)) return [];
  return [...missingServiceKeys(root), ...refusedByTool(analysis, file)];
}

/** Returns why the tool with the skill's name in the snapshot would refuse the synthetic input. */
function refusedByTool(analysis: Analysis, file: SkillFile): readonly string[] {
  const name = file.contract.name?.name;
  const tools = analysis.index.snapshots.get(analysis.catalogOf(file.uri).folder)?.tools ?? [];
  const json = tools.find((tool) => tool.name === name)?.inputSchema;
  const input = syntheticInput(file);
  if (!isObject(json) || !input) return [];
  const schema = parseSchema(toNode(json));
  if (!isUsable(schema)) return [];
  return validateJson(schema, input).map(({ message }) => `an input that the tool \`${name}\` accepts: ${message}`);
}
