/** Asks one server for its tools, by the official client. This file and its like are bundled apart, and loaded by `tools pull` alone. */
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
import type { ReadyServer } from '../../tools/expand.ts';
import { type Mask, maskOf } from '../../tools/mask.ts';
import type { ListedTool, ServerAnswer } from '../../tools/snapshot.ts';
import { decoded } from '../../vocabulary/dialect.ts';
import { VERSION } from '../environment.ts';
import { Bounds, ProcessTransport, type Program, ServerProblem } from './process-transport.ts';

export type Answer =
  | ({ readonly kind: 'answer' } & ServerAnswer)
  /** The rest of a sentence that begins with the server's name. */
  | { readonly kind: 'failure'; readonly name: string; readonly reason: string };

/** How much a server may take (docs/tools.md, "Limits"). */
export interface Limits {
  readonly connectSeconds: number;
  readonly seconds: number;
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
}

/** How a server that has ended what it began with is asked again. */
interface Way {
  readonly mode: 'legacy' | 'auto' | { readonly pin: string };
  readonly transport: Transport;
}

/** The revision of the protocol from which on servers need not know the older handshake. */
const MODERN = '2026-07-28';

/** Never rejects: whatever a server does costs its own answer. No secret is in the reason. */
export async function askServer(server: ReadyServer, program: Program | undefined, limits: Limits): Promise<Answer> {
  const mask = maskOf(server.hidden);
  const ways: Way[] = [];
  try {
    const answer = await firstAnswer(server, program, limits, ways);
    return { kind: 'answer', name: server.name, ...answer };
  } catch (error) {
    const { transport } = ways.at(-1) ?? {};
    const more = transport instanceof ProcessTransport ? complaintOf(transport, mask) : '';
    return { kind: 'failure', name: server.name, reason: `${reasonOf(error, mask)}${more}` };
  }
}

type Listed = Omit<ServerAnswer, 'name'>;

/** Tries the ways to a server one after another, while it refuses in the way that another protocol would. */
async function firstAnswer(
  { transport }: ReadyServer,
  program: Program | undefined,
  limits: Limits,
  tried: Way[],
): Promise<Listed> {
  const began = performance.now();
  const left = (seconds: number): number => Math.max(1, seconds - (performance.now() - began) / 1000);
  const attempt = async (make: (bounds: Bounds) => Way): Promise<Listed> => {
    const bounds = new Bounds(limits.bytes);
    const way = make(bounds);
    tried.push(way);
    bounds.within(left(limits.seconds), `has not answered in full within ${limits.seconds} s.`);
    return ask(way, bounds, limits, left(limits.connectSeconds));
  };
  if (program) {
    const make = (mode: Way['mode']) => (bounds: Bounds) => ({
      mode,
      transport: new ProcessTransport(program, bounds, limits.bytes),
    });
    return attempt(make('legacy')).catch((error: unknown) => {
      if (error instanceof ProtocolError) return attempt(make({ pin: MODERN })).catch(() => Promise.reject(error));
      throw error;
    });
  }
  if (transport.kind === 'stdio') throw new ServerProblem('has no program.');
  const { url, login } = addressOf(transport.url);
  const requestInit = { headers: { ...login, ...Object.fromEntries(transport.headers) } };
  const events = (bounds: Bounds): Way => ({
    mode: 'legacy',
    transport: new SSEClientTransport(url, { requestInit, fetch: boundedFetch(bounds) }),
  });
  if (transport.kind === 'sse') return attempt(events);
  const streamable = (bounds: Bounds): Way => ({
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
    // So an older server answers, as the protocol's page on transports says.
    if (error instanceof SdkHttpError && [400, 404, 405].includes(error.status ?? 0)) {
      return attempt(events).catch(() => Promise.reject(error));
    }
    throw error;
  });
}

/** An address, with what it says before an `@` as the header that it stands for. */
function addressOf(written: string): { readonly url: URL; readonly login: Readonly<Record<string, string>> } {
  if (URL.canParse(written) && /^https?:\/\//i.test(written)) {
    const url = new URL(written);
    const { username, password } = url;
    if (username === '' && password === '') return { url, login: {} };
    Object.assign(url, { username: '', password: '' });
    const words = `${decoded(username)}:${decoded(password)}`;
    return { url, login: { Authorization: `Basic ${Buffer.from(words).toString('base64')}` } };
  }
  throw new ServerProblem('has an address that is none: write one that begins with `https://` or `http://`.');
}

async function ask({ mode, transport }: Way, bounds: Bounds, limits: Limits, connectSeconds: number): Promise<Listed> {
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
  bounds.within(connectSeconds, `has not connected within ${limits.connectSeconds} s.`, () => isConnected);
  const { signal } = bounds;
  try {
    const timeout = limits.seconds * 1000;
    await bounds.race(client.connect(transport, { signal, timeout }));
    isConnected = true;
    const version = client.getServerVersion()?.version;
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const list = async (cursor: string | undefined) => {
      const params = cursor === undefined ? {} : { cursor };
      // Tools are judged one by one, so that a bad one costs no other.
      const page = specTypeSchemas.PaginatedResult;
      return bounds.race(client.request({ method: 'tools/list', params }, page, { signal, timeout }));
    };
    return { version, ...(hasTools ? await listAll(list, changes, limits) : { tools: [], leftOut: [] }) };
  } finally {
    await Promise.allSettled([transport.close()]);
  }
}

