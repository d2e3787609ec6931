import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A string whose consumer requires a format that the producer does not guarantee. */
export const formatMismatch: Rule = {
  name: 'format-mismatch',
  number: 'E012',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'format-mismatch'),
};
