/** Reads long files that the user has named, one line after the other. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A line that is longer is no line of data. */
const MAX_LINE = 1 << 20;
const MAX_LINES = 1_000_000;

/** Calls `take` with each line that is not blank, and its number from 1. Throws with a plain sentence where it cannot go on. */
export async function readLines(path: string, take: (line: string, number: number) => void): Promise<void> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file');
    let number = 0;
    for await (const line of createInterface({
      input: file.createReadStream({ encoding: 'utf8' }),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      number++;
      if (line.length > MAX_LINE) throw new Error(`its line ${number} is longer than a line of data can be`);
      if (number > MAX_LINES) throw new Error(`it has more than ${MAX_LINES} lines`);
      if (line.trim() !== '') take(line, number);
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}
