/**
 * The one way in for messages: what is no message, has not the shape that its handler relies on, or comes out of turn is
 * refused here, so that neither the library nor a handler sees it.
 */
import { ErrorCodes, type Message, type MessageReader, type MessageWriter } from 'vscode-languageserver';
import { paramsProblem } from './message-shapes.ts';
import { isRecord } from './shape.ts';

/** How far the client has come. */
type Stage = 'new' | 'initialized' | 'shut-down';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** `log` is told of messages that nobody waits for. */
export function guardReader(
  reader: MessageReader,
  writer: MessageWriter,
  log: (line: string) => void,
): MessageReader & { readonly isShutDown: () => boolean } {
  const turns = new Turns();
  const refuse = (id: unknown, error: Refusal): void => {
    const response = { jsonrpc: '2.0', id: isId(id) ? id : null, error };
    void writer.write(response as Message).catch(() => {});
  };
  reader.onError((error) => {
    // The body is no JSON.
    if (error instanceof SyntaxError) refuse(null, { code: ErrorCodes.ParseError, message: error.message });
  });
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    isShutDown: () => turns.stage === 'shut-down',
    dispose: () => reader.dispose(),
    listen: (callback) =>
      reader.listen((message: unknown) => {
        if (isResponse(message)) return callback(message);
        const refusal = isCall(message) ? turns.take(message) : NO_MESSAGE;
        if (!refusal) return callback(message as Message);
        if (isRecord(message) && !('id' in message) && isCall(message)) log(`${message.method}: ${refusal.message}`);
        else refuse(isRecord(message) ? message.id : null, refusal);
      }),
  };
}

const NO_MESSAGE: Refusal = {
  code: ErrorCodes.InvalidRequest,
  message: 'This is no message of JSON-RPC 2.0: it needs a `method`, and a request a string or a number as its `id`.',
};

interface Call {
  readonly method: string;
  readonly id?: unknown;
  readonly params?: unknown;
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isInteger(id);

const isCall = (message: unknown): message is Call =>
  isRecord(message) && typeof message.method === 'string' && (!('id' in message) || isId(message.id));

const isResponse = (message: unknown): message is Message =>
  isRecord(message) &&
  !('method' in message) &&
  isId(message.id) &&
  (isRecord(message.error) || (message.result !== undefined && !message.error));

/** What may come when: `initialize` first and once, nothing but `exit` after `shutdown`. */
class Turns {
  stage: Stage = 'new';
  #isTold = false;

  take({ method, id, params }: Call): Refusal | undefined {
    if (method === 'exit' && id === undefined) return undefined;
    const refusal = this.#outOfTurn(method, id !== undefined) ?? malformed(method, params);
    if (refusal) return refusal;
    if (method === 'initialize') this.stage = 'initialized';
    else if (method === 'initialized') this.#isTold = true;
    else if (method === 'shutdown') this.stage = 'shut-down';
    return undefined;
  }

  #outOfTurn(method: string, isRequest: boolean): Refusal | undefined {
    const code = ErrorCodes.InvalidRequest;
    if (REQUESTS.has(method) && !isRequest) return { code, message: `\`${method}\` is a request and needs an \`id\`.` };
    if (this.stage === 'shut-down') return { code, message: 'The server is shut down: it takes nothing but `exit`.' };
    if (method === 'initialize') {
      return this.stage === 'new' ? undefined : { code, message: 'The server is initialized already.' };
    }
    if (this.stage === 'new') {
      return { code: ErrorCodes.ServerNotInitialized, message: 'The server waits for `initialize` first.' };
    }
    return method === 'initialized' && this.#isTold ? { code, message: 'The client said so before.' } : undefined;
  }
}

/** What changes the stage must be answered. */
const REQUESTS: ReadonlySet<string> = new Set(['initialize', 'shutdown']);

function malformed(method: string, params: unknown): Refusal | undefined {
  const isByPosition = params !== undefined && params !== null && !isRecord(params);
  const problem = isByPosition ? '`params` must be an object' : paramsProblem(method, params);
  return problem === undefined ? undefined : { code: ErrorCodes.InvalidParams, message: `${problem}.` };
}
