import { hasSoundExecution } from './common/data-flow/data-flow.ts';
import { removeFromList } from './common/removals.ts';
import { visitExecution } from './common/steps.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a composed skill that no step of the execution block runs. */
export const unusedStep: Rule = {
  name: 'unused-step',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file) {
    const visit = visitExecution(file);
    // In an execution block that cannot run, an invalid step may be meant to run an entry that seems unused.
    if (!visit || !hasSoundExecution(file)) return;
    const run = new Set(visit.steps.map(({ name }) => name));
    const known = new Set(file.contract.composes.map(({ step }) => step));
    // A step without an entry may be a misspelling of an entry that seems unused; `unknown-step` reports the step.
    if ([...run].some((name) => !known.has(name))) return;
    for (const { step, span } of file.contract.composes) {
      if (run.has(step)) continue;
      yield {
        span,
        message: `\`${step}\` is composed, but no step of \`execution\` runs it. Add a step, or remove the entry.`,
        tag: 'unnecessary',
        fixes: removeFromList(file, 'composes', span, `Remove \`${step}\` from \`composes\``),
      };
    }
  },
};
