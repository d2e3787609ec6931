/** The resolution of a skill's name when several skills have it (docs/format.md, section 4, "Side by side"). */
import { compare, intersects, parse, Range, satisfies, valid, validRange } from 'semver';
import type { PlainReference } from '../skill/body.ts';
import type { SkillFile, SkillSummary } from '../skill/skill-file.ts';
import { resolvePath } from '../skill-folder/links.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { isSureMention, skillMentions } from './skill-mentions.ts';
import { type IndexedSkill, mainName, type SkillGraph, skillsNamed } from './workspace-index.ts';

/** The file and the summary of the skill that refers to another skill. */
export type Referrer = Pick<IndexedSkill, 'uri' | 'summary'>;

/**
 * Returns the highest version of `name` that `requires` in `from` allows, or that has an adapter for the range; without
 * a range, the first version in the order of `byPreference`. If there is no such version, ignores the range, which
 * findings report; undefined if no skill has the name. Never throws. Implements docs/format.md, section 4, "Side by
 * side" and "Adapters".
 */
export function resolveSummary(graph: SkillGraph, from: Referrer, name: string): IndexedSkill | undefined {
  const all = skillsNamed(graph, name, from.uri);
  if (all.length < 2) return all[0];
  const ranges = rangesFor(graph, from, name);
  const surfaces = surfacesFor(graph, from);
  if (ranges.length === 0) return preferredNamed(graph, all, surfaces);
  const choose = () => chosen(all, ranges, surfaces);
  return graph.keptChoice ? graph.keptChoice(all, JSON.stringify([surfaces, ranges]), choose) : choose();
}

/** Returns the version for these ranges and surfaces. */
function chosen(
  all: readonly IndexedSkill[],
  ranges: readonly string[],
  surfaces: readonly string[],
): IndexedSkill | undefined {
  const parsed = ranges.map((range) => new Range(range));
  const allowed = all.filter(({ summary }) => parsed.every((range) => range.test(summary.version ?? '')));
  if (allowed.length > 0) return firstOn(allowed, surfaces, byVersion);
  const adapted = all.filter(({ summary }) => adapterEntry(summary, ranges));
  return preferred(adapted.length > 0 ? adapted : all, surfaces);
}

/** Returns the surfaces for which a skill resolves names: the one of the request, else those that offer the skill. */
const surfacesFor = ({ surface }: SkillGraph, { summary }: Referrer): readonly string[] =>
  surface === undefined ? summary.surfaces.map(({ name }) => name) : [surface];

/**
 * Returns the percentage of the calls on a surface that a version may receive: 100 without `canary_percent`, and 0 if
 * the surface does not offer the version. Never throws. Implements docs/format.md, section 4, "Surfaces".
 */
export function shareOn({ summary: { surfaces } }: IndexedSkill, surface: string): number {
  if (surfaces.length === 0) return 100;
  const entry = surfaces.find(({ name }) => name === surface);
  return entry ? (entry.percent ?? 100) : 0;
}

/**
 * Returns the largest percentage of the calls on one of its surfaces that a version may receive. Never throws. Implements
 * docs/format.md, section 4, "Surfaces".
 */
export const largestShare = ({ summary: { surfaces } }: IndexedSkill): number =>
  surfaces.length === 0 ? 100 : surfaces.reduce((most, { percent = 100 }) => Math.max(most, percent), 0);

/**
 * Returns the version with the largest share on all `surfaces`, or on any surface if the list is empty; of equal shares,
 * the first in the order. If no version is on all surfaces, ignores the surfaces. Undefined for an empty list.
 */
function firstOn(
  versions: readonly IndexedSkill[],
  surfaces: readonly string[],
  order: (a: IndexedSkill, b: IndexedSkill) => number,
): IndexedSkill | undefined {
  const shareOf = (skill: IndexedSkill) =>
    surfaces.length === 0
      ? largestShare(skill)
      : surfaces.reduce((least, name) => Math.min(least, shareOn(skill, name)), 100);
  let [first] = versions;
  let share = first ? shareOf(first) : 0;
  for (const skill of versions.slice(1)) {
    const own = shareOf(skill);
    if (!first || own < share || (own === share && order(first, skill) <= 0)) continue;
    first = skill;
    share = own;
  }
  return first;
}

/** Returns the entry of `adapts` that serves callers with these ranges. */
const adapterEntry = (summary: SkillSummary, ranges: readonly string[]): SkillSummary['adapts'][number] | undefined =>
  summary.adapts.find(({ from }) => ranges.every((range) => servesRange(from, range)));

/**
 * Returns the version that a name without a range refers to, for a skill on `surfaces`; undefined for an empty list.
 * Never throws. Implements docs/format.md, section 4, "Side by side" and "Surfaces".
 */
export const preferred = (
  versions: readonly IndexedSkill[],
  surfaces: readonly string[] = [],
): IndexedSkill | undefined => firstOn(versions, surfaces, byPreference);

/** Like `preferred`, for a list that `skillsNamed` returns. Never throws. */
export function preferredNamed(
  graph: SkillGraph,
  versions: readonly IndexedSkill[],
  surfaces: readonly string[],
): IndexedSkill | undefined {
  const choose = () => preferred(versions, surfaces);
  return graph.keptChoice ? graph.keptChoice(versions, JSON.stringify(surfaces), choose) : choose();
}

/**
 * Compares two versions of a skill for their order without a range: releases before pre-releases, then the versions that
 * are not deprecated, then the highest version. Never throws. Implements docs/format.md, section 4, "Side by side".
 */
