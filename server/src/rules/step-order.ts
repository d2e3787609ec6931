import { visitExecution } from './common/steps.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a reference to the output of a step that has not run yet. */
export const stepOrder: Rule = {
  name: 'step-order',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file) {
    const visit = visitExecution(file);
    if (!visit) return;
    const known = new Set(file.contract.composes.map(({ step }) => step));
    for (const { source, span, ran } of visit.references) {
      if (source === 'input' || !known.has(source) || ran.has(source)) continue;
      const step = visit.steps.find(({ name }) => name === source);
      // `unused-step` reports a skill that never runs.
      if (!step) continue;
      yield {
        span,
        message: `\`${source}\` has not run yet at this point, so it has no output. Run it before this step, and not in the same parallel group.`,
        related: [{ uri: file.uri, span: step.span, message: `\`${source}\` runs here` }],
      };
    }
  },
};
