/** Asks one server for its tools through the official client. Bundled separately; only `tools pull` loads it. */
import {
  Client,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  specTypeSchemas,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { toolFaults } from '../../clients/tools/tool-faults.ts';
import { VERSION } from '../../io/environment.ts';
import type { ReadyServer } from '../../tools/expand.ts';
import { type Mask, maskOf } from '../../tools/mask.ts';
import { type ListedTool, maskTools, type ServerAnswer } from '../../tools/snapshot.ts';
import { decoded } from '../../vocabulary/dialect.ts';
import type { InvalidTool } from '../../workspace/tool-snapshot.ts';
import { Bounds, ProcessTransport, type Program, ServerProblem } from './process-transport.ts';

export type Answer =
  | ({ readonly kind: 'answer' } & ServerAnswer)
  /** `reason` is the end of a sentence that begins with the server's name. */
  | { readonly kind: 'failure'; readonly name: string; readonly reason: string };

/** The limits for a server (docs/tools.md, "Limits"). */
export interface Limits {
  readonly connectSeconds: number;
  readonly seconds: number;
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
}

/** One way to connect to a server. */
interface Attempt {
  readonly mode: 'legacy' | 'auto' | { readonly pin: string };
  readonly transport: Transport;
}

/** The first revision of the protocol in which servers need not support the older handshake. */
const MODERN = '2026-07-28';

/**
 * Asks a server for its tools. Never rejects: a failure is an `Answer`, too. All text of the server enters the program
 * here, and no secret does (docs/tools.md, "Secrets").
 */
export async function askServer(server: ReadyServer, program: Program | undefined, limits: Limits): Promise<Answer> {
  const mask = maskOf(server.hidden);
  const ways: Attempt[] = [];
  try {
    const answer = await firstAnswer(server, program, limits, ways);
    return { kind: 'answer', name: server.name, ...masked(answer, server) };
  } catch (error) {
    const { transport } = ways.at(-1) ?? {};
    const more = transport instanceof ProcessTransport ? complaintOf(transport, mask) : '';
    return { kind: 'failure', name: server.name, reason: `${reasonOf(error, mask)}${more}` };
  }
}

type Listed = Omit<ServerAnswer, 'name'>;

function masked({ version, tools, invalid }: Listed, { hidden, tokens }: ReadyServer): Listed {
  const mask = maskOf(tokens);
  const hide = maskOf(hidden);
  return {
    version: version === undefined ? undefined : mask(version),
    tools: maskTools(tools, mask),
    invalid: invalid.map(({ name, problem, faults }) => ({
      name: hide(name),
      problem: hide(problem),
      faults: faults.map(({ kind, at }) => ({ kind, at: hide(at) })),
    })),
  };
}

/** Tries one way to connect after another while the server's refusal suggests another protocol version. */
async function firstAnswer(
  { transport }: ReadyServer,
  program: Program | undefined,
  limits: Limits,
  tried: Attempt[],
): Promise<Listed> {
  const began = performance.now();
  const left = (seconds: number): number => Math.max(1, seconds - (performance.now() - began) / 1000);
  const attempt = async (make: (bounds: Bounds) => Attempt): Promise<Listed> => {
    const bounds = new Bounds(limits.bytes);
    const way = make(bounds);
    tried.push(way);
    bounds.within(left(limits.seconds), `did not list all its tools within ${limits.seconds} s.`);
    return ask(way, bounds, limits, left(limits.connectSeconds));
  };
  if (program) {
    const make = (mode: Attempt['mode']) => (bounds: Bounds) => ({
      mode,
      transport: new ProcessTransport(program, bounds, limits.bytes),
    });
    return attempt(make('legacy')).catch((error: unknown) => {
      if (error instanceof ProtocolError) return attempt(make({ pin: MODERN })).catch(() => Promise.reject(error));
      throw error;
    });
  }
  if (transport.kind === 'stdio') throw new ServerProblem('has no command.');
  const { url, login } = addressOf(transport.url);
  const requestInit = { headers: { ...login, ...Object.fromEntries(transport.headers) } };
  const events = (bounds: Bounds): Attempt => ({
    mode: 'legacy',
    transport: new SSEClientTransport(url, { requestInit, fetch: boundedFetch(bounds) }),
  });
  if (transport.kind === 'sse') return attempt(events);
  const streamable = (bounds: Bounds): Attempt => ({
    mode: 'auto',
    transport: new StreamableHTTPClientTransport(url, {
      requestInit,
      fetch: boundedFetch(bounds),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    }),
  });
  return attempt(streamable).catch((error: unknown) => {
    // An older server answers with these statuses, as the protocol's page on transports says.
    if (error instanceof SdkHttpError && [400, 404, 405].includes(error.status ?? 0)) {
      return attempt(events).catch(() => Promise.reject(error));
    }
    throw error;
  });
}

/** Returns an address without the login before its `@`, and the login as a header. */
function addressOf(written: string): { readonly url: URL; readonly login: Readonly<Record<string, string>> } {
  if (URL.canParse(written) && /^https?:\/\//i.test(written)) {
    const url = new URL(written);
    const { username, password } = url;
    if (username === '' && password === '') return { url, login: {} };
    Object.assign(url, { username: '', password: '' });
    const words = `${decoded(username)}:${decoded(password)}`;
    return { url, login: { Authorization: `Basic ${Buffer.from(words).toString('base64')}` } };
  }
  throw new ServerProblem('has an invalid address. Write one that begins with `https://` or `http://`.');
}

async function ask(
  { mode, transport }: Attempt,
  bounds: Bounds,
  limits: Limits,
  connectSeconds: number,
): Promise<Listed> {
  const client = new Client(
    { name: 'skill-composer', version: VERSION },
    { capabilities: {}, versionNegotiation: { mode } },
  );
  client.onerror = () => undefined;
  const changes = { count: 0 };
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes.count++;
  });
  let isConnected = false;
  bounds.within(connectSeconds, `did not connect within ${limits.connectSeconds} s.`, () => isConnected);
  const { signal } = bounds;
  try {
    const timeout = limits.seconds * 1000;
    await bounds.race(client.connect(transport, { signal, timeout }));
    isConnected = true;
    const version = client.getServerVersion()?.version;
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const list = async (cursor: string | undefined) => {
      const params = cursor === undefined ? {} : { cursor };
      // Each tool is validated separately, so that an invalid tool does not affect other tools.
      const page = specTypeSchemas.PaginatedResult;
      return bounds.race(client.request({ method: 'tools/list', params }, page, { signal, timeout }));
    };
    return { version, ...(hasTools ? await listAll(list, changes, limits) : { tools: [], invalid: [] }) };
  } finally {
    await Promise.allSettled([transport.close()]);
  }
}

