/** Tables in Markdown, for a README. */
import { visible } from '../../text.ts';

/** What authors wrote is text in it: in one line, and no Markdown. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownRows(
    head.map(asText),
    rows.map((row) => row.map(asText)),
  );

/** Cells that are Markdown already. */
export const markdownRows = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** A text of an author as Markdown that shows it. */
export const asText = (text: string): string =>
  visible(text.trim().replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]<>()#+!|~]/g, '\\$&');

// How wide a text is on a terminal.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** How many columns a terminal gives to visible text; an estimate for East Asian scripts and emoji. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;
  return columns;
}
