/** What can be completed, read from the commands as `commander` knows them. */
import type { Command } from 'commander';
import { type Value, valueFor } from './values.ts';

export interface Completed {
  /** The words that lead to the command, with a blank between; none for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly argument: Value;
}

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Of an option that takes its value as the next word. */
  readonly value: Value | undefined;
}

/** The program, its commands, and theirs. */
export function completedCommands(program: Command, parents: readonly Command[] = []): readonly Completed[] {
  const path = [...parents.slice(1), ...(parents.length > 0 ? [program] : [])].map((one) => one.name()).join(' ');
  const help = program.createHelp();
  const options = [...parents, program].flatMap((one) => help.visibleOptions(one));
  const known = new Map<string, CompletedOption>();
  for (const { long, flags, description, required } of options) {
    if (!long) continue;
    const value = required ? valueFor(path, long, /<(.+)>/.exec(flags)?.[1] ?? '') : undefined;
    known.set(long, { flag: long, description: short(description), value });
  }
  const words = program.registeredArguments.map((one) => valueFor(path, one.name(), one.name().replace('...', '')));
  const commands = help
    .visibleCommands(program)
    .map((one) => ({ name: one.name(), description: short(one.description()) }));
  const argument = words.find(({ words, paths }) => words.length > 0 || paths !== undefined) ?? { words: [] };
  const own: Completed = { path, commands, options: [...known.values()], argument };
  return [own, ...program.commands.flatMap((one) => completedCommands(one, [...parents, program]))];
}

/** What a shell has room for: up to the first stop. */
const short = (description: string): string => description.split(/[.:;](?:\s|$)/)[0] ?? '';

/** The word that leads from one command to the next one, as `PATH/WORD`. */
export const steps = (all: readonly Completed[]): readonly (readonly [key: string, path: string])[] =>
  all.flatMap(({ path, commands }) =>
    commands.map(({ name }) => [`${path}/${name}`, path === '' ? name : `${path} ${name}`] as const),
  );

/** The options whose value is the next word, as `PATH/OPTION`. */
export const valued = (all: readonly Completed[]): readonly { readonly key: string; readonly value: Value }[] =>
  all.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) => (value ? [{ key: `${path}/${flag}`, value }] : [])),
  );

/** In single quotes, as bash and zsh read them. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The loop in bash and zsh over the words before the cursor: `command` they lead to, `takes` is set where a value follows. */
export const followed = (
  all: readonly Completed[],
  words: string,
  cursor: string,
  first: number,
): string => `  for ((i = ${first}; i < ${cursor}; i++)); do
    word=\${${words}[i]}
    if [[ -n $takes ]]; then
      # bash takes the sign of equality as a word.
      [[ $word == '=' ]] || takes=''
      continue
    fi
    case "$command/$word" in
${steps(all)
  .map(([key, path]) => `      ${quoted(key)}) command=${quoted(path)} ;;\n`)
  .join('')}    esac
    case "$command/$word" in
      ${valued(all)
        .map(({ key }) => quoted(key))
        .join(' | ')}) takes=1 ;;
    esac
  done`;
