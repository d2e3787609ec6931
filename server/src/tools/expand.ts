/** Replaces the variables of a configuration as the clients do (docs/tools.md, "Variables"). */

import { showInvisible } from '../text.ts';
import { isSecretName, isSecretValue, MASK, maskOf, secretsInAddress, secretsInArguments } from './mask.ts';
import { type ConfiguredServer, mapTexts, type Transport } from './read-servers.ts';

export interface VariableValues {
  readonly inputs: ReadonlyMap<string, string>;
  /** Returns whether the value of an input is a password. */
  readonly isPassword: (id: string) => boolean;
  readonly environment: (name: string) => string | undefined;
  /** The value of `${workspaceFolder}`: an absolute path. */
  readonly folder: string;
  readonly home: string;
  readonly separator: string;
}

export interface ReadyServer {
  readonly name: string;
  readonly transport: Transport;
  /** The values that must not be shown. */
  readonly hidden: readonly string[];
  /** The hidden values that must not be written to a file either. */
  readonly tokens: readonly string[];
}

/** The unknown values, without which the server cannot be called. */
export interface Missing {
  readonly inputs: readonly string[];
  readonly others: readonly string[];
}

/** The headers whose values, such as `application/json`, are not secrets and may occur in a schema. */
const PUBLIC_HEADER = /^(?:accept|content-|user-agent$|mcp-)/i;

/** Returns a server with its variables replaced, or the missing values. */
export function expandServer(
  { name, transport, bareVariables }: ConfiguredServer,
  values: VariableValues,
): ReadyServer | Missing {
  const hidden = new Set<string>();
  const tokens = new Set<string>();
  const hide = (value: string, name: string): string => {
    hidden.add(value);
    if (isSecretValue(value, name)) tokens.add(value);
    return value;
  };
  const inputs = new Set<string>();
  const others = new Set<string>();
  const expand = (text: string): string =>
    text.replace(/\$\{([^{}]{1,200})\}/g, (whole, inner: string) => {
      const [, kind, rest = ''] = /^([a-zA-Z]+):([^-].*)$/s.exec(inner) ?? [];
      if (kind === 'input') {
        const value = values.inputs.get(rest);
        if (value === undefined) inputs.add(rest);
        return value === undefined ? whole : hide(value, values.isPassword(rest) ? 'password' : rest);
      }
      // A variable that is not set is empty, as in the editors.
      if (kind === 'env') return hide(values.environment(rest) ?? '', rest);
      const known = folderVariable(inner, values);
      if (known !== undefined) return known;
      if (kind !== undefined) {
        others.add(whole);
        return whole;
      }
      const [, variable, otherwise] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
      if (!bareVariables || variable === undefined) return whole;
      const value = values.environment(variable);
      if (value !== undefined && value !== '') return hide(value, variable);
      if (otherwise === undefined) others.add(whole);
      return otherwise !== undefined && isSecretName(variable) ? hide(otherwise, variable) : (otherwise ?? whole);
    });
  const ready = mapTexts(transport, expand);
  if (inputs.size > 0 || others.size > 0) return { inputs: [...inputs], others: [...others] };
  const written = ready.kind === 'stdio' ? secretsInArguments(ready.args) : secretsInAddress(ready.url);
  for (const secret of written) hide(secret, 'secret');
  for (const [key, value] of ready.kind === 'stdio' ? [] : ready.headers) {
    if (PUBLIC_HEADER.test(key)) hidden.add(value);
    else hide(value, key);
  }
  const server = { name, transport: ready, hidden: [...hidden], tokens: [...tokens] };
  return ready.kind === 'stdio' ? withVariables(server, ready.env) : server;
}

/** Returns a server that also hides the values of variables; those without the name of a secret only in messages. */
export function withVariables(
  server: ReadyServer,
  variables: Iterable<readonly [name: string, value: string | null]>,
): ReadyServer {
  const hidden = new Set(server.hidden);
  const tokens = new Set(server.tokens);
  for (const [name, value] of variables) {
    if (value === null || value === '') continue;
    hidden.add(value);
    if (isSecretName(name) && isSecretValue(value, name)) tokens.add(value);
    for (const secret of secretsInAddress(value)) tokens.add(secret);
  }
  return { ...server, hidden: [...hidden], tokens: [...tokens] };
}

function folderVariable(name: string, { folder, home, separator }: VariableValues): string | undefined {
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return folder;
    case 'workspaceFolderBasename':
      return folder.split(/[\\/]/).at(-1);
    case 'userHome':
      return home;
    case 'pathSeparator':
    case '/':
      return separator;
    default:
      return undefined;
  }
}

/**
 * Returns the variables in a file of lines `NAME=VALUE`, without quotes around values and without `export` before
 * names.
 */
export function readEnvFile(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=(.*)$/.exec(line));
  return new Map(
    lines.flatMap((found) => {
      const [, name, value = ''] = found ?? [];
      return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, '$2')] as const];
    }),
  );
}

/** A server that would be started or called, as it is shown when the user is asked for consent. */
export interface ShownServer {
  /** The command or the address. */
  readonly what: string;
  /** The working folder, the variables and the headers, each on its own line. */
  readonly details: readonly string[];
}

/**
 * Returns the exact command or address. Values of variables and headers are masked, invisible characters are escaped.
 */
export function showServer({ transport, hidden }: ReadyServer): ShownServer {
  const mask = maskOf(hidden);
  const shown = (text: string): string => showInvisible(mask(text));
  if (transport.kind !== 'stdio') {
    return { what: shown(transport.url), details: named('header', transport.headers.keys()) };
  }
  const { command, args, cwd, env, envFile } = transport;
  const words = [command, ...args].map((word) => quoted(shown(word)));
  return {
    what: words.join(' '),
    details: [
      // The current folder is not mentioned.
      ...(cwd === undefined || cwd === '.' ? [] : [`in ${shown(cwd)}`]),
      ...(envFile === undefined ? [] : [`with the variables from ${shown(envFile)}`]),
      ...named('variable', env.keys()),
    ],
  };
}

const named = (what: string, names: Iterable<string>): readonly string[] =>
  [...names].map((name) => `with the ${what} ${showInvisible(name)}=${MASK}`);

/** Quotes a word that a shell would split, so that one argument cannot look like two. */
const quoted = (word: string): string => (/^[\w@%+=:,./*~\\^-]+$/.test(word) ? word : JSON.stringify(word));
