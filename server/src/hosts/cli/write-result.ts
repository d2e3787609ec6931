/** Writes texts to files that a run names. */
import { basename } from 'node:path';
import { dialectOf, isPlainMarkdown } from '../../vocabulary/dialect.ts';
import { createFile, replaceFile } from '../disk/write-file.ts';
import { findText } from './read-named.ts';
import { reasonOf, Stop } from './stop.ts';

/** Makes the file, or replaces its text as a whole, but for that of a skill; throws a `Stop` where it cannot. `what` names it. */
export async function writeResult(path: string, text: string, what: string): Promise<void> {
  const old = await findText(path, what, 'written');
  const named = what.startsWith('`') ? what : `\`${what}\``;
  const file = basename(path);
  if (old !== undefined && dialectOf(file) !== undefined && !isPlainMarkdown(file)) {
    throw new Stop(`${named}: a skill or a catalog stands there, which would be lost. Name another file.`);
  }
  try {
    const written = old === undefined ? await createFile(path, text) : await replaceFile(path, { old, text });
    if (written === 'changed') throw new Error('something else writes it at the same time, or it is a link');
  } catch (error) {
    throw new Stop(`${named} cannot be written: ${reasonOf(error)}.`);
  }
}
