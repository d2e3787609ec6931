/** The options of `skill-composer compose` (docs/composer.md). */
import type { Command } from 'commander';
import { listed } from '../../../nearest.ts';
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
import type { InvocationWords } from './invocation.ts';

const FORMATS = ['prompt', 'json'] as const;

export function addComposeCommand(program: Command): void {
  program
    .command('compose')
    .description(
      'Composes a skill and prints the prompt. Without --sample and --params, uses the only sample or no parameters.',
    )
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--sample <NAME>', 'a sample of the skill; other options override its values')
    .option('--params <JSON>', 'the parameters, as JSON or as @FILE')
    .option('--made-up', 'generate the missing parameters from the schema')
    .option('--request <TEXT>', "the user's request")
    .addOption(
      wordOption(
        '--source <SOURCE>',
        `the source of the invocation: ${listed(INVOCATION_SOURCES, 'or')}`,
        INVOCATION_SOURCES,
      ),
    )
    .option(...CHANNEL)
    .option('--thread <ID>', 'the thread ID for the invocation record')
    .option(...CALLER)
    .option(...SURFACE)
    .option('--model <NAME>', 'the model for which templates are selected')
    .option('--memory <JSON>', 'the memory items, as JSON or as @FILE: a list of {"id", "tier", "text"}')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<CommonOptions & InvocationWords>(async ([file = ''], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false } = options;
        const { runCompose } = await import('./compose.ts');
        return runCompose({ cwd, file, config, format, quiet, invocation: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the skill composes, 1 it does not, 2 invalid usage, an unreadable file or an invalid catalog.
stdout contains only the prompt, or the composition with --format json. Errors are printed on stderr.`;
