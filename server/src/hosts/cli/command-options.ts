/** What several commands share: options, their help, and how a command is run. All other options are declared in `commands/NAME-command.ts`. */
import { type Command, Option } from 'commander';
import { SEVERITIES } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import { absolute, isFolder } from '../node/paths.ts';
import { writeResult } from '../node/read-named.ts';
import { UserError } from '../user-error.ts';
import { type Console, NO_COLORS, openConsole } from './console.ts';
import { parseWord } from './words.ts';

/** The options that every command takes. */
export interface Common {
  readonly format?: string;
  readonly config?: string;
  readonly cwd: string;
  readonly color: boolean;
  readonly quiet?: true;
}

export function addCommonOptions(program: Command): void {
  program
    .option('--format <FORMAT>', 'how the result is printed; the help of a command lists its formats')
    .option('--config <FILE>', 'the catalog that governs every skill, in place of those found')
    .option('--cwd <DIR>', 'the working folder', '.')
    .option('--no-color', 'print without colours')
    .option('--quiet', 'print only what makes the command fail; no summary, no progress');
}

// Options of some commands.

export const OUT = ['--out <FILE>', 'write the result to a file'] as const;
export const SHARD = ['--shard <I/N>', 'only this part of the files, such as 1/4'] as const;
export const CHANNEL = ['--channel <ID>', 'the channel; without one, the workspace'] as const;
export const CALLER = [
  '--profile <NAME>',
  'the caller, a profile of the catalog; without one, a caller who holds everything',
] as const;

export const failOnOption = (description: string): Option =>
  wordOption('--fail-on <SEVERITY>', description, SEVERITIES).default('error');

/** An option that takes one of these words. */
export const wordOption = (flags: string, description: string, words: readonly string[]): Option => {
  const option = new Option(flags, description);
  return option.argParser((word) => parseWord(word, words, option.long ?? flags));
};

/** An option that may be repeated. */
export const repeatedOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((word, before: readonly string[] = []) => [...before, word]);

// Help below the options of a command.

export const EXIT_STATUS = `
Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or a catalog that cannot be relied on.`;

/** The formats of a command, of which the first is the default. */
export const formatsHelp = ([first, ...others]: readonly [string, ...string[]]): string =>
  `\n--format is ${listed([`${first} (default)`, ...others], 'or')}.`;

// How a command is run.

type Run<Options> = (words: readonly string[], options: Options, console: Console) => Promise<number>;
type Action = (...given: unknown[]) => Promise<void>;

/** The action of a command: what `run` returns becomes the exit status. */
export const calling =
  <Options extends Common>(run: Run<Options>): Action =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options>();
    process.exitCode = await run(command.args, options, openConsole(options));
  };

/** The action of a command that takes `OUT`. What the command prints is written as a whole, and nothing where it prints nothing. */
export const printing = <Options extends Common>(run: Run<Options>): Action =>
  calling<Options & { readonly out?: string }>(async (words, options, console) => {
    const { out } = options;
    if (out === undefined) return run(words, options, console);
    const texts: string[] = [];
    const print = (text: string) => void texts.push(text);
    const status = await run(words, options, { ...console, colors: NO_COLORS, print, printExact: print });
    if (texts.length > 0) await writeResult(absolute(process.cwd(), options.cwd, out), texts.join(''), `--out ${out}`);
    return status;
  });

/** The working folder, as an absolute path. */
export async function folderOf(options: Common): Promise<string> {
  const cwd = absolute(process.cwd(), options.cwd);
  if (!(await isFolder(cwd))) throw new UserError(`\`--cwd ${options.cwd}\` is not a folder.`);
  return cwd;
}

/** The format that is asked for, else the first of the command's formats. */
export const formatOf = <Format extends string>(
  { format }: Pick<Common, 'format'>,
  formats: readonly [Format, ...Format[]],
): Format => (format === undefined ? formats[0] : parseWord(format, formats, '--format'));

/** Refuses `--format` for a command that has one form of result. */
export function assertNoFormat(command: string, { format }: Common, why: string): void {
  if (isGiven(format)) throw new UserError(`\`${command}\` does not take \`--format ${format}\`: ${why}.`);
}

/** Rejects options that have no meaning, or another one, together with `option`. */
export function assertApart(given: Common, option: string, why: string, others: readonly string[]): void {
  const find = (name: string): unknown => given[camelCase(name.slice(2)) as keyof Common];
  const other = isGiven(find(option)) ? others.find((name) => isGiven(find(name))) : undefined;
  if (other) throw new UserError(`\`${option}\` does not go with \`${other}\`, ${why}: leave one of them out.`);
}

/** `--format pretty` asks for what every command does anyway. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== 'pretty';

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
