/**
 * The options, help and actions that several commands share. The options of a single command are declared in
 * `commands/…-commands.ts`.
 */
import { isAbsolute } from 'node:path';
import { type Command, Option } from 'commander';
import { SEVERITIES } from '../../finding.ts';
import { absolute, isFolder } from '../../io/paths.ts';
import { writeResult } from '../../io/read-named.ts';
import { reasonOf, UserError } from '../../io/user-error.ts';
import { listed } from '../../nearest.ts';
import { type Console, NO_COLORS, openConsole, outputTo } from './console.ts';
import { parseCount, parseWord } from './option-values.ts';

/** The options that every command has. */
export interface CommonOptions {
  readonly format?: string;
  readonly config?: string;
  readonly cwd: string;
  readonly color: boolean;
  readonly quiet?: true;
}

export function addCommonOptions(program: Command): void {
  program
    .option('--format <FORMAT>', 'the format of the result; the help of each command lists its formats')
    .option('--config <FILE>', 'the catalog to use for every skill, instead of the catalogs in the folders')
    .option('--cwd <DIR>', 'the working folder', '.')
    .option('--no-color', 'print without colors')
    .option('--quiet', 'print only what makes the command fail; no summary and no progress');
}

// Options that only some commands have.

export const OUT = ['--out <FILE>', 'write the result to a file'] as const;
export const SHARD = ['--shard <I/N>', 'process only this part of the files, for example 1/4'] as const;
export const CHANNEL = ['--channel <ID>', 'the channel (default: none, the whole workspace)'] as const;
export const CALLER = [
  '--profile <NAME>',
  'the caller: a profile in the catalog (default: a caller that holds all scopes)',
] as const;

export const SURFACE = [
  '--surface <NAME>',
  'the surface of the calls, which selects the version of each skill',
] as const;

export const failOnOption = (description: string): Option =>
  wordOption('--fail-on <SEVERITY>', description, SEVERITIES).default('error');

export const RUNNER = [
  '--runner <COMMAND>',
  'the command that runs a model: it reads the prompt as JSON from stdin and prints the output',
] as const;

export const maxRunsOption = (description: string): Option =>
  new Option('--max-runs <NUMBER>', description).argParser((word) => parseCount(word, '--max-runs'));

/** Returns an option whose value is one of `words`. */
export const wordOption = (flags: string, description: string, words: readonly string[]): Option => {
  const option = new Option(flags, description);
  return option.argParser((word) => parseWord(word, words, option.long ?? flags));
};

/** Returns an option that may be repeated. */
export const repeatedOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((word, before: readonly string[] = []) => [...before, word]);

// Help text that is shown below the options of a command.

export const EXIT_STATUS = `
Exit status: 0 no findings at or above --fail-on, 1 findings, 2 invalid usage or \
an invalid catalog.`;

/** Returns the help text on the formats of a command. The first format is the default. */
export const formatsHelp = ([first, ...others]: readonly [string, ...string[]]): string =>
  `\n--format is ${listed([`${first} (default)`, ...others], 'or')}.`;

// The actions of commands.

type CommandWork<Options> = (words: readonly string[], options: Options, console: Console) => Promise<number>;
type Action = (...given: unknown[]) => Promise<void>;

/** Returns the action of a command. The result of `run` is the exit status. */
export const commandAction =
  <Options extends CommonOptions>(run: CommandWork<Options>): Action =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options>();
    process.exitCode = await run(command.args, options, openConsole(options));
  };

/**
 * Returns the action of a command that has the option `OUT`. The output file is written in one step when the command
 * ends; if nothing is printed, no file is written.
 */
export const withOutputFile = <Options extends CommonOptions>(run: CommandWork<Options>): Action =>
  commandAction<Options & { readonly out?: string }>(async (words, options, console) => {
    const { out } = options;
    if (out === undefined) return run(words, options, console);
    const texts: string[] = [];
    const output = outputTo((text) => void texts.push(text), false);
    const status = await run(words, options, { ...console, ...output, colors: NO_COLORS });
    if (texts.length > 0) await writeResult(absolute(folderOf(options), out), texts.join(''), `--out ${out}`);
    return status;
  });

/** Returns the path of the working folder. Throws a `UserError` if it is relative to a deleted folder. */
function folderOf({ cwd }: CommonOptions): string {
  try {
    return isAbsolute(cwd) ? absolute(cwd) : absolute(process.cwd(), cwd);
  } catch (error) {
    throw new UserError(`The current folder cannot be used: ${reasonOf(error)}. Change to another folder.`);
  }
}

/** Returns the working folder as an absolute path. */
export async function workingFolder(options: CommonOptions): Promise<string> {
  const cwd = folderOf(options);
  if (!(await isFolder(cwd))) throw new UserError(`\`--cwd ${options.cwd}\` is not a folder.`);
  return cwd;
}

/** Returns the requested format, or the first format of the command. */
export const formatOf = <Format extends string>(
  { format }: Pick<CommonOptions, 'format'>,
  formats: readonly [Format, ...Format[]],
): Format => (format === undefined ? formats[0] : parseWord(format, formats, '--format'));

/** Throws a `UserError` if `--format` is given to a command that has only one format. */
export function assertNoFormat(command: string, { format }: CommonOptions, why: string): void {
  if (isGiven(format)) throw new UserError(`\`${command}\` does not support \`--format ${format}\`: ${why}.`);
}

/**
 * Throws a `UserError` if one of `others` is given together with `option`. `why` is a clause that follows the name of
 * the other option in the message.
 */
export function assertNotCombined(given: CommonOptions, option: string, why: string, others: readonly string[]): void {
  const find = (name: string): unknown => given[camelCase(name.slice(2)) as keyof CommonOptions];
  const other = isGiven(find(option)) ? others.find((name) => isGiven(find(name))) : undefined;
  if (other) throw new UserError(`\`${option}\` cannot be used with \`${other}\`, ${why}. Remove one of them.`);
}

/**
 * Returns whether an option is given. `--format pretty` does not count, because `pretty` is always the default.
 */
const isGiven = (value: unknown): boolean => value !== undefined && value !== 'pretty';

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
