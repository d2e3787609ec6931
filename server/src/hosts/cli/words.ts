/** The values that options take, and the messages where one is wrong. */
import { SEVERITIES, type Severity } from '../../finding.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { isDate } from '../../vocabulary/formats.ts';
import { today } from '../session/clock.ts';
import { UserError } from '../user-error.ts';

export const FORMATS = ['pretty', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export const CHECK_FORMATS = ['pretty', 'json', 'sarif', 'github', 'gitlab', 'junit', 'rdjson', 'checkstyle'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const parseFormat = (word: string, option = '--format'): Format => parseWord(word, FORMATS, option);

export const parseFailOn = (word: string): Severity => parseWord(word, SEVERITIES, '--fail-on');

/** The day of `--today`, else the one that it is. */
export function parseToday(word: string | undefined): string {
  if (word === undefined) return today();
  if (isDate(word)) return word;
  throw new UserError(`\`--today ${word}\` is no date: write one such as \`2031-06-30\`.`);
}

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
