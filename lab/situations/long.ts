/** Skills with long bodies, which are only called: a client may cut what it delivers. */
import { bodyOf, type Situation, secretOf, usual } from './situation.ts';

/** The lengths of numbered lines in bytes, with their line breaks. */
const LONG_LINE = 50;
const SHORT_LINE = 16;

const numberedLine = (number: number, bytes: number): string =>
  `Line ${String(number).padStart(4, '0')} is one of many that say nothing.`.padEnd(LONG_LINE, '.').slice(0, bytes - 1);

/** Returns a skill whose body has this number of numbered lines after the usual ones. */
function longBody(id: string, word: string, lines: number, bytes: number): Situation {
  const body = Array.from({ length: lines }, (_, at) => `${numberedLine(at + 1, bytes)}\n`).join('');
  return {
    id,
    question: `a body of more than ${lines} lines with ${bytes} bytes`,
    files: { [`${id}/SKILL.md`]: `---\n${usual(id, word)}\n---\n\n${bodyOf(id)}${body}` },
    words: [id, word],
    secret: secretOf(id),
  };
}

export const LONG: readonly Situation[] = [
  longBody('b01-body-26k', 'heather', 520, LONG_LINE),
  longBody('b02-body-lines', 'bracken', 1_200, SHORT_LINE),
  longBody('b03-body-100k', 'lichen', 2_000, LONG_LINE),
  longBody('b04-body-300k', 'gorse', 6_000, LONG_LINE),
  longBody('b05-body-2100', 'thrift', 2_100, SHORT_LINE),
];

/** Parts of the names of files in which a client saves a long text, and digests. */
const RANDOM = /(?<![0-9A-Za-z])(?:[0-9a-f]{12,64}|[0-9a-f]{12}[0-9A-Za-z]{14}|call_\d+)(?![0-9A-Za-z])/g;

/** A text that is longer after its lines were folded is cut. */
const MAX_TEXT = 20_000;

/**
 * Returns a text in which numbered lines that follow each other are one, such as `{lines 1 to 400}`. Without such lines, it
 * is the same text.
 */
export function withFoldedLines(text: string): string {
  const folded: string[] = [];
  let run: { readonly first: number; last: number } | undefined;
  const end = (): void => {
    if (run) folded.push(`{lines ${run.first} to ${run.last}}`);
    run = undefined;
  };
  for (const line of text.split('\n')) {
    // A tool that reads files may number the lines itself.
    const written = /^(?:\s*\d+[|:→\t]\s?)?(Line (\d{4}) .*)$/.exec(line);
    const number = Number(written?.[2]);
    if (!written || !isWhole(written[1] ?? '', number)) {
      end();
      folded.push(line);
    } else if (run?.last === number - 1) run.last = number;
    else {
      end();
      run = { first: number, last: number };
    }
  }
  end();
  if (folded.length === text.split('\n').length) return text;
  const all = folded.join('\n').replace(RANDOM, '{id}');
  return all.length <= MAX_TEXT ? all : `${all.slice(0, MAX_TEXT)}… (${all.length} characters)`;
}

/** Returns whether a text is a numbered line that was not cut. */
const isWhole = (text: string, number: number): boolean =>
  [LONG_LINE, SHORT_LINE].some((bytes) => text === numberedLine(number, bytes));
