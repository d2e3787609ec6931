/** The options of `new`, `diff`, `explain`, `clients` and `observe` (docs/command-line.md). */
import { type Command, Option } from 'commander';
import type { Severity } from '../../../finding.ts';
import { UserError } from '../../../io/user-error.ts';
import {
  assertNoFormat,
  assertNotCombined,
  type CommonOptions,
  commandAction,
  failOnOption,
  formatOf,
  formatsHelp,
  OUT,
  repeatedOption,
  withOutputFile,
  workingFolder,
} from '../command-options.ts';
import { parseCount, parseWord } from '../option-values.ts';

interface NewFlags extends CommonOptions {
  readonly kind?: string;
  readonly description?: string;
}

export function addNewCommand(program: Command): void {
  program
    .command('new')
    .description(
      "Creates a skill from a template. NAME is a name such as draft-scene, or a title such as 'Draft scene'. PATH is its folder (default: `skills` if it exists, else the working folder; for agent-skill, else `.agents/skills` or another client's folder).",
    )
    .usage('NAME [OPTION…] [PATH]')
    .argument('<NAME>')
    .argument('[PATH]')
    .option(
      '--kind <KIND>',
      'literal: prose; template: a prompt with variables; staged: an approach in stages and an example; contract: a tool contract in YAML; agent-skill: NAME/SKILL.md (default: agent-skill in the folder of a client, or if most skills in PATH are `SKILL.md` files, else literal)',
    )
    .option('--description <TEXT>', 'what the skill does and when to use it')
    .action(
      commandAction<NewFlags>(async ([name = '', path], options, console) => {
        assertNoFormat('new', options, 'it prints only text');
        const cwd = await workingFolder(options);
        const { kind, description } = options;
        const { runNew } = await import('./new.ts');
        return runNew({ cwd, name, kind, description, path }, console);
      }),
    );
}

const DIFF_FORMATS = ['pretty', 'json'] as const;

interface DiffFlags extends CommonOptions {
  readonly base?: string;
  readonly baseFile?: string;
}

export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description("Compares a skill's contract with an earlier one, and checks that the version was raised accordingly.")
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--base <REF>', 'the commit to compare with (default: HEAD)')
    .option('--base-file <FILE>', 'the file to compare with')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(DIFF_FORMATS)}${DIFF_STATUS}`)
    .action(
      withOutputFile<DiffFlags>(async ([file = ''], options, console) => {
        const format = formatOf(options, DIFF_FORMATS);
        const cwd = await workingFolder(options);
        const { base, baseFile, quiet = false } = options;
        const { runDiff } = await import('./diff.ts');
        return runDiff({ cwd, file, base, baseFile, format, quiet }, console);
      }),
    );
}

const DIFF_STATUS = `
Exit status: 0 the version matches the changes, 1 it does not, 2 invalid usage, or the earlier contract is unreadable.`;

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('Prints the page of a rule, by name or number; without RULE, prints the list of rules.')
    .usage('[RULE]')
    .argument('[RULE]')
    .action(
      commandAction(async ([rule], options, console) => {
        assertNoFormat('explain', options, 'it prints only text');
        const { runExplain } = await import('./explain.ts');
        return runExplain(rule, console);
      }),
    );
}

const CLIENTS_FORMATS = ['pretty', 'json', 'markdown'] as const;

interface ClientsFlags extends CommonOptions {
  readonly client?: readonly string[];
  readonly model?: readonly string[];
  readonly budget?: true;
  readonly why?: string;
  readonly request?: string;
  readonly arguments?: string;
  readonly failOn: Severity;
  readonly set?: string;
}

export function addClientsCommand(program: Command): void {
  program
    .command('clients')
    .description('Prints how each client loads a `SKILL.md`, and how much of its skill list budget is used.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .addOption(repeatedOption('--client <ID>', 'only this client, for example claude-code; may be repeated'))
    .addOption(
      repeatedOption(
        '--model <NAME>',
        'the model, or the size of its context in tokens, for lists that use a share of it; may be repeated',
      ),
    )
    .option(
      '--set <IDS>',
      'save the target clients of PATH in the catalog, for example claude-code,codex; auto: detect them',
    )
    .option('--budget', 'only the skill lists of the target clients that have a limit')
    .option('--why <FILE>', 'whether the target clients find, load, list, choose and deliver this `SKILL.md`, and why')
    .option('--request <TEXT>', 'with --why: a request of a user, to rank the skills for')
    .option('--arguments <TEXT>', 'with --why: the arguments of a call, to show the body with them')
    .addOption(failOnOption('the lowest severity of a loss that makes the exit status 1'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(CLIENTS_FORMATS)}${CLIENTS_STATUS}`)
    .action(
      withOutputFile<ClientsFlags>(async (paths, options, console) => {
        const format = formatOf(options, CLIENTS_FORMATS);
        const cwd = await workingFolder(options);
        const { config, client: clients = [], model: models = [], budget = false, failOn } = options;
        const { why, request, arguments: called, set, quiet = false } = options;
        if (set !== undefined) {
          assertNotCombined(options, '--set', 'because it only changes the catalog', NOT_WITH_SET);
          const [path, more] = paths;
          if (more !== undefined) throw new UserError('`--set` takes one PATH. Run it once for each path.');
          const { runSetClients } = await import('./set-clients.ts');
          return runSetClients({ cwd, path, set, quiet }, console);
        }
        if (why !== undefined) {
          if (budget) throw new UserError('`--why` and `--budget` exclude each other. Use one of them.');
          const { modelsCalled, runWhy } = await import('./clients.ts');
          const model = modelsCalled(models);
          return runWhy({ cwd, paths, config, format, clients, model, file: why, request, arguments: called }, console);
        }
        if (request !== undefined || called !== undefined) {
          throw new UserError('`--request` and `--arguments` need `--why FILE`.');
        }
        const { modelsCalled, runClients } = await import('./clients.ts');
        const model = modelsCalled(models);
        return runClients({ cwd, paths, config, format, failOn, clients, model, budget }, console);
      }),
    );
}

