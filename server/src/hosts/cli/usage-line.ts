import type { Command, CommanderError } from 'commander';

/** The message of `commander`, in one line. */
export function usageLine({ code, message }: CommanderError, { commands }: Command, words: readonly string[]): string {
  const command = words.find((word) => commands.some((known) => known.name() === word));
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
