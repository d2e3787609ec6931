import type { Draft } from '../finding.ts';
import { isComposite } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { ShapeProblem } from '../vocabulary/check-shape.ts';
import { draftOfMissingKey, hasFrontmatter } from './common/insert-key.ts';
import { keyProblems } from './common/shape-problems.ts';
import type { Rule } from './rule.ts';

export const missingKey: Rule = {
  name: 'missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    if (file.dialect !== 'catalog' && !hasFrontmatter(file)) return;
    for (const problem of keyProblems(file, 'missing-key')) {
      if (!isSchemaOfComposite(file, problem)) yield draftOf(file, problem);
    }
  },
};

/** At levels 2 and 3 a missing schema breaks a rule of its own, `missing-input-schema`. */
const isSchemaOfComposite = ({ contract }: SkillFile, { key, depth }: ShapeProblem): boolean =>
  depth === 0 && key === 'input_schema' && isComposite(contract);

function draftOf(file: SkillFile, { key, depth, span, message }: ShapeProblem): Draft {
  if (depth > 0) return { span, message };
  const draft = draftOfMissingKey(file, key, span, WHY.get(key) ?? '');
  return WHY.get(key) ? draft : { ...draft, message };
}

const WHY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: "nothing can refer to it. Give it the file's name: lower-case words joined by hyphens.",
    description: 'neither people nor planners can tell when to use it. Say what the skill does and when to use it.',
    version: 'nobody can depend on a certain state of it. Add a semantic version such as `1.0.0`.',
    input_schema: 'nobody knows what to pass to it. Declare the parameters, `{}` if there are none.',
  }),
);
