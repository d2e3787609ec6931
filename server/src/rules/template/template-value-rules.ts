/** Rules about the filters, tests and values in templates that MiniJinja refuses. */
import { typeProblems, unknownBuiltins } from '../../analysis/template-code.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

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

/** Reports a filter that MiniJinja does not have. */
export const unknownFilter: Rule = {
  name: 'unknown-filter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'filter'),
};

/** Reports a test (`x is …`) that MiniJinja does not have. */
export const unknownTest: Rule = {
  name: 'unknown-test',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'test'),
};
