/** The commands that take skills out of a workspace and into one (docs/installing.md). */
import type { Command } from 'commander';
import { UserError } from '../user-error.ts';
import { type Calling, folderOf } from './calling.ts';
import type { Common } from './command-options.ts';
import { INSTALL_STATUS, PACK_STATUS } from './status-texts.ts';

interface ForPack extends Common {
  readonly out?: string;
}

interface ForInstall extends Common {
  readonly to?: string;
  readonly skill: readonly string[];
  readonly yes?: true;
  readonly force?: true;
  readonly check?: true;
}

export function addPackingCommands(program: Command, calling: Calling): void {
  program
    .command('pack')
    .description('Writes skills and all that they need into an archive: the same bytes for the same files.')
    .usage('[OPTION…] [PATH…] --out FILE')
    .argument('[PATH...]')
    .option('--out <FILE>', 'the archive: FILE.skill or FILE.zip is a zip, FILE.tgz or FILE.tar.gz a gzipped tar')
    .addHelpText('after', PACK_STATUS)
    .action(
      calling<ForPack>(async (paths, { out, quiet = false, format, ...options }, console) => {
        if (format !== 'pretty')
          throw new UserError(`\`pack\` does not take \`--format ${format}\`: it writes an archive.`);
        if (out === undefined)
          throw new UserError('`pack` writes a file: name it with `--out FILE.skill` or `--out FILE.tgz`.');
        const cwd = await folderOf({ ...options, format });
        const { runPack } = await import('./commands/pack.ts');
        return runPack({ cwd, paths, out, quiet }, console);
      }),
    );

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
    .option('--skill <NAME>', 'only this skill, and what it composes; may be repeated', collect, [])
    .option('--yes', 'install without asking')
    .option('--force', 'write over local edits')
    .option('--check', 'write nothing: is there what the lock file says? With SOURCE: would anything change?')
    .addHelpText('after', INSTALL_STATUS)
    .action(
      calling<ForInstall>(async ([source], options, console) => {
        const { parseFormat } = await import('./words.ts');
        const format = parseFormat(options.format);
        const cwd = await folderOf(options);
        const { config, to, skill, yes = false, force = false, check = false, quiet = false } = options;
        const { runInstall } = await import('./commands/install.ts');
        return runInstall({ cwd, source, config, format, to, names: skill, yes, force, check, quiet }, console);
      }),
    );
}

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

// The command that converts skills (docs/exchange.md).

interface ForConvert extends Common {
  readonly to?: string;
  readonly out?: string;
  readonly report?: string;
  readonly force?: true;
}

export function addConvertCommand(program: Command, calling: Calling): void {
  program
    .command('convert')
    .description('Converts skills, `SKILL.md` files, legacy packages and records into one another.')
    .usage('FILE… --to TARGET [OPTION…]')
    .argument('<FILE...>')
    .option('--to <TARGET>', 'skill-md, record, agent-skill or package')
    .option('--out <DIR>', 'the folder for the results; without one, the result of one file is printed')
    .option('--report <FORMAT>', 'how what is lost is told: pretty or json', 'pretty')
    .option('--force', 'write over files that are there')
    .addHelpText('after', CONVERT_STATUS)
    .action(
      calling<ForConvert>(async (files, options, console) => {
        if (options.format !== 'pretty') {
          throw new UserError(
            '`convert` does not take `--format`: `--to` says what is made, `--report json` how it is told.',
          );
        }
        if (options.to === undefined) {
          throw new UserError('`--to` is missing: write `--to skill-md`, `record`, `agent-skill` or `package`.');
        }
        const { parseFormat, parseWord } = await import('./words.ts');
        const { runConvert } = await import('./commands/convert.ts');
        const { TARGETS } = await import('../../exchange/conversion.ts');
        const to = parseWord(options.to, TARGETS, '--to');
        const report = parseFormat(options.report ?? 'pretty', '--report');
        const cwd = await folderOf(options);
        const { config, out, force = false, quiet = false } = options;
        return runConvert({ cwd, files, config, to, out, report, force, quiet }, console);
      }),
    );
}

const CONVERT_STATUS = `
What is lost is told on stderr; with --out and --report json, on stdout.
Exit status: 0 converted, 1 the source has errors that the result may carry on, 2 wrong usage, or nothing can be made of it.`;
