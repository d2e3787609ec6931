/** The options of `skill-composer match` (docs/matching.md). */
import { type Command, Option } from 'commander';
import { listed } from '../../../nearest.ts';
import type { InvocationSource } from '../../../skill/package.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import {
  CALLER,
  CHANNEL,
  type CommonOptions,
  formatOf,
  formatsHelp,
  OUT,
  SURFACE,
  withOutputFile,
  wordOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends CommonOptions {
  readonly top: number;
  readonly profile?: string;
  readonly source: InvocationSource;
  readonly channel?: string;
  readonly surface?: string;
}

export function addMatchCommand(program: Command): void {
  program
    .command('match')
    .description(
      'Ranks the skills that match a request. PATH selects the skills to rank (default: the working folder).',
    )
    .usage('REQUEST [OPTION…] [PATH…]')
    .argument('<REQUEST>')
    .argument('[PATH...]')
    .addOption(
      new Option('--top <N>', 'the maximum number of skills')
        .default(10)
        .argParser((word) => parseCount(word, '--top')),
    )
    .option(...CALLER)
    .option(...SURFACE)
    .addOption(
      wordOption(
        '--source <SOURCE>',
        `the source of the invocation: ${listed(INVOCATION_SOURCES, 'or')}`,
        INVOCATION_SOURCES,
      ).default('agent-selected'),
    )
    .option(...CHANNEL)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<Given>(async ([request = '', ...paths], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, top, source, profile, channel, surface } = options;
        const { runMatch } = await import('./match.ts');
        return runMatch({ cwd, paths, config, format, request, top, source, profile, channel, surface }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the ranking was printed, even an empty one, 2 invalid usage, or an invalid catalog.`;
