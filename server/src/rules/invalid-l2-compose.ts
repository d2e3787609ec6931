import { levelConflicts } from './common/composed-skills.ts';
import { type Rule, SKILLS } from './rule.ts';

export const invalidL2Compose: Rule = {
  name: 'invalid-l2-compose',
  number: 'E014',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    yield* levelConflicts(analysis, file, 2, 'A skill of level 2 can compose only skills of level 1');
  },
};
