/** Writes the file with the results. Rows that were not measured in this run keep their old values. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Row } from './rows.ts';

const TITLE = '# Results\n\n';

/** The heading lines of a run, its table, and the filter that selected its rows. */
export interface RunResults {
  readonly head: string;
  readonly table: string;
  readonly filter: string;
}

export function writeResults(path: string, all: readonly Row[], { head, table, filter }: RunResults): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (filter === '' || before === '') {
    writeFileSync(path, `${TITLE}${head}\n\n${table}\n`);
    return;
  }
  const [titles = '', line = ''] = table.split('\n');
  const known = new Map([...rowsIn(before), ...rowsIn(table)].map((row) => [keyOf(row), row]));
  const rows = all.flatMap(({ figure, against }) => known.get(`${figure} | ${against}`) ?? []);
  const when = head
    .split('\n')
    .slice(0, 2)
    .map((one) => one.replace(/^- /, ''));
  const note = `- rows with “${filter}”: ${when.join(', ')}`;
  const heads = before.split('\n').filter((one) => one.startsWith('- ') && !one.startsWith(`- rows with “${filter}”`));
  writeFileSync(path, `${TITLE}${[...heads, note].join('\n')}\n\n${[titles, line, ...rows].join('\n')}\n`);
}

const rowsIn = (text: string): readonly string[] =>
  text.split('\n').filter((one) => one.startsWith('| ') && !/^\| (?:figure|---) /.test(one));

const keyOf = (row: string): string => {
  const [, figure = '', against = ''] = row.split(/ ?\| ?/);
  return `${figure} | ${against}`;
};
