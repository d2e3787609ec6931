import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a pair of an `input_mapping` that the `inputs` of the step replace. */
export const unusedMapping: Rule = {
  name: 'unused-mapping',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Mappings"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'unused-mapping'),
};
