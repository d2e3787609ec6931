/** The requests of panels and views to the language server, across its restarts. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type AbilitiesParams,
  type AbilitiesReply,
  AbilitiesRequest,
  type AgentToolParams,
  type AgentToolReply,
  AgentToolRequest,
  type ClientsParams,
  type ClientsReply,
  ClientsRequest,
  ComposableChangedNotification,
  type ComposableChangedParams,
  type ComposeParams,
  type ComposeReply,
  ComposeRequest,
  type ConvertParams,
  type ConvertReply,
  ConvertRequest,
  type EditorToolsParams,
  type EditorToolsReply,
  EditorToolsRequest,
  type FixAllParams,
  type FixAllReply,
  FixAllRequest,
  GraphChangedNotification,
  type GraphParams,
  type GraphReply,
  GraphRequest,
  HasCompositionsRequest,
  type InstalledParams,
  type InstalledReply,
  InstalledRequest,
  type InstallParams,
  type InstallPreviewParams,
  type InstallPreviewReply,
  InstallPreviewRequest,
  type InstallReply,
  InstallRequest,
  type KeepPromptParams,
  type KeepPromptReply,
  KeepPromptRequest,
  type KeepRoutingCaseParams,
  KeepRoutingCaseRequest,
  type MatchParams,
  type MatchReply,
  MatchRequest,
  type ModelRunsParams,
  type ModelRunsReply,
  ModelRunsRequest,
  type PackParams,
  type PackReply,
  PackRequest,
  type PlannerCatalogParams,
  type PlannerCatalogReply,
  PlannerCatalogRequest,
  type PullToolsParams,
  type PullToolsReply,
  PullToolsRequest,
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type SamplesParams,
  type SamplesReply,
  SamplesRequest,
  type SaveSampleParams,
  type SaveSampleReply,
  SaveSampleRequest,
  type SetEnabledParams,
  type SetEnabledReply,
  SetEnabledRequest,
  type SkillDetailsParams,
  type SkillDetailsReply,
  SkillDetailsRequest,
  SkillsChangedNotification,
  type SkillsChangedParams,
  type SkillsReply,
  SkillsRequest,
  type TestsParams,
  type TestsReply,
  TestsRequest,
  type ToolServersParams,
  type ToolServersReply,
  ToolServersRequest,
  type UsesParams,
  type UsesReply,
  UsesRequest,
} from '../../../server/src/protocol.ts';
import { shareAnswers } from './shared-answers.ts';

export interface SkillServer extends vscode.Disposable {
  /** How files and folders are named to it: by paths, in a browser by URIs; undefined where it does not reach them. */
  readonly wordFor: (uri: vscode.Uri) => string | undefined;
  readonly compose: (params: ComposeParams) => Promise<ComposeReply | null>;
  readonly samples: (params: SamplesParams) => Promise<SamplesReply | null>;
  /** Views share one request until something changes; undefined where something has changed since. */
  readonly clients: (params: ClientsParams) => Promise<ClientsReply | null | undefined>;
  readonly abilities: (params: AbilitiesParams) => Promise<AbilitiesReply | null>;
  readonly saveSample: (params: SaveSampleParams) => Promise<SaveSampleReply>;
  readonly fixAll: (params: FixAllParams, token?: vscode.CancellationToken) => Promise<FixAllReply>;
  readonly graph: (params: GraphParams) => Promise<GraphReply | null>;
  readonly hasCompositions: () => Promise<boolean>;
  readonly match: (params: MatchParams) => Promise<MatchReply | null>;
  readonly plannerCatalog: (params: PlannerCatalogParams) => Promise<PlannerCatalogReply | null>;
  readonly convert: (params: ConvertParams) => Promise<ConvertReply | null>;
  readonly skills: () => Promise<SkillsReply | null>;
  readonly skillDetails: (params: SkillDetailsParams) => Promise<SkillDetails | undefined>;
  /** What the server has found in a file. */
  readonly findings: (file: vscode.Uri) => readonly vscode.Diagnostic[];
  readonly setEnabled: (params: SetEnabledParams) => Promise<SetEnabledReply | null>;
  readonly tests: (params: TestsParams) => Promise<TestsReply | null>;
  readonly runTests: (params: RunTestsParams, token: vscode.CancellationToken) => Promise<RunTestsReply | null>;
  /** What a model is asked for the samples of a file; the server asks none. */
  readonly modelRuns: (params: ModelRunsParams) => Promise<ModelRunsReply | null>;
  readonly keepPrompt: (params: KeepPromptParams) => Promise<KeepPromptReply>;
  readonly keepRoutingCase: (params: KeepRoutingCaseParams) => Promise<KeepPromptReply>;
  readonly toolServers: (params: ToolServersParams) => Promise<ToolServersReply>;
  readonly pullTools: (params: PullToolsParams) => Promise<PullToolsReply>;
  readonly editorTools: (params: EditorToolsParams) => Promise<EditorToolsReply>;
  readonly previewInstall: (params: InstallPreviewParams) => Promise<InstallPreviewReply>;
  readonly install: (params: InstallParams) => Promise<InstallReply>;
  /** The skills that were imported, and how they differ from what was. */
  readonly installed: (params: InstalledParams) => Promise<InstalledReply>;
  readonly pack: (params: PackParams) => Promise<PackReply>;
  readonly agentTool: (params: AgentToolParams, token: vscode.CancellationToken) => Promise<AgentToolReply>;
  readonly uses: (params: UsesParams) => Promise<UsesReply | null>;
  /** The newest text of a document was sent; requests from now on are answered for that text. */
  readonly onTextSent: vscode.Event<vscode.Uri>;
  /** Compositions may have changed for another reason: another file, a catalog, or a restarted server. Null: any may have. */
  readonly onComposableChanged: vscode.Event<ComposableChangedParams['uris']>;
  /**
   * The composition graph changed, the errors that it counts, or the server restarted. The server reports changes after a
   * first graph request.
   */
  readonly onGraphChanged: vscode.Event<void>;
  /** The list of skills changed, if it was requested from the server that runs. */
  readonly onSkillsChanged: vscode.Event<SkillsChangedParams>;
  /** A server has started, to which nothing has been said yet. */
  readonly onStarted: vscode.Event<void>;
  /** To be called with each client before it starts. */
  readonly attach: (client: BaseLanguageClient) => void;
  /** To be called when the attached client has started. */
  readonly started: () => void;
}

