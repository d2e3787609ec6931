/** The options of `skill-composer test` (docs/testing.md). */
import { type Command, Option } from 'commander';
import {
  assertNotCombined,
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  OUT,
  SHARD,
  wordOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';
import type { TestWords } from './test.ts';

const FORMATS = ['pretty', 'json', 'junit', 'github'] as const;

interface Given extends CommonOptions, TestWords {
  readonly watch?: true;
}

export function addTestCommand(program: Command): void {
  program
    .command('test')
    .description(
      'Runs the tests of skills: samples, prompts, examples and recorded outputs. Tests that need a model require --runner.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--filter <TEXT>', 'only tests whose name or skill name contains this text')
    .option('--snapshots', 'compare every sample with its saved prompt, not only those with `snapshot: true`')
    .option('--update', 'save the current prompts')
    .option('--watch', 'keep running and test the skills that an edit affects; `q` quits')
    .option(...SHARD)
    .option('--recorded <FILE>', 'a file with the model output for the sample that --filter selects')
    .option(
      '--runner <COMMAND>',
      'the command that runs a model: it reads the prompt as JSON from stdin and prints the output',
    )
    .addOption(
      new Option('--max-runs <NUMBER>', 'the maximum number of runs of the command (default: 10)').argParser((word) =>
        parseCount(word, '--max-runs'),
      ),
    )
    .option('--record', 'save the output of the command as recorded outputs')
    .addOption(
      wordOption('--export <TOOL>', 'export the samples for promptfoo, or as evals of an Agent Skill', [
        'promptfoo',
        'evals',
      ]),
    )
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      commandAction<Given>(async (paths, options, console) => {
        assertNotCombined(options, '--watch', 'which applies to a single run', SINGLE_RUN);
        assertNotCombined(options, '--export', 'because it runs no tests', TESTING);
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
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
Exit status: 0 no test failed, 1 a test failed, 2 invalid usage, or an invalid catalog.`;
