/** Writes texts to files that a run names. */
import { createFile, replaceFile } from '../disk/write-file.ts';
import { findText } from './read-named.ts';
import { reasonOf, Stop } from './stop.ts';

/** Makes the file, or replaces its text as a whole; throws a `Stop` where it cannot. `what` names it in messages. */
export async function writeResult(path: string, text: string, what: string): Promise<void> {
  const old = await findText(path, what, 'written');
  try {
    const written = old === undefined ? await createFile(path, text) : await replaceFile(path, { old, text });
    if (written === 'changed') throw new Error('something else writes it at the same time, or it is a link');
  } catch (error) {
    throw new Stop(`${what.startsWith('`') ? what : `\`${what}\``} cannot be written: ${reasonOf(error)}.`);
  }
}
