/** The options of `skill-composer match` (docs/matching.md). */
import { type Command, Option } from 'commander';
import { listed } from '../../../nearest.ts';
import type { InvocationSource } from '../../../skill/package.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import {
  CALLER,
  CHANNEL,
  type Common,
  folderOf,
  formatOf,
  formatsHelp,
  OUT,
  printing,
  wordOption,
} from '../command-options.ts';
import { parseCount } from '../words.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends Common {
  readonly top: number;
  readonly profile?: string;
  readonly source: InvocationSource;
  readonly channel?: string;
}

export function addMatchCommand(program: Command): void {
  program
    .command('match')
    .description('Ranks the skills that answer a request. PATH narrows them down; without one, the working folder.')
    .usage('REQUEST [OPTION…] [PATH…]')
    .argument('<REQUEST>')
    .argument('[PATH...]')
    .addOption(
      new Option('--top <N>', 'so many skills at most').default(10).argParser((word) => parseCount(word, '--top')),
    )
    .option(...CALLER)
    .addOption(
      wordOption(
        '--source <SOURCE>',
        `who invokes the skill: ${listed(INVOCATION_SOURCES, 'or')}`,
        INVOCATION_SOURCES,
      ).default('agent-selected'),
    )
    .option(...CHANNEL)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      printing<Given>(async ([request = '', ...paths], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, top, source, profile, channel } = options;
        const { runMatch } = await import('./match.ts');
        return runMatch({ cwd, paths, config, format, request, top, source, profile, channel }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the ranking is printed, also an empty one, 2 wrong usage, or a catalog that cannot be relied on.`;
