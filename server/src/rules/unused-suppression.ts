import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { isNamed, type Rule } from './rule.ts';

/**
 * The name and severity of findings about comments that suppress nothing. `check.ts` adds such findings after all other
 * rules.
 */
export const unusedSuppression: Rule = {
  name: 'unused-suppression',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Severities"' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  isSuppressible: false,
  check: () => [],
};

/**
 * Returns the findings for unused suppressions. `isDecided` returns false if a finding of a rule may still be missing.
 */
export function* unusedSuppressionDrafts(
  unused: readonly Suppression[],
  table: readonly Rule[],
  isDecided: (rule: Rule) => boolean,
): Iterable<Draft> {
  for (const { rule: name, span } of unused) {
    const rule = table.find((candidate) => isNamed(candidate, name));
    if (!rule) {
      const near = didYouMean(
        nearestNames(
          name,
          table.map((candidate) => candidate.name),
        ),
      );
      yield { span, message: `Unknown rule \`${name}\`.${near || ' Remove this comment.'}`, tag: 'unnecessary' };
    } else if (isDecided(rule)) {
      yield {
        span,
        message: `\`${name}\` reports nothing on the next line. Remove this comment.`,
        tag: 'unnecessary',
      };
    }
  }
}
