import { FILTERS, findElsewhere } from '../languages/minijinja/builtins/builtins.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { templateCode } from './common/expressions.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A filter that MiniJinja does not have. It notices only when the filter is called, in the middle of a run. */
export const unknownFilter: Rule = {
  name: 'unknown-filter',
  code: 'unknown-filter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  *check(file) {
    for (const { scopes, place, isHalfTyped } of templateCode(file)) {
      for (const { name, span: within } of scopes.filters) {
        if (name === '' || FILTERS.has(name) || isHalfTyped(within)) continue;
        const span = place(within);
        const elsewhere = findElsewhere('filter', name);
        const near = nearestNames(name, FILTERS.keys());
        const why = elsewhere ? ` It comes only with ${elsewhere.since}.` : didYouMean(near);
        yield {
          span,
          message: `MiniJinja 2.11 has no filter \`${name}\`, so rendering fails here.${why}`,
          fixes: near.map((right) => fixHere(file, `Replace with \`${right}\``, [{ span, newText: right }])),
        };
      }
    }
  },
};
