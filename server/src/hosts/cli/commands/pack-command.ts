/** The options of `skill-composer pack` (docs/installing.md). */
import type { Command } from 'commander';
import { UserError } from '../../user-error.ts';
import { assertNoFormat, type Common, calling, folderOf } from '../command-options.ts';

interface Given extends Common {
  readonly out?: string;
}

export function addPackCommand(program: Command): void {
  program
    .command('pack')
    .description('Writes skills and all that they need into an archive: the same bytes for the same files.')
    .usage('[OPTION…] [PATH…] --out FILE')
    .argument('[PATH...]')
    .option('--out <FILE>', 'the archive: FILE.skill or FILE.zip is a zip, FILE.tgz or FILE.tar.gz a gzipped tar')
    .addHelpText('after', STATUS)
    .action(
      calling<Given>(async (paths, options, console) => {
        assertNoFormat('pack', options, 'it writes an archive');
        const { out, quiet = false } = options;
        if (out === undefined)
          throw new UserError('`pack` writes a file: name it with `--out FILE.skill` or `--out FILE.tgz`.');
        const cwd = await folderOf(options);
        const { runPack } = await import('./pack.ts');
        return runPack({ cwd, paths, out, quiet }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the archive is written, 2 wrong usage, or skills that cannot be packed.`;
