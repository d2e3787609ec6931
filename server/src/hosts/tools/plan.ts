/** Which servers a catalog takes its tools from, and how each is asked. Nothing is started here. */

import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { inWords } from '../../nearest.ts';
import { expandServer, type ReadyServer, readEnvFile } from '../../tools/expand.ts';
import { type ConfiguredServer, chosenServers, readServers, type ServerInput } from '../../tools/read-servers.ts';
import type { ToolSource } from '../../tools/sources.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { isWithin } from '../node/paths.ts';
import { readNamed } from '../node/read-file.ts';
import { UserError } from '../user-error.ts';
import type { Program } from './process-transport.ts';

export interface PlannedServer {
  readonly name: string;
  /** The configuration that names it, as it is shown. */
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
  /** The names of all servers that are switched on, also of those that this run leaves alone. */
  readonly configured: readonly string[];
  /** The inputs that servers ask for and nobody has given. */
  readonly inputs: readonly ServerInput[];
}

export interface PlanOptions {
  readonly inputs: ReadonlyMap<string, string>;
  readonly environment: NodeJS.ProcessEnv;
  /** Tells a path as the user knows it. */
  readonly shown: (path: string) => string;
  /** How the user gives the value of an input, for a sentence; undefined where the user is asked. */
  readonly howToGive?: (id: string) => string;
}

/** The plan for the sources of a catalog that stands in `folder`. */
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
        skipped.push({ name, file, reason: `\`${first}\` names it, too, and comes first.`, isOff: true });
      }
      return first === undefined;
    };
    for (const { name, reason, isOff = false } of found.unusable) {
      if (isNew(name, isOff)) skipped.push({ name, file, reason, isOff });
    }
    for (const server of found.servers) {
      if (!isNew(server.name)) continue;
      const ready = await makeReady(server, rootOf(path, folder), options);
      if ('reason' in ready) {
        skipped.push({ name: server.name, file, reason: ready.reason, isOff: false });
        for (const id of ready.inputs) inputs.set(id, found.inputs.find((input) => input.id === id) ?? plainInput(id));
      } else servers.push({ name: server.name, file, ...ready });
    }
  }
  return { servers, skipped, configured, inputs: [...inputs.values()] };
}

async function readSource(path: string, file: string, { servers }: ToolSource) {
  const content = await readNamed(path);
  if (content.kind !== 'text') {
    const reason = content.kind === 'unreadable' ? UNREADABLE[content.reason].reason : 'it does not exist';
    throw new UserError(`\`${file}\` cannot be read: ${reason}. Correct \`from\` in the catalog, or make the file.`);
  }
  const all = readServers(content.text);
  const found = typeof all === 'string' ? all : chosenServers(all, servers);
  if (typeof found === 'string') throw new UserError(`\`${file}\` ${found}`);
  return found;
}

const pathOf = (from: string, folder: string): string =>
  /^~[\\/]/.test(from) ? join(homedir(), from.slice(2)) : resolve(folder, from);

/** What a client calls the workspace folder: that of `.mcp.json`, the one above `.vscode`; for files elsewhere the catalog's. */
function rootOf(path: string, folder: string): string {
  const own = dirname(path);
  if (!isWithin(folder, path) && !isWithin(own, folder) && !isWithin(dirname(own), folder)) return folder;
  if (isWithin(homedir(), own) && dirname(own) === homedir() && basename(own).startsWith('.')) return folder;
  return basename(own).startsWith('.') ? dirname(own) : own;
}

/** An input that a server asks for and the file does not describe. */
const plainInput = (id: string): ServerInput => ({
  id,
  description: undefined,
  initial: undefined,
  isPassword: true,
  options: undefined,
});

type NotReady = { readonly reason: string; readonly inputs: readonly string[] };
type Ready = { readonly ready: ReadyServer; readonly program: Program | undefined };

async function makeReady(
  server: ConfiguredServer,
  folder: string,
  { inputs, environment, shown, howToGive }: PlanOptions,
): Promise<Ready | NotReady> {
  const values = { inputs, environment: (name: string) => environment[name], folder, home: homedir(), separator: sep };
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
  const hidden = [...ready.hidden, ...[...more.values()].filter((value) => value !== '')];
  const told = { ...ready, hidden, transport: { ...transport, cwd: shown(where) } };
  // A command with a slash is one of the folder that it runs in.
  return { ready: told, program: { command, args, cwd: where, env: Object.fromEntries(given) } };
}

function lacking(
  { inputs, others }: { readonly inputs: readonly string[]; readonly others: readonly string[] },
  howToGive: PlanOptions['howToGive'],
): string {
  const how = howToGive ? `: give ${inputs.map(howToGive).join(' ')}` : ', and nobody has given it';
  const parts = [
    ...(inputs.length > 0 ? [`it asks for ${inWords(inputs, 'and')}${how}`] : []),
    ...(others.length > 0 ? [`${inWords(others, 'and')} cannot be filled in here`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** A path below the working folder by its way from there, another one as it is. */
export const shownPath =
  (cwd: string) =>
  (path: string): string => {
    const way = relative(cwd, path).replaceAll(sep, '/');
    return way === '' ? '.' : isWithin(cwd, path) ? way : path;
  };
