/** A bound for the tokens of a text, without the tokenizer's table, which takes long to load. */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** The number of the words that the tokenizer cuts a text into: each becomes a token or more. */
export function tokensAtLeast(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) count++;
  return count;
}
