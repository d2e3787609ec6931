/** Effects, operation and budgets of every skill of a graph with all that it composes; each skill is visited once. */
import type { GraphAmount } from '../../protocol.ts';
import { findDeclared, type Measure, type RollUp, rollUpAll } from '../../workspace/budgets.ts';
import { rankOf } from '../../workspace/effective-contract.ts';
import { levelOf } from '../../workspace/levels.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import type { Component } from './strongly-connected.ts';

/** A skill with all that it composes. */
export interface Totals {
  /** Undefined for a skill that neither writes one nor composes anything. */
  readonly level: number | undefined;
  readonly effects: readonly string[];
  readonly operation: string | null;
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The indices of the skill's entries on its slowest way. */
  readonly critical: ReadonlySet<number>;
}

/** By URI. `components` has parts before their composers; all skills of a component have the same effects. */
export function rollUpGraph(
  graph: ResolvedGraph,
  components: readonly Component[],
  skillOf: (id: string) => IndexedSkill | undefined,
): ReadonlyMap<string, Totals> {
  const effects = new Map<string, ReadonlySet<string>>();
  const operations = new Map<string, string | null>();
  const levels = new Map<string, number>();
  const endless = new Set<string>();
  const order: IndexedSkill[] = [];
  for (const { ids, isCyclic } of components) {
    const skills = ids.flatMap((id) => skillOf(id) ?? []);
    const parts = skills
      .filter(({ summary }) => !summary.broken)
      .flatMap((skill) => graph.partsOf(skill).map((part) => part.skill.uri));
    const own = skills.flatMap(({ summary }) => summary.effects);
    const common = new Set([...own, ...parts.flatMap((uri) => [...(effects.get(uri) ?? [])])]);
    const operation = severest([
      ...skills.map(({ summary }) => summary.operation),
      ...parts.map((uri) => operations.get(uri)),
    ]);
    const isEndless = isCyclic || parts.some((uri) => endless.has(uri));
    const partLevels = parts.flatMap((uri) => levels.get(uri) ?? []);
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
          critical: new Set(slowest?.steps.map(({ part }) => part.entry)),
        },
      ];
    }),
  );
}

/** Whether a skill stands on the lowest level without saying so. */
const isAtomic = (skill: IndexedSkill | undefined): boolean =>
  skill?.summary.level === undefined && skill?.summary.composes.length === 0;

function severest(operations: readonly (string | null | undefined)[]): string | null {
  let found: string | null = null;
  for (const one of operations) if (one && rankOf(one) > rankOf(found ?? undefined)) found = one;
  return found;
}

function amountOf(skill: IndexedSkill | undefined, measure: Measure, rolled: RollUp | undefined): GraphAmount | null {
  const declared = (skill && findDeclared(skill.summary, measure)) ?? null;
  const isKnown = rolled !== undefined && rolled.steps.length > 0 && Number.isFinite(rolled.total);
  const ofParts = isKnown ? rolled.total : null;
  return declared === null && ofParts === null ? null : { declared, ofParts };
}
