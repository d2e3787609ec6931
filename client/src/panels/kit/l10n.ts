/**
 * Translates the strings of a page. The page's HTML contains the translations into the editor's language. As with
 * `vscode.l10n.t`, the English string is the key, and is shown if a translation is missing.
 */
import { TEXTS_ID } from './page-head.ts';

/** Undefined in Node, where tests import this file. */
const page = typeof document === 'undefined' ? undefined : document;
const texts = readTexts(page?.getElementById(TEXTS_ID)?.textContent ?? '{}');

/**
 * Returns a message in the page's language, with the placeholders `{0}`, `{1}`… filled in. `message` must be a string
 * literal.
 */
export const t = (message: string, ...values: readonly (string | number)[]): string =>
  (texts.get(message) ?? message).replace(PLACEHOLDER, (placeholder, at) => String(values[Number(at)] ?? placeholder));

/**
 * Like `t`, but uses `one` for the number 1 and `many` for other numbers. `{0}` is the formatted number; `others` are
 * the values of the placeholders after `{0}`.
 */
export const tCount = (count: number, one: string, many: string, ...others: readonly (string | number)[]): string =>
  count === 1 ? t(one, grouped(count), ...others) : t(many, grouped(count), ...others);

const PLACEHOLDER = /\{(\d+)\}/g;

/**
 * Returns a number formatter in the page's language. Creating a formatter is slow, so create only one for each kind of
 * number.
 */
export function numberFormat(how: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat(page?.documentElement.lang || 'en', how);
  return (value) => format.format(value);
}

/** Formats a whole number with grouped digits: `1,284`. */
export const grouped = numberFormat({ maximumFractionDigits: 0 });

const tenths = numberFormat({ maximumFractionDigits: 1 });

/** Formats a time of day, given in milliseconds since 1970: `14:05`. */
export const clock = (time: number): string =>
  new Intl.DateTimeFormat(page?.documentElement.lang || 'en', { timeStyle: 'short' }).format(time);

/** Formats a duration in milliseconds, seconds or minutes. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${grouped(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 120 ? `${tenths(seconds)} s` : `${tenths(seconds / 60)} min`;
}

function readTexts(json: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(json) as Readonly<Record<string, string>>));
}
