import { didYouMean, nearestNames } from '../nearest.ts';
import { isName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import { declareIn, replaceName } from './common/name-fixes.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
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
    const invalid = new Set<number>();
    for (const problem of valueProblems(file, 'unknown-step')) {
      // `invalid-step-name` reports an entry whose name is a number, too.
      if (known.has(sliceOf(file.text, problem.span))) continue;
      invalid.add(problem.span.start);
      yield draftOf(file, problem);
    }
    for (const { name, span } of visit.steps) {
      if (known.has(name) || unknown.has(name) || invalid.has(span.start)) continue;
      unknown.add(name);
      const near = stepsMeant(file, name, known);
      const canDeclare = isName(name) && !near.exact;
      yield {
        span,
        message: `Unknown step \`${name}\`.${didYouMean(near.names) || ' Add it to `composes`.'}`,
        fixes: [
          ...replaceName(file, [span], near.names),
          ...(canDeclare ? declareIn(file, 'composes', name, `Add \`${name}\` to \`composes\``) : []),
        ],
      };
    }
    const sources = new Set([...known, 'input']);
    for (const { source, sourceSpan, within, path } of visit.references) {
      // The loop above already reports an unknown step.
      if (sources.has(source) || unknown.has(source)) continue;
      const { names } = stepsMeant(file, source, sources);
      // Text may contain a `$` that does not begin a reference.
      if (within === 'text' && names.length === 0 && path[0]?.name !== 'output') continue;
      const rights = names.map((right) => `$${right}`);
      yield {
        span: sourceSpan,
        message: `Unknown step \`$${source}\`.${didYouMean(rights) || ' Use `$input` or a step of this skill.'}`,
        fixes: replaceName(file, [sourceSpan], rights),
      };
    }
  },
};

/** The steps that an unknown name means. `exact`: the name is certain, but not written as a step is. */
interface StepsMeant {
  readonly names: readonly string[];
  readonly exact: boolean;
}

/** Returns the steps of a skill that has another step name, the step of a reference, or the steps with similar names. */
function stepsMeant({ contract }: SkillFile, name: string, known: ReadonlySet<string>): StepsMeant {
  const [, source = ''] = /^\s*\$?([\w-]+)(?:\.[\w.-]*)?\s*$/.exec(name) ?? [];
  if (source !== name && known.has(source)) return { names: [source], exact: true };
  const renamed = contract.composes.flatMap((entry) => (entry.as && entry.name === name ? [entry.step] : []));
  if (renamed.length > 0) return { names: renamed.slice(0, 3), exact: true };
  return { names: nearestNames(name, known), exact: false };
}
