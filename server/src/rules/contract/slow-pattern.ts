import { problemsOfAssertions } from '../artifact/assertions.ts';
import type { Rule } from '../engine/rule.ts';
import { schemaProblems } from './schema-problems.ts';

/**
 * Reports a regular expression that may take too long in engines that backtrack. The engine of this project does not
 * backtrack.
 */
export const slowPattern: Rule = {
  name: 'slow-pattern',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    const problems = [...schemaProblems(file), ...file.metadata.flatMap(problemsOfAssertions)];
    for (const { rule, span, message } of problems) {
      if (rule === 'slow-pattern') yield { span, message };
    }
  },
};
