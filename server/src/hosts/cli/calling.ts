/** What every command of the command line has in common. */
import { resolve } from 'node:path';
import { isFolder } from '../disk/paths.ts';
import type { Common } from './command-options.ts';
import type { Console } from './console.ts';
import { Stop } from './stop.ts';

/** The action of a command: what `run` returns becomes the exit status. */
export type Calling = <Options extends Common>(
  run: (words: readonly string[], options: Options, console: Console) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

/** The working folder, as an absolute path. */
export async function folderOf(options: Common): Promise<string> {
  const cwd = resolve(options.cwd);
  if (!(await isFolder(cwd))) throw new Stop(`\`--cwd ${options.cwd}\` is not a folder.`);
  return cwd;
}
