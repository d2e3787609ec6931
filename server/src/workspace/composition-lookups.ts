/**
 * Look-ups of composed skills and their composites, based only on summaries. Every look-up terminates, even if skills
 * form a cycle.
 */
import { nearestNames } from '../nearest.ts';
import type { SkillSummary } from '../skill/summary.ts';
import { type ResolvedUse, resolveSummary, resolveUse } from './resolve-skill.ts';
import type { IndexedSkill, SkillGraph } from './workspace-index.ts';

/** An entry of `composes` with its resolved skill, and the adapter that runs after the skill, if there is one. */
export interface ResolvedEntry extends ResolvedUse {
  /** The index of the entry in `composes`. */
  readonly entry: number;
  readonly step: string;
}

/**
 * Returns the composed skills of a skill, in the order of `composes`. Omits skills that do not exist or do not parse.
 * Never throws. Implements docs/format.md, section 4, "Side by side".
 */
export function resolveComposedSkills(graph: SkillGraph, from: IndexedSkill): readonly ResolvedEntry[] {
  const resolved = new Map<string, ResolvedUse | undefined>();
  return from.summary.composes.flatMap(({ skill: name, step }, entry) => {
    if (!resolved.has(name)) resolved.set(name, resolveUse(graph, from, name));
    const use = resolved.get(name);
    if (!use || use.skill.summary.broken) return [];
    const { skill, adapter, missingAdapter } = use;
    return [{ entry, step, skill, adapter, missingAdapter }];
  });
}

/** Returns the skills that compose exactly this version of a skill, sorted by URI. Never throws. */
export function composersOf(graph: SkillGraph, { uri, summary }: IndexedSkill): readonly IndexedSkill[] {
  const names = callNamesOf(summary);
  return [...mentionsOf(graph, summary)].sort().flatMap((other) => {
    const composer = graph.skills.get(other);
    const isComposed = names.some(
      (name) => composer && composesName(composer, name) && resolveSummary(graph, composer, name)?.uri === uri,
    );
    return composer && isComposed ? [composer] : [];
  });
}

/**
 * Returns the URIs of the files that mention a skill by its name or its `id`, or that mention a skill whose adapter it
 * is, so that they may use its fields. Never throws.
 */
export function filesUsingFields(graph: SkillGraph, { summary }: IndexedSkill): ReadonlySet<string> {
  const adapted = callNamesOf(summary).flatMap((name) => [...usersOfAdapter(graph, name)]);
  return new Set([...mentionsOf(graph, summary), ...adapted]);
}

/** Returns the names by which other skills may compose a skill. */
export const callNamesOf = ({ name, id }: SkillSummary): readonly string[] =>
  [name, id].filter((one) => one !== undefined);

/** Returns the URIs of the files that mention a skill by its name or its `id`. Never throws. */
export const mentionsOf = ({ mentionedBy }: SkillGraph, summary: SkillSummary): ReadonlySet<string> =>
  new Set(callNamesOf(summary).flatMap((name) => [...(mentionedBy.get(name) ?? [])]));

const composesName = ({ summary }: IndexedSkill, name: string): boolean =>
  summary.composes.some(({ skill }) => skill === name);

const runsName = (skill: IndexedSkill, name: string): boolean =>
  composesName(skill, name) ||
  skill.summary.errors.some(({ fallback }) => fallback === name) ||
  skill.summary.adapts.some(({ adapter }) => adapter === name);

/**
 * Returns the URIs of the files that compose any version of the named skills, or run one as a fallback or an adapter,
 * directly or indirectly. Never throws.
 */
export function dependentsOf(graph: SkillGraph, names: readonly string[]): ReadonlySet<string> {
  const dependents = new Set<string>();
  const known = new Set(names);
  // The loop also visits names that are added during the loop.
  for (const name of known) {
    for (const uri of graph.mentionedBy.get(name) ?? []) {
      const skill = graph.skills.get(uri);
      if (dependents.has(uri) || !skill || !runsName(skill, name)) continue;
      dependents.add(uri);
      for (const own of callNamesOf(skill.summary)) known.add(own);
    }
  }
  return dependents;
}

/**
 * Returns the URIs of the skills that list one of the named tools, and of the skills that compose these: constraints
 * and stubs are checked with the schemas of a tool. Never throws.
 */
export function usersOfTools(graph: SkillGraph, tools: readonly string[]): ReadonlySet<string> {
  if (tools.length === 0) return new Set();
  const users = [...graph.skills.values()].filter(({ summary }) => summary.tools.some((tool) => tools.includes(tool)));
  const composers = dependentsOf(
    graph,
    users.flatMap(({ summary }) => callNamesOf(summary)),
  );
  return new Set([...users.map(({ uri }) => uri), ...composers]);
}

/**
 * Yields the URIs of the files that mention a deprecated skill with the successor `name`. The findings in these files
 * name the successor.
 */
export function* usersOfPredecessors(graph: SkillGraph, name: string): Iterable<string> {
  for (const uri of graph.mentionedBy.get(name) ?? []) {
    const predecessor = graph.skills.get(uri)?.summary;
    if (predecessor?.successor === name) yield* mentionsOf(graph, predecessor);
  }
}

/** Yields the URIs of the files that mention a skill whose adapter is `name`. Its output may be theirs. */
export function* usersOfAdapter(graph: SkillGraph, name: string): Iterable<string> {
  for (const uri of graph.mentionedBy.get(name) ?? []) {
    const summary = graph.skills.get(uri)?.summary;
    if (summary?.adapts.some(({ adapter }) => adapter === name)) yield* mentionsOf(graph, summary);
  }
}

/**
 * Yields the URIs of the files that mention a missing skill with a name similar to one of `names`. The findings in
 * these files suggest the similar name.
 */
export function* usersOfMissing(graph: SkillGraph, names: readonly string[]): Iterable<string> {
  if (names.length === 0) return;
  for (const missing of graph.missing) {
    if (nearestNames(missing, names).length > 0) yield* graph.mentionedBy.get(missing) ?? [];
  }
}