export const byPreference = (a: IndexedSkill, b: IndexedSkill): number =>
  Number(isPreRelease(a)) - Number(isPreRelease(b)) ||
  Number(a.summary.deprecated) - Number(b.summary.deprecated) ||
  byVersion(a, b);

/** Returns whether a skill has a pre-release version such as `2.0.0-beta.1`. Never throws. */
export const isPreRelease = ({ summary }: IndexedSkill): boolean =>
  (parse(summary.version ?? '')?.prerelease.length ?? 0) > 0;

/** Returns whether two versions are equal. Build metadata does not distinguish versions. Never throws. */
export function isSameVersion(a: string | undefined, b: string | undefined): boolean {
  const [left, right] = [parse(a ?? ''), parse(b ?? '')];
  return left && right ? left.compare(right) === 0 : a === b;
}

/** A skill to which a name resolves, and the adapter that gives the caller the output of an older version. */
export interface ResolvedUse {
  readonly skill: IndexedSkill;
  /** Undefined if the ranges in `requires` allow the version, or if there are no ranges. */
  readonly adapter: IndexedSkill | undefined;
  /** The name of an adapter that does not exist or is the skill itself; undefined if it exists, or is not needed. */
  readonly missingAdapter: string | undefined;
}

/** Returns the skill whose output a caller gets; undefined if its adapter does not exist. Never throws. */
export const giverOf = ({ skill, adapter, missingAdapter }: ResolvedUse): IndexedSkill | undefined =>
  missingAdapter === undefined ? (adapter ?? skill) : undefined;

/**
 * Returns the skill to which `name` resolves for `from`, with its adapter. Never throws. Implements docs/format.md,
 * section 4, "Adapters".
 */
export function resolveUse(graph: SkillGraph, from: Referrer, name: string): ResolvedUse | undefined {
  const skill = resolveSummary(graph, from, name);
  const needed = skill && neededAdapter(skill, rangesFor(graph, from, name));
  const found = skill && needed !== undefined ? resolveSummary(graph, skill, needed) : undefined;
  const adapter = found?.uri === skill?.uri ? undefined : found;
  return skill && { skill, adapter, missingAdapter: adapter ? undefined : needed };
}

/** Returns the name of the adapter that callers with these ranges need, if the version is not in one of them. */
function neededAdapter({ summary }: IndexedSkill, ranges: readonly string[]): string | undefined {
  if (ranges.every((range) => allows(range, summary.version))) return undefined;
  return adapterEntry(summary, ranges)?.adapter;
}

/** Returns whether an adapter for the versions `from` serves a caller that requires `range`. Never throws. */
export const servesRange = (from: string, range: string): boolean => {
  if (from.length > MAX_RANGE || range.length > MAX_RANGE) return false;
  if (validRange(from) === null || validRange(range) === null) return false;
  return intersects(from, range, { includePrerelease: true });
};

/** The longest range that is compared with another range, in characters: comparing longer ranges would be slow. */
export const MAX_RANGE = 256;

/** Returns the valid semver ranges in `requires` for a skill, which the name or the `id` may refer to. Never throws. */
export function rangesFor(graph: SkillGraph, { summary }: Referrer, name: string): readonly string[] {
  if (summary.requires.length === 0) return [];
  const main = mainName(graph, name);
  const own = summary.requires.filter(({ skill }) => skill === name || mainName(graph, skill) === main);
  return own.flatMap(({ range }) => (range && validRange(range) !== null ? [range] : []));
}

/** Returns whether a version is valid and in the semver range. Never throws. */
export const allows = (range: string, version: string | undefined): boolean => satisfies(version ?? '', range);

/** Compares two skills for a descending order of versions; invalid versions are last. Never throws. */
export const byVersion = (a: IndexedSkill, b: IndexedSkill): number =>
  compare(valid(b.summary.version) ?? '0.0.0', valid(a.summary.version) ?? '0.0.0');

// Plain references from a `SKILL.md` to skills in the workspace (docs/format.md, section 9).

/** Returns the plain references of a file that certainly refer to a skill, in text order. Never throws. */
export const resolvedReferences = (graph: SkillGraph, file: SkillFile): readonly PlainReference[] =>
  skillMentions(file).filter((one) => isSureMention(file, one) && resolves(graph, file, one));

/** Returns whether a plain reference resolves to a skill. Never throws. */
export const resolves = (graph: SkillGraph, file: SkillFile, reference: PlainReference): boolean =>
  resolveReference(graph, file, reference) !== undefined;

/**
 * Returns the skill that a name resolves to, or the `SKILL.md` in the target folder of a link or a path. Never throws.
 */
export function resolveReference(
  graph: SkillGraph,
  file: SkillFile,
  { name, form, path, base = folderOf(file.uri) }: PlainReference,
): IndexedSkill | undefined {
  if (form !== 'link' && form !== 'path') return resolveSummary(graph, file, name);
  const skills = skillsNamed(graph, name, file.uri).filter(({ uri }) => isAgentSkillName(fileNameOf(uri)));
  const folder = skills.length === 0 ? undefined : resolvePath(base, path);
  const isRelative = form === 'link' || path.startsWith('../');
  return skills.find(({ uri }) => {
    const own = folderOf(uri);
    // The folder to which a path in prose or in a command is relative is not known.
    return isRelative ? own === folder : `/${decoded(own)}`.endsWith(`/${withoutStart(path)}`);
  });
}

/** Returns a path without a beginning such as `./`, `~/` or `${VARIABLE}/`. */
const withoutStart = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^.*[$}~%]\w*\//, '')
    .replace(/^@?(?:\.\/|\/)*/, '');
