/** What the skills of a whole graph come to with all that they compose, each skill looked at once. */
import type { GraphAmount } from '../../protocol.ts';
import { findDeclared, type Measure, type RollUp, rollUpAll } from '../../workspace/budgets.ts';
import { rankOf } from '../../workspace/effective-contract.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import type { Knot } from './knots.ts';

export interface Sum {
  readonly effects: readonly string[];
  readonly operation: string | null;
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The entries of the skill on its slowest way. */
  readonly critical: ReadonlySet<number>;
}

/** By URI. `knots` has parts before whoever composes them; all skills of a knot have the same effects. */
export function addUp(
  graph: ResolvedGraph,
  knots: readonly Knot[],
  skillOf: (id: string) => IndexedSkill | undefined,
): ReadonlyMap<string, Sum> {
  const effects = new Map<string, ReadonlySet<string>>();
  const operations = new Map<string, string | null>();
  const endless = new Set<string>();
  const order: IndexedSkill[] = [];
  for (const { ids, isCyclic } of knots) {
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
    for (const skill of skills) {
      // What a skill declares itself comes first.
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

function severest(operations: readonly (string | null | undefined)[]): string | null {
  let found: string | null = null;
  for (const one of operations) if (one && rankOf(one) > rankOf(found ?? undefined)) found = one;
  return found;
}

function amountOf(skill: IndexedSkill | undefined, measure: Measure, rolled: RollUp | undefined): GraphAmount | null {
  const declared = (skill && findDeclared(skill.summary, measure)) ?? null;
  const isSaid = rolled !== undefined && rolled.steps.length > 0 && Number.isFinite(rolled.total);
  const ofParts = isSaid ? rolled.total : null;
  return declared === null && ofParts === null ? null : { declared, ofParts };
}
