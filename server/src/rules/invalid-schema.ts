import type { Draft } from '../finding.ts';
import type { SchemaProblem } from '../languages/schema/schema.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { schemaProblems } from './common/schema-problems.ts';
import { fixHere, type Rule } from './rule.ts';

export const invalidSchema: Rule = {
  name: 'invalid-schema',
  number: 'E005',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    for (const problem of schemaProblems(file)) {
      if (problem.rule === undefined) yield draftOf(file, problem);
    }
  },
};

const draftOf = (file: SkillFile, { span, message, severity, fix }: SchemaProblem): Draft => ({
  span,
  message,
  fixes: fix ? fixHere(file, fix.title, [{ span: fix.span, newText: fix.newText }]) : [],
  ...(severity ? { severity } : {}),
});