/** The number of attempts to read a list that changes while it is being read. */
const MAX_READINGS = 3;

type List = (
  cursor: string | undefined,
) => Promise<{ readonly tools?: unknown; readonly nextCursor?: string | undefined }>;

type ListedTools = Omit<Listed, 'version'>;

async function listAll(list: List, changes: { readonly count: number }, limits: Limits): Promise<ListedTools> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const before = changes.count;
    const tools = await listPages(list, limits);
    if (changes.count === before) return tools;
  }
  throw new ServerProblem(`changed its list of tools ${MAX_READINGS} times while it was being read.`);
}

async function listPages(list: List, limits: Limits): Promise<ListedTools> {
  const tools = new Map<string, ListedTool>();
  const invalid: InvalidTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const { tools: some, nextCursor } = await list(cursor);
    if (!Array.isArray(some)) throw new ServerProblem('returned no list of tools for `tools/list`.');
    if (tools.size + invalid.length + some.length > limits.tools) {
      throw new ServerProblem(`has more than ${limits.tools} tools.`);
    }
    for (const given of some) {
      const tool = await readTool(given);
      if ('problem' in tool) invalid.push(tool);
      // Callers use the first of several tools with the same name.
      else if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    if (nextCursor === undefined) return { tools: [...tools.values()], invalid };
    if (seen.has(nextCursor)) throw new ServerProblem('returned the same page of its list of tools twice.');
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new ServerProblem(`has a list of tools with more than ${limits.pages} pages.`);
}

/** The statuses of responses without a body. */
const EMPTY = [101, 103, 204, 205, 304];

/** Returns a `fetch` that counts the received bytes. */
const boundedFetch =
  (bounds: Bounds) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const signal = init?.signal ? AbortSignal.any([init.signal, bounds.signal]) : bounds.signal;
    const response = await fetch(url, { ...init, signal });
    if (response.body === null || EMPTY.includes(response.status) || response.type === 'opaqueredirect')
      return response;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bounds.take(chunk.length);
        if (!bounds.signal.aborted) controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };

