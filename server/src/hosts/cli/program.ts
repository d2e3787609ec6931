/** The commands and their options, as `commander` reads them. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../version.ts';
import { openConsole } from './console.ts';
import type { InvocationWords } from './invocation.ts';
import { Stop } from './stop.ts';

/** Commands of the interface that this version does not have yet. */
const LATER_COMMANDS: readonly string[] = ['match', 'catalog', 'convert', 'tools', 'mcp'];

interface Common {
  readonly format: string;
  readonly config?: string;
  readonly cwd: string;
  readonly color: boolean;
  readonly quiet?: true;
}

interface ForNew extends Common {
  readonly kind: string;
  readonly description?: string;
}

interface ForDiff extends Common {
  readonly base?: string;
  readonly baseFile?: string;
}

interface ForCompose extends Common, InvocationWords {}

interface ForCheck extends Common {
  readonly fix?: true;
  readonly failOn: string;
  readonly rule: readonly string[];
  readonly baseline?: string;
  readonly writeBaseline?: string | true;
  readonly shard?: string;
}

/** Runs a command line, without `node` and the script's name. Returns the exit status; throws a `Stop` for 2. */
export async function runProgram(words: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Command('skill-composer');
  program
    .description('Checks and composes skill files, and serves editors.')
    .usage('COMMAND [OPTION…]')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .option(
      '--format <FORMAT>',
      'how the result is printed: pretty or json; by compose: prompt or json; by graph: mermaid, dot or json',
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
    .option(
      '--fail-on <SEVERITY>',
      'the least severity that makes the exit status 1: error, warning, info or hint',
      'error',
    )
    .option('--rule <NAME=SEVERITY>', 'set a rule to off, hint, info, warning or error; may be repeated', collect, [])
    .addOption(new Option('--baseline <FILE>').hideHelp())
    .addOption(new Option('--write-baseline [FILE]').hideHelp())
    .addOption(new Option('--shard <I/N>').hideHelp())
    .addHelpText('after', EXIT_STATUS)
    .action(async (paths: string[], _own: unknown, command: Command) => {
      status = await startCheck(paths, command.optsWithGlobals<ForCheck>());
    });

  program
    .command('compose')
    .description(
      'Composes a skill and prints the prompt. Without --sample and --params its only sample, else without parameters.',
    )
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--sample <NAME>', 'a sample of the skill; further options go before what it says')
    .option('--params <JSON>', 'the parameters, as JSON or as @FILE')
    .option('--request <TEXT>', "the user's words")
    .option('--source <SOURCE>', 'who invokes it: explicit, agent-selected, scheduled or authoring')
    .option('--channel <ID>', 'the channel; without one, the workspace')
    .option('--profile <NAME>', 'the caller, a profile of the catalog; without one, a caller who holds everything')
    .option('--model <NAME>', 'the model that templates are chosen for')
    .option('--memory <JSON>', 'memory items as JSON or as @FILE: a list of {"id", "tier", "text"}')
    .addHelpText('after', COMPOSE_STATUS)
    .action(async (file: string, _own: unknown, command: Command) => {
      const isChosen = program.getOptionValueSource('format') !== 'default';
      const options = command.optsWithGlobals<ForCompose>();
      status = await startCompose(file, isChosen ? options : { ...options, format: 'prompt' });
    });

  program
    .command('explain')
    .description("Prints a rule's page, by the rule's name or number; without one, the list of rules.")
    .usage('[RULE]')
    .argument('[RULE]')
    .action(async (rule: string | undefined, _own: unknown, command: Command) => {
      const { color, format, quiet = false } = command.optsWithGlobals<Common>();
      if (format !== 'pretty') throw new Stop(`\`explain\` does not take \`--format ${format}\`: it prints text only.`);
      const { runExplain } = await import('./explain.ts');
      status = await runExplain(rule, openConsole({ color, quiet }));
    });

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
    .action(async (name: string, path: string | undefined, _own: unknown, command: Command) => {
      const { kind, description, ...common } = command.optsWithGlobals<ForNew>();
      const { color, format, quiet = false } = common;
      if (format !== 'pretty') throw new Stop(`\`new\` does not take \`--format ${format}\`: it prints text only.`);
      const cwd = await folderOf(common);
      const { runNew } = await import('./new.ts');
      status = await runNew({ cwd, name, kind, description, path }, openConsole({ color, quiet }));
    });

  program
    .command('diff')
    .description("Prints what has changed in a skill's contract since a baseline, and whether its version says so.")
    .usage('FILE [OPTION…]')
    .argument('<FILE>')
    .option('--base <REF>', 'the commit to compare with (default: HEAD)')
    .option('--base-file <FILE>', 'the file to compare with')
    .addHelpText('after', DIFF_STATUS)
    .action(async (file: string, _own: unknown, command: Command) => {
      const { base, baseFile, ...common } = command.optsWithGlobals<ForDiff>();
      const { parseFormat } = await import('./words.ts');
      const format = parseFormat(common.format);
      const cwd = await folderOf(common);
      const { color, quiet = false } = common;
      const { runDiff } = await import('./diff.ts');
      status = await runDiff({ cwd, file, base, baseFile, format, quiet }, openConsole({ color, quiet }));
    });

  program
    .command('graph')
    .description('Prints the composition graph: the skills that PATH names, and all that they compose.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .addHelpText('after', GRAPH_STATUS)
    .action(async (paths: string[], _own: unknown, command: Command) => {
      const isChosen = program.getOptionValueSource('format') !== 'default';
      const { config, ...common } = command.optsWithGlobals<Common>();
      const { GRAPH_FORMATS, runGraph } = await import('./graph.ts');
      const { parseWord } = await import('./words.ts');
      const format = isChosen ? parseWord(common.format, GRAPH_FORMATS, '--format') : 'mermaid';
      const cwd = await folderOf(common);
      const { color, quiet = false } = common;
      status = await runGraph({ cwd, paths, config, format }, openConsole({ color, quiet }));
    });

  program
    .command('lsp')
    .description('The language server, for any editor.')
    .usage('--stdio')
    .option('--stdio', 'speak over standard input and output')
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .action(async ({ stdio }: { stdio?: true }) => {
      if (!stdio) throw new Stop('The language server speaks over stdio only: run `skill-composer lsp --stdio`.');
      // The server is a script of its own, beside this one, which is loaded in two steps.
      await import(pathToFileURL(join(__dirname, 'server.js')).href);
    });

  for (const name of LATER_COMMANDS) {
    program
      .command(name, { hidden: true })
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new Stop(`\`${name}\` is not available in this version; \`skill-composer --help\` lists what is.`);
      });
  }

  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw new Stop(usageLine(error, words));
  }
  return status;
}

