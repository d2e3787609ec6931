import type { Command, CommanderError } from 'commander';

/** The message of `commander`, in one line. */
export function usageLine({ code, message }: CommanderError, program: Command, words: readonly string[]): string {
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
