/** The options of `compose`, `run`, `graph` and `test` (docs/command-line.md). */
import { type Command, Option } from 'commander';
import { listed } from '../../../nearest.ts';
import type { CommandWords } from '../../../services/testing/runner.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import {
  assertNotCombined,
  CALLER,
  CHANNEL,
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  maxRunsOption,
  OUT,
  RUNNER,
  repeatedOption,
  SHARD,
  SURFACE,
  withOutputFile,
  wordOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';
import type { InvocationWords } from './invocation.ts';
import type { TestWords } from './test.ts';

const OMIT = 'leaves out an optional parameter, also of a sample; may be repeated';

/** Adds the options of an invocation, which are those of `InvocationWords`. */
const withInvocation = (command: Command, { params, madeUp }: Readonly<Record<'params' | 'madeUp', string>>): Command =>
  command
    .option('--sample <NAME>', 'a sample of the skill; other options override its values')
    .option('--params <JSON>', params)
    .option('--made-up', madeUp)
    .addOption(repeatedOption('--omit <NAME>', OMIT))
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
    .option('--memory <JSON>', 'the memory items, as JSON or as @FILE: a list of {"id", "tier", "text"}');

const COMPOSE_FORMATS = ['prompt', 'json'] as const;

export function addComposeCommand(program: Command): void {
  withInvocation(program.command('compose'), {
    params: 'the parameters, as JSON or as @FILE',
    madeUp: 'generate the missing parameters from the schema',
  })
    .description(
      'Composes a skill and prints the prompt. Without --sample and --params, uses the only sample or no parameters.',
    )
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(COMPOSE_FORMATS)}${COMPOSE_STATUS}`)
    .action(
      withOutputFile<CommonOptions & InvocationWords>(async ([file = ''], options, console) => {
        const format = formatOf(options, COMPOSE_FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false } = options;
        const { runCompose } = await import('./compose.ts');
        return runCompose({ cwd, file, config, format, quiet, invocation: options }, console);
      }),
    );
}

const COMPOSE_STATUS = `
Exit status: 0 the skill composes, 1 it does not, 2 invalid usage, an unreadable file or an invalid catalog.
stdout contains only the prompt, or the composition with --format json. Errors are printed on stderr.`;

const RUN_FORMATS = ['text', 'json'] as const;

interface RunFlags extends CommonOptions, InvocationWords, CommandWords {
  readonly answer?: readonly string[];
  readonly stub?: readonly string[];
  readonly maxSteps?: number;
}

export function addRunCommand(program: Command): void {
  withInvocation(program.command('run'), {
    params: 'the parameters, as JSON or as @FILE; missing parameters are generated',
    madeUp: 'generate the missing parameters of a sample, too',
  })
    .description(
      'Runs a skill and prints each step, without a model unless --runner names one. Calls no tools or services. Without --sample and --params, uses the only sample or generated parameters.',
    )
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .addOption(
      repeatedOption('--answer <NAME=JSON>', 'the answer to an interrupt, as JSON or as @FILE; may be repeated'),
    )
    .addOption(repeatedOption('--stub <TOOL=JSON>', 'the result of a tool, as JSON or as @FILE; may be repeated'))
    .addOption(
      new Option('--max-steps <NUMBER>', 'the number of nodes after which the run ends (default: 1000)').argParser(
        (word) => parseCount(word, '--max-steps'),
      ),
    )
    .option(...RUNNER)
    .addOption(maxRunsOption('the maximum number of requests to the model (default: 30)'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(RUN_FORMATS)}${RUN_STATUS}`)
    .action(
      withOutputFile<RunFlags>(async ([file = ''], options, console) => {
        const format = formatOf(options, RUN_FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false, answer: answers = [], stub: stubs = [], maxSteps, runner, maxRuns } = options;
        const given = { answers, stubs, maxSteps, runner, maxRuns };
        const { runSkill } = await import('./run.ts');
        return runSkill({ cwd, file, config, format, quiet, invocation: options, ...given }, console);
      }),
    );
}

const RUN_STATUS = `
Exit status: 0 the exit condition is met; 1 the run failed, waits for an answer or a result, or ended without its exit \
condition, or the skill does not compose; 2 invalid usage, an unreadable file or an invalid catalog.
In a terminal, the command asks for the answers to interrupts.`;

const RECORD_CHECK_FORMATS = ['text', 'json'] as const;

export function addRecordCheckCommand(program: Command): void {
  program
    .command('record')
    .description('Compares invocation records with the skill files: `record check`.')
    .usage('check FILE [PATH…]')
    .helpCommand(false)
    .command('check')
    .description(
      'Compares an invocation record, in the JSON of compose or run, with the skill files, and lists the skills and artifacts that have changed.',
    )
    .usage('FILE [OPTION…] [PATH…]')
    .argument('<FILE>')
    .argument('[PATH...]')
    .option(...SURFACE)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(RECORD_CHECK_FORMATS)}${RECORD_CHECK_STATUS}`)
    .action(
      withOutputFile<CommonOptions & { readonly surface?: string }>(async ([file = '', ...paths], options, console) => {
        const format = formatOf(options, RECORD_CHECK_FORMATS);
        const cwd = await workingFolder(options);
        const { config, surface, quiet = false } = options;
        const { checkRecord } = await import('./record-check.ts');
        return checkRecord({ cwd, file, paths, config, surface, format, quiet }, console);
      }),
    );
}

const RECORD_CHECK_STATUS = `
Exit status: 0 all skills are as in the record, 1 a skill has changed, is missing or was added, 2 invalid usage, a file \
without a record, or an invalid catalog.`;

const GRAPH_FORMATS = ['mermaid', 'dot', 'json'] as const;

export function addGraphCommand(program: Command): void {
  program
    .command('graph')
    .description('Prints the composition graph: the skills in PATH, and all skills that they compose.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option(...SURFACE)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(GRAPH_FORMATS)}${GRAPH_STATUS}`)
    .action(
      withOutputFile<CommonOptions & { readonly surface?: string }>(async (paths, options, console) => {
        const format = formatOf(options, GRAPH_FORMATS);
        const cwd = await workingFolder(options);
        const { runGraph } = await import('./graph.ts');
        return runGraph({ cwd, paths, config: options.config, format, surface: options.surface }, console);
      }),
    );
}

const GRAPH_STATUS = `
Exit status: 0 the graph was printed (even if \`check\` reports errors), 2 invalid usage, or an invalid catalog.`;

const TEST_FORMATS = ['pretty', 'json', 'junit', 'github'] as const;

interface TestFlags extends CommonOptions, TestWords {
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
    .option(...RUNNER)
    .addOption(maxRunsOption('the maximum number of runs of the command (default: 10)'))
    .option('--record', 'save the output of the command as recorded outputs')
    .addOption(
      wordOption(
        '--export <TOOL>',
        'export samples and routing cases for promptfoo or waza, or as evals of a SKILL.md',
        ['promptfoo', 'waza', 'evals'],
      ),
    )
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(TEST_FORMATS)}${TEST_STATUS}`)
    .action(
      commandAction<TestFlags>(async (paths, options, console) => {
        assertNotCombined(options, '--watch', 'which applies to a single run', SINGLE_RUN);
        assertNotCombined(options, '--export', 'because it runs no tests', TESTING);
        const format = formatOf(options, TEST_FORMATS);
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

const TEST_STATUS = `
Exit status: 0 no test failed, 1 a test failed, 2 invalid usage, or an invalid catalog.`;
