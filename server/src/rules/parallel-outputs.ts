import { draftsOfFlow } from './common/data-flow/checks.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports parallel steps that write the same name to the flow. */
export const parallelOutputs: Rule = {
  name: 'parallel-outputs',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Data flow"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'parallel-outputs'),
};
