import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a required input or output that no value in the data flow of a composite provides. */
export const missingRequiredField: Rule = {
  name: 'missing-required-field',
  number: 'E001',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'missing-required-field'),
};
