import { formatScalar } from '../languages/yaml/edit.ts';
import { didYouMean } from '../nearest.ts';
import { inFile } from '../skill/conditions.ts';
import { REFERENCE } from '../skill/execution/execution.ts';
import { type Span, shift } from '../text.ts';
import { replaceName } from './common/name-fixes.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

const REFERENCE_AT = new RegExp(`^${REFERENCE.source}`);

/** A condition that is not an expression of the template language. */
export const invalidCondition: Rule = {
  name: 'invalid-condition',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
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
      const [reference, source = '', path = ''] =
        condition.place === 'execution'
          ? []
          : (REFERENCE_AT.exec(String(scalar.value).slice(problem.span.start)) ?? []);
      if (reference !== undefined) {
        const span = inFile(file.text, condition, shift({ start: 0, end: reference.length }, problem.span.start));
        const right = source === 'input' && path !== '' ? [path.slice(1)] : [];
        const advice = didYouMean(right) || ' Use a parameter.';
        yield {
          span,
          message: `Only conditions of steps can use references such as \`${reference}\`.${advice}`,
          fixes: replaceName(file, [span], right),
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
