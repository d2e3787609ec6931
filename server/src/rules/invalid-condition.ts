import { formatScalar } from '../languages/yaml/edit.ts';
import { inFile } from '../skill/conditions.ts';
import { draftOf, valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A condition that is no expression of the template language. */
export const invalidCondition: Rule = {
  name: 'invalid-condition',
  code: 'invalid-condition',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file) {
    for (const problem of valueProblems(file, 'invalid-condition')) yield draftOf(file, problem);
    for (const condition of file.conditions) {
      // One defect often shows itself twice in so short a text; the first is the one to mend.
      const [problem] = condition.expression.problems;
      if (!problem) continue;
      const braces = /^\s*\{\{(.*)\}\}\s*$/s.exec(String(condition.scalar.value));
      if (braces) {
        const { scalar } = condition;
        yield {
          span: scalar.span,
          message: 'A condition is a bare expression: it stands without `{{` and `}}`.',
          fixes: [
            fixHere(
              file,
              'Remove the braces',
              [{ span: scalar.span, newText: formatScalar(braces[1]?.trim() ?? '') }],
              true,
            ),
          ],
        };
        continue;
      }
      yield {
        span: inFile(file.text, condition, problem.span),
        message: problem.message,
        related: problem.related.map((place) => ({
          uri: file.uri,
          span: inFile(file.text, condition, place.span),
          message: place.message,
        })),
      };
    }
  },
};
