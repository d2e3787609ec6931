/** Skills that several paths of a closure share, and version ranges in it that contradict each other. */
import { intersects, validRange } from 'semver';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** A skill of the closure, as one entry of the root brings it. */
interface Visit {
  readonly skill: IndexedSkill;
  readonly composer: IndexedSkill;
  /** The entry of the root that leads there. */
  readonly entry: number;
}

/** Every edge of the closure once, entry by entry. Entries that lead back to the root are left out. */
function* edgesOf(graph: ResolvedGraph, root: IndexedSkill): Generator<Visit> {
  const wayBack = graph.waysBackOf(root);
  const expanded = new Set([root.uri]);
  for (const { entry, skill } of graph.partsOf(root)) {
    if (wayBack(skill.uri)) continue;
    yield { skill, composer: root, entry };
    const waiting = [skill];
    for (let composer = waiting.pop(); composer; composer = waiting.pop()) {
      if (expanded.has(composer.uri)) continue;
      expanded.add(composer.uri);
      const parts = graph.partsOf(composer);
      for (const part of parts) yield { skill: part.skill, composer, entry };
      for (const part of [...parts].reverse()) waiting.push(part.skill);
    }
  }
}

/** A skill that different entries bring (docs/format.md, section 4, "Diamonds"). */
export interface Diamond {
  readonly shared: IndexedSkill;
  /** The entry of the root that brings the second path. */
  readonly entry: number;
  /** The skills of this closure that compose the shared one; at least two. */
  readonly composers: readonly IndexedSkill[];
}

/**
 * The diamonds that meet in this skill and not already in one of its parts. What only a shared skill composes is not
 * shared a second time.
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

/** A range of one skill's `requires`. */
export interface Requirement {
  readonly by: IndexedSkill;
  readonly range: string;
  /** The entry of the root that brings it; undefined where it is the root's own. */
  readonly entry: number | undefined;
}

export interface RangeConflict {
  readonly skill: string;
  readonly first: Requirement;
  readonly second: Requirement;
}

/** Longer ranges, and more of them for one skill, are left out: comparing them would be slow. */
const MAX_RANGE = 256;
const MAX_RANGES = 50;

/**
 * Pairs of ranges that no version can satisfy and that meet in this skill; one for each required skill. Ranges that
 * meet in a part already are that part's conflict.
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
      (one) => (one.entry === undefined || one.entry !== second.entry) && !intersects(one.range, second.range),
    );
    if (first) conflicts.set(skill, { skill, first, second });
    if (earlier.length < MAX_RANGES) earlier.push(second);
  }
  return [...conflicts.values()];
}

/** The skills for which a closure has more than one range; only their ranges need to be parsed. */
function requiredSeveralTimes(graph: ResolvedGraph, root: IndexedSkill): ReadonlySet<string> {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { summary } of [root, ...graph.closureOf(root)]) {
    for (const { skill } of summary.requires) (once.has(skill) ? several : once).add(skill);
  }
  return several;
}

/** Every range of the closure, by the name of the skill that it is for. */
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
