/** Reads files that the command line names. */
import { basename, resolve } from 'node:path';
import type { FileContent } from '../../protocol.ts';
import { dialectOf, isPlainMarkdown } from '../../vocabulary/dialect.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { reasonOf, UserError } from '../user-error.ts';
import { readNamed } from './read-file.ts';
import { createFile, replaceFile } from './write-file.ts';

/** The text of a file; throws a `UserError` where there is none. `shown` is what the user has written. */
export async function readText(cwd: string, path: string, shown: string): Promise<string> {
  return textIn(await readNamed(resolve(cwd, path)), shown);
}

/** The text of a file; undefined where there is none of this name. */
export async function findText(path: string, shown: string, what?: 'written'): Promise<string | undefined> {
  const content = await readNamed(path);
  return content.kind === 'absent' ? undefined : textIn(content, shown, '', what);
}

/** The text of what was read; `advice` ends the message where there is none. */
export function textIn(content: FileContent, shown: string, advice = '', what: 'read' | 'written' = 'read'): string {
  if (content.kind === 'text') return content.text;
  const reason = content.kind === 'unreadable' ? UNREADABLE[content.reason].reason : 'it does not exist';
  throw new UserError(`\`${shown}\` cannot be ${what}: ${reason}.${advice}`);
}

// Writes texts to files that a run names.

/** Makes the file, or replaces its text as a whole, but for that of a skill; throws a `UserError` where it cannot. `what` names it. */
export async function writeResult(path: string, text: string, what: string): Promise<void> {
  const old = await findText(path, what, 'written');
  const named = what.startsWith('`') ? what : `\`${what}\``;
  const file = basename(path);
  if (old !== undefined && dialectOf(file) !== undefined && !isPlainMarkdown(file)) {
    throw new UserError(`${named}: a skill or a catalog stands there, which would be lost. Name another file.`);
  }
  try {
    const written = old === undefined ? await createFile(path, text) : await replaceFile(path, { old, text });
    if (written === 'changed') throw new Error('something else writes it at the same time, or it is a link');
  } catch (error) {
    throw new UserError(`${named} cannot be written: ${reasonOf(error)}.`);
  }
}
