/** The command that tests skills (docs/testing.md). */
import type { Command } from 'commander';
import { type Calling, folderOf } from '../calling.ts';
import type { Common } from '../command-options.ts';
import type { TestWords } from '../commands/test.ts';

interface ForTest extends Common, TestWords {
  readonly watch?: true;
}

export function addTestCommand(program: Command, calling: Calling): void {
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
    .option('--shard <I/N>', 'only this part of the files, such as 1/4')
    .option('--recorded <FILE>', 'the output of the one sample that --filter leaves')
    .option(
      '--runner <COMMAND>',
      'ask a model: a command that gets the prompt as JSON on its input and prints the output',
    )
    .option('--max-runs <NUMBER>', 'the most runs of the command (default: 10)')
    .option('--record', 'keep what the command prints, as recorded outputs')
    .option('--export <TOOL>', 'write the samples for promptfoo, or as evals of an Agent Skill')
    .option('--out <FILE>', 'write the result to a file')
    .addHelpText('after', TEST_STATUS)
    .action(
      calling<ForTest>(async (paths, options, console) => {
        const { runTest, TEST_FORMATS } = await import('../commands/test.ts');
        const { assertTogether } = await import('../command-options.ts');
        const { parseWord } = await import('../words.ts');
        const format = parseWord(options.format, TEST_FORMATS, '--format');
        const cwd = await folderOf(options);
        const { config, quiet = false, filter, snapshots = false } = options;
        assertTogether({ config, format, words: options });
        if (options.watch) {
          const { watchTests } = await import('./watch-tests.ts');
          return watchTests({ cwd, paths, quiet, filter, snapshots }, console);
        }
        return runTest({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );
}

const TEST_STATUS = `
--format is pretty (default), json, junit or github.
Exit status: 0 no test fails, 1 one does, 2 wrong usage, or a catalog that cannot be relied on.`;
