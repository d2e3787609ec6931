/**
 * The interface through which panels and views use the language server. The interface stays valid when the server
 * restarts.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  AskModelRequest,
  type ClientsReply,
  ClientsRequest,
  ComposableChangedNotification,
  type ComposableChangedParams,
  type DebugMessage,
  DebugNotification,
  DebugProgressNotification,
  type DebugProgressParams,
  GraphChangedNotification,
  type Message,
  onNotification,
  onRequest,
  type ParamsOf,
  type RunReply,
  type SkillDetailsReply,
  SkillDetailsRequest,
  SkillsChangedNotification,
  type SkillsChangedParams,
  sendRequest,
} from '../../../server/src/protocol.ts';
import { shareAnswers } from './shared-answers.ts';

export interface SkillServer extends vscode.Disposable {
  /**
   * Returns how the server identifies a file: by a path, or by a URI in a browser. Returns undefined if the server
   * cannot access the file.
   */
  readonly serverPathFor: (uri: vscode.Uri) => string | undefined;
  /** Rejects while no server runs. */
  readonly send: <Params, Reply>(
    request: Message<Params, Reply>,
    params: Params,
    token?: vscode.CancellationToken,
  ) => Promise<Reply>;
  /**
   * Requests how clients use a skill. Views share one request until something changes. Resolves to undefined if
   * something changed before the response arrived.
   */
  readonly clients: (uri: string) => Promise<ClientsReply | null | undefined>;
  readonly skillDetails: (uri: string) => Promise<SkillDetails | undefined>;
  /** Returns the findings of a file. */
  readonly findings: (file: vscode.Uri) => readonly vscode.Diagnostic[];
  /** Returns the findings of all files. */
  readonly allFindings: () => readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[];
  /** Fires when the newest text of a document has been sent. Responses to later requests are for that text. */
  readonly onTextSent: vscode.Event<vscode.Uri>;
  /**
   * Fires when compositions may have changed because of another file, a catalog or a restart. Null means all
   * compositions.
   */
  readonly onComposableChanged: vscode.Event<ComposableChangedParams['uris']>;
  /**
   * Fires when the composition graph or its error counts have changed, or the server has restarted. The server reports
   * changes only after it has received a graph request.
   */
  readonly onGraphChanged: vscode.Event<void>;
  /** Fires when the list of skills has changed, but only if a view has requested the list from the running server. */
  readonly onSkillsChanged: vscode.Event<SkillsChangedParams>;
  /** Fires for each message of a debug session to the editor. */
  readonly onDebugMessage: vscode.Event<DebugMessage>;
  /** Sets the function that answers the queries of debug sessions. */
  readonly answerQueries: (answer: AnswerQuery) => void;
  /** Fires when a debug session has moved in its run, or has ended. */
  readonly onDebugProgress: vscode.Event<DebugProgressParams>;
  /** Fires when the server stops or crashes, which ends its debug sessions. */
  readonly onStopped: vscode.Event<void>;
  /** Fires when a server has started, before any request. */
  readonly onStarted: vscode.Event<void>;
  /** Must be called with each client before it starts. */
  readonly attach: (client: BaseLanguageClient) => void;
  /** Must be called when the attached client has started. */
  readonly started: () => void;
}

type AnswerQuery = (params: ParamsOf<typeof AskModelRequest>, token: vscode.CancellationToken) => Promise<RunReply>;

/** The description for a tooltip, and the range of the name. */
export interface SkillDetails {
  readonly description: vscode.TreeItem['tooltip'];
  readonly nameRange: vscode.Range | undefined;
}

