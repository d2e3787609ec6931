import { typeProblems } from './common/template-code.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a value or an argument that MiniJinja refuses: a loop over a number, a filter for another type. */
export const refusedValue: Rule = {
  name: 'refused-value',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/templates.md, "Types"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  *check(file, analysis) {
    for (const { kind, place, message, isCertain, fileFixes } of typeProblems(analysis, file).flat()) {
      if (kind !== 'refused-value' && kind !== 'argument') continue;
      yield { span: place, message, fixes: fileFixes, ...(isCertain ? {} : { severity: 'warning' }) };
    }
  },
};
