/** Writes the result of a command to the file of `--out`. */
import { createFile, replaceFile } from '../disk/write-file.ts';
import { findText } from './read-named.ts';
import { reasonOf, Stop } from './stop.ts';

/** Makes the file, or replaces its text as a whole; throws a `Stop` where it cannot. `shown` is what the user has written. */
export async function writeResult(path: string, text: string, shown: string): Promise<void> {
  const option = `--out ${shown}`;
  const old = await findText(path, option);
  try {
    const written = old === undefined ? await createFile(path, text) : await replaceFile(path, { old, text });
    if (written === 'changed') throw new Error('something else writes it at the same time, or it is a link');
  } catch (error) {
    throw new Stop(`\`${option}\` cannot be written: ${reasonOf(error)}.`);
  }
}
