import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A text whose format the consumer demands and the producer does not promise. */
export const formatMismatch: Rule = {
  name: 'format-mismatch',
  code: 'E012',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 3; skill-format.md, section 4' },
  dialects: SKILLS,
  readsHeadOnly: true,
  check: (index, document) => draftsOfFlow(index, document, 'format-mismatch'),
};
