import type { Analysis } from '../../analysis/analysis.ts';
import { composedSkills, placeIn, resolvedSkill, valueAt } from '../../analysis/composed-skills.ts';
import type { RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, nodeAt } from '../../languages/yaml/node.ts';
import {
  amountIn,
  findDeclared,
  MEASURES,
  type Measure,
  PATHS,
  type RolledStep,
  rollUp,
} from '../../workspace/budgets.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** A composite that declares a budget below the sum of its composed skills' budgets. */
export const budgetExceeded: Rule = {
  name: 'budget-exceeded',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Budgets"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    const policy = findValue(file.frontmatter.tree.root, 'policy');
    if (!root || root.summary.composes.length === 0 || policy?.kind !== 'map') return;
    const wayBack = analysis.graph.waysBackOf(root);
    if (composedSkills(analysis, file).some(({ skill }) => wayBack(skill.uri))) return;
    for (const measure of MEASURES) {
      const node = nodeAt(policy, PATHS[measure]);
      const declared = findDeclared(root.summary, measure);
      if (node?.kind !== 'scalar' || declared === undefined) continue;
      const { total, steps } = rollUp(analysis.graph, root, measure);
      // The sum can overflow if many skills are composed along several paths.
      if (total <= declared || !Number.isFinite(total)) continue;
      const { key, kind, better } = MEASURE_TEXTS[measure];
      yield {
        span: node.span,
        message: `\`${key}\` allows ${amountIn(measure, declared)}, but the composed skills add up to ${amountIn(measure, total)}${kind}${attemptsIn(steps)}. Raise the limit, or ${steps.some(isRetried) ? 'lower `max_attempts`' : `compose ${better} skills`}.`,
        measure: { of: measure, amount: total },
        related: relatedSteps(analysis, steps, measure),
        fixes: fixHere(file, `Raise \`${key}\` to ${total}`, setScalar(file.text, node, total)),
      };
    }
  },
};

const isRetried = ({ attempts }: RolledStep): boolean => attempts !== undefined;

/** Returns the end of a clause about the attempts of steps. */
function attemptsIn(steps: readonly RolledStep[]): string {
  const [first, ...others] = steps.filter(isRetried);
  if (!first) return '';
  return others.length > 0
    ? ', with all attempts'
    : `, with ${first.attempts} attempts of \`${first.composedSkill.step}\``;
}

const MEASURE_TEXTS: Readonly<
  Record<Measure, { readonly key: string; readonly kind: string; readonly better: string }>
> = {
  p95_ms: { key: 'p95_ms', kind: ' along the slowest path', better: 'faster' },
  p99_ms: { key: 'p99_ms', kind: ' along the slowest path', better: 'faster' },
  timeout_ms: { key: 'timeout_ms', kind: ' along the slowest path', better: 'faster' },
  cost_usd: { key: 'cost_usd', kind: '', better: 'cheaper' },
};

const REASONS: Readonly<Record<RolledStep['as'], string>> = {
  step: '',
  slowest: ', the slowest of the parallel steps',
  dearest: ', the most expensive arm of its branch',
};

/** Returns the steps that add up to the sum, each at the location where its skill declares the amount. */
function relatedSteps(analysis: Analysis, steps: readonly RolledStep[], measure: Measure): readonly RelatedLocation[] {
  let total = 0;
  return steps.slice(0, 30).flatMap(({ composedSkill: { step, skill }, amount: own, attempts, as }) => {
    total = Number((total + own).toPrecision(12));
    const each = attempts === undefined ? '' : ` (${attempts} attempts of ${amountIn(measure, own / attempts)})`;
    const message = `\`${step}\` adds ${amountIn(measure, own)}${each}${REASONS[as]}: ${amountIn(measure, total)} so far`;
    const declared = placeIn(analysis, skill, valueAt('policy', ...PATHS[measure]), message);
    // A skill that declares no amount has the sum of its composed skills' amounts. The related location is then its
    // name.
    return declared.length > 0 ? declared : placeIn(analysis, skill, (contract) => contract.name, message);
  });
}
