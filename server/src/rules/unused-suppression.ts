import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Suppression } from '../skill/suppressions.ts';
import type { Rule } from './rule.ts';

/** `check` itself knows which comments were used; this rule only gives their findings a name. */
export const unusedSuppression: Rule = {
  name: 'unused-suppression',
  code: 'unused-suppression',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Severities"' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  check: () => [],
};

export function* draftsOfUnused(
  unused: readonly Suppression[],
  table: readonly Rule[],
  isOn: (rule: Rule) => boolean,
): Iterable<Draft> {
  for (const { rule: name, span } of unused) {
    const rule = table.find((candidate) => candidate.name === name || candidate.code === name);
    if (!rule) {
      const near = didYouMean(
        nearestNames(
          name,
          table.map((candidate) => candidate.name),
        ),
      );
      yield { span, message: `There is no rule \`${name}\`.${near}`, tag: 'unnecessary' };
    } else if (isOn(rule)) {
      yield {
        span,
        message: `Nothing on the next line is reported by \`${name}\`. Remove this comment.`,
        tag: 'unnecessary',
      };
    }
  }
}