const EXIT_STATUS = `
Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage, an unreadable file or a broken catalog.`;

const DIFF_STATUS = `
Exit status: 0 the version says what has changed, 1 it does not, 2 wrong usage, or a baseline that cannot be read.`;

const GRAPH_STATUS = `
--format is mermaid (default), dot or json.
Exit status: 0 the graph is printed, whatever \`check\` says of it, 2 wrong usage or an unreadable file.`;

const COMPOSE_STATUS = `
Exit status: 0 the skill composes, 1 it does not, 2 wrong usage, an unreadable file or a broken catalog.
The prompt, or with --format json the composition, is all that is printed; why it fails is told on stderr.`;

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

async function startCheck(paths: readonly string[], options: ForCheck): Promise<number> {
  const { parseFailOn, parseFormat, parseOverrides } = await import('./words.ts');
  const later = (['baseline', 'writeBaseline', 'shard'] as const).find((option) => options[option] !== undefined);
  if (later) {
    const flag = later === 'writeBaseline' ? 'write-baseline' : later;
    throw new Stop(`\`--${flag}\` is not available in this version: leave it out.`);
  }
  const format = parseFormat(options.format);
  const failOn = parseFailOn(options.failOn);
  const overrides = parseOverrides(options.rule);
  const cwd = await folderOf(options);
  const { color, quiet = false, fix = false, config } = options;
  const { runCheck } = await import('./check.ts');
  return runCheck({ cwd, paths, config, format, fix, failOn, quiet, overrides }, openConsole({ color, quiet }));
}

async function startCompose(file: string, options: ForCompose): Promise<number> {
  const { COMPOSE_FORMATS, runCompose } = await import('./compose.ts');
  const { parseWord } = await import('./words.ts');
  const format = parseWord(options.format, COMPOSE_FORMATS, '--format');
  const cwd = await folderOf(options);
  const { color, quiet = false, config } = options;
  return runCompose({ cwd, file, config, format, quiet, invocation: options }, openConsole({ color, quiet }));
}

/** The working folder, as an absolute path. */
async function folderOf(options: Common): Promise<string> {
  const cwd = resolve(options.cwd);
  const isFolder = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Stop(`\`--cwd ${options.cwd}\` is not a folder.`);
  return cwd;
}

/** What `commander` has to say, in one line. */
function usageLine({ code, message }: CommanderError, words: readonly string[]): string {
  const command = words.find((word) => ['check', 'compose', 'diff', 'explain', 'graph', 'new', 'lsp'].includes(word));
  const help = `Run \`skill-composer ${command ? `${command} ` : ''}--help\`.`;
  if (code === 'commander.help') return `No command is given. ${help}`;
  const [first = '', ...rest] = message
    .replace(/^error: /, '')
    .replaceAll(/'([^']*)'/g, '`$1`')
    .split('\n');
  const hint = rest.join(' ').replace(/^\(Did you mean (.*)\?\)$/, 'Did you mean `$1`?');
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
  return [`${sentence}.`, hint, help].filter((part) => part !== '').join(' ');
}
