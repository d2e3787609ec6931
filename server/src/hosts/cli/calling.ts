/** What every command of the command line has in common. */
import { absolute, isFolder } from '../node/paths.ts';
import { writeResult } from '../node/read-named.ts';
import { UserError } from '../user-error.ts';
import type { Common } from './command-options.ts';
import { type Console, NO_COLORS } from './console.ts';

/** The action of a command: what `run` returns becomes the exit status. */
export type Calling = <Options extends Common>(
  run: (words: readonly string[], options: Options, console: Console) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

/** An option of the commands whose result goes to stdout, or to a file. */
export const OUT = ['--out <FILE>', 'write the result to a file'] as const;

/** The action of a command that takes `OUT`. What the command prints is written as a whole, and nothing where it prints nothing. */
export const printing =
  (calling: Calling): Calling =>
  (run) =>
    calling<Parameters<typeof run>[1]>(async (words, options, console) => {
      const { out } = options as { readonly out?: string };
      if (out === undefined) return run(words, options, console);
      const texts: string[] = [];
      const print = (text: string) => void texts.push(text);
      const status = await run(words, options, { ...console, colors: NO_COLORS, print, printExact: print });
      if (texts.length > 0)
        await writeResult(absolute(process.cwd(), options.cwd, out), texts.join(''), `--out ${out}`);
      return status;
    });

/** The working folder, as an absolute path. */
export async function folderOf(options: Common): Promise<string> {
  const cwd = absolute(process.cwd(), options.cwd);
  if (!(await isFolder(cwd))) throw new UserError(`\`--cwd ${options.cwd}\` is not a folder.`);
  return cwd;
}
