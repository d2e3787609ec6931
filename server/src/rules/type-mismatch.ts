import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a value whose type does not match the input or output that uses it, and an unknown name in a mapping. */
export const typeMismatch: Rule = {
  name: 'type-mismatch',
  number: 'E002',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'type-mismatch'),
};
