/** Reads files that the command line names. */
import { resolve } from 'node:path';
import type { FileContent } from '../../protocol.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { readNamed } from '../disk/read-file.ts';
import { Stop } from './stop.ts';

/** The text of a file; throws a `Stop` where there is none. `shown` is what the user has written. */
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
  throw new Stop(`\`${shown}\` cannot be ${what}: ${reason}.${advice}`);
}
