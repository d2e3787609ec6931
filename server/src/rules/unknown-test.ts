import { unknownBuiltins } from './common/template-code.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a test (`x is …`) that MiniJinja does not have. */
export const unknownTest: Rule = {
  name: 'unknown-test',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'test'),
};
