/**
 * A model on loopback: it speaks four protocols, records each request, and answers by a script.
 *
 * The script is a list of turns. The number of tool results in a request is the number of turns that were made, so that
 * the answer depends only on the request, and a request that offers no tool (for a title, a summary) gets text.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { type Json, parseJson } from './json-values.ts';
import { MODEL, type ModelReply, type ModelToolCall, type Protocol } from './protocol.ts';
import { responses } from './responses.ts';

export const PROTOCOLS: readonly Protocol[] = [anthropic, chat, responses, gemini];

/** The text with which the model ends every conversation. */
const LAST_WORDS = 'LAB-ANSWER';

/** A longer request is answered with an error and not recorded. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface RecordedRequest {
  readonly protocol: Protocol['name'];
  readonly path: string;
  readonly body: Json;
  readonly tools: readonly string[];
  /** The number of tool results in it. */
  readonly results: number;
  /** The paths of these results in the body. */
  readonly resultPaths: readonly string[];
}

export interface Model {
  /** The address without a path, for example `http://127.0.0.1:40123`, until the next call of `renew`. */
  readonly url: string;
  /** The requests since the last call of `follow`, in their order. */
  readonly requests: readonly RecordedRequest[];
  /** Paths that no protocol has, since the last call of `follow`. */
  readonly unknown: readonly string[];
  /** Requests that could not be read, since the last call of `follow`: the run is worthless. */
  readonly faults: readonly string[];
  /** Moves to another port, so that no request of an earlier run enters the next one. */
  renew(): Promise<void>;
  /** Sets the calls that the model makes, one in each turn, and forgets the requests. */
  follow(calls: readonly ModelToolCall[] | Script, meanwhile?: Meanwhile): void;
  close(): Promise<void>;
}

/** Returns all calls that the model makes, from the requests so far. */
export type Script = (requests: readonly RecordedRequest[]) => readonly ModelToolCall[];

/** Runs before the model answers a request that offers tools; `results` is the number of results in it. */
export type Meanwhile = (results: number) => Promise<void>;

/** Starts the model at a free port. */
export async function startModel(): Promise<Model> {
  const requests: RecordedRequest[] = [];
  const unknown: string[] = [];
  const faults: string[] = [];
  let script: Script = () => [];
  let meanwhile: Meanwhile | undefined;
  let number = 0;

  const answer = async (path: string, body: Json): Promise<ModelReply | undefined> => {
    const protocol = PROTOCOLS.find((one) => one.matches(path));
    if (!protocol) return undefined;
    const [tools, resultPaths] = [protocol.toolsOf(body), protocol.resultsOf(body)];
    const results = resultPaths.length;
    requests.push({ protocol: protocol.name, path, body, tools, results, resultPaths });
    number += 1;
    const own = number;
    if (tools.length > 0) await meanwhile?.(results);
    // A call of a tool that is not offered is made as well: the client's refusal is an observation.
    const turn = tools.length > 0 ? (script(requests)[results] ?? LAST_WORDS) : LAST_WORDS;
    return protocol.reply({ path, body }, turn, own);
  };

  /** Starts a server at another port. A request to an earlier one is of a client that should have ended. */
  const listen = async (): Promise<Server> => {
    const next = createServer((request, response) => {
      if (server !== next) return response.destroy();
      return void handle(request, response, answer, { unknown, faults }).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      next.once('error', reject);
      next.listen(0, '127.0.0.1', resolve);
    });
    return next;
  };
  const end = (one: Server): Promise<void> =>
    new Promise((resolve) => {
      one.close(() => resolve());
      one.closeAllConnections();
    });
  let server = await listen();
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    requests,
    unknown,
    faults,
    async renew() {
      const earlier = server;
      server = await listen();
      await end(earlier);
    },
    follow(next, during) {
      script = typeof next === 'function' ? next : () => next;
      meanwhile = during;
      requests.length = 0;
      unknown.length = 0;
      faults.length = 0;
    },
    close: () => end(server),
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: Json) => Promise<ModelReply | undefined>,
  { unknown, faults }: { readonly unknown: string[]; readonly faults: string[] },
): Promise<void> {
  const path = request.url ?? '/';
  const refuse = (fault: string, status: number): void => {
    faults.push(`${path}: ${fault}`);
    send(response, { error: { message: fault } }, status);
  };
  const isAsked = request.method === 'POST' && PROTOCOLS.some((one) => one.matches(path));
  const bytes = await bytesOf(request);
  if (!bytes) return refuse('The request is too long.', 413);
  const text = isAsked ? decoded(bytes, request.headers['content-encoding']) : undefined;
  const body = text === undefined ? undefined : parseJson(text);
  if (isAsked && body === undefined) {
    const encoding = request.headers['content-encoding'];
    return refuse(`The request is not JSON${encoding === undefined ? '' : ` in the encoding ${encoding}`}.`, 400);
  }
  const reply = body === undefined ? undefined : await answer(path, body);
  if (reply?.kind === 'json') return send(response, reply.body);
  if (reply) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const { name, data } of reply.events) {
      response.write(
        `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
    }
    response.end();
    return;
  }
  if (/count_?tokens/i.test(path)) return send(response, { totalTokens: 10, input_tokens: 10 });
  if (/\/models\b/.test(path)) {
    const model = { id: MODEL, object: 'model', type: 'model', created: 1, owned_by: MODEL, display_name: MODEL };
    return send(response, { object: 'list', data: [model], has_more: false });
  }
  unknown.push(`${request.method} ${path}`);
  send(response, { error: { type: 'not_found_error', message: 'This model has no such path.' } }, 404);
}

const DECODERS: ReadonlyMap<string, ((bytes: Buffer) => Buffer) | undefined> = new Map([
  ['identity', (plain: Buffer) => plain],
  ['gzip', zlib.gunzipSync],
  ['deflate', zlib.inflateSync],
  ['br', zlib.brotliDecompressSync],
  // Node.js 20 has no such function.
  ['zstd', (zlib as { readonly zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync],
] as const);

/** Decompresses a body; undefined for an encoding that this Node.js does not have, or damaged bytes. */
function decoded(bytes: Buffer, encoding = 'identity'): string | undefined {
  try {
    return DECODERS.get(encoding)?.(bytes).toString('utf8');
  } catch {
    return undefined;
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
