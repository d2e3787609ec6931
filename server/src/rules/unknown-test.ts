import { TESTS } from '../languages/minijinja/builtins/builtins.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { templateCode } from './common/expressions.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A test (`x is …`) that MiniJinja does not have. It notices only when the test is made, in the middle of a run. */
export const unknownTest: Rule = {
  name: 'unknown-test',
  code: 'unknown-test',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  *check(file) {
    for (const { scopes, place, isHalfTyped } of templateCode(file)) {
      for (const { name, span: within } of scopes.tests) {
        if (name === '' || TESTS.has(name) || isHalfTyped(within)) continue;
        const span = place(within);
        const near = nearestNames(name, TESTS.keys());
        yield {
          span,
          message: `MiniJinja 2.11 has no test \`${name}\`, so rendering fails here.${didYouMean(near)}`,
          fixes: near.map((right) => fixHere(file, `Replace with \`${right}\``, [{ span, newText: right }])),
        };
      }
    }
  },
};
