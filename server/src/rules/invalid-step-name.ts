import type { Fix } from '../finding.ts';
import { formatScalar, insertEntry } from '../languages/yaml/edit.ts';
import { listItems } from '../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../skill/contract.ts';
import { type StepNameProblem, stepNameProblems } from '../skill/execution/name-problems.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { contains, sliceOf, type TextEdit } from '../text.ts';
import { removeFromList } from './common/removals.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { visitExecution } from './common/steps.ts';
import { fixHere, placesHere, type Rule, SKILLS } from './rule.ts';

/** Reports step names that two entries of `composes` share, and names to which no reference can refer. */
export const invalidStepName: Rule = {
  name: 'invalid-step-name',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Step names"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file) {
    const problems = stepNameProblems(file);
    for (const problem of problems) {
      const entry = file.contract.composes[problem.entry];
      if (!entry) continue;
      const { span, message, advice, first } = problem;
      yield {
        span,
        message: `${message} ${advice}`,
        related: first ? placesHere(file, [{ span: first }], `\`${entry.step}\` is first used here`) : [],
        fixes: fixesOf(file, entry, problem),
      };
    }
    const reported = new Set(problems.map(({ span }) => span.start));
    for (const problem of valueProblems(file, 'invalid-step-name')) {
      if (!reported.has(problem.span.start)) yield draftOf(file, problem);
    }
  },
};

/** Returns the fix that renames a step and, for a duplicate name, the fix that removes its entry. */
function fixesOf(file: SkillFile, entry: ComposesEntry, { free, first }: StepNameProblem): readonly Fix[] {
  const { name, step, span } = entry;
  const rename = nameStep(file, entry, free);
  // Steps and references with a duplicate name may mean the first entry, so they keep the name.
  if (!first) return fixHere(file, `Name this step \`${free}\``, [...rename, ...renameSteps(file, step, free)]);
  return [
    ...fixHere(file, `Name this step \`${free}\``, rename),
    ...removeFromList(file, 'composes', span, `Remove this \`${name}\` from \`composes\``),
  ];
}

function nameStep({ text, frontmatter }: SkillFile, { as, span }: ComposesEntry, name: string): readonly TextEdit[] {
  if (as) return [{ span: as.span, newText: name }];
  const item = listItems(findSkillEntry(frontmatter.tree.root, 'composes')?.value).find((one) =>
    contains(one.span, span),
  );
  if (item?.kind === 'map') return insertEntry(text, item, 'as', formatScalar(name, true), { after: 'skill' });
  const source = sliceOf(text, span);
  return /^[*&!]/.test(source) ? [] : [{ span, newText: `{skill: ${source}, as: ${name}}` }];
}

const renameSteps = (file: SkillFile, step: string, newText: string): readonly TextEdit[] =>
  (visitExecution(file)?.steps ?? []).filter(({ name }) => name === step).map(({ span }) => ({ span, newText }));
