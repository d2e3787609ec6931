import { didYouMean, nearestNames } from '../nearest.ts';
import { declareIn, replaceName } from './common/name-fixes.ts';
import { visitExecution } from './common/steps.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a step, or a reference to a step, without an entry in `composes`. */
export const unknownStep: Rule = {
  name: 'unknown-step',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file) {
    const visit = visitExecution(file);
    if (!visit) return;
    const known = new Set(file.contract.composes.map(({ step }) => step));
    const unknown = new Set<string>();
    for (const { name, span } of visit.steps) {
      if (known.has(name) || unknown.has(name)) continue;
      unknown.add(name);
      const near = nearestNames(name, known);
      yield {
        span,
        message: `Unknown step \`${name}\`.${didYouMean(near) || ' Add it to `composes`.'}`,
        fixes: [
          ...replaceName(file, [span], near),
          ...declareIn(file, 'composes', name, `Add \`${name}\` to \`composes\``),
        ],
      };
    }
    for (const { source, sourceSpan } of visit.references) {
      // The loop above already reports an unknown step.
      if (source === 'input' || known.has(source) || unknown.has(source)) continue;
      const near = nearestNames(source, [...known, 'input']);
      yield {
        span: sourceSpan,
        message: `Unknown step \`$${source}\`.${didYouMean(near.map((right) => `$${right}`)) || ' Use `$input` or a step of this skill.'}`,
        fixes: replaceName(
          file,
          [sourceSpan],
          near.map((name) => `$${name}`),
        ),
      };
    }
  },
};
