/**
 * The words of a page in the editor's language. The page's shell writes the texts of that language beside the script; where it
 * writes none the page is English, since a message is its own key, as with `vscode.l10n.t`.
 */
import { TEXTS_ID } from './l10n-block.ts';

/** A bundle for Node has no document: its pages are English. */
const page = typeof document === 'undefined' ? undefined : document;
const texts = readTexts(page?.getElementById(TEXTS_ID)?.textContent ?? '{}');

/** A message in the page's language, with `{0}` and the further places filled in. Its first argument is always a literal. */
export const t = (message: string, ...values: readonly (string | number)[]): string =>
  (texts.get(message) ?? message).replace(PLACE, (place, at) => String(values[Number(at)] ?? place));

/** As `t`, of a number: `one` for 1, else `many`. `{0}` is the number, in digits that people read; others follow it. */
export const tCount = (count: number, one: string, many: string, ...others: readonly (string | number)[]): string =>
  count === 1 ? t(one, grouped(count), ...others) : t(many, grouped(count), ...others);

/** As `t`, in pieces: what is filled in are elements, at the places where the language wants them. */
export const tAround = <Part>(message: string, ...values: readonly Part[]): (string | Part)[] =>
  (texts.get(message) ?? message)
    .split(PLACE)
    .map((piece, at) => (at % 2 === 0 ? piece : (values[Number(piece)] ?? '')));

const PLACE = /\{(\d+)\}/g;

/**
 * Writes numbers as the page's language does, which the shell names: not as the machine's settings would have it. To be made
 * once for all numbers of a kind, since making it is what costs.
 */
export function numberFormat(how: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat(page?.documentElement.lang || 'en', how);
  return (value) => format.format(value);
}

/** `1,284`: a whole number, digits in threes. */
export const grouped = numberFormat({ maximumFractionDigits: 0 });

function readTexts(json: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(json) as Readonly<Record<string, string>>));
}
