/** Estimates the number of tokens in a string without the tokenizer's table, which is slow to load. */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** Returns a lower bound: the number of words that the tokenizer splits a string into. */
export function tokensAtLeast(text: string): number {
  // Each call needs a new regular expression, because a global regular expression keeps the position of its last match.
  // The loop avoids a list of all words.
  const word = new RegExp(O200K_TOKEN_SPLIT_REGEX);
  let count = 0;
  while (word.test(text)) count++;
  return count;
}

/** The number of UTF-16 code units that are read; the estimate assumes that the rest is similar. */
const MAX_COUNTED = 100_000;

/**
 * The number of tokens for each word: the median of the bodies of 32 public skills (2026-11-30), of which none differs by
 * more than 8 %.
 */
const TOKENS_PER_WORD = 1.08;

/**
 * Returns an estimate with two significant digits, so that a few words do not change it; below 100, with one digit, because
 * views show the exact number beside it.
 */
export function estimateTokens(text: string): number {
  const whole = text.trim();
  const counted = whole.slice(0, MAX_COUNTED);
  if (counted === '') return 0;
  const tokens = tokensAtLeast(counted) * TOKENS_PER_WORD * (whole.length / counted.length);
  return Number(tokens.toPrecision(tokens < 95 ? 1 : 2));
}
