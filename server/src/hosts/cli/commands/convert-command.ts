/** The options of `skill-composer convert` (docs/exchange.md). */
import type { Command } from 'commander';
import { TARGETS, type Target } from '../../../exchange/conversion.ts';
import { listed } from '../../../nearest.ts';
import { UserError } from '../../user-error.ts';
import { assertNoFormat, type CommonOptions, commandAction, wordOption, workingFolder } from '../command-options.ts';

interface Given extends CommonOptions {
  readonly to?: Target;
  readonly out?: string;
  readonly report: 'pretty' | 'json';
  readonly force?: true;
}

export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('Converts between skills, `SKILL.md` files, packages of the earlier format and records.')
    .usage('FILE… --to TARGET [OPTION…]')
    .argument('<FILE...>')
    .addOption(wordOption('--to <TARGET>', listed(TARGETS, 'or'), TARGETS))
    .option('--out <DIR>', 'the folder for the results; without it, the result of a single file is printed')
    .addOption(
      wordOption('--report <FORMAT>', 'the format of the report on lost content: pretty or json', [
        'pretty',
        'json',
      ]).default('pretty'),
    )
    .option('--force', 'overwrite existing files')
    .addHelpText('after', STATUS)
    .action(
      commandAction<Given>(async (files, options, console) => {
        assertNoFormat(
          'convert',
          options,
          '`--to` sets the format of the result, and `--report json` that of the report',
        );
        if (options.to === undefined) {
          throw new UserError(
            'Missing option `--to`. Write `--to skill-md`, `--to record`, `--to agent-skill` or `--to package`.',
          );
        }
        const cwd = await workingFolder(options);
        const { config, to, out, report, force = false, quiet = false } = options;
        const { runConvert } = await import('./convert.ts');
        return runConvert({ cwd, files, config, to, out, report, force, quiet }, console);
      }),
    );
}

const STATUS = `
Lost content is reported on stderr; with --out and --report json, on stdout.
Exit status: 0 converted, 1 the source has errors that the result may still have, 2 invalid usage, or not converted.`;
