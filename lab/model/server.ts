/**
 * A model on loopback: it speaks four protocols, records each request, and answers by a script.
 *
 * The script is a list of turns. The number of tool results in a request is the number of turns that were made, so that
 * the answer depends only on the request, and a request that offers no tool (for a title, a summary) gets text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { type Json, parseJson } from './json.ts';
import { MODEL, type Protocol, type Reply, type ToolCall } from './protocol.ts';
import { responses } from './responses.ts';

const PROTOCOLS: readonly Protocol[] = [anthropic, chat, responses, gemini];

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
}

export interface Model {
  /** The address without a path, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The requests since the last call of `follow`, in their order. */
  readonly requests: readonly RecordedRequest[];
  /** Paths that no protocol has, since the last call of `follow`. */
  readonly unknown: readonly string[];
  /** Sets the calls that the model makes, one in each turn, and forgets the requests. */
  follow(calls: readonly ToolCall[]): void;
  close(): Promise<void>;
}

/** Starts the model at a free port. */
export async function startModel(): Promise<Model> {
  const requests: RecordedRequest[] = [];
  const unknown: string[] = [];
  let calls: readonly ToolCall[] = [];
  let number = 0;

  const answer = (path: string, body: Json): Reply | undefined => {
    const protocol = PROTOCOLS.find((one) => one.matches(path));
    if (!protocol) return undefined;
    const [tools, results] = [protocol.toolsOf(body), protocol.resultsOf(body)];
    requests.push({ protocol: protocol.name, path, body, tools, results });
    number += 1;
    // A call of a tool that is not offered is made as well: the client's refusal is an observation.
    const turn = tools.length > 0 ? (calls[results] ?? LAST_WORDS) : LAST_WORDS;
    return protocol.reply({ path, body }, turn, number);
  };

  const server = createServer((request, response) => {
    void handle(request, response, answer, unknown).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unknown,
    follow(next) {
      calls = next;
      requests.length = 0;
      unknown.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: Json) => Reply | undefined,
  unknown: string[],
): Promise<void> {
  const path = request.url ?? '/';
  const text = await textOf(request);
  if (text === undefined) return send(response, { error: { message: 'The request is too long.' } }, 413);
  const reply = request.method === 'POST' ? answer(path, parseJson(text) ?? {}) : undefined;
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
  send(response, { error: { type: 'not_found_error', message: 'The lab has no such path.' } }, 404);
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
