/** Reads the servers in the configuration file of a client, in the formats of all clients (docs/tools.md). */
import { isObject, type JsonObject, own } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';

export type Transport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      /** Null removes a variable. */
      readonly env: ReadonlyMap<string, string | null>;
      readonly envFile: string | undefined;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers: ReadonlyMap<string, string>;
    };

export interface ConfiguredServer {
  readonly name: string;
  readonly transport: Transport;
  /** True if `${NAME}` is an environment variable, as in files with `mcpServers`. */
  readonly bareVariables: boolean;
}

/** A server that cannot be called, and the reason. */
export interface UnusableServer {
  readonly name: string;
  readonly reason: string;
  /** Set if the file disables the server, which is not a problem to report. */
  readonly isOff?: true;
}

/** A value that the client asks the user for. */
export interface ServerInput {
  readonly id: string;
  readonly description: string | undefined;
  readonly initial: string | undefined;
  readonly isPassword: boolean;
  /** Undefined if any text is allowed. */
  readonly options: readonly string[] | undefined;
}

export interface ServerFile {
  readonly servers: readonly ConfiguredServer[];
  readonly unusable: readonly UnusableServer[];
  readonly inputs: readonly ServerInput[];
}

/** The maximum number of servers in a file. */
const MAX_SERVERS = 200;

/**
 * Returns the servers in a file; for an invalid file, the problem as the end of a sentence that begins with the file.
 */
export function readServers(text: string): ServerFile | string {
  const json = parseWithComments(text);
  if (typeof json === 'string') return json;
  const found = findTable(json);
  if (!found) return 'has no servers. Add `servers` or `mcpServers`.';
  const { table, bareVariables, bareBraces, holder } = found;
  const entries = Object.entries(table);
  if (entries.length > MAX_SERVERS) return `has ${entries.length} servers; the limit is ${MAX_SERVERS}.`;
  const servers: ConfiguredServer[] = [];
  const unusable: UnusableServer[] = [];
  for (const [name, entry] of entries) {
    const read = readTransport(entry);
    if ('reason' in read) unusable.push({ name, ...read });
    else servers.push({ name, transport: bareBraces ? mapTexts(read, withDollars) : read, bareVariables });
  }
  return { servers, unusable, inputs: readInputs(own(holder, 'inputs')) };
}

/** Returns the names of all servers in a file; undefined if the file is invalid or has no list of servers. */
export function serverNames(text: string): readonly string[] | undefined {
  const file = readServers(text);
  return typeof file === 'string' ? undefined : namesIn(file);
}

const namesIn = ({ servers, unusable }: ServerFile): readonly string[] =>
  [...servers, ...unusable].map(({ name }) => name);

/** Returns the servers in `file` that a catalog names; the problem if `file` lacks a named server. */
export function chosenServers(file: ServerFile, names: readonly string[] | undefined): ServerFile | string {
  if (names === undefined) return file;
  const known = namesIn(file);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) return `has no server \`${missing}\`.${didYouMean(nearestNames(missing, known))}`;
  const isChosen = ({ name }: { readonly name: string }) => names.includes(name);
  return { ...file, servers: file.servers.filter(isChosen), unusable: file.unusable.filter(isChosen) };
}

/** Returns the transport with `change` applied to each of its strings. */
export function mapTexts(transport: Transport, change: (text: string) => string): Transport {
  const some = (text: string | undefined) => (text === undefined ? undefined : change(text));
  if (transport.kind !== 'stdio') {
    const headers = new Map([...transport.headers].map(([key, value]) => [key, change(value)]));
    return { ...transport, url: change(transport.url), headers };
  }
  const { kind, command, args, cwd, env, envFile } = transport;
  return {
    kind,
    command: change(command),
    args: args.map(change),
    cwd: some(cwd),
    env: new Map([...env].map(([key, value]) => [key, value === null ? null : change(value)])),
    envFile: some(envFile),
  };
}

interface Table {
  readonly table: JsonObject;
  /** The object that contains the table and, beside it, the inputs. */
  readonly holder: JsonObject;
  readonly bareVariables: boolean;
  readonly bareBraces?: true;
}

function findTable(json: Json): Table | undefined {
  if (!isObject(json)) return undefined;
  for (const [key, bareVariables] of [
    ['servers', false],
    ['mcpServers', true],
    ['context_servers', true],
  ] as const) {
    const table = own(json, key);
    if (isObject(table)) return { table, holder: json, bareVariables };
  }
  // An editor's settings contain such a file under the key `mcp`; in opencode's file, the servers are directly under
  // this key.
  const within = own(json, 'mcp');
  if (!isObject(within) || own(within, 'mcp')) return undefined;
  const table = findTable(within);
  const isServer = (entry: Json): boolean =>
    isObject(entry) && (own(entry, 'command') ?? own(entry, 'url')) !== undefined;
  if (table || !Object.values(within).some(isServer)) return table;
  return { table: within, holder: json, bareVariables: false, bareBraces: true };
}

