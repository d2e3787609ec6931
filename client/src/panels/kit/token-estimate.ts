import { tCount } from './l10n.ts';

/** Returns the text of an estimated number of tokens, as in the view *All Skills*. */
export const estimateText = (tokens: number): string => tCount(tokens, '≈ 1 token', '≈ {0} tokens');
