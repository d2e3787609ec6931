import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A required input or output that nothing in the flow of a composite covers. */
export const missingRequiredField: Rule = {
  name: 'missing-required-field',
  number: 'E001',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'missing-required-field'),
};
