/** Values of options, and the messages where one is wrong. */
import { didYouMean, nearestNames } from '../../nearest.ts';
import { UserError } from '../user-error.ts';

/** A whole number from 1. */
export function parseCount(word: string, option: string): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (count > 0) return count;
  throw new UserError(`\`${option}\` does not take \`${word}\`: write a whole number from 1.`);
}

export function parseWord<Word extends string>(word: string, known: readonly Word[], option: string): Word {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const advice = didYouMean(nearestNames(word, known, 1)) || ` It is one of ${known.join(', ')}.`;
  throw new UserError(`\`${option}\` does not take \`${word}\`.${advice}`);
}
