/** Parsers of option values, with error messages for invalid values. */

import { UserError } from '../../io/user-error.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';

/** Parses a positive integer. Throws a `UserError` for anything else. */
export function parseCount(word: string, option: string): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (count > 0) return count;
  throw new UserError(`\`${option}\` must be a positive integer, but is \`${word}\`.`);
}

/**
 * Returns `word` if it is in `known`, otherwise throws a `UserError` with a suggestion. `option` is the option's name
 * in messages.
 */
export function parseWord<Word extends string>(word: string, known: readonly Word[], option: string): Word {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const advice = didYouMean(nearestNames(word, known, 1)) || ` Use one of ${known.join(', ')}.`;
  throw new UserError(`\`${option}\` does not support \`${word}\`.${advice}`);
}
