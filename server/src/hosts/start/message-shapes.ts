/** What the handlers rely on in each message of a client. What they pass over is not looked at. */
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
import { anything, count, flag, integer, key, list, object, optional, recordOf, type Shape, text } from './shape.ts';

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
export const paramsProblem = (method: string, params: unknown): string | undefined =>
  byMethod.get(method)?.(params, 'params');
