import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A required field that several values in the data flow match equally well. */
export const ambiguousFieldMapping: Rule = {
  name: 'ambiguous-field-mapping',
  number: 'E011',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'ambiguous-field-mapping'),
};
