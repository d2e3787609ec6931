import type { ShownPrompt } from '../../shown-prompt.ts';

/** The first character that is over the budget; undefined where all is within it, or there is none. */
export function budgetEnd({ segments, tokens }: ShownPrompt): number | undefined {
  const { budget, total } = tokens;
  if (budget === null || total <= budget) return undefined;
  let left = budget;
  for (const { start, end, tokens: own } of segments) {
    // Within a segment, tokens count as equally long.
    if (own > left) return start + Math.floor(((end - start) * left) / own);
    left -= own;
  }
  return undefined;
}
