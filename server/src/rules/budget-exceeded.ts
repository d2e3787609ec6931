import type { Analysis } from '../analysis/analysis.ts';
import type { RelatedLocation } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue, nodeAt } from '../languages/yaml/node.ts';
import {
  amountIn,
  findDeclared,
  MEASURES,
  type Measure,
  PATHS,
  type RolledStep,
  rollUp,
} from '../workspace/budgets.ts';
import { composedSkills, placeIn, resolvedSkill, valueAt } from './common/composed-skills.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A composite that declares less than its composed skills add up to. */
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
      // The sum over many diamonds can overflow.
      if (total <= declared || !Number.isFinite(total)) continue;
      const { key, kind } = MEASURE_TEXTS[measure];
      yield {
        span: node.span,
        message: `\`${key}\` allows ${amountIn(measure, declared)}, but the composed skills add up to ${amountIn(measure, total)}${kind}. Raise it, or compose cheaper skills.`,
        measure: { of: measure, amount: total },
        related: relatedSteps(analysis, steps, measure),
        fixes: fixHere(file, `Raise \`${key}\` to ${total}`, setScalar(file.text, node, total)),
      };
    }
  },
};

const MEASURE_TEXTS: Readonly<Record<Measure, { readonly key: string; readonly kind: string }>> = {
  p95_ms: { key: 'p95_ms', kind: ' along the slowest path' },
  p99_ms: { key: 'p99_ms', kind: ' along the slowest path' },
  timeout_ms: { key: 'timeout_ms', kind: ' along the slowest path' },
  cost_usd: { key: 'cost_usd', kind: '' },
};

const REASONS: Readonly<Record<RolledStep['as'], string>> = {
  step: '',
  slowest: ', the slowest of the parallel steps',
  dearest: ', the most expensive arm of its branch',
};

/** Returns the steps of the sum, each at the amount that its skill declares. */
function relatedSteps(analysis: Analysis, steps: readonly RolledStep[], measure: Measure): readonly RelatedLocation[] {
  let total = 0;
  return steps.slice(0, 30).flatMap(({ part: { step, skill }, amount: own, as }) => {
    total = Number((total + own).toPrecision(12));
    const message = `\`${step}\` adds ${amountIn(measure, own)}${REASONS[as]}: ${amountIn(measure, total)} so far`;
    const declared = placeIn(analysis, skill, valueAt('policy', ...PATHS[measure]), message);
    // The amount of a skill that declares nothing is the sum of its own composed skills.
    return declared.length > 0 ? declared : placeIn(analysis, skill, (contract) => contract.name, message);
  });
}
