/** The commands and their options, as `commander` reads them. A command's code is loaded when it is called. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError, Help, Option } from 'commander';
import { VERSION } from '../environment.ts';
import { UserError } from '../user-error.ts';
import { type Calling, folderOf, OUT, printing } from './calling.ts';
import type { ForCheck, ForClients, ForCompose, ForDiff, ForNew } from './command-options.ts';
import { openConsole } from './console.ts';
import { addMcpCommand } from './mcp-command.ts';
import { addConvertCommand, addPackingCommands } from './packing-commands.ts';
import { addRegistryCommands, addToolsCommand } from './registry-commands.ts';
import {
  CHECK_STATUS,
  CLIENTS_STATUS,
  COMPOSE_STATUS,
  DIFF_STATUS,
  EXIT_STATUS,
  GRAPH_STATUS,
} from './status-texts.ts';
import { addTestCommand } from './testing/test-command.ts';

/** Runs a command line, without `node` and the script's name. Returns the exit status; throws a `UserError` for 2. */
export async function runProgram(words: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Command('skill-composer');
  const isFormatGiven = (): boolean => program.getOptionValueSource('format') !== 'default';
  const calling: Calling =
    (run) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<Parameters<typeof run>[1]>();
      status = await run(command.args, options, openConsole(options));
    };
  const print = printing(calling);

  program
    .description('Checks and composes skill files, and serves editors.')
    .usage('COMMAND [OPTION…]')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: ({ flags }) => flags.replace(' [', '[='),
      optionDescription: (option) => new Help().optionDescription(option).replace(' (default: [])', ''),
    })
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .option(
      '--format <FORMAT>',
      'how the result is printed: pretty or json; by compose: prompt or json; by graph: mermaid, dot or json; by clients: pretty, json or markdown',
      'pretty',
    )
    .option('--config <FILE>', 'the catalog that governs every skill, in place of those found')
    .option('--cwd <DIR>', 'the working folder', '.')
    .option('--no-color', 'print without colours')
    .option('--quiet', 'print only what makes the command fail; no summary, no progress')
    .addHelpText('after', EXIT_STATUS);

  program
    .command('check')
    .description('Prints findings. PATH is a file, a folder or a glob in quotes; without one, the working folder.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--fix', 'apply the safe fixes, then print what is left')
    .option('--watch', 'go on, and print the findings anew at each change; `f` applies the safe fixes, `q` ends it')
    .option(
      '--fail-on <SEVERITY>',
      'the least severity that makes the exit status 1: error, warning, info or hint',
      'error',
    )
    .option('--rule <NAME=SEVERITY>', 'set a rule to off, hint, info, warning or error; may be repeated', collect, [])
    .option(
      '--out <FORMAT=FILE>',
      'write the result to a file, too, in a format of its own; may be repeated',
      collect,
      [],
    )
    .option('--changed [REF]', 'only files that differ from a commit (default: HEAD), and those that depend on them')
    .option('--shard <I/N>', 'only this part of the files, such as 1/4')
    .option('--baseline <FILE>', 'leave out the findings that this file knows (default: skills.baseline.json)')
    .option('--no-baseline', 'leave nothing out')
    .option('--write-baseline', 'take the findings of the checked files into the baseline')
    .option('--today <DATE>', 'the day by which sunsets are judged; without one, the day that it is')
    .addHelpText('after', CHECK_STATUS)
    .action(
      calling<ForCheck>(async (paths, options, console) => {
        const { parseOutputs, parseOverrides } = await import('./check-formats.ts');
        const { CHECK_FORMATS, parseFailOn, parseToday, parseWord } = await import('./words.ts');
        const format = parseWord(options.format, CHECK_FORMATS, '--format');
        const out = parseOutputs(options.out);
        const failOn = parseFailOn(options.failOn);
        const overrides = parseOverrides(options.rule);
        const today = parseToday(options.today);
        const cwd = await folderOf(options);
        const { config, fix = false, quiet = false, changed } = options;
        if (options.watch) {
          const { assertTogether } = await import('./command-options.ts');
          const { watchChecks } = await import('./watching/watch-checks.ts');
          assertTogether({ config, format, words: options });
          return watchChecks({ cwd, paths, quiet, failOn }, console);
        }
        const { parseShard } = await import('../node/select-files.ts');
        const shard = parseShard(options.shard);
        const { runCheck } = await import('./commands/check.ts');
        return runCheck(
          { cwd, paths, config, format, out, fix, failOn, quiet, overrides, today, changed, shard, baseline: options },
          console,
        );
      }),
    );

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
    .option('--source <SOURCE>', 'who invokes it: explicit, agent-selected, scheduled or authoring')
    .option('--channel <ID>', 'the channel; without one, the workspace')
    .option('--thread <ID>', 'the thread that the invocation record names')
    .option('--profile <NAME>', 'the caller, a profile of the catalog; without one, a caller who holds everything')
    .option('--model <NAME>', 'the model that templates are chosen for')
    .option('--memory <JSON>', 'memory items as JSON or as @FILE: a list of {"id", "tier", "text"}')
    .option(...OUT)
    .addHelpText('after', COMPOSE_STATUS)
    .action(
      print<ForCompose>(async ([file = ''], options, console) => {
        const { COMPOSE_FORMATS, runCompose } = await import('./commands/compose.ts');
        const { parseWord } = await import('./words.ts');
        const format = isFormatGiven() ? parseWord(options.format, COMPOSE_FORMATS, '--format') : 'prompt';
        const cwd = await folderOf(options);
        const { config, quiet = false } = options;
        return runCompose({ cwd, file, config, format, quiet, invocation: options }, console);
      }),
    );

  program
    .command('explain')
    .description("Prints a rule's page, by the rule's name or number; without one, the list of rules.")
    .usage('[RULE]')
    .argument('[RULE]')
    .action(
      calling(async ([rule], { format }, console) => {
        assertTextOnly('explain', format);
        const { runExplain } = await import('./commands/explain.ts');
        return runExplain(rule, console);
      }),
    );

  program
    .command('new')
    .description(
      'Makes a skill from a template. PATH is its folder; without one, `skills` if it is there, else the working folder.',
    )
    .usage('NAME [OPTION…] [PATH]')
    .argument('<NAME>')
    .argument('[PATH]')
    .option(
      '--kind <KIND>',
      'literal: prose; template: a prompt with variables; staged: an approach in stages and an example; contract: a tool contract in YAML; agent-skill: NAME/SKILL.md',
      'literal',
    )
    .option('--description <TEXT>', 'what the skill does and when to use it')
    .action(
      calling<ForNew>(async ([name = '', path], options, console) => {
        assertTextOnly('new', options.format);
        const cwd = await folderOf(options);
        const { kind, description } = options;
        const { runNew } = await import('./commands/new.ts');
        return runNew({ cwd, name, kind, description, path }, console);
      }),
    );

  program
    .command('diff')
    .description("Prints what has changed in a skill's contract since a baseline, and whether its version says so.")
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--base <REF>', 'the commit to compare with (default: HEAD)')
    .option('--base-file <FILE>', 'the file to compare with')
    .option(...OUT)
    .addHelpText('after', DIFF_STATUS)
    .action(
      print<ForDiff>(async ([file = ''], options, console) => {
        const { parseFormat } = await import('./words.ts');
        const format = parseFormat(options.format);
        const cwd = await folderOf(options);
        const { base, baseFile, quiet = false } = options;
        const { runDiff } = await import('./commands/diff.ts');
        return runDiff({ cwd, file, base, baseFile, format, quiet }, console);
      }),
    );

  program
    .command('graph')
    .description('Prints the composition graph: the skills that PATH names, and all that they compose.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option(...OUT)
    .addHelpText('after', GRAPH_STATUS)
    .action(
      print(async (paths, options, console) => {
        const { GRAPH_FORMATS, runGraph } = await import('./commands/graph.ts');
        const { parseWord } = await import('./words.ts');
        const format = isFormatGiven() ? parseWord(options.format, GRAPH_FORMATS, '--format') : 'mermaid';
        const cwd = await folderOf(options);
        return runGraph({ cwd, paths, config: options.config, format }, console);
      }),
    );

  program
    .command('clients')
    .description('Prints what each client makes of a `SKILL.md`, and how full its list of skills is.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--client <ID>', 'only this client, such as claude-code; may be repeated', collect, [])
    .option('--budget', 'only the lists of the target clients that limit them')
    .option('--fail-on <SEVERITY>', 'the least severity of a loss that makes the exit status 1', 'error')
    .option(...OUT)
    .addHelpText('after', CLIENTS_STATUS)
    .action(
      print<ForClients>(async (paths, options, console) => {
        const { CLIENTS_FORMATS, runClients } = await import('./commands/clients.ts');
        const { parseFailOn, parseWord } = await import('./words.ts');
        const format = parseWord(options.format, CLIENTS_FORMATS, '--format');
        const failOn = parseFailOn(options.failOn);
        const cwd = await folderOf(options);
        const { config, client, budget = false } = options;
        return runClients({ cwd, paths, config, format, failOn, clients: client, budget }, console);
      }),
    );

  program
    .command('lsp')
    .description('The language server, for any editor.')
    .usage('--stdio')
    .option('--stdio', 'speak over standard input and output')
    // Editors pass it to every server, and the server itself reads it.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .action(async ({ stdio }: { stdio?: true }) => {
      if (!stdio) throw new UserError('The language server speaks over stdio only: run `skill-composer lsp --stdio`.');
      // The server is a script of its own, beside this one.
      await import(pathToFileURL(join(__dirname, 'server.js')).href);
    });

  addRegistryCommands(program, calling);
  addTestCommand(program, calling);
  addToolsCommand(program, calling);
  addPackingCommands(program, calling);
  addConvertCommand(program, calling);
  addMcpCommand(program, calling);

  try {
    await program.parseAsync(words.map(withValue), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw new UserError(usageLine(error, program, words));
  }
  return status;
}

/** `--changed` takes its value with `=` alone, so that a path may stand behind it. */
const withValue = (word: string): string => (word === '--changed' ? '--changed=HEAD' : word);

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

function assertTextOnly(command: string, format: string): void {
  if (format !== 'pretty')
    throw new UserError(`\`${command}\` does not take \`--format ${format}\`: it prints text only.`);
}

/** The message of `commander`, in one line. */
function usageLine({ code, message }: CommanderError, program: Command, words: readonly string[]): string {
  let command = program;
  const names = [program.name()];
  for (const word of words) {
    const next = command.commands.find((known) => known.name() === word);
    if (!next) continue;
    names.push(word);
    command = next;
  }
  const help = `Run \`${names.join(' ')} --help\`.`;
  if (code === 'commander.help') return `No command is given. ${help}`;
  const [first = '', ...rest] = message
    .replace(/^error: /, '')
    .replaceAll(/'([^']*)'/g, '`$1`')
    .split('\n');
  const hint = rest.join(' ').replace(/^\(Did you mean (.*)\?\)$/, 'Did you mean `$1`?');
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
  return [`${sentence}.`, hint, help].filter((part) => part !== '').join(' ');
}
