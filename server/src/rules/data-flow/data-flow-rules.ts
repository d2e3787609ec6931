/** Rules about the values in the data flow of a composite (docs/format.md, section 4, "Data flow"). */

import { type Rule, SKILLS } from '../engine/rule.ts';
import { draftsOfFlow } from './checks.ts';

/** A required field that several values in the data flow match equally well. */
export const ambiguousFieldMapping: Rule = {
  name: 'ambiguous-field-mapping',
  number: 'E011',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition', 'output'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'ambiguous-field-mapping'),
};

/** A string whose consumer requires a format that the producer does not guarantee. */
export const formatMismatch: Rule = {
  name: 'format-mismatch',
  number: 'E012',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition', 'output'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'format-mismatch'),
};

/** Reports a required input or output that no value in the data flow of a composite provides. */
export const missingRequiredField: Rule = {
  name: 'missing-required-field',
  number: 'E001',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition', 'output'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'missing-required-field'),
};

/** Reports parallel steps that write the same name to the flow. */
export const parallelOutputs: Rule = {
  name: 'parallel-outputs',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Data flow"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'parallel-outputs'),
};

/** Reports a value whose type does not match the input or output that uses it, and an unknown name in a mapping. */
export const typeMismatch: Rule = {
  name: 'type-mismatch',
  number: 'E002',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gaps"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition', 'output'],
  check: (file, analysis) => draftsOfFlow(analysis, file, 'type-mismatch'),
};

/** Reports a pair of an `input_mapping` that the `inputs` of the step replace. */
export const unusedMapping: Rule = {
  name: 'unused-mapping',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Mappings"' },
  dialects: SKILLS,
  about: 'composition',
  check: (file, analysis) => draftsOfFlow(analysis, file, 'unused-mapping'),
};