/** Converts opencode's `{env:NAME}` to `${env:NAME}`. */
const withDollars = (text: string): string => text.replace(/(?<!\$)(?=\{env:\w+\})/g, '$$');

function readTransport(entry: Json): Transport | Omit<UnusableServer, 'name'> {
  if (!isObject(entry)) return { reason: 'its entry must be an object.' };
  if (own(entry, 'disabled') === true || own(entry, 'enabled') === false) {
    return { reason: 'it is disabled in the file.', isOff: true };
  }
  const type = textOf(own(entry, 'type')) ?? textOf(own(entry, 'transport'));
  const url = ['url', 'serverUrl', 'httpUrl'].map((key) => textOf(own(entry, key))).find((one) => one !== undefined);
  const written = own(entry, 'command');
  // opencode writes the command and its arguments in one list.
  const [first, ...more] = Array.isArray(written) ? written : [written];
  const command = textOf(first);
  if (type === 'ws') return { reason: 'it uses a WebSocket, which is not supported.' };
  if (url !== undefined && command === undefined) {
    if (own(entry, 'headersHelper')) return { reason: 'it uses `headersHelper`, which is not supported.' };
    return { kind: type === 'sse' ? 'sse' : 'http', url, headers: textsOf(own(entry, 'headers')) };
  }
  if (command === undefined) return { reason: 'it has neither a `command` nor a `url`.' };
  const others = own(entry, 'args') ?? [];
  const args = Array.isArray(others) ? [...more, ...others] : undefined;
  if (!args?.every((arg) => ['string', 'number', 'boolean'].includes(typeof arg))) {
    return { reason: 'its `args` must be a list of strings.' };
  }
  return {
    kind: 'stdio',
    command,
    args: args.map(String),
    cwd: textOf(own(entry, 'cwd')),
    env: environmentOf(own(entry, 'env') ?? own(entry, 'environment')),
    envFile: textOf(own(entry, 'envFile')),
  };
}

const textOf = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json.trim() !== '' ? json : undefined;

const entriesOf = (json: Json | undefined): readonly (readonly [string, Json])[] =>
  isObject(json) ? Object.entries(json) : [];

const textsOf = (json: Json | undefined): ReadonlyMap<string, string> =>
  new Map(entriesOf(json).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : [])));

const environmentOf = (json: Json | undefined): ReadonlyMap<string, string | null> =>
  new Map(
    entriesOf(json).flatMap(([key, value]) =>
      value === null || ['string', 'number', 'boolean'].includes(typeof value)
        ? [[key, value === null ? null : String(value)] as const]
        : [],
    ),
  );

function readInputs(json: Json | undefined): readonly ServerInput[] {
  if (!Array.isArray(json)) return [];
  return json.filter(isObject).flatMap((input) => {
    const id = textOf(own(input, 'id'));
    if (id === undefined) return [];
    const options = own(input, 'options');
    return [
      {
        id,
        description: textOf(own(input, 'description')),
        initial: textOf(own(input, 'default')),
        isPassword: own(input, 'password') === true,
        options: Array.isArray(options) ? options.flatMap(optionOf) : undefined,
      },
    ];
  });
}

const optionOf = (option: Json): readonly string[] => {
  const value = isObject(option) ? own(option, 'value') : option;
  return typeof value === 'string' ? [value] : [];
};

const STRING = '"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"';
const COMMENTS = new RegExp(`${STRING}|//[^\\n]*|/\\*[^]*?\\*/`, 'g');
const LAST_COMMAS = new RegExp(`${STRING}|,(?=\\s*[}\\]])`, 'g');

/**
 * Parses JSON with comments and trailing commas. A problem is returned without the text around it, which may be secret.
 */
function parseWithComments(text: string): Json {
  const blank = (found: string): string => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' '));
  const json = text
    .replace(/^\ufeff/, '')
    .replace(COMMENTS, blank)
    .replace(LAST_COMMAS, blank);
  try {
    const value = JSON.parse(json) as Json;
    return typeof value === 'string' ? 'must contain a JSON object.' : value;
  } catch (error) {
    const [, at] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
    const line = at === undefined ? '' : `, line ${json.slice(0, Number(at)).split('\n').length}`;
    return `is not valid JSON${line}. Fix the file first.`;
  }
}
