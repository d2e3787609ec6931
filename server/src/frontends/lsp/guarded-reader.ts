/**
 * Checks every received message. A message that is invalid, has wrong parameters or arrives out of order is refused
 * here, so that neither the library nor a handler receives it.
 */

import * as v from 'valibot';
import { ErrorCodes, type Message, type MessageReader, type MessageWriter } from 'vscode-languageserver';
import * as requests from '../../protocol/requests.ts';
import { optional } from '../../protocol.ts';
import { isRecord, problemOf } from './options.ts';

/** The state of the connection. */
type Stage = 'new' | 'initialized' | 'shut-down';

interface ProtocolError {
  readonly code: number;
  readonly message: string;
}

/**
 * Returns a reader that only delivers valid messages. `log` receives a line for each invalid notification, because
 * notifications have no reply.
 */
export function guardReader(
  reader: MessageReader,
  writer: MessageWriter,
  log: (line: string) => void,
): MessageReader & { readonly isShutDown: () => boolean } {
  const order = new LifecycleGuard();
  const refuse = (id: unknown, error: ProtocolError): void => {
    const response = { jsonrpc: '2.0', id: isId(id) ? id : null, error };
    void writer.write(response as Message).catch(() => {});
  };
  reader.onError((error) => {
    // The body is not valid JSON.
    if (error instanceof SyntaxError) refuse(null, { code: ErrorCodes.ParseError, message: error.message });
  });
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    isShutDown: () => order.stage === 'shut-down',
    dispose: () => reader.dispose(),
    listen: (callback) =>
      reader.listen((message: unknown) => {
        if (isResponse(message)) return callback(message);
        const refusal = isCall(message) ? order.take(message) : NO_MESSAGE;
        if (!refusal) return callback(withoutNulls(message as Call) as unknown as Message);
        if (isRecord(message) && !('id' in message) && isCall(message)) log(`${message.method}: ${refusal.message}`);
        else refuse(isRecord(message) ? message.id : null, refusal);
      }),
  };
}

const NO_MESSAGE: ProtocolError = {
  code: ErrorCodes.InvalidRequest,
  message: 'Invalid JSON-RPC 2.0 message. It needs a `method`, and a request needs a string or an integer as its `id`.',
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

/** Checks the order of messages: `initialize` must come first and only once, and only `exit` may follow `shutdown`. */
class LifecycleGuard {
  stage: Stage = 'new';
  #isNotified = false;

  take({ method, id, params }: Call): ProtocolError | undefined {
    if (method === 'exit' && id === undefined) return undefined;
    const refusal = this.#outOfTurn(method, id !== undefined) ?? malformed(method, params);
    if (refusal) return refusal;
    if (method === 'initialize') this.stage = 'initialized';
    else if (method === 'initialized') this.#isNotified = true;
    else if (method === 'shutdown') this.stage = 'shut-down';
    return undefined;
  }

  #outOfTurn(method: string, isRequest: boolean): ProtocolError | undefined {
    const code = ErrorCodes.InvalidRequest;
    if (REQUESTS.has(method) && !isRequest) return { code, message: `\`${method}\` is a request and needs an \`id\`.` };
    if (this.stage === 'shut-down') return { code, message: 'The server is shut down and accepts only `exit`.' };
    if (method === 'initialize') {
      return this.stage === 'new' ? undefined : { code, message: 'The server is already initialized.' };
    }
    if (this.stage === 'new') {
      return { code: ErrorCodes.ServerNotInitialized, message: 'Send `initialize` first.' };
    }
    return method === 'initialized' && this.#isNotified
      ? { code, message: '`initialized` was already sent.' }
      : undefined;
  }
}

/** Methods that change the stage and must be requests, because they need a reply. */
const REQUESTS: ReadonlySet<string> = new Set(['initialize', 'shutdown']);

function malformed(method: string, params: unknown): ProtocolError | undefined {
  const isByPosition = params !== undefined && params !== null && !isRecord(params);
  const problem = isByPosition ? '`params` must be an object' : paramsProblem(method, params);
  return problem === undefined ? undefined : { code: ErrorCodes.InvalidParams, message: `${problem}.` };
}

// The parameters of standard messages that handlers use. Other fields are not validated.

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const id = v.union([text, v.number()]);
const place = v.object({ line: count, character: count });
const range = v.object({ start: place, end: place });
const located = v.object({ uri: text });
const about = { textDocument: located };
const file = v.object(about);
const atPlace = v.object({ ...about, position: place });
const inRange = v.object({ ...about, range });
const ofCall = v.object({ item: located });
const folders = v.array(located);

