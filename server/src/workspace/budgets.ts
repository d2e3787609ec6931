/** How the budgets of parts add up in a composite (docs/format.md, section 4, "Budgets"). */
import { dollars, duration } from '../amounts.ts';
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { SkillSummary } from '../skill/summary.ts';
import { type OrderNode, orderOf } from './order.ts';
import type { Part } from './parts-and-composers.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** Milliseconds along the critical path, or US dollars in all. */
export type Measure = 'p95_ms' | 'p99_ms' | 'timeout_ms' | 'cost_usd';

/** An amount for people. */
export const amountIn = (measure: Measure, total: number): string =>
  measure === 'cost_usd' ? dollars(total) : duration(total);

export const MEASURES: readonly Measure[] = ['p95_ms', 'p99_ms', 'timeout_ms', 'cost_usd'];

/** Where a measure stands under `policy`. */
export const PATHS: Readonly<Record<Measure, readonly string[]>> = {
  p95_ms: ['budget', 'p95_ms'],
  p99_ms: ['budget', 'p99_ms'],
  timeout_ms: ['timeout_ms'],
  cost_usd: ['budget', 'cost_usd'],
};

export interface RollUp {
  /** A lower limit: a part that neither declares nor composes anything counts as zero. */
  readonly total: number;
  /** The steps that make up the total, in order: those of the critical path, or all that cost. */
  readonly steps: readonly RolledStep[];
}

export interface RolledStep {
  readonly part: Part;
  readonly amount: number;
  /** Why the step stands for others that run beside it or instead of it. */
  readonly as: 'step' | 'slowest' | 'dearest';
}

const NOTHING: RollUp = { total: 0, steps: [] };

/** What a skill declares; undefined where it declares nothing, or no amount. */
export function findDeclared({ policy }: Pick<SkillSummary, 'policy'>, measure: Measure): number | undefined {
  let value: Json | undefined = policy;
  for (const key of PATHS[measure]) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * What the parts of a skill add up to, from their own declarations, else from what their parts add up to: steps one after
 * another as a sum, steps side by side as their slowest (their sum in dollars), a branch as its dearest arm, a
 * speculation in full. Of a cycle each skill counts once.
 */
export function rollUp(graph: ResolvedGraph, root: IndexedSkill, measure: Measure): RollUp {
  const totals = new Map<string, number>();
  for (const skill of graph.closureOf(root)) {
    const declared = findDeclared(skill.summary, measure);
    totals.set(skill.uri, declared ?? ofParts(graph, skill, measure, totals).total);
  }
  return ofParts(graph, root, measure, totals);
}

/**
 * What the parts of each skill add up to, by URI. `order` has parts before the skills that
 * compose them, and no cycles.
 */
export function rollUpAll(
  graph: ResolvedGraph,
  order: readonly IndexedSkill[],
  measure: Measure,
): ReadonlyMap<string, RollUp> {
  const totals = new Map<string, number>();
  const rolledUp = new Map<string, RollUp>();
  for (const skill of order) {
    const rolled = ofParts(graph, skill, measure, totals);
    rolledUp.set(skill.uri, rolled);
    totals.set(skill.uri, findDeclared(skill.summary, measure) ?? rolled.total);
  }
  return rolledUp;
}

function ofParts(
  graph: ResolvedGraph,
  skill: IndexedSkill,
  measure: Measure,
  totals: ReadonlyMap<string, number>,
): RollUp {
  const parts = new Map(graph.partsOf(skill).map((part) => [part.entry, part]));
  const ofStep = (entry: number): RollUp => {
    const part = parts.get(entry);
    const amount = part ? (totals.get(part.skill.uri) ?? 0) : 0;
    return part && amount > 0 ? { total: amount, steps: [{ part, amount, as: 'step' }] } : NOTHING;
  };
  const ofNode = (node: OrderNode): RollUp => {
    if (node.kind === 'step') return ofStep(node.entry);
    if (node.kind === 'branch') return largest(node.arms.map(ofSequence), 'dearest');
    const rolled = node.steps.map(ofNode);
    return measure === 'cost_usd' ? sum(rolled) : largest(rolled, 'slowest');
  };
  const ofSequence = (nodes: readonly OrderNode[]): RollUp => sum(nodes.map(ofNode));
  return ofSequence(orderOf(graph, skill));
}

const sum = (rolled: readonly RollUp[]): RollUp => ({
  total: rounded(rolled.reduce((total, one) => total + one.total, 0)),
  steps: rolled.flatMap(({ steps }) => steps),
});

/** The first of the largest. */
function largest(rolled: readonly RollUp[], as: RolledStep['as']): RollUp {
  const top = rolled.reduce((best, one) => (one.total > best.total ? one : best), NOTHING);
  return rolled.length < 2 ? top : { total: top.total, steps: top.steps.map((step) => ({ ...step, as })) };
}

/** Without the rounding errors of binary fractions. */
const rounded = (amount: number): number => Number(amount.toPrecision(12));
