import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A required input or output that nothing in the flow of a composite covers. */
export const missingRequiredField: Rule = {
  name: 'missing-required-field',
  code: 'E001',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 3; skill-format.md, section 4' },
  dialects: SKILLS,
  readsHeadOnly: true,
  check: (index, document) => draftsOfFlow(index, document, 'missing-required-field'),
};