/** The lists and objects in a client's capabilities that the server reads completely. */
const capabilities = v.object({
  general: optional(v.object({ positionEncodings: optional(v.array(text)) })),
  workspace: optional(v.object({ workspaceEdit: optional(v.object({ resourceOperations: optional(v.array(text)) })) })),
  textDocument: optional(
    v.object({
      completion: optional(
        v.object({
          completionItem: optional(
            v.object({ resolveSupport: optional(v.object({ properties: optional(v.array(text)) })) }),
          ),
          completionList: optional(v.object({ itemDefaults: optional(v.array(text)) })),
        }),
      ),
    }),
  ),
});

const standard: ReadonlyMap<string, v.GenericSchema> = new Map(
  Object.entries({
    initialize: v.object({ capabilities, workspaceFolders: optional(folders), rootUri: optional(text) }),
    '$/cancelRequest': v.object({ id }),
    '$/setTrace': v.object({ value: text }),
    '$/progress': v.object({ token: id, value: v.unknown() }),
    'window/workDoneProgress/cancel': v.object({ token: id }),

    'textDocument/didOpen': v.object({
      textDocument: v.object({ uri: text, languageId: text, version: v.pipe(v.number(), v.integer()), text }),
    }),
    'textDocument/didChange': v.object({
      textDocument: v.object({ uri: text, version: v.pipe(v.number(), v.integer()) }),
      contentChanges: v.array(v.object({ text, range: optional(range) })),
    }),
    'textDocument/didClose': file,
    'textDocument/didSave': file,
    'workspace/didChangeWatchedFiles': v.object({ changes: v.array(located) }),
    'workspace/didChangeWorkspaceFolders': v.object({ event: v.object({ added: folders, removed: folders }) }),
    'workspace/didChangeConfiguration': v.object({}),

    'textDocument/hover': atPlace,
    'textDocument/completion': atPlace,
    'completionItem/resolve': v.object({}),
    'textDocument/signatureHelp': atPlace,
    'textDocument/definition': atPlace,
    'textDocument/references': v.object({
      ...about,
      position: place,
      context: v.object({ includeDeclaration: v.boolean() }),
    }),
    'textDocument/documentHighlight': atPlace,
    'textDocument/prepareRename': atPlace,
    'textDocument/rename': v.object({ ...about, position: place, newName: text }),
    'textDocument/linkedEditingRange': atPlace,
    'textDocument/selectionRange': v.object({ ...about, positions: v.array(place) }),
    'textDocument/documentSymbol': file,
    'textDocument/foldingRange': file,
    'textDocument/documentLink': file,
    'textDocument/codeLens': file,
    'codeLens/resolve': v.object({ range }),
    'textDocument/codeAction': v.object({ ...about, range, context: v.object({ only: optional(v.array(text)) }) }),
    'textDocument/inlayHint': inRange,
    'textDocument/semanticTokens/full': file,
    'textDocument/semanticTokens/range': inRange,
    'textDocument/formatting': file,
    'textDocument/rangeFormatting': inRange,
    'textDocument/onTypeFormatting': atPlace,
    'textDocument/prepareCallHierarchy': atPlace,
    'callHierarchy/incomingCalls': ofCall,
    'callHierarchy/outgoingCalls': ofCall,
    'workspace/symbol': v.object({ query: text }),
    'workspace/willRenameFiles': v.object({ files: v.array(v.object({ oldUri: text, newUri: text })) }),
    'textDocument/diagnostic': v.object({ ...about, previousResultId: optional(text) }),
    'workspace/diagnostic': v.object({ previousResultIds: v.array(v.object({ uri: text, value: text })) }),
  }),
);

/** Our own messages. They may omit `params`, which then count as an empty object. */
const ours: ReadonlyMap<string, v.GenericSchema> = new Map(
  Object.values(requests).flatMap((one) => ('method' in one && one.params ? [[one.method, one.params] as const] : [])),
);

function paramsProblem(method: string, params: unknown): string | undefined {
  const own = ours.get(method);
  if (own) return problemOf(own, params ?? {}, 'params');
  const schema = standard.get(method);
  return schema && problemOf(schema, params, 'params');
}

/** Removes missing parameters from one of our own messages, so that handlers never receive null for them. */
function withoutNulls(message: Call): Call {
  const schema = ours.get(message.method);
  return schema ? { ...message, params: v.parse(schema, message.params ?? {}) } : message;
}
