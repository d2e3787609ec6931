/** Reads files that the command line names. */
import { basename, resolve } from 'node:path';
import type { FileContent } from '../protocol.ts';
import { dialectOf, isPlainMarkdown } from '../vocabulary/dialect.ts';
import { UNREADABLE } from '../workspace/unreadable.ts';
import { readNamed } from './read-file.ts';
import { reasonOf, UserError } from './user-error.ts';
import { createFile, replaceFile } from './write-file.ts';

/** Reads the text of a file. Throws a `UserError` if it cannot be read. `shown` is the text that the user wrote. */
export async function readText(cwd: string, path: string, shown: string): Promise<string> {
  return textIn(await readNamed(resolve(cwd, path)), shown);
}

/** Reads the text of a file, or returns undefined if it does not exist. Throws a `UserError` if it cannot be read. */
export async function findText(path: string, shown: string, what?: 'written'): Promise<string | undefined> {
  const content = await readNamed(path);
  return content.kind === 'absent' ? undefined : textIn(content, shown, '', what);
}

/** Returns the text of a file's content. Throws a `UserError` that ends with `advice` if there is no text. */
export function textIn(content: FileContent, shown: string, advice = '', what: 'read' | 'written' = 'read'): string {
  if (content.kind === 'text') return content.text;
  const reason = content.kind === 'unreadable' ? UNREADABLE[content.reason].reason : 'it does not exist';
  throw new UserError(`\`${shown}\` cannot be ${what}: ${reason}.${advice}`);
}

// Writes text to the files that the user named.

/**
 * Creates a file or replaces its text, but does not overwrite a skill or a catalog. Throws a `UserError`. `what` is the
 * name of the file in messages.
 */
export async function writeResult(path: string, text: string, what: string): Promise<void> {
  const old = await findText(path, what, 'written');
  const named = what.startsWith('`') ? what : `\`${what}\``;
  const file = basename(path);
  if (old !== undefined && dialectOf(file) !== undefined && !isPlainMarkdown(file)) {
    throw new UserError(`${named} would overwrite a skill or a catalog. Name another file.`);
  }
  try {
    const written = old === undefined ? await createFile(path, text) : await replaceFile(path, { old, text });
    if (written === 'changed') throw new Error('it is a link, or another program is writing it');
  } catch (error) {
    throw new UserError(`${named} cannot be written: ${reasonOf(error)}.`);
  }
}