/** The options of `clients` that have no meaning with `--set`. */
const NOT_WITH_SET = [
  ...['--client', '--model', '--budget', '--why', '--request', '--arguments'],
  ...['--format', '--config', '--out'],
];

const CLIENTS_STATUS = `
With --why, each step is ✓ yes, ✗ no, ~ depends, ? unknown, or - not reached. The first target clients are shown, or \
without target clients the first client that finds the skill.

Exit status: 0 no target client loses a skill, 1 a loss at or above --fail-on, 2 invalid usage. With --why: 1 if a step \
is "no".`;

const OBSERVE_FORMATS = ['pretty', 'json', 'markdown'] as const;
const OTHER_FILES = ['agents', 'commands', 'plugins'] as const;

interface ObserveFlags extends CommonOptions {
  readonly output?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly program?: string;
  readonly timeout: number;
  readonly with?: readonly (typeof OTHER_FILES)[number][];
}

export function addObserveCommand(program: Command): void {
  program
    .command('observe')
    .description(
      'Runs an installed client once against a model on this machine, and prints what it sends of the skills in PATH beside the prediction. PATH is the folder that the client would open (default: the working folder). Without CLIENT, lists the clients.',
    )
    .usage('[CLIENT] [OPTION…] [PATH]')
    .argument('[CLIENT]')
    .argument('[PATH]')
    .option('--yes', 'start the client without asking')
    .option('--dry-run', 'print what would be started, and start nothing')
    .option('--program <PROGRAM>', 'start only the program with this path, as `--dry-run` prints it')
    .option('--output <FILE>', 'also write a report: JSON if FILE ends with `.json`, else Markdown for an issue')
    .addOption(
      new Option(
        '--with <KIND,…>',
        'also copy agents or commands from folders of clients, or manifests of plugins',
      ).argParser((word) => word.split(',').map((one) => parseWord(one.trim(), OTHER_FILES, '--with'))),
    )
    .addOption(
      new Option('--timeout <SECONDS>', 'the time after which the client is ended')
        .default(120)
        .argParser((word) => parseCount(word, '--timeout')),
    )
    .addHelpText('after', `${formatsHelp(OBSERVE_FORMATS)}${OBSERVE_STATUS}`)
    .action(
      commandAction<ObserveFlags>(async ([client, path = '.'], options, console) => {
        const format = formatOf(options, OBSERVE_FORMATS);
        const cwd = await workingFolder(options);
        const { config, output, yes = false, dryRun = false, program, timeout: seconds, with: others = [] } = options;
        const { runObserve } = await import('./observe.ts');
        const how = { yes, dryRun, program, seconds, others };
        return runObserve({ cwd, client, path, config, format, output, ...how }, console);
      }),
    );
}

const OBSERVE_STATUS = `
What is started is printed before a confirmation. Without a terminal, --yes is required.

Exit status: 0 everything is as predicted, 1 a difference, 2 invalid usage, or the client could not be observed.`;
