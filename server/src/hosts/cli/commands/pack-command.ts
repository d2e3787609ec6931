/** The options of `skill-composer pack` (docs/installing.md). */
import type { Command } from 'commander';
import { UserError } from '../../user-error.ts';
import { assertNoFormat, type CommonOptions, commandAction, workingFolder } from '../command-options.ts';

interface Given extends CommonOptions {
  readonly out?: string;
}

export function addPackCommand(program: Command): void {
  program
    .command('pack')
    .description(
      'Writes skills and the files that they need to an archive. The same files always give an identical archive.',
    )
    .usage('[OPTION…] [PATH…] --out FILE')
    .argument('[PATH...]')
    .option('--out <FILE>', 'the archive: a zip (FILE.skill or FILE.zip) or a gzipped tar (FILE.tgz or FILE.tar.gz)')
    .addHelpText('after', STATUS)
    .action(
      commandAction<Given>(async (paths, options, console) => {
        assertNoFormat('pack', options, 'it writes an archive');
        const { out, quiet = false } = options;
        if (out === undefined)
          throw new UserError('Missing option `--out`. Write `--out FILE.skill` or `--out FILE.tgz`.');
        const cwd = await workingFolder(options);
        const { runPack } = await import('./pack.ts');
        return runPack({ cwd, paths, out, quiet }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the archive was written, 2 invalid usage, or skills that cannot be packed.`;
