import { executionProblems } from '../../skill/execution/execution-problems.ts';
import { draftOf, fixesOf, valueProblems } from '../any-file/shape-problems.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** An execution block that cannot run as written. */
export const invalidExecution: Rule = {
  name: 'invalid-execution',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file) {
    const problems = executionProblems(file);
    for (const { span, message, advice, fixes } of problems) {
      yield { span, message: `${message} ${advice}`, fixes: fixesOf(file, fixes) };
    }
    const reported = new Set(problems.flatMap(({ span, valueSpan = span }) => [span.start, valueSpan.start]));
    for (const problem of valueProblems(file, 'invalid-execution')) {
      if (!reported.has(problem.span.start)) yield draftOf(file, problem);
    }
  },
};
