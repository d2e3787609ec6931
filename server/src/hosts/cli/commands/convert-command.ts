/** The options of `skill-composer convert` (docs/exchange.md). */
import type { Command } from 'commander';
import { TARGETS, type Target } from '../../../exchange/conversion.ts';
import { listed } from '../../../nearest.ts';
import { UserError } from '../../user-error.ts';
import { assertNoFormat, type Common, calling, folderOf, wordOption } from '../command-options.ts';

interface Given extends Common {
  readonly to?: Target;
  readonly out?: string;
  readonly report: 'pretty' | 'json';
  readonly force?: true;
}

export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('Converts skills, `SKILL.md` files, legacy packages and records into one another.')
    .usage('FILE… --to TARGET [OPTION…]')
    .argument('<FILE...>')
    .addOption(wordOption('--to <TARGET>', listed(TARGETS, 'or'), TARGETS))
    .option('--out <DIR>', 'the folder for the results; without one, the result of one file is printed')
    .addOption(
      wordOption('--report <FORMAT>', 'how what is lost is told: pretty or json', ['pretty', 'json']).default('pretty'),
    )
    .option('--force', 'write over files that are there')
    .addHelpText('after', STATUS)
    .action(
      calling<Given>(async (files, options, console) => {
        assertNoFormat('convert', options, '`--to` says what is made, `--report json` how it is told');
        if (options.to === undefined) {
          throw new UserError('`--to` is missing: write `--to skill-md`, `record`, `agent-skill` or `package`.');
        }
        const cwd = await folderOf(options);
        const { config, to, out, report, force = false, quiet = false } = options;
        const { runConvert } = await import('./convert.ts');
        return runConvert({ cwd, files, config, to, out, report, force, quiet }, console);
      }),
    );
}

const STATUS = `
What is lost is told on stderr; with --out and --report json, on stdout.
Exit status: 0 converted, 1 the source has errors that the result may carry on, 2 wrong usage, or nothing can be made of it.`;
