/** A bound for the tokens of a text, without the tokenizer's table, which takes long to load. */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** The number of the words that the tokenizer cuts a text into: each becomes a token or more. */
export function tokensAtLeast(text: string): number {
  // One of its own, since it remembers where it is; no list of the words is made.
  const word = new RegExp(O200K_TOKEN_SPLIT_REGEX);
  let count = 0;
  while (word.test(text)) count++;
  return count;
}
