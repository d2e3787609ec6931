import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import { tokensAtLeast } from '../../composer/tokens-estimate.ts';
import { formatNumber } from '../../format-amounts.ts';
import type { Passage } from '../../skill/package.ts';
import { readArtifacts, readProse } from '../../skill/read-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a skill whose shortest prompt is over the catalog's budget, so that no invocation can be composed. */
export const overContextBudget: Rule = {
  name: 'over-context-budget',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 3' },
  dialects: ['composer'],
  prevents: ['every-prompt'],
  *check(file, analysis) {
    const budget = analysis.parsedCatalogOf(file.uri).limits.contextTokens;
    // A token has at least one character, so a file with fewer characters is within the budget.
    if (budget === undefined || file.text.length <= budget) return;
    let tokens = 0;
    let over: Span | undefined;
    for (const { place, passages } of unconditional(file)) {
      for (const { text } of passages.flat()) tokens += tokensAtLeast(text);
      if (tokens > budget) over ??= place;
    }
    if (!over) return;
    yield {
      span: over,
      measure: { of: 'tokens', amount: tokens },
      message: `Every prompt of this skill has at least ${formatNumber(tokens)} tokens up to here; the limit is ${formatNumber(budget)} (\`context_tokens\`). Shorten the text, add \`include_when\` to a description, or raise the limit.`,
    };
  },
};

interface Portion {
  /** The span of a finding about this portion. */
  readonly place: Span;
  readonly passages: readonly Passage[];
}

/**
 * Returns the text that every prompt contains, which is the prose of the framing and the descriptions without a
 * condition.
 */
function unconditional(file: SkillFile): readonly Portion[] {
  const { body } = file;
  if (!body) return [];
  const parts = framingParts(file);
  const prose =
    chooseFraming(parts) === 'prose' ? [{ place: parts.headSpan, passages: readProse(file, body.framing) }] : [];
  const descriptions = readArtifacts(file).filter(({ kind, includeWhen }) => kind === 'Description' && !includeWhen);
  return [...prose, ...descriptions.map(({ headingSpan, text }) => ({ place: headingSpan, passages: [text] }))];
}
