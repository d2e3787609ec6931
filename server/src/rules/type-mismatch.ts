import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A value whose type does not fit what takes it, or a name that one of the two sides does not have. */
export const typeMismatch: Rule = {
  name: 'type-mismatch',
  number: 'E002',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'type-mismatch'),
};
