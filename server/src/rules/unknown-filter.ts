import { unknownBuiltins } from './common/template-code.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a filter that MiniJinja does not have. */
export const unknownFilter: Rule = {
  name: 'unknown-filter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'filter'),
};