const LOGIN =
  'Add the header `Authorization` with a token from an input or an environment variable (docs/tools.md, "Logins").';

/** The maximum length of error output in a message. */
const MAX_SAID = 500;

/**
 * Returns the end of a server's error output, which usually states the cause. Secrets are masked before the output is
 * cut.
 */
function complaintOf({ errorOutput, hasInvalidOutput }: ProcessTransport, mask: Mask): string {
  const said = mask(errorOutput).trim().replace(/\s+/g, ' ').slice(-MAX_SAID);
  const nonsense = hasInvalidOutput ? ' Its output contains lines that are not protocol messages.' : '';
  return `${nonsense}${said === '' ? '' : ` Error output: ${said}`}`;
}

function reasonOf(error: unknown, mask: Mask): string {
  if (error instanceof ServerProblem) return mask(error.message);
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (error instanceof UnauthorizedError || status === 401 || status === 403) {
    return `requires a login (${status === 403 ? 403 : 401}). ${LOGIN}`;
  }
  const unreachable = unreachableCause(error);
  if (unreachable !== undefined) {
    return `cannot be reached: ${mask(unreachable)}. Start it, or correct its address.`;
  }
  // A quote in a secret may end the text of a problem, so the secret is masked before it is read.
  const said = mask(messagesOf(error).map(mask).map(firstProblem).join(': ')).replace(/\s+/g, ' ').slice(0, MAX_SAID);
  return error instanceof ProtocolError ? `refused the request: ${said}` : `did not list its tools: ${said}`;
}

/** Returns the first problem of an invalid answer. The client's error lists all problems as JSON. */
const firstProblem = (message: string): string =>
  message.replace(
    /^Invalid result for (\S+): \[.*?"path": \[([^\]]*)\],\s*"message": "((?:[^"\\]|\\.)*)".*$/s,
    (_, method: string, path: string, problem: string) =>
      `its response to \`${method}\` is invalid at \`${path.replace(/[\s"]/g, '').replaceAll(',', '.')}\`: ${problem.replaceAll('\\"', "'")}`,
  );

/** Returns an error's message, and the messages of its causes that are not already in the error's message. */
function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  const inner = error.cause === undefined ? [] : messagesOf(error.cause);
  return [error.message, ...inner.filter((one) => !error.message.includes(one))];
}

/** Returns the network error that is the innermost cause; undefined if the failure has another cause. */
function unreachableCause(error: unknown): string | undefined {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code, message } = inner as NodeJS.ErrnoException;
  if (!(inner instanceof Error) || typeof code !== 'string' || !UNREACHABLE.includes(code)) return undefined;
  // If several addresses were tried, the error has no message.
  return message || code;
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

// Reads one tool in a server's list.

/** Returns a tool in the form of the protocol, or the problem with it. */
async function readTool(given: unknown): Promise<ListedTool | InvalidTool> {
  try {
    const read = await specTypeSchemas.Tool['~standard'].validate(given);
    if (!read.issues) return read.value;
    const [{ message, path = [] } = { message: '' }] = read.issues;
    const keys = path.map((key) => (typeof key === 'object' ? key.key : key)).join('.');
    return invalidTool(given, `${keys === '' ? '' : `\`${keys}\`: `}${message}`);
  } catch (error) {
    if (error instanceof RangeError) return invalidTool(given, 'it is nested too deeply');
    throw error;
  }
}

function invalidTool(given: unknown, problem: string): InvalidTool {
  const name = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined;
  return { name: typeof name === 'string' ? name : '', problem, faults: toolFaults(given, '') };
}