/** Creates the interface. `connect` resolves when the server has started or could not be started. */
export function createSkillServer(
  connect: () => Promise<BaseLanguageClient | undefined>,
  serverPathFor: SkillServer['serverPathFor'],
): SkillServer {
  const textSent = new vscode.EventEmitter<vscode.Uri>();
  const composableChanged = new vscode.EventEmitter<ComposableChangedParams['uris']>();
  const graphChanged = new vscode.EventEmitter<void>();
  const skillsChanged = new vscode.EventEmitter<SkillsChangedParams>();
  const started = new vscode.EventEmitter<void>();
  const stopped = new vscode.EventEmitter<void>();
  const debugMessage = new vscode.EventEmitter<DebugMessage>();
  const debugProgress = new vscode.EventEmitter<DebugProgressParams>();
  let attached: BaseLanguageClient | undefined;
  let answerQuery: AnswerQuery | undefined;
  const send: SkillServer['send'] = async (request, params, token) => {
    const client = await connect();
    if (!client?.isRunning()) throw new Error(vscode.l10n.t('The skill language server is not running.'));
    return sendRequest(client, request, params, token);
  };
  const clients = shareAnswers<ClientsReply | null>((uri) => {
    const source = new vscode.CancellationTokenSource();
    return { reply: send(ClientsRequest, { uri }, source.token), cancel: () => source.cancel() };
  });
  // Register these listeners first, so that requests from all other listeners get new responses.
  for (const changed of [textSent.event, composableChanged.event, started.event]) changed(clients.invalidate);
  const counts = watchCounts(() => graphChanged.fire());
  return {
    serverPathFor,
    send,
    clients: clients.ask,
    skillDetails: async (uri) => {
      const reply = await send(SkillDetailsRequest, { uri });
      return reply && attached ? detailsOf(reply, attached) : undefined;
    },
    findings: (file) => attached?.diagnostics?.get(file) ?? [],
    allFindings: () => [...(attached?.diagnostics ?? [])],
    onTextSent: textSent.event,
    onComposableChanged: composableChanged.event,
    onGraphChanged: graphChanged.event,
    onSkillsChanged: skillsChanged.event,
    onStarted: started.event,
    onStopped: stopped.event,
    onDebugMessage: debugMessage.event,
    answerQueries: (answer) => {
      answerQuery = answer;
    },
    onDebugProgress: debugProgress.event,
    attach: (client) => {
      attached = client;
      client
        .getFeature('textDocument/didChange')
        .onNotificationSent(({ textDocument }) => textSent.fire(textDocument.uri));
      onNotification(client, ComposableChangedNotification, ({ uris }) => composableChanged.fire(uris));
      onNotification(client, DebugNotification, (message) => debugMessage.fire(message));
      onRequest(client, AskModelRequest, (params, token) => {
        if (!answerQuery) throw new Error('No debug session can use a model.');
        return answerQuery(params, token);
      });
      onNotification(client, DebugProgressNotification, (progress) => debugProgress.fire(progress));
      client.onDidChangeState(() => client.isRunning() || stopped.fire());
      onNotification(client, GraphChangedNotification, () => graphChanged.fire());
      onNotification(client, SkillsChangedNotification, (changes) => skillsChanged.fire(changes));
    },
    started: () => {
      composableChanged.fire(null);
      graphChanged.fire();
      started.fire();
    },
    dispose: () => {
      skillsChanged.dispose();
      started.dispose();
      stopped.dispose();
      debugMessage.dispose();
      debugProgress.dispose();
      counts.dispose();
      textSent.dispose();
      composableChanged.dispose();
      graphChanged.dispose();
    },
  };
}

/** Converts a reply. The client library creates the Markdown, as it does for hovers. */
function detailsOf({ description, nameRange }: SkillDetailsReply, client: BaseLanguageClient): SkillDetails {
  const { protocol2CodeConverter: converter } = client;
  return {
    description: converter.asHover({ contents: description }).contents[0] as vscode.TreeItem['tooltip'],
    nameRange: nameRange ? converter.asRange(nameRange) : undefined,
  };
}

/** The source that the server names in its diagnostics. */
export const SOURCE = 'skill-composer';

/** Calls `changed` when the number of errors or warnings in a file has changed. */
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
