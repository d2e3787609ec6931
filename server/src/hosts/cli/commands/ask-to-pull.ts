/** The question before servers are started: at a terminal, or by `--yes`. */
import { createInterface } from 'node:readline';
import type { ToStart } from '../../tools/pull-catalogs.ts';
import type { Console } from '../console.ts';
import { Stop } from '../stop.ts';

/** Lists what is going to be started; throws a `Stop` where nobody has agreed, and nobody can be asked. */
export async function mayStart(
  servers: readonly ToStart[],
  { yes, quiet }: { readonly yes: boolean; readonly quiet: boolean },
  console: Console,
): Promise<boolean> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!yes && !isTerminal) {
    const all = servers.map(({ name, what }) => `${name}: \`${what}\``).join('; ');
    throw new Stop(
      `Nobody can be asked whether these may be started or called, so look at them and pass \`--yes\`: ${all}.`,
    );
  }
  if (!yes || !quiet) console.complain(listOf(servers));
  return yes || answered(console);
}

const listOf = (servers: readonly ToStart[]): string =>
  [
    'These are started or called:',
    ...servers.flatMap(({ name, file, what, details }) => [
      `  ${name} (${file})`,
      `    ${what}`,
      ...details.map((line) => `      ${line}`),
    ]),
    '',
  ].join('\n');

async function answered(console: Console): Promise<boolean> {
  console.complain('Go on? [y/N] ');
  const input = createInterface({ input: process.stdin });
  try {
    // Its end is no answer.
    const { value, done } = await input[Symbol.asyncIterator]().next();
    return !done && /^y(?:es)?$/i.test(String(value).trim());
  } finally {
    input.close();
  }
}
