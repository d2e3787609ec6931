/** Computes the effects, operation and budgets of each skill in a graph with its closure. Visits each skill once. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { GraphAmount } from '../../protocol.ts';
import { findDeclared, type Measure, type RollUp, rollUpAll } from '../../workspace/budgets.ts';
import { operationRank, strongestOperation } from '../../workspace/effective-contract.ts';
import { levelOf } from '../../workspace/order.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

/** The totals of a skill with its closure. */
export interface Totals {
  /** Undefined for a skill that declares no level and composes no skills. */
  readonly level: number | undefined;
  readonly effects: readonly string[];
  readonly operation: string | null;
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The indices of the skill's `composes` entries on its slowest path. */
  readonly critical: ReadonlySet<number>;
}

/**
 * Returns the totals by URI; pauses after each component. `components` must contain composed skills before their
 * composites. All skills of a component have the same effects.
 */
export function* rollUpGraph(
  { graph, operationOfTool }: Analysis,
  components: readonly Component[],
): Generator<undefined, ReadonlyMap<string, Totals>> {
  const skillOf = (id: string): IndexedSkill | undefined => graph.skills.get(id);
  const effects = new Map<string, ReadonlySet<string>>();
  const operations = new Map<string, string | null>();
  const levels = new Map<string, number>();
  const endless = new Set<string>();
  const order: IndexedSkill[] = [];
  for (const { ids, isCyclic } of components) {
    yield;
    const skills = ids.flatMap((id) => skillOf(id) ?? []);
    const composed = skills
      .filter(({ summary }) => !summary.broken)
      .flatMap((skill) => graph.composedSkillsOf(skill).map((composedSkill) => composedSkill.skill.uri));
    const own = skills.flatMap(({ summary }) => summary.effects);
    const common = new Set([...own, ...composed.flatMap((uri) => [...(effects.get(uri) ?? [])])]);
    const operation = severest([
      strongestOperation(skills, operationOfTool)?.name,
      ...composed.map((uri) => operations.get(uri)),
    ]);
    const isEndless = isCyclic || composed.some((uri) => endless.has(uri));
    const partLevels = composed.flatMap((uri) => levels.get(uri) ?? []);
    for (const skill of skills) {
      levels.set(skill.uri, levelOf(skill, partLevels));
      effects.set(skill.uri, new Set([...skill.summary.effects, ...common]));
      operations.set(skill.uri, operation);
      if (isEndless) endless.add(skill.uri);
      else order.push(skill);
    }
  }
  const latency = rollUpAll(graph, order, 'p95_ms');
  const cost = rollUpAll(graph, order, 'cost_usd');
  return new Map(
    [...effects].map(([uri, names]) => {
      const skill = skillOf(uri);
      const slowest = latency.get(uri);
      return [
        uri,
        {
          level: isAtomic(skill) ? undefined : levels.get(uri),
          effects: [...names],
          operation: operations.get(uri) ?? null,
          p95: amountOf(skill, 'p95_ms', slowest),
          cost: amountOf(skill, 'cost_usd', cost.get(uri)),
          critical: new Set(slowest?.steps.map(({ composedSkill }) => composedSkill.entry)),
        },
      ];
    }),
  );
}

/** Returns whether a skill declares no level and composes no skills. */
const isAtomic = (skill: IndexedSkill | undefined): boolean =>
  skill?.summary.level === undefined && skill?.summary.composes.length === 0;

function severest(operations: readonly (string | null | undefined)[]): string | null {
  let found: string | null = null;
  for (const one of operations) if (one && operationRank(one) > operationRank(found ?? undefined)) found = one;
  return found;
}

function amountOf(skill: IndexedSkill | undefined, measure: Measure, rolled: RollUp | undefined): GraphAmount | null {
  const declared = (skill && findDeclared(skill.summary, measure)) ?? null;
  const isKnown = rolled !== undefined && rolled.steps.length > 0 && Number.isFinite(rolled.total);
  const ofParts = isKnown ? rolled.total : null;
  return declared === null && ofParts === null ? null : { declared, ofParts };
}

/** A strongly connected component of a directed graph: a maximal set of nodes that can all reach each other. */
export interface Component {
  readonly ids: readonly string[];
  /** False for a single node without an edge to itself. */
  readonly isCyclic: boolean;
}

/**
 * Returns the strongly connected components: Tarjan's algorithm without recursion, because chains may be very long. A
 * component comes after all components that it reaches, so composed skills come before their composites. Pauses after
 * each node.
 */
export function* stronglyConnected(
  ids: Iterable<string>,
  next: (id: string) => readonly string[],
): Generator<undefined, readonly Component[]> {
  const components: Component[] = [];
  const numbers = new Map<string, number>();
  const lows = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const way: { readonly id: string; readonly next: readonly string[]; at: number }[] = [];
  const low = (id: string): number => lows.get(id) ?? 0;
  const enter = (id: string): void => {
    lows.set(id, numbers.size);
    numbers.set(id, numbers.size);
    open.push(id);
    isOpen.add(id);
    way.push({ id, next: next(id), at: 0 });
  };
  const close = (id: string): void => {
    const own = open.splice(open.lastIndexOf(id));
    for (const one of own) isOpen.delete(one);
    components.push({ ids: own, isCyclic: own.length > 1 || next(id).includes(id) });
  };
  for (const start of ids) {
    if (numbers.has(start)) continue;
    enter(start);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const { id } = top;
      const to = top.next[top.at++];
      if (to !== undefined) {
        if (!numbers.has(to)) enter(to);
        else if (isOpen.has(to)) lows.set(id, Math.min(low(id), numbers.get(to) ?? 0));
        continue;
      }
      yield;
      way.pop();
      const above = way.at(-1)?.id;
      if (above !== undefined) lows.set(above, Math.min(low(above), low(id)));
      if (low(id) === numbers.get(id)) close(id);
    }
  }
  return components;
}

/** Returns the shortest cycle through the first ID, in sort order, of a cyclic component. */
export function shortestCycle({ ids }: Component, next: (id: string) => readonly string[]): readonly string[] {
  const within = new Set(ids);
  const [first = ''] = [...ids].sort();
  const cameFrom = new Map<string, string>();
  const waiting = [first];
  // Breadth first: the list grows during the iteration.
  for (const id of waiting) {
    for (const to of next(id)) {
      if (to === first) return pathBetween(id, first, cameFrom);
      if (!within.has(to) || cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      waiting.push(to);
    }
  }
  return [];
}

function pathBetween(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    way.push(at);
  }
  return way.reverse();
}
