/**
 * The commands for `commander`. Files in `commands` declare the options of related commands, and the code for a command
 * is loaded when the command is called.
 */
import { Command, CommanderError, Help } from 'commander';
import { VERSION } from '../../io/environment.ts';
import { UserError } from '../../io/user-error.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { addCommonOptions, EXIT_STATUS } from './command-options.ts';
import {
  addClientsCommand,
  addDiffCommand,
  addExplainCommand,
  addNewCommand,
  addObserveCommand,
} from './commands/authoring-commands.ts';
import { addCheckCommand } from './commands/check-command.ts';
import {
  addComposeCommand,
  addGraphCommand,
  addRecordCheckCommand,
  addRunCommand,
  addTestCommand,
} from './commands/composing-commands.ts';
import { addConvertCommand, addExportCommand, addInstallCommand, addPackCommand } from './commands/packing-commands.ts';
import { addAuditCommand, addCatalogCommand, addMatchCommand } from './commands/planner-commands.ts';
import { addDapCommand, addLspCommand, addMcpCommand, addToolsPullCommand } from './commands/server-commands.ts';

/** The commands in the order of the help. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addCheckCommand,
  addComposeCommand,
  addRunCommand,
  addRecordCheckCommand,
  addExplainCommand,
  addNewCommand,
  addDiffCommand,
  addGraphCommand,
  addClientsCommand,
  addObserveCommand,
  addLspCommand,
  addDapCommand,
  addMatchCommand,
  addCatalogCommand,
  addAuditCommand,
  addTestCommand,
  addToolsPullCommand,
  addPackCommand,
  addInstallCommand,
  addConvertCommand,
  addExportCommand,
  addMcpCommand,
];

/**
 * Runs a command line. `words` excludes `node` and the script. The command sets the exit status. Throws a `UserError`
 * for status 2.
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = new Command('skill-composer')
    .description('Checks and composes skill files, and serves editors.')
    .usage('COMMAND [OPTION…]')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: ({ flags }) => flags.replace(' [', '[='),
      // The description already states the preset.
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(preset: .*\)$/, ''),
    })
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .addHelpText('after', EXIT_STATUS);
  const { writeOut, getOutHelpWidth } = program.configureOutput();
  program.configureOutput({ writeOut: (text) => writeOut?.(wrapped(text, getOutHelpWidth?.() ?? HELP_WIDTH)) });
  addCommonOptions(program);
  for (const add of COMMANDS) add(program);
  try {
    await program.parseAsync(
      words.map((word) => withPreset(program, word)),
      { from: 'user' },
    );
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UserError(usageLine(error, program, words));
  }
}

/** The width of the help outside of a terminal, in characters, as in `commander`. */
const HELP_WIDTH = 80;

/** Breaks lines at spaces. `commander` itself does not break the text below the options. */
function wrapped(text: string, width: number): string {
  const broken = text.split('\n').map((line) => {
    let rest = line;
    const lines: string[] = [];
    while (rest.length > width) {
      const at = rest.lastIndexOf(' ', width);
      if (at <= 0) break;
      lines.push(rest.slice(0, at));
      rest = rest.slice(at + 1);
    }
    return [...lines, rest].join('\n');
  });
  return broken.join('\n');
}

/** Adds the preset to an option without `=VALUE`, because a path after the option would otherwise be its value. */
function withPreset({ commands }: Command, word: string): string {
  const option = commands.flatMap(({ options }) => options).find(({ long, optional }) => optional && long === word);
  return option ? `${word}=${option.presetArg}` : word;
}

/** Names of commands in other linters, with the words to write instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['fix', 'check --fix'],
  ['lint', 'check'],
  ['render', 'compose'],
  ['validate', 'check'],
]);

function commandsLike(word: string, { commands }: Command): readonly string[] {
  const known = commands.map((one) => one.name());
  const elsewhere = ELSEWHERE.get(word);
  return elsewhere !== undefined && known.includes('check') ? [elsewhere] : nearestNames(word, known, 1);
}

/** Options of other programs, with the options to write instead. The first one that the command has is proposed. */
const OPTIONS_ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['--json -j', '--report json', '--format json'],
    ['-f -r --reporter --output-format --formatter', '--report', '--format'],
    ['--sarif', '--format sarif'],
    ['--junit', '--format junit'],
    ['--markdown', '--format markdown'],
    ['-o --output --output-file --out-file --out-dir', '--out'],
    ['--fix-all --write --apply --autofix', '--fix'],
    ['-q -s --silent', '--quiet'],
    ['-w', '--watch'],
    ['-c --config-file --config-path', '--config'],
    ['-C --directory --chdir --workdir', '--cwd'],
    ['--max-warnings --fail-level --fail-severity --error-on --strict', '--fail-on warning'],
    ['--since --diff --only-changed --staged', '--changed'],
    ['--disable --ignore-rule --skip-rule --off', '--rule NAME=off'],
    ['-y --force-yes --assume-yes --no-confirm', '--yes'],
    ['-v -V', '--version'],
    ['--no-colour --plain', '--no-color'],
    ['-u --update-snapshots --update-snapshot', '--update'],
    ['-t --grep --test-name-pattern', '--filter'],
    ['--param --data --vars', '--params'],
    ['--example --fixture', '--sample'],
    ['-k --type --template', '--kind'],
    ['-n --limit --max-results', '--top'],
  ].flatMap(([words = '', ...options]) => words.split(' ').map((word) => [word, options] as const)),
);

function optionsLike(word: string, command: Command, program: Command): readonly string[] {
  const known = [...command.options, ...program.options].flatMap(({ long }) => long?.slice(2) ?? []);
  const elsewhere = OPTIONS_ELSEWHERE.get(word.replace(/=.*$/, ''))?.find((option) =>
    known.includes(option.slice(2).replace(/ .*$/, '')),
  );
  if (elsewhere !== undefined) return [elsewhere];
  const name = word.replace(/^--?/, '').replace(/=.*$/, '');
  return nearestNames(name, known, 1).map((near) => `--${near}`);
}

/** Returns the message of `commander` on one line, with the command that shows help. */
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
  if (code === 'commander.help') return `Missing command. ${help}`;
  const [first = '', ...rest] = message
    .replace(/^error: /, '')
    .replaceAll(/'([^']*)'/g, '`$1`')
    .split('\n');
  const [, word = ''] = /`(.*)`/.exec(first) ?? [];
  const near = code === 'commander.unknownOption' ? optionsLike(word, command, program) : commandsLike(word, command);
  const isUnknown = code === 'commander.unknownOption' || code === 'commander.unknownCommand';
  const hint = isUnknown ? didYouMean(near).trimStart() : rest.join(' ');
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
  return [`${sentence}.`, hint, help].filter((part) => part !== '').join(' ');
}
