/** What is going to be started or called, as a person is asked about it. */
import { visible } from '../text.ts';
import type { ReadyServer } from './expand.ts';
import { MASK, maskOf } from './mask.ts';

export interface ShownServer {
  /** The command or the address. */
  readonly what: string;
  /** The working folder, variables and headers, one a line. */
  readonly details: readonly string[];
}

/** The exact command or address, with the values of variables and headers hidden, and what could not be seen written out. */
export function showServer({ transport, hidden }: ReadyServer): ShownServer {
  const mask = maskOf(hidden);
  const shown = (text: string): string => visible(mask(text));
  if (transport.kind !== 'stdio') {
    return { what: shown(transport.url), details: named('header', transport.headers.keys()) };
  }
  const { command, args, cwd, env, envFile } = transport;
  const words = [command, ...args].map((word) => quoted(shown(word)));
  return {
    what: words.join(' '),
    details: [
      // The folder that the user stands in goes without saying.
      ...(cwd === undefined || cwd === '.' ? [] : [`in ${shown(cwd)}`]),
      ...(envFile === undefined ? [] : [`with the variables of ${shown(envFile)}`]),
      ...named('variable', env.keys()),
    ],
  };
}

const named = (what: string, names: Iterable<string>): readonly string[] =>
  [...names].map((name) => `with the ${what} ${visible(name)}=${MASK}`);

/** A word that a shell would take apart, in quotes, so that one argument cannot look like two. */
const quoted = (word: string): string => (/^[\w@%+=:,./*~\\^-]+$/.test(word) ? word : JSON.stringify(word));
