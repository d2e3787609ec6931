/**
 * The one way in for messages: what is no message, has not the shape that its handler relies on, or comes out of turn is
 * refused here, so that neither the library nor a handler sees it.
 */
import { ErrorCodes, type Message, type MessageReader, type MessageWriter } from 'vscode-languageserver';
import {
  AbilitiesRequest,
  AboutRequest,
  BaselineNotification,
  ClientsRequest,
  ComposeRequest,
  EditorToolsRequest,
  FixAllRequest,
  GraphRequest,
  InstalledRequest,
  InstallPreviewRequest,
  InstallRequest,
  KeepPromptRequest,
  KeepRoutingCaseRequest,
  MatchRequest,
  ModelRunsRequest,
  NewCatalogRequest,
  NewSkillRequest,
  PackRequest,
  PlannerCatalogRequest,
  PullToolsRequest,
  RunTestsRequest,
  SamplesRequest,
  SaveSampleRequest,
  SkillDetailsRequest,
  TestsRequest,
  ToolServersRequest,
} from '../../protocol.ts';
import {
  anything,
  count,
  flag,
  integer,
  isRecord,
  key,
  list,
  object,
  optional,
  recordOf,
  type Shape,
  text,
} from './options.ts';

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

// What the handlers rely on in each message of a client. What they pass over is not looked at.

const place = object({ line: count, character: count });
const range = object({ start: place, end: place });
const located = object({ uri: text });
const about = { textDocument: located };
const file = object(about);
const atPlace = object({ ...about, position: place });
const inRange = object({ ...about, range });
const ofCall = object({ item: located });
const folders = list(located);

/** The lists and objects in a client's capabilities that the server reads whole. */
const capabilities = object({
  general: optional(object({ positionEncodings: optional(list(text)) })),
  workspace: optional(object({ workspaceEdit: optional(object({ resourceOperations: optional(list(text)) })) })),
  textDocument: optional(
    object({
      completion: optional(
        object({
          completionItem: optional(object({ resolveSupport: optional(object({ properties: optional(list(text)) })) })),
          completionList: optional(object({ itemDefaults: optional(list(text)) })),
        }),
      ),
    }),
  ),
});

const invocation = object({
  request: optional(text),
  parameters: optional(object({})),
  source: optional(text),
  channel: optional(text),
  profile: optional(text),
  model: optional(text),
});

const installation = { folder: text, source: text, to: optional(text) };

const byMethod: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    initialize: object({ capabilities, workspaceFolders: optional(folders), rootUri: optional(text) }),
    '$/cancelRequest': object({ id: key }),
    '$/setTrace': object({ value: text }),
    '$/progress': object({ token: key, value: anything }),
    'window/workDoneProgress/cancel': object({ token: key }),

    'textDocument/didOpen': object({
      textDocument: object({ uri: text, languageId: text, version: integer, text }),
    }),
    'textDocument/didChange': object({
      textDocument: object({ uri: text, version: integer }),
      contentChanges: list(object({ text, range: optional(range) })),
    }),
    'textDocument/didClose': file,
    'textDocument/didSave': file,
    'workspace/didChangeWatchedFiles': object({ changes: list(located) }),
    'workspace/didChangeWorkspaceFolders': object({ event: object({ added: folders, removed: folders }) }),
    'workspace/didChangeConfiguration': object({}),

    'textDocument/hover': atPlace,
    'textDocument/completion': atPlace,
    'completionItem/resolve': object({}),
    'textDocument/signatureHelp': atPlace,
    'textDocument/definition': atPlace,
    'textDocument/references': object({ ...about, position: place, context: object({ includeDeclaration: flag }) }),
    'textDocument/documentHighlight': atPlace,
    'textDocument/prepareRename': atPlace,
    'textDocument/rename': object({ ...about, position: place, newName: text }),
    'textDocument/linkedEditingRange': atPlace,
    'textDocument/selectionRange': object({ ...about, positions: list(place) }),
    'textDocument/documentSymbol': file,
    'textDocument/foldingRange': file,
    'textDocument/documentLink': file,
    'textDocument/codeLens': file,
    'codeLens/resolve': object({ range }),
    'textDocument/codeAction': object({ ...about, range, context: object({ only: optional(list(text)) }) }),
    'textDocument/inlayHint': inRange,
    'textDocument/semanticTokens/full': file,
    'textDocument/semanticTokens/range': inRange,
    'textDocument/formatting': file,
    'textDocument/rangeFormatting': inRange,
    'textDocument/onTypeFormatting': atPlace,
    'textDocument/prepareCallHierarchy': atPlace,
    'callHierarchy/incomingCalls': ofCall,
    'callHierarchy/outgoingCalls': ofCall,
    'workspace/symbol': object({ query: text }),
    'textDocument/diagnostic': object({ ...about, previousResultId: optional(text) }),
    'workspace/diagnostic': object({ previousResultIds: list(object({ uri: text, value: text })) }),

    [BaselineNotification]: object({ uri: text, text: optional(text) }),
    [ComposeRequest]: object({
      uri: text,
      key: optional(text),
      text: optional(text),
      sample: optional(text),
      invocation: optional(invocation),
      memory: optional(list(object({ id: text, tier: text, text }))),
      without: optional(list(text)),
      client: optional(text),
      arguments: optional(text),
    }),
    [SamplesRequest]: located,
    [SaveSampleRequest]: object({ uri: text, name: text, invocation }),
    [ClientsRequest]: located,
    [AbilitiesRequest]: located,
    [KeepRoutingCaseRequest]: object({ uri: text, request: text, should: flag }),
    [MatchRequest]: object({
      ...{ request: text, top: optional(integer), source: optional(text) },
      ...{ channel: optional(text), profile: optional(text) },
    }),
    [PlannerCatalogRequest]: object({
      ...{ format: optional(text), profile: optional(text), folders: optional(list(text)) },
    }),
    [GraphRequest]: optional(object({ uri: optional(text) })),
    [SkillDetailsRequest]: located,
    [FixAllRequest]: object({ uri: optional(text) }),
    [AboutRequest]: object({ uri: optional(text) }),
    [TestsRequest]: located,
    [RunTestsRequest]: object({
      ...{ uri: text, only: optional(list(text)), filter: optional(text), snapshots: optional(flag) },
      given: optional(list(object({ sample: text, output: optional(text), problem: optional(text) }))),
      answers: optional(list(object({ name: text, answer: text }))),
    }),
    [ModelRunsRequest]: object({ uri: text, only: optional(list(text)) }),
    [KeepPromptRequest]: object({ uri: text, sample: text }),
    [NewSkillRequest]: object({
      kind: text,
      name: text,
      description: optional(text),
      composes: optional(list(text)),
    }),
    [InstallPreviewRequest]: object(installation),
    [PackRequest]: object({ folder: text, uris: list(text), out: text }),
    [InstalledRequest]: object({ folder: text }),
    [InstallRequest]: object({ ...installation, digest: text, force: flag }),
    [NewCatalogRequest]: object({ folder: text }),
    [ToolServersRequest]: object({ folder: text, inputs: optional(recordOf(text)) }),
    [PullToolsRequest]: object({ plan: integer }),
    [EditorToolsRequest]: object({
      folder: text,
      tools: optional(list(object({ name: text, description: optional(text), inputSchema: optional(object({})) }))),
    }),
  }),
);

/** What is wrong with the params of a message. */
const paramsProblem = (method: string, params: unknown): string | undefined => byMethod.get(method)?.(params, 'params');
