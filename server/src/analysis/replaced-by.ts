/** Finds the skill that replaces another skill: a newer version or a successor (docs/matching.md, "Left out"). */
import type { Exclusion } from '../matching/rank.ts';
import { byVersion, isPreRelease, largestShare, preferredNamed, shareOn } from '../workspace/resolve-skill.ts';
import { type IndexedSkill, isHidden, skillsNamed } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/**
 * Returns the reason why another skill replaces this one, and the other skill's URI if it is a successor; undefined if
 * no skill replaces this one. `from` is the URI of the file or folder for which a skill is chosen; its workspace folder
 * is searched first.
 */
export const replacedBy = (analysis: Analysis, skill: IndexedSkill, from = skill.uri): Exclusion | undefined =>
  namesakeInstead(analysis, skill, from) ?? successorOf(analysis, skill);

/**
 * Returns whether two skills can be confused. Replaced skills, versions of one skill, and copies for several clients
 * are never confused.
 */
export const mayOverlap = (analysis: Analysis, a: IndexedSkill, b: IndexedSkill): boolean =>
  (a.summary.name === undefined || a.summary.name !== b.summary.name) &&
  !replacedBy(analysis, a) &&
  !replacedBy(analysis, b);

/**
 * Returns why the surface of the request does not offer a skill, or a skill that it composes; undefined if it does, and
 * without a surface (docs/format.md, section 4, "Gates").
 */
export function whyNotOffered(graph: Analysis['graph'], skill: IndexedSkill): string | undefined {
  const { surface } = graph;
  if (surface === undefined) return undefined;
  const missing = [skill, ...graph.closureOf(skill)].find((one) => shareOn(one, surface) === 0);
  if (!missing) return undefined;
  const isListed = missing.summary.surfaces.some(({ name }) => name === surface);
  const who = missing === skill ? 'it' : `the composed skill \`${missing.summary.name}\``;
  return `${who} ${isListed ? 'receives 0% of the calls on' : 'is not offered on the surface'} \`${surface}\``;
}

/** Returns the reason for an exclusion if another skill with the same name is used instead. */
function namesakeInstead({ graph }: Analysis, skill: IndexedSkill, from: string): Exclusion | undefined {
  const { name } = skill.summary;
  const { surface } = graph;
  const reason = whyNotOffered(graph, skill);
  if (reason !== undefined) return { reason };
  if (name === undefined) return undefined;
  if (isHidden(graph, skill)) return { reason: 'a skill of the workspace has the same name' };
  const namesakes = skillsNamed(graph, name, from);
  if (!namesakes.includes(skill)) return { reason: 'a skill of another workspace folder has the same name' };
  const used = preferredNamed(graph, namesakes, surfacesOf(graph));
  if (!used || used === skill || byVersion(used, skill) === 0) return undefined;
  const { version } = used.summary;
  const share = surface === undefined ? largestShare(skill) : shareOn(skill, surface);
  if (share < 100) {
    const calls = surface === undefined ? '' : ` with ${share}% of the calls on \`${surface}\``;
    return { reason: `it is a canary${calls}, and ${version} is the main version` };
  }
  return {
    reason:
      isPreRelease(skill) && !isPreRelease(used)
        ? `it is a pre-release, and ${version} is the newest release`
        : `it is not the newest version, which is ${version}`,
  };
}

const surfacesOf = ({ surface }: Analysis['graph']): readonly string[] => (surface === undefined ? [] : [surface]);

/** Returns the last skill in a deprecated skill's chain of successors that exists on the surface of the request. */
function successorOf({ graph }: Analysis, skill: IndexedSkill): Exclusion | undefined {
  const seen = new Set<string>();
  let last = skill;
  while (last.summary.deprecated && last.summary.successor !== undefined && !seen.has(last.uri)) {
    seen.add(last.uri);
    const next = preferredNamed(graph, skillsNamed(graph, last.summary.successor, skill.uri), surfacesOf(graph));
    if (!next || (graph.surface !== undefined && shareOn(next, graph.surface) === 0)) break;
    last = next;
  }
  // In a cycle of successors, no skill replaces another.
  if (last === skill || seen.has(last.uri)) return undefined;
  return { reason: `it is deprecated, and \`${last.summary.name}\` replaces it`, instead: last.uri };
}

/** A version of a skill that receives a share of the calls on the surface of the request. */
export interface Canary {
  readonly skill: IndexedSkill;
  readonly percent: number;
}

/**
 * Returns the canaries of a skill on the surface of the request, the newest first: the other versions with a share
 * (docs/format.md, section 4, "Surfaces"). Empty without a surface.
 */
export function canariesOf({ graph }: Analysis, { uri, summary: { name } }: IndexedSkill): readonly Canary[] {
  const { surface } = graph;
  if (surface === undefined || name === undefined) return [];
  return [...skillsNamed(graph, name, uri)].sort(byVersion).flatMap((skill) => {
    const percent = shareOn(skill, surface);
    return skill.uri === uri || percent === 0 || percent === 100 ? [] : [{ skill, percent }];
  });
}
