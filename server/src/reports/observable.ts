/** The clients that `observe` could start on this machine, and a run that is not yet confirmed. */
import type { Colors } from 'picocolors/types';
import { showInvisible } from '../text.ts';
import { printedJson } from './json.ts';

/** A client that can be run; `program` is undefined if it is not installed. Or a client that cannot, with the reason. */
export type ObservableClient =
  | {
      readonly id: string;
      readonly name: string;
      readonly package: string;
      readonly program: string | undefined;
      readonly version: string | undefined;
      readonly knownVersion: string | undefined;
    }
  | { readonly id: string; readonly name: string; readonly reason: string };

/** A run that the user may confirm. */
export interface PlannedRun {
  readonly id: string;
  readonly name: string;
  /** The absolute path of the program. */
  readonly program: string;
  /** The version of the program, and the one that the facts are of. */
  readonly version: string | undefined;
  readonly knownVersion: string | undefined;
  /** The number of copied skills, and of those that are put into `folder`. */
  readonly skills: number;
  readonly installed: number;
  readonly folder: string;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  /** The number of files that are copied only if the user asks for them. */
  readonly others: Readonly<Record<'agents' | 'commands' | 'plugins', number>>;
  /** A program without which the client loads no skill, and that `PATH` does not have. */
  readonly missing: string | undefined;
  /** The hosts that the client was seen to ask for. */
  readonly contacts: readonly string[];
}

export const observableToJson = (clients: readonly ObservableClient[]): string =>
  printedJson({ version: 1, clients: clients.map(withNulls) });

export function plannedToJson({ id, name, version, knownVersion, ...plan }: PlannedRun): string {
  const client = withNulls({ id, name, version, knownVersion });
  return printedJson({ version: 1, client, ...withNulls(plan) });
}

const withNulls = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, one ?? null]));

export function observableToPretty(clients: readonly ObservableClient[], colors: Colors): string {
  const lines = clients.flatMap((client) => {
    if ('reason' in client) return [];
    const { id, program, version, knownVersion } = client;
    const found =
      program === undefined
        ? colors.dim(`not installed: npm install --global ${client.package}`)
        : `${showInvisible(program)}, version ${version ?? 'not known'}`;
    return [`  ${id.padEnd(12)} ${found}${colors.dim(` (facts: ${knownVersion ?? 'unknown'})`)}`];
  });
  const others = clients.flatMap((client) => ('reason' in client ? [client.id] : []));
  return `${['Clients that can be observed:', ...lines, '', `Not: ${others.join(', ')}.`].join('\n')}\n`;
}

/** Returns the paths that were left out, by reason. */
export function leftOutText(leftOut: PlannedRun['leftOut']): string {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of leftOut) byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  return [...byReason]
    .map(([reason, paths]) => {
      const more = paths.length > MAX_SHOWN ? ` and ${paths.length - MAX_SHOWN} more` : '';
      return `${paths.slice(0, MAX_SHOWN).map(showInvisible).join(', ')}${more} (${reason})`;
    })
    .join('; ');
}

const MAX_SHOWN = 5;
