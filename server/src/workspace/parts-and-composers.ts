/** Which skills compose which, from summaries alone. Every look-up ends on cycles, too. */
import { nearestNames } from '../nearest.ts';
import { resolveSummary } from './resolve-skill.ts';
import type { IndexedSkill, SkillGraph } from './workspace-index.ts';

/** An entry of `composes` with the skill that it means. */
export interface Part {
  /** The entry's place in the list of entries. */
  readonly entry: number;
  readonly step: string;
  readonly skill: IndexedSkill;
}

export function resolveParts(graph: SkillGraph, { summary }: IndexedSkill): readonly Part[] {
  const resolved = new Map<string, IndexedSkill | undefined>();
  return summary.composes.flatMap(({ skill: name, step }, entry) => {
    if (!resolved.has(name)) resolved.set(name, resolveSummary(graph, summary, name));
    const skill = resolved.get(name);
    return skill && !skill.summary.broken ? [{ entry, step, skill }] : [];
  });
}

/** The skills that compose this one and not another version of it, in the order of their URIs. */
export function composersOf(graph: SkillGraph, { uri, summary: { name } }: IndexedSkill): readonly IndexedSkill[] {
  if (name === undefined) return [];
  return [...(graph.mentionedBy.get(name) ?? [])].sort().flatMap((other) => {
    const composer = graph.skills.get(other);
    if (!composer || !composesName(composer, name)) return [];
    return resolveSummary(graph, composer.summary, name)?.uri === uri ? [composer] : [];
  });
}

const composesName = ({ summary }: IndexedSkill, name: string): boolean =>
  summary.composes.some(({ skill }) => skill === name);

/** The files that compose a skill of one of the names, directly or not, whichever version they mean. */
export function dependentsOf(graph: SkillGraph, names: readonly string[]): ReadonlySet<string> {
  const dependents = new Set<string>();
  const known = new Set(names);
  // A loop over a set also visits what is added meanwhile.
  for (const name of known) {
    for (const uri of graph.mentionedBy.get(name) ?? []) {
      const skill = graph.skills.get(uri);
      if (dependents.has(uri) || !skill || !composesName(skill, name)) continue;
      dependents.add(uri);
      if (skill.summary.name !== undefined) known.add(skill.summary.name);
    }
  }
  return dependents;
}

/** The files that name a deprecated skill whose successor has this name; their findings name it. */
export function* usersOfPredecessors(graph: SkillGraph, name: string): Iterable<string> {
  for (const uri of graph.mentionedBy.get(name) ?? []) {
    const predecessor = graph.skills.get(uri)?.summary;
    if (predecessor?.successor !== name || predecessor.name === undefined) continue;
    yield* graph.mentionedBy.get(predecessor.name) ?? [];
  }
}

/** The files that name a skill that does not exist, where one of these names is like it; their findings suggest it. */
export function* usersOfMissing(graph: SkillGraph, names: readonly string[]): Iterable<string> {
  if (names.length === 0) return;
  for (const missing of graph.missing) {
    if (nearestNames(missing, names).length > 0) yield* graph.mentionedBy.get(missing) ?? [];
  }
}