/** A description as the editor shows it, and where the name is written. */
export interface SkillDetails {
  readonly description: vscode.TreeItem['tooltip'];
  readonly nameRange: vscode.Range | undefined;
}

/** `connect` resolves when the server has started or failed to. Requests reject while no server runs. */
export function createSkillServer(
  connect: () => Promise<BaseLanguageClient | undefined>,
  wordFor: SkillServer['wordFor'],
): SkillServer {
  const textSent = new vscode.EventEmitter<vscode.Uri>();
  const composableChanged = new vscode.EventEmitter<ComposableChangedParams['uris']>();
  const graphChanged = new vscode.EventEmitter<void>();
  const skillsChanged = new vscode.EventEmitter<SkillsChangedParams>();
  const started = new vscode.EventEmitter<void>();
  let attached: BaseLanguageClient | undefined;
  const send = async <Reply>(request: string, params: object, token?: vscode.CancellationToken): Promise<Reply> => {
    const client = await connect();
    if (!client?.isRunning()) throw new Error(vscode.l10n.t('The skill language server is not running.'));
    return client.sendRequest<Reply>(request, params, token);
  };
  const clients = shareAnswers<ClientsReply | null>((uri) => {
    const source = new vscode.CancellationTokenSource();
    const reply = send<ClientsReply | null>(ClientsRequest, { uri } satisfies ClientsParams, source.token);
    return { reply, cancel: () => source.cancel() };
  });
  // First of all listeners, so that those who ask again are answered for what is new.
  for (const changed of [textSent.event, composableChanged.event, started.event]) changed(clients.forget);
  const counts = watchCounts(() => graphChanged.fire());
  return {
    wordFor,
    compose: (params) => send(ComposeRequest, params),
    samples: (params) => send(SamplesRequest, params),
    clients: ({ uri }) => clients.ask(uri),
    abilities: (params) => send(AbilitiesRequest, params),
    saveSample: (params) => send(SaveSampleRequest, params),
    fixAll: (params, token) => send(FixAllRequest, params, token),
    graph: (params) => send(GraphRequest, params),
    hasCompositions: () => send(HasCompositionsRequest, {}),
    match: (params) => send(MatchRequest, params),
    plannerCatalog: (params) => send(PlannerCatalogRequest, params),
    convert: (params) => send(ConvertRequest, params),
    skills: () => send(SkillsRequest, {}),
    skillDetails: async (params) => {
      const reply = await send<SkillDetailsReply | null>(SkillDetailsRequest, params);
      return reply && attached ? detailsOf(reply, attached) : undefined;
    },
    findings: (file) => attached?.diagnostics?.get(file) ?? [],
    setEnabled: (params) => send(SetEnabledRequest, params),
    tests: (params) => send(TestsRequest, params),
    runTests: (params, token) => send(RunTestsRequest, params, token),
    modelRuns: (params) => send(ModelRunsRequest, params),
    keepPrompt: (params) => send(KeepPromptRequest, params),
    keepRoutingCase: (params) => send(KeepRoutingCaseRequest, params),
    toolServers: (params) => send(ToolServersRequest, params),
    pullTools: (params) => send(PullToolsRequest, params),
    editorTools: (params) => send(EditorToolsRequest, params),
    previewInstall: (params) => send(InstallPreviewRequest, params),
    install: (params) => send(InstallRequest, params),
    installed: (params) => send(InstalledRequest, params),
    pack: (params) => send(PackRequest, params),
    agentTool: (params, token) => send(AgentToolRequest, params, token),
    uses: (params) => send(UsesRequest, params),
    onTextSent: textSent.event,
    onComposableChanged: composableChanged.event,
    onGraphChanged: graphChanged.event,
    onSkillsChanged: skillsChanged.event,
    onStarted: started.event,
    attach: (client) => {
      attached = client;
      client
        .getFeature('textDocument/didChange')
        .onNotificationSent(({ textDocument }) => textSent.fire(textDocument.uri));
      client.onNotification(ComposableChangedNotification, ({ uris }: ComposableChangedParams) =>
        composableChanged.fire(uris),
      );
      client.onNotification(GraphChangedNotification, () => graphChanged.fire());
      client.onNotification(SkillsChangedNotification, (changes: SkillsChangedParams) => skillsChanged.fire(changes));
    },
    started: () => {
      composableChanged.fire(null);
      graphChanged.fire();
      started.fire();
    },
    dispose: () => {
      skillsChanged.dispose();
      started.dispose();
      counts.dispose();
      textSent.dispose();
      composableChanged.dispose();
      graphChanged.dispose();
    },
  };
}

/** The library makes the Markdown that the editor shows, as it does for hovers. */
function detailsOf({ description, nameRange }: SkillDetailsReply, client: BaseLanguageClient): SkillDetails {
  const { protocol2CodeConverter: converter } = client;
  return {
    description: converter.asHover({ contents: description }).contents[0] as vscode.TreeItem['tooltip'],
    nameRange: nameRange ? converter.asRange(nameRange) : undefined,
  };
}

/** The source that the server names in its diagnostics. */
const SOURCE = 'skill-composer';

/** Calls back when a file has more or fewer errors or warnings of the server than before. */
function watchCounts(changed: () => void): vscode.Disposable {
  const counts = new Map<string, string>();
  const { Error: Wrong, Warning } = vscode.DiagnosticSeverity;
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    const other = uris.filter((uri) => {
      const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === SOURCE);
      const count = (wanted: vscode.DiagnosticSeverity) => own.filter(({ severity }) => severity === wanted).length;
      const now = `${count(Wrong)} ${count(Warning)}`;
      const before = counts.get(uri.toString()) ?? '0 0';
      counts.set(uri.toString(), now);
      return now !== before;
    });
    if (other.length > 0) changed();
  });
}
