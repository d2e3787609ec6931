/** The values that options take, and the messages where one is wrong. */
import { SEVERITIES, type Severity } from '../../finding.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { findRule, rules } from '../../rules/index.ts';
import { isDate } from '../../vocabulary/formats.ts';
import { today } from '../session/clock.ts';
import type { Output } from './commands/check.ts';
import { CHECK_FORMATS } from './formats/check-formats.ts';
import { Stop } from './stop.ts';

export const FORMATS = ['pretty', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export const parseFormat = (word: string, option = '--format'): Format => parseWord(word, FORMATS, option);

/** `FORMAT=FILE`, repeated. */
export const parseOutputs = (words: readonly string[]): readonly Output[] =>
  words.map((word) => {
    const equals = word.indexOf('=');
    const path = word.slice(equals + 1);
    if (equals < 0 || path === '')
      throw new Stop(`\`--out ${word}\` names no file: write \`--out sarif=skills.sarif\`.`);
    return { format: parseWord(word.slice(0, equals), CHECK_FORMATS, '--out'), path };
  });

export const parseFailOn = (word: string): Severity => parseWord(word, SEVERITIES, '--fail-on');

/** `NAME=SEVERITY`, repeated; a rule may be called by its number. The last word on a rule counts. */
export function parseOverrides(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (equals < 0) throw new Stop(`\`--rule ${word}\` sets no severity: write \`--rule ${word || 'NAME'}=off\`.`);
      const severity = parseWord(word.slice(equals + 1), [...SEVERITIES, 'off'], `--rule ${word.slice(0, equals)}=`);
      return [ruleCalled(word.slice(0, equals), '--rule').name, severity];
    }),
  );
}

/** The day of `--today`, else the one that it is. */
export function parseToday(word: string | undefined): string {
  if (word === undefined) return today();
  if (isDate(word)) return word;
  throw new Stop(`\`--today ${word}\` is no date: write one such as \`2031-06-30\`.`);
}

/** A whole number from 1. */
export function parseCount(word: string, option: string): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (count > 0) return count;
  throw new Stop(`\`${option}\` does not take \`${word}\`: write a whole number from 1.`);
}

/** The rule of a name or number, in any case. */
export function ruleCalled(word: string, where: string) {
  const rule = findRule(word) ?? findRule(word.toLowerCase());
  if (rule) return rule;
  const near = nearestNames(
    word,
    rules.flatMap(({ name, number }) => [name, ...(number === undefined ? [] : [number])]),
  );
  const advice = didYouMean(near) || ' `skill-composer explain` lists the rules.';
  throw new Stop(`${where}: there is no rule \`${word}\`.${advice}`);
}

export function parseWord<Word extends string>(word: string, known: readonly Word[], option: string): Word {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const advice = didYouMean(nearestNames(word, known, 1)) || ` It is one of ${known.join(', ')}.`;
  throw new Stop(`\`${option}\` does not take \`${word}\`.${advice}`);
}
