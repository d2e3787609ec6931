/** Reports for a terminal of a known width. */
import { columnsOf } from './tables.ts';

/** The narrowest terminal whose lines are broken at spaces. */
const NARROWEST = 40;

/** The smallest width of a last column whose text is broken inside that column. */
const LEAST = 24;

/** The colours of a text, which take up no columns. */
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const widthOf = (text: string): number => columnsOf(text.replace(COLOR, ''));

/** Breaks a text at spaces into lines of at most `width` columns. A longer word has its own line. Never throws. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/**
 * Returns a report in which lines that are too wide for a terminal are broken at spaces. The rest of a line is below its last
 * column, if this column is wide enough. Never throws.
 *
 * @param columns the width of the terminal; undefined for a pipe or a file, whose lines stay as they are
 */
export function fitted(report: string, columns: number | undefined): string {
  if (columns === undefined || columns < NARROWEST) return report;
  return report
    .split('\n')
    .map((line) => (widthOf(line) <= columns ? line : brokenLine(line, columns)))
    .join('\n');
}

function brokenLine(line: string, columns: number): string {
  const gap = line.lastIndexOf('  ');
  const column = gap < 0 ? '' : line.slice(0, gap + 2);
  const [blanks = ''] = /^ */.exec(line) ?? [];
  const head = [column, blanks].find((one) => widthOf(one) <= columns - LEAST) ?? '';
  const [first = '', ...others] = wrapped(line.slice(head.length), columns - widthOf(head));
  return [head + first, ...others.map((rest) => ' '.repeat(widthOf(head)) + rest)].join('\n');
}
