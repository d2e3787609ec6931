/** Tables in Markdown, for a README. */
import { visible } from '../../../text.ts';

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
