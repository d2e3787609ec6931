/** The options of `skill-composer compose` (docs/composer.md). */
import type { Command } from 'commander';
import { listed } from '../../../nearest.ts';
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
import type { InvocationWords } from './invocation.ts';

const FORMATS = ['prompt', 'json'] as const;

export function addComposeCommand(program: Command): void {
  program
    .command('compose')
    .description(
      'Composes a skill and prints the prompt. Without --sample and --params its only sample, else without parameters.',
    )
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--sample <NAME>', 'a sample of the skill; further options go before what it says')
    .option('--params <JSON>', 'the parameters, as JSON or as @FILE')
    .option('--made-up', 'makes up the parameters that are left open, from the schema')
    .option('--request <TEXT>', "the user's words")
    .addOption(
      wordOption('--source <SOURCE>', `who invokes it: ${listed(INVOCATION_SOURCES, 'or')}`, INVOCATION_SOURCES),
    )
    .option(...CHANNEL)
    .option('--thread <ID>', 'the thread that the invocation record names')
    .option(...CALLER)
    .option('--model <NAME>', 'the model that templates are chosen for')
    .option('--memory <JSON>', 'memory items as JSON or as @FILE: a list of {"id", "tier", "text"}')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      printing<Common & InvocationWords>(async ([file = ''], options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, quiet = false } = options;
        const { runCompose } = await import('./compose.ts');
        return runCompose({ cwd, file, config, format, quiet, invocation: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the skill composes, 1 it does not, 2 wrong usage, an unreadable file or a broken catalog.
The prompt, or with --format json the composition, is all that is printed; why it fails is told on stderr.`;
