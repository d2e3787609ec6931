/** The options of `skill-composer diff` (docs/format.md, "Versions"). */
import type { Command } from 'commander';
import { type CommonOptions, formatOf, formatsHelp, OUT, withOutputFile, workingFolder } from '../command-options.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends CommonOptions {
  readonly base?: string;
  readonly baseFile?: string;
}

export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description("Compares a skill's contract with an earlier one, and checks that the version was raised accordingly.")
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--base <REF>', 'the commit to compare with (default: HEAD)')
    .option('--base-file <FILE>', 'the file to compare with')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<Given>(async ([file = ''], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { base, baseFile, quiet = false } = options;
        const { runDiff } = await import('./diff.ts');
        return runDiff({ cwd, file, base, baseFile, format, quiet }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the version matches the changes, 1 it does not, 2 invalid usage, or the earlier contract is unreadable.`;
