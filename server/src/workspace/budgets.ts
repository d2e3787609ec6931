/** Sums of the budgets of composed skills (docs/format.md, section 4, "Budgets"). */
import { formatDollars, formatDuration } from '../format-amounts.ts';
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { ResolvedEntry } from './composition-lookups.ts';
import { type OrderNode, orderOf } from './order.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** A budget key: milliseconds along the critical path, or the total in US dollars. */
export type Measure = 'p95_ms' | 'p99_ms' | 'timeout_ms' | 'cost_usd';

/** Formats an amount, in milliseconds or US dollars, for people: `1.5 s`, `$0.02`. */
export const amountIn = (measure: Measure, total: number): string =>
  measure === 'cost_usd' ? formatDollars(total) : formatDuration(total);

export const MEASURES: readonly Measure[] = ['p95_ms', 'p99_ms', 'timeout_ms', 'cost_usd'];

/** The path of each measure below `policy`. */
export const PATHS: Readonly<Record<Measure, readonly string[]>> = {
  p95_ms: ['budget', 'p95_ms'],
  p99_ms: ['budget', 'p99_ms'],
  timeout_ms: ['timeout_ms'],
  cost_usd: ['budget', 'cost_usd'],
};

export interface RollUp {
  /** A lower bound: a skill without declared amounts and without composed skills counts as zero. */
  readonly total: number;
  /** The steps that contribute to the total, in order: the steps of the critical path, or all steps with a cost. */
  readonly steps: readonly RolledStep[];
}

export interface RolledStep {
  readonly composedSkill: ResolvedEntry;
  readonly amount: number;
  /** For `timeout_ms`: the number of attempts, if there are several. */
  readonly attempts?: number;
  /**
   * `slowest` marks a part of the slowest parallel step, and `dearest` a part of the most expensive arm of a branch.
   * The other parallel steps or arms are not in the total.
   */
  readonly as: 'step' | 'slowest' | 'dearest';
}

const NOTHING: RollUp = { total: 0, steps: [] };

/**
 * Returns the amount that a skill declares for `measure`, in milliseconds or US dollars; undefined without a finite
 * number of at least 0. Never throws.
 */
export function findDeclared({ policy }: Pick<SkillSummary, 'policy'>, measure: Measure): number | undefined {
  let value: Json | undefined = policy;
  for (const key of PATHS[measure]) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * Returns the total of the skills that `root` composes: the sum of sequential steps, the slowest parallel step
 * (for dollars, the sum of parallel steps), and the arm of a branch with the largest total. Uses the declared amount of
 * a skill, or else the total of its composed skills; a timeout counts once for each attempt. Never throws; each skill of a cycle counts once. Implements
 * docs/format.md, section 4, "Budgets".
 */
export function rollUp(graph: ResolvedGraph, root: IndexedSkill, measure: Measure): RollUp {
  const totals = new Map<string, number>();
  for (const skill of graph.closureOf(root)) {
    const declared = findDeclared(skill.summary, measure);
    totals.set(skill.uri, declared ?? sumOfComposed(graph, skill, measure, totals).total);
  }
  return sumOfComposed(graph, root, measure, totals);
}

/**
 * Returns the roll-up of each skill by URI. `order` lists composed skills before their composites, and contains no
 * cycles. Never throws.
 */
export function rollUpAll(
  graph: ResolvedGraph,
  order: readonly IndexedSkill[],
  measure: Measure,
): ReadonlyMap<string, RollUp> {
  const totals = new Map<string, number>();
  const rolledUp = new Map<string, RollUp>();
  for (const skill of order) {
    const rolled = sumOfComposed(graph, skill, measure, totals);
    rolledUp.set(skill.uri, rolled);
    totals.set(skill.uri, findDeclared(skill.summary, measure) ?? rolled.total);
  }
  return rolledUp;
}

function sumOfComposed(
  graph: ResolvedGraph,
  skill: IndexedSkill,
  measure: Measure,
  totals: ReadonlyMap<string, number>,
): RollUp {
  const composed = graph.composedSkillsOf(skill);
  if (!composed.some((one) => (totals.get(one.skill.uri) ?? 0) > 0)) return NOTHING;
  const entries = new Map(composed.map((composedSkill) => [composedSkill.entry, composedSkill]));
  const ofStep = ({ entry, attempts: own }: Extract<OrderNode, { kind: 'step' }>): RollUp => {
    const composedSkill = entries.get(entry);
    const once = composedSkill ? (totals.get(composedSkill.skill.uri) ?? 0) : 0;
    if (!composedSkill || once === 0) return NOTHING;
    const attempts = measure === 'timeout_ms' ? (own ?? composedSkill.skill.summary.attempts) : 1;
    const amount = rounded(once * attempts);
    return {
      total: amount,
      steps: [{ composedSkill, amount, as: 'step', ...(attempts > 1 && { attempts }) }],
    };
  };
  const ofNode = (node: OrderNode): RollUp => {
    if (node.kind === 'step') return ofStep(node);
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

/** Returns the largest roll-up, or the first of several equally large roll-ups. */
function largest(rolled: readonly RollUp[], as: RolledStep['as']): RollUp {
  const top = rolled.reduce((best, one) => (one.total > best.total ? one : best), NOTHING);
  return rolled.length < 2 ? top : { total: top.total, steps: top.steps.map((step) => ({ ...step, as })) };
}

/** Removes rounding errors of binary fractions. */
const rounded = (amount: number): number => Number(amount.toPrecision(12));