/** How often a list that changes is read from its beginning. */
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
  throw new ServerProblem(`changes its list of tools while it is read, ${MAX_READINGS} times over.`);
}

async function listPages(list: List, limits: Limits): Promise<ListedTools> {
  const tools = new Map<string, ListedTool>();
  const leftOut: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const { tools: some, nextCursor } = await list(cursor);
    if (!Array.isArray(some)) throw new ServerProblem('has answered tools/list without a list of tools.');
    if (tools.size + leftOut.length + some.length > limits.tools) {
      throw new ServerProblem(`has more than ${limits.tools} tools.`);
    }
    for (const given of some) {
      const tool = await readTool(given);
      if (typeof tool === 'string') leftOut.push(tool);
      // Of two tools of one name a caller gets the first.
      else if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    if (nextCursor === undefined) return { tools: [...tools.values()], leftOut };
    if (seen.has(nextCursor)) throw new ServerProblem('has a list without end: it gives the same page again.');
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new ServerProblem(`has a list of more than ${limits.pages} pages.`);
}

/** Statuses of answers that have no body. */
const EMPTY = [101, 103, 204, 205, 304];

/** The platform's own, with what comes counted. */
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
  'Give a token in its `headers`, as `Authorization`, by an input or by a variable of the environment (docs/tools.md, "Logins").';

/** Of what servers say so much is told. */
const MAX_SAID = 500;

/** The end of what it says tells why a server has ended. A secret is masked before anything is cut. */
function complaintOf({ complaint, talksNonsense }: ProcessTransport, mask: Mask): string {
  const said = mask(complaint).trim().replace(/\s+/g, ' ').slice(-MAX_SAID);
  const nonsense = talksNonsense ? ' What it prints are no messages of the protocol.' : '';
  return `${nonsense}${said === '' ? '' : ` It says: ${said}`}`;
}

function reasonOf(error: unknown, mask: Mask): string {
  if (error instanceof ServerProblem) return mask(error.message);
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (error instanceof UnauthorizedError || status === 401 || status === 403) {
    return `asks for a login (${status === 403 ? 403 : 401}). ${LOGIN}`;
  }
  const unreachable = unreachableCause(error);
  if (unreachable !== undefined) {
    return `cannot be reached: ${mask(unreachable)}. Start it, or correct its address.`;
  }
  const said = mask(messagesOf(error).map(firstProblem).join(': ')).replace(/\s+/g, ' ').slice(0, MAX_SAID);
  return error instanceof ProtocolError ? `refuses: ${said}` : `has not given its tools: ${said}`;
}

/** Where an answer is not of the protocol, the error lists all that is wrong with it as JSON. */
const firstProblem = (message: string): string =>
  message.replace(
    /^Invalid result for (\S+): \[.*?"path": \[([^\]]*)\],\s*"message": "((?:[^"\\]|\\.)*)".*$/s,
    (_, method: string, path: string, problem: string) =>
      `its answer to ${method} is wrong at \`${path.replace(/[\s"]/g, '').replaceAll(',', '.')}\`: ${problem.replaceAll('\\"', "'")}`,
  );

/** What an error says, and what its causes add to that. */
function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  const inner = error.cause === undefined ? [] : messagesOf(error.cause);
  return [error.message, ...inner.filter((one) => !error.message.includes(one))];
}

/** What the network says where there was no connection: the innermost cause. */
function unreachableCause(error: unknown): string | undefined {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code, message } = inner as NodeJS.ErrnoException;
  if (!(inner instanceof Error) || typeof code !== 'string' || !UNREACHABLE.includes(code)) return undefined;
  // Of several addresses that were tried, the error has no message.
  return message || code;
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

// Reads one tool of a server's list.

/** A tool as the protocol has it, else what is wrong with it. */
async function readTool(given: unknown): Promise<ListedTool | string> {
  try {
    const read = await specTypeSchemas.Tool['~standard'].validate(given);
    if (!read.issues) return read.value;
    const [{ message, path = [] } = { message: '' }] = read.issues;
    const keys = path.map((key) => (typeof key === 'object' ? key.key : key)).join('.');
    return `${called(given)}: ${keys === '' ? '' : `\`${keys}\`: `}${message}`;
  } catch (error) {
    if (error instanceof RangeError) return `${called(given)}: It nests too deep.`;
    throw error;
  }
}

function called(given: unknown): string {
  const name = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined;
  return typeof name === 'string' && name !== '' ? `\`${name}\`` : 'one without a name';
}
