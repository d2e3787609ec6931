/** Plans which servers of a catalog are asked for their tools, and how. Starts nothing. */

import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../io/paths.ts';
import { readNamed } from '../../io/read-file.ts';
import { UserError } from '../../io/user-error.ts';
import { inWords } from '../../nearest.ts';
import { expandServer, type ReadyServer, readEnvFile, withVariables } from '../../tools/expand.ts';
import { isSecretName } from '../../tools/mask.ts';
import { type ConfiguredServer, chosenServers, readServers, type ServerInput } from '../../tools/read-servers.ts';
import type { ToolSource } from '../../tools/sources.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import type { Program } from './process-transport.ts';

export interface PlannedServer {
  readonly name: string;
  /** The configuration file that defines the server, as shown to the user. */
  readonly file: string;
  readonly ready: ReadyServer;
  /** Undefined for a server that is called by its address. */
  readonly program: Program | undefined;
}

export interface SkippedServer {
  readonly name: string;
  readonly file: string;
  readonly reason: string;
  readonly isOff: boolean;
}

export interface Plan {
  readonly servers: readonly PlannedServer[];
  readonly skipped: readonly SkippedServer[];
  /** The names of all enabled servers, including those that this run skips. */
  readonly configured: readonly string[];
  /** The servers' inputs that have no value yet. */
  readonly inputs: readonly ServerInput[];
}

export interface PlanOptions {
  readonly inputs: ReadonlyMap<string, string>;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns a path as messages show it. */
  readonly shown: (path: string) => string;
  /** Returns how the user can pass the value of an input; undefined if the user is asked for it. */
  readonly howToGive?: (id: string) => string;
}

/** Returns the plan for the sources of a catalog in `folder`. */
export async function planPull(folder: string, sources: readonly ToolSource[], options: PlanOptions): Promise<Plan> {
  const servers: PlannedServer[] = [];
  const skipped: SkippedServer[] = [];
  const inputs = new Map<string, ServerInput>();
  const from = new Map<string, string>();
  const configured: string[] = [];
  for (const source of sources) {
    const path = pathOf(source.from, folder);
    const file = options.shown(path);
    const found = await readSource(path, file, source);
    const isNew = (name: string, isOff = false): boolean => {
      const first = from.get(name);
      if (first === undefined) {
        from.set(name, file);
        if (!isOff) configured.push(name);
      } else if (first !== file) {
        skipped.push({ name, file, reason: `\`${first}\` also defines this server and comes first.`, isOff: true });
      }
      return first === undefined;
    };
    for (const { name, reason, isOff = false } of found.unusable) {
      if (isNew(name, isOff)) skipped.push({ name, file, reason, isOff });
    }
    for (const server of found.servers) {
      if (!isNew(server.name)) continue;
      const input = (id: string): ServerInput => found.inputs.find((one) => one.id === id) ?? plainInput(id);
      const ready = await makeReady(server, rootOf(path, folder), (id) => input(id).isPassword, options);
      if ('reason' in ready) {
        skipped.push({ name: server.name, file, reason: ready.reason, isOff: false });
        for (const id of ready.inputs) inputs.set(id, input(id));
      } else servers.push({ name: server.name, file, ...ready });
    }
  }
  return { servers, skipped, configured, inputs: [...inputs.values()] };
}

async function readSource(path: string, file: string, { servers }: ToolSource) {
  const content = await readNamed(path);
  if (content.kind !== 'text') {
    const reason = content.kind === 'unreadable' ? UNREADABLE[content.reason].reason : 'it does not exist';
    throw new UserError(`\`${file}\` cannot be read: ${reason}. Correct \`from\` in the catalog, or create the file.`);
  }
  const all = readServers(content.text);
  const found = typeof all === 'string' ? all : chosenServers(all, servers);
  if (typeof found === 'string') throw new UserError(`\`${file}\` ${found}`);
  return found;
}

const pathOf = (from: string, folder: string): string =>
  /^~[\\/]/.test(from) ? join(homedir(), from.slice(2)) : resolve(folder, from);

/**
 * Returns the workspace folder of a client from its configuration file: the folder of `.mcp.json` or the folder above
 * `.vscode`. For a file elsewhere, returns the catalog's folder.
 */
function rootOf(path: string, folder: string): string {
  const own = dirname(path);
  if (!isWithin(folder, path) && !isWithin(own, folder) && !isWithin(dirname(own), folder)) return folder;
  if (isWithin(homedir(), own) && dirname(own) === homedir() && basename(own).startsWith('.')) return folder;
  return basename(own).startsWith('.') ? dirname(own) : own;
}

/** Returns an input that a server uses but the configuration file does not describe. */
const plainInput = (id: string): ServerInput => ({
  id,
  description: undefined,
  initial: undefined,
  isPassword: true,
  options: undefined,
});

/** The minimum length of a secret in the user's environment. The names of such variables may suggest secrets by chance. */
const LEAST_INHERITED = 12;

type NotReady = { readonly reason: string; readonly inputs: readonly string[] };
type Ready = { readonly ready: ReadyServer; readonly program: Program | undefined };

async function makeReady(
  server: ConfiguredServer,
  folder: string,
  isPassword: (id: string) => boolean,
  { inputs, environment, shown, howToGive }: PlanOptions,
): Promise<Ready | NotReady> {
  const ofUser = { environment: (name: string) => environment[name], home: homedir(), separator: sep };
  const values = { inputs, isPassword, folder, ...ofUser };
  const ready = expandServer(server, values);
  if ('inputs' in ready) return { reason: lacking(ready, howToGive), inputs: ready.inputs };
  const { transport } = ready;
  if (transport.kind !== 'stdio') return { ready, program: undefined };
  const { command, args, cwd = folder, env, envFile } = transport;
  const fromFile = envFile === undefined ? undefined : await readNamed(resolve(folder, envFile));
  if (fromFile && fromFile.kind !== 'text')
    return { reason: `its \`envFile\`, \`${envFile}\`, cannot be read.`, inputs: [] };
  const more = fromFile ? readEnvFile(fromFile.text) : new Map<string, string>();
  const all = new Map<string, string | null | undefined>([...Object.entries(environment), ...more, ...env]);
  const given = [...all].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const where = isAbsolute(cwd) ? cwd : resolve(folder, cwd);
  const inherited = given.filter(([name, value]) => isSecretName(name) && value.length >= LEAST_INHERITED);
  const hiding = withVariables(ready, [...more, ...inherited]);
  const shownServer = { ...hiding, transport: { ...transport, cwd: shown(where) } };
  // A command with a slash is relative to the folder that it runs in.
  return { ready: shownServer, program: { command, args, cwd: where, env: Object.fromEntries(given) } };
}

function lacking(
  { inputs, others }: { readonly inputs: readonly string[]; readonly others: readonly string[] },
  howToGive: PlanOptions['howToGive'],
): string {
  const how = howToGive ? `: add ${inputs.map(howToGive).join(' ')}` : '';
  const parts = [
    ...(inputs.length > 0 ? [`it needs a value for ${inWords(inputs, 'and')}${how}`] : []),
    ...(others.length > 0 ? [`${inWords(others, 'and')} cannot be resolved`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** Returns a function that makes paths below the working folder relative, and leaves other paths unchanged. */
export const shownPath =
  (cwd: string) =>
  (path: string): string => {
    const below = relative(cwd, path).replaceAll(sep, '/');
    return below === '' ? '.' : isWithin(cwd, path) ? below : path;
  };
