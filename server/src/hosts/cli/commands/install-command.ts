/** The options of `skill-composer install` (docs/installing.md). */
import type { Command } from 'commander';
import {
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  repeatedOption,
  workingFolder,
} from '../command-options.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends CommonOptions {
  readonly to?: string;
  readonly skill?: readonly string[];
  readonly yes?: true;
  readonly force?: true;
  readonly check?: true;
}

export function addInstallCommand(program: Command): void {
  program
    .command('install')
    .description(
      'Shows what the skills of SOURCE may do, asks for confirmation, and installs them. SOURCE is a file, a folder, an archive or another workspace.',
    )
    .usage('[OPTION…] [SOURCE]')
    .argument('[SOURCE]')
    .option('--to <DIR>', 'the folder for the skills (default: `skills`, and `.agents/skills` for `SKILL.md` folders)')
    .addOption(repeatedOption('--skill <NAME>', 'only this skill, and the skills that it composes; may be repeated'))
    .option('--yes', 'install without asking')
    .option('--force', 'overwrite local edits')
    .option('--check', 'write nothing, and compare the files with the lock file; with SOURCE, report what would change')
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      commandAction<Given>(async ([source], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, to, skill: names = [], yes = false, force = false, check = false, quiet = false } = options;
        const { runInstall } = await import('./install.ts');
        return runInstall({ cwd, source, config, format, to, names, yes, force, check, quiet }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the skills were installed, or --check found no difference, 1 it found one, or the answer was no,
2 invalid usage, a refused source, local edits without --force, or no terminal without --yes.`;
