/**
 * Computes a lower bound for the number of tokens in a string, without the tokenizer's table, which is slow to load.
 */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** Returns the number of words that the tokenizer splits a string into. Each word has at least one token. */
export function tokensAtLeast(text: string): number {
  // Each call needs a new regular expression, because a global regular expression keeps the position of its last match.
  // The loop avoids a list of all words.
  const word = new RegExp(O200K_TOKEN_SPLIT_REGEX);
  let count = 0;
  while (word.test(text)) count++;
  return count;
}
