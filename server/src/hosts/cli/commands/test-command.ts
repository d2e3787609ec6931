/** The options of `skill-composer test` (docs/testing.md). */
import { type Command, Option } from 'commander';
import {
  assertApart,
  type Common,
  calling,
  folderOf,
  formatOf,
  formatsHelp,
  OUT,
  SHARD,
  wordOption,
} from '../command-options.ts';
import { parseCount } from '../words.ts';
import type { TestWords } from './test.ts';

const FORMATS = ['pretty', 'json', 'junit', 'github'] as const;

interface Given extends Common, TestWords {
  readonly watch?: true;
}

export function addTestCommand(program: Command): void {
  program
    .command('test')
    .description(
      'Runs the tests of skills that need no model: samples, prompts, examples, recorded outputs; with --runner those that do.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--filter <TEXT>', 'only tests whose name, or whose skill, has this text')
    .option('--snapshots', 'hold every sample against its kept prompt, not those alone that say so')
    .option('--update', 'keep the prompts as they are now')
    .option('--watch', 'go on, and test what each edit concerns; `q` ends it')
    .option(...SHARD)
    .option('--recorded <FILE>', 'the output of the one sample that --filter leaves')
    .option(
      '--runner <COMMAND>',
      'ask a model: a command that gets the prompt as JSON on its input and prints the output',
    )
    .addOption(
      new Option('--max-runs <NUMBER>', 'the most runs of the command (default: 10)').argParser((word) =>
        parseCount(word, '--max-runs'),
      ),
    )
    .option('--record', 'keep what the command prints, as recorded outputs')
    .addOption(
      wordOption('--export <TOOL>', 'write the samples for promptfoo, or as evals of an Agent Skill', [
        'promptfoo',
        'evals',
      ]),
    )
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      calling<Given>(async (paths, options, console) => {
        assertApart(options, '--watch', 'which is for a single run', SINGLE_RUN);
        assertApart(options, '--export', 'since it writes samples and tests nothing', TESTING);
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, quiet = false, filter, snapshots = false } = options;
        if (options.watch) {
          const { watchTests } = await import('../testing/watch-tests.ts');
          return watchTests({ cwd, paths, quiet, filter, snapshots }, console);
        }
        const { runTest } = await import('./test.ts');
        return runTest({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );
}

const SINGLE_RUN = [
  '--format',
  '--config',
  '--update',
  '--shard',
  '--runner',
  '--max-runs',
  '--record',
  '--recorded',
  '--out',
  '--export',
];

const TESTING = ['--format', '--update', '--shard', '--runner', '--max-runs', '--record', '--recorded', '--snapshots'];

const STATUS = `
Exit status: 0 no test fails, 1 one does, 2 wrong usage, or a catalog that cannot be relied on.`;
