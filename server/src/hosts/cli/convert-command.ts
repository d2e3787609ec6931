/** The command that converts skills (docs/exchange.md). */
import type { Command } from 'commander';
import { type Calling, folderOf } from './calling.ts';
import type { Common } from './command-options.ts';
import { Stop } from './stop.ts';

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
          throw new Stop(
            '`convert` does not take `--format`: `--to` says what is made, `--report json` how it is told.',
          );
        }
        if (options.to === undefined) {
          throw new Stop('`--to` is missing: write `--to skill-md`, `record`, `agent-skill` or `package`.');
        }
        const { parseFormat, parseWord } = await import('./words.ts');
        const { runConvert } = await import('../exchange/convert-files.ts');
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
