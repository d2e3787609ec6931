/** About how many tokens a text has, without the tokenizer. */
import { tokensAtLeast } from '../composer/tokens-at-least.ts';

/** Beyond so many characters the rest is taken to be like them. */
const MAX_COUNTED = 100_000;

/** In two digits: a few words more or less make no difference. */
export function aboutTokens(text: string): number {
  const whole = text.trim();
  const counted = whole.slice(0, MAX_COUNTED);
  if (counted === '') return 0;
  return Number((tokensAtLeast(counted) * (whole.length / counted.length)).toPrecision(2));
}
