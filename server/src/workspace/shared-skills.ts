/** Skills that several paths of a closure share, and version ranges in the closure that contradict each other. */
import { intersects, validRange } from 'semver';
import { allows, MAX_RANGE, servesRange } from './resolve-skill.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import { type IndexedSkill, skillsNamed } from './workspace-index.ts';

/** An edge of the closure, reached from one entry of the root. */
interface Visit {
  readonly skill: IndexedSkill;
  readonly composer: IndexedSkill;
  /** The index of the root's entry from which the edge is reached. */
  readonly entry: number;
}

/** Yields every edge of the closure once, entry by entry. Omits entries with a cycle back to the root. */
function* edgesOf(graph: ResolvedGraph, root: IndexedSkill): Generator<Visit> {
  const wayBack = graph.waysBackOf(root);
  const expanded = new Set([root.uri]);
  for (const { entry, skill } of graph.composedSkillsOf(root)) {
    if (wayBack(skill.uri)) continue;
    yield { skill, composer: root, entry };
    const waiting = [skill];
    for (let composer = waiting.pop(); composer; composer = waiting.pop()) {
      if (expanded.has(composer.uri)) continue;
      expanded.add(composer.uri);
      const composed = graph.composedSkillsOf(composer);
      for (const composedSkill of composed) yield { skill: composedSkill.skill, composer, entry };
      for (const composedSkill of [...composed].reverse()) waiting.push(composedSkill.skill);
    }
  }
}

/** A skill that several entries compose, directly or indirectly (docs/format.md, section 4, "Diamonds"). */
export interface Diamond {
  readonly shared: IndexedSkill;
  /** The index of the root's entry for the second path. */
  readonly entry: number;
  /** The skills of the closure that compose the shared skill; at least two. */
  readonly composers: readonly IndexedSkill[];
}

/**
 * Returns the diamonds of a skill, except diamonds that are inside one composed skill. A skill that only a shared skill
 * composes is not another diamond. Never throws. Implements docs/format.md, section 4, "Diamonds".
 */
export function diamondsOf(graph: ResolvedGraph, root: IndexedSkill): readonly Diamond[] {
  const known = new Map<string, { first: Visit; second: number | undefined; composers: Map<string, IndexedSkill> }>();
  for (const edge of edgesOf(graph, root)) {
    const { skill, composer, entry } = edge;
    const before = known.get(skill.uri);
    if (!before) {
      known.set(skill.uri, { first: edge, second: undefined, composers: new Map([[composer.uri, composer]]) });
    } else if (!before.composers.has(composer.uri)) {
      if (before.first.entry !== entry) before.second ??= entry;
      before.composers.set(composer.uri, composer);
    }
  }
  return [...known.values()].flatMap(({ first, second, composers }) =>
    second === undefined ? [] : [{ shared: first.skill, entry: second, composers: [...composers.values()] }],
  );
}

/** A version range in the `requires` of a skill. */
export interface Requirement {
  readonly by: IndexedSkill;
  readonly range: string;
  /** The index of the root's entry from which the range is reached; undefined for a range of the root. */
  readonly entry: number | undefined;
}

export interface RangeConflict {
  readonly skill: string;
  readonly first: Requirement;
  readonly second: Requirement;
}

/** The most ranges of one skill that are compared: comparing more would be slow. */
const MAX_RANGES = 50;

/**
 * Returns pairs of ranges that no version satisfies, at most one for each required skill. A conflict within one
 * composed skill is reported in that skill. Never throws. Implements docs/format.md, section 4, "Versions".
 */
export function rangeConflictsOf(graph: ResolvedGraph, root: IndexedSkill): readonly RangeConflict[] {
  const required = new Map<string, Requirement[]>();
  const conflicts = new Map<string, RangeConflict>();
  const several = requiredSeveralTimes(graph, root);
  for (const [skill, second] of several.size === 0 ? [] : requirementsOf(graph, root)) {
    if (!several.has(skill) || conflicts.has(skill) || !graph.byName.has(skill)) continue;
    const earlier = required.get(skill) ?? [];
    required.set(skill, earlier);
    if (earlier.some((one) => one.range === second.range && one.entry === second.entry)) continue;
    const first = earlier.find(
      (one) =>
        (one.entry === undefined || one.entry !== second.entry) &&
        !intersects(one.range, second.range) &&
        !isServedByOneVersion(graph, skill, [one.range, second.range]),
    );
    if (first) conflicts.set(skill, { skill, first, second });
    if (earlier.length < MAX_RANGES) earlier.push(second);
  }
  return [...conflicts.values()];
}

/** Returns whether a version of the skill is in each of the ranges, or has an adapter for it. */
const isServedByOneVersion = (graph: ResolvedGraph, name: string, ranges: readonly string[]): boolean =>
  skillsNamed(graph, name).some(({ summary }) =>
    ranges.every(
      (range) => allows(range, summary.version) || summary.adapts.some(({ from }) => servesRange(from, range)),
    ),
  );

/** Returns the names of skills for which the closure contains several ranges. Only these ranges need to be parsed. */
function requiredSeveralTimes(graph: ResolvedGraph, root: IndexedSkill): ReadonlySet<string> {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { summary } of [root, ...graph.closureOf(root)]) {
    for (const { skill } of summary.requires) (once.has(skill) ? several : once).add(skill);
  }
  return several;
}

/** Yields the name of a required skill and a range, for every valid range in the closure. Never throws. */
export function* requirementsOf(graph: ResolvedGraph, root: IndexedSkill): Generator<readonly [string, Requirement]> {
  yield* rangesOf(root, undefined);
  const seen = new Set<string>();
  for (const { skill, entry } of edgesOf(graph, root)) {
    if (seen.has(skill.uri)) continue;
    seen.add(skill.uri);
    yield* rangesOf(skill, entry);
  }
}

function* rangesOf(by: IndexedSkill, entry: number | undefined): Generator<readonly [string, Requirement]> {
  for (const { skill, range } of by.summary.requires) {
    if (range === undefined || range.length > MAX_RANGE || validRange(range) === null) continue;
    yield [skill, { by, range, entry }];
  }
}
