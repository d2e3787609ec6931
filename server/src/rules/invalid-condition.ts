import { formatScalar } from '../languages/yaml/edit.ts';
import { inFile } from '../skill/conditions.ts';
import type { Span } from '../text.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A condition that is not an expression of the template language. */
export const invalidCondition: Rule = {
  name: 'invalid-condition',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  prevents: ['template'],
  *check(file) {
    for (const problem of valueProblems(file, 'invalid-condition')) yield draftOf(file, problem);
    for (const condition of file.conditions) {
      // One defect in a short string often causes several problems, so only the first is reported.
      const [problem] = condition.expression.problems;
      if (!problem) continue;
      const { scalar } = condition;
      const braces = /^\s*\{\{(.*)\}\}\s*$/s.exec(String(scalar.value));
      if (braces) {
        const edits = [{ span: scalar.span, newText: formatScalar(braces[1]?.trim() ?? '') }];
        yield {
          span: scalar.span,
          message: 'A condition is an expression without `{{` and `}}`. Remove the braces.',
          fixes: fixHere(file, 'Remove the braces', edits, true),
        };
        continue;
      }
      const placeOf = (span: Span) => inFile(file.text, condition, span);
      yield {
        span: placeOf(problem.span),
        message: problem.message,
        related: problem.related.map(({ span, message }) => ({ uri: file.uri, span: placeOf(span), message })),
      };
    }
  },
};
