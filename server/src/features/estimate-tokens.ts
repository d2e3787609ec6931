/** Estimates the number of tokens in a string without a tokenizer. */
import { tokensAtLeast } from '../composer/tokens-at-least.ts';

/** The number of UTF-16 code units that are read; the estimate assumes that the rest is similar. */
const MAX_COUNTED = 100_000;

/** Returns an estimate with two significant digits, so that a few words do not change it. */
export function estimateTokens(text: string): number {
  const whole = text.trim();
  const counted = whole.slice(0, MAX_COUNTED);
  if (counted === '') return 0;
  return Number((tokensAtLeast(counted) * (whole.length / counted.length)).toPrecision(2));
}
