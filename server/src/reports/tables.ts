/** Markdown tables for a README. */
import type { RegistryRow } from '../planner/registry.ts';
import { showInvisible } from '../text.ts';

/** Returns a Markdown table. The cells are text. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownRows(
    head.map(asText),
    rows.map((row) => row.map(asText)),
  );

/** Returns a Markdown table whose cells are already Markdown. */
export const markdownRows = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(rowOf).join('');

/** Returns one more row of a Markdown table. The cells are text. */
export const markdownRow = (cells: readonly string[]): string => rowOf(cells.map(asText));

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Returns text as Markdown on one line, which shows the text and nothing else: no link, mention, entity or formula. */
export const asText = (text: string): string => showInvisible(text.trim()).replace(/[\\`*_{}[\]<>()#+!|~$&@]/g, '\\$&');

// The width of a string on a terminal.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /\p{Mn}|\p{Me}|\p{Cf}/u;

/**
 * Returns the number of columns that a string takes up on a terminal. For East Asian scripts and emoji, the number is
 * an estimate.
 */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;
  return columns;
}

const HEADS: Readonly<Record<keyof RegistryRow, string>> = {
  name: 'Skill',
  owner: 'Owner',
  version: 'Version',
  surfaces: 'Surfaces',
  p95: 'p95',
  cost: 'Cost',
  idempotent: 'Idempotent',
  level: 'Level',
  permissions: 'Permissions',
};

/** Returns the registry as a Markdown table. */
export function registryTable(rows: readonly RegistryRow[]): string {
  const columns = Object.keys(HEADS) as (keyof RegistryRow)[];
  return markdownTable(
    columns.map((column) => HEADS[column]),
    rows.map((row) => columns.map((column) => row[column])),
  );
}
