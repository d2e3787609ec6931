/** The options of `skill-composer install` (docs/installing.md). */
import type { Command } from 'commander';
import { type Common, calling, folderOf, formatOf, formatsHelp, repeatedOption } from '../command-options.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends Common {
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
      'Shows what the skills of SOURCE may do, asks, and installs them. SOURCE is a file, a folder, an archive or another workspace.',
    )
    .usage('[OPTION…] [SOURCE]')
    .argument('[SOURCE]')
    .option(
      '--to <DIR>',
      'the folder for the skills; without one, `skills`, and `.agents/skills` for `SKILL.md` folders',
    )
    .addOption(repeatedOption('--skill <NAME>', 'only this skill, and what it composes; may be repeated'))
    .option('--yes', 'install without asking')
    .option('--force', 'write over local edits')
    .option('--check', 'write nothing: is there what the lock file says? With SOURCE: would anything change?')
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      calling<Given>(async ([source], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, to, skill: names = [], yes = false, force = false, check = false, quiet = false } = options;
        const { runInstall } = await import('./install.ts');
        return runInstall({ cwd, source, config, format, to, names, yes, force, check, quiet }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the skills are installed, or --check finds what the lock file says, 1 it does not, or the answer is no,
2 wrong usage, a source that is refused, local edits in the way, or nobody to ask without --yes.`;
