import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { isCalled, type Rule } from './rule.ts';

/** A comment that suppresses nothing. `check.ts` finds them after all other rules; this rule gives them a name and a severity. */
export const unusedSuppression: Rule = {
  name: 'unused-suppression',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Severities"' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  isSuppressible: false,
  check: () => [],
};

/** `isDecided` says of a rule whether it is known that nothing needs its suppression. */
export function* draftsOfUnused(
  unused: readonly Suppression[],
  table: readonly Rule[],
  isDecided: (rule: Rule) => boolean,
): Iterable<Draft> {
  for (const { rule: name, span } of unused) {
    const rule = table.find((candidate) => isCalled(candidate, name));
    if (!rule) {
      const near = didYouMean(
        nearestNames(
          name,
          table.map((candidate) => candidate.name),
        ),
      );
      yield { span, message: `There is no rule \`${name}\`.${near}`, tag: 'unnecessary' };
    } else if (isDecided(rule)) {
      yield {
        span,
        message: `Nothing on the next line is reported by \`${name}\`. Remove this comment.`,
        tag: 'unnecessary',
      };
    }
  }
}
