import { findValue } from '../../languages/yaml/node.ts';
import { problemsOfAssertions } from '../artifact/assertions.ts';
import type { Rule } from '../engine/rule.ts';
import { schemaProblems } from './schema-problems.ts';

/**
 * Reports a regular expression that takes too long in programs with a backtracking engine that read a skill's schemas or
 * its assertions on outputs. The engine of this project does not backtrack, and these programs do not read the schemas
 * of tools in a catalog.
 */
export const slowPattern: Rule = {
  name: 'slow-pattern',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract'],
  *check(file) {
    const assertions = [
      ...file.metadata.map(({ tree }) => findValue(tree.root, 'assertions')),
      ...file.contract.samples.map(({ value }) => findValue(findValue(value, 'expect'), 'output')),
    ];
    const problems = [...schemaProblems(file), ...assertions.flatMap(problemsOfAssertions)];
    for (const { rule, span, message } of problems) {
      if (rule === 'slow-pattern') yield { span, message };
    }
  },
};
