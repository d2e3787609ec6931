/** Computes a lower bound for the tokens of a text, without the tokenizer's table, which is slow to load. */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** Returns the number of words that the tokenizer splits a text into. Each word has at least one token. */
export function tokensAtLeast(text: string): number {
  // A new expression, since it keeps its position. The loop creates no list of words.
  const word = new RegExp(O200K_TOKEN_SPLIT_REGEX);
  let count = 0;
  while (word.test(text)) count++;
  return count;
}
