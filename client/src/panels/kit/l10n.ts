/**
 * Translates the texts of a page. The page's HTML carries the texts of the editor's language; a text that is not there is
 * shown in English, since the English text is the key, as with `vscode.l10n.t`.
 */
import { TEXTS_ID } from './page-head.ts';

/** Undefined in Node, where tests import this file. */
const page = typeof document === 'undefined' ? undefined : document;
const texts = readTexts(page?.getElementById(TEXTS_ID)?.textContent ?? '{}');

/** A message in the page's language, with `{0}` and further placeholders filled in. The message must be a literal. */
export const t = (message: string, ...values: readonly (string | number)[]): string =>
  (texts.get(message) ?? message).replace(PLACEHOLDER, (placeholder, at) => String(values[Number(at)] ?? placeholder));

/** As `t`, with `one` for the number 1 and `many` for others. `{0}` is the formatted number; `others` are `{1}` onwards. */
export const tCount = (count: number, one: string, many: string, ...others: readonly (string | number)[]): string =>
  count === 1 ? t(one, grouped(count), ...others) : t(many, grouped(count), ...others);

const PLACEHOLDER = /\{(\d+)\}/g;

/** Formats numbers in the page's language. Making a formatter is slow: make one for each kind of number. */
export function numberFormat(how: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat(page?.documentElement.lang || 'en', how);
  return (value) => format.format(value);
}

/** A whole number with its digits grouped: `1,284`. */
export const grouped = numberFormat({ maximumFractionDigits: 0 });

const tenths = numberFormat({ maximumFractionDigits: 1 });

/** In the largest unit that reads well: milliseconds, seconds or minutes. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${grouped(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 120 ? `${tenths(seconds)} s` : `${tenths(seconds / 60)} min`;
}

function readTexts(json: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(json) as Readonly<Record<string, string>>));
}
