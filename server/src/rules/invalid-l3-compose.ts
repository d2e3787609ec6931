import { misplacedParts } from './common/levels.ts';
import { type Rule, SKILLS } from './rule.ts';

export const invalidL3Compose: Rule = {
  name: 'invalid-l3-compose',
  number: 'E015',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    yield* misplacedParts(analysis, file, 3, 'A skill of level 3 composes skills of levels 1 and 2 only');
  },
};
