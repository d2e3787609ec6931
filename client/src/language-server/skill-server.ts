/** The requests of panels and views to the language server, across its restarts. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ComposableChangedNotification,
  type ComposeParams,
  type ComposeReply,
  ComposeRequest,
  GraphChangedNotification,
  type GraphParams,
  type GraphReply,
  GraphRequest,
  HasCompositionsRequest,
  type SamplesParams,
  type SamplesReply,
  SamplesRequest,
  type SaveSampleParams,
  type SaveSampleReply,
  SaveSampleRequest,
} from '../../../server/src/protocol.ts';

export interface SkillServer extends vscode.Disposable {
  readonly compose: (params: ComposeParams) => Promise<ComposeReply | null>;
  readonly samples: (params: SamplesParams) => Promise<SamplesReply | null>;
  readonly saveSample: (params: SaveSampleParams) => Promise<SaveSampleReply>;
  readonly graph: (params: GraphParams) => Promise<GraphReply | null>;
  readonly hasCompositions: () => Promise<boolean>;
  /** The newest text of a document was sent; requests from now on are answered for that text. */
  readonly onTextSent: vscode.Event<vscode.Uri>;
  /** Compositions may have changed for another reason: another file, a catalog, or a restarted server. */
  readonly onComposableChanged: vscode.Event<void>;
  /** The composition graph changed, or the server restarted. The server reports changes after a first graph request. */
  readonly onGraphChanged: vscode.Event<void>;
  /** To be called with each client before it starts. */
  readonly attach: (client: BaseLanguageClient) => void;
  /** To be called when the attached client has started. */
  readonly started: () => void;
}

/** `connect` resolves when the server has started or failed to. Requests reject while no server runs. */
export function createSkillServer(connect: () => Promise<BaseLanguageClient | undefined>): SkillServer {
  const textSent = new vscode.EventEmitter<vscode.Uri>();
  const composableChanged = new vscode.EventEmitter<void>();
  const graphChanged = new vscode.EventEmitter<void>();
  const send = async <Reply>(request: string, params: object): Promise<Reply> => {
    const client = await connect();
    if (!client?.isRunning()) throw new Error(vscode.l10n.t('The skill language server is not running.'));
    return client.sendRequest<Reply>(request, params);
  };
  return {
    compose: (params) => send(ComposeRequest, params),
    samples: (params) => send(SamplesRequest, params),
    saveSample: (params) => send(SaveSampleRequest, params),
    graph: (params) => send(GraphRequest, params),
    hasCompositions: () => send(HasCompositionsRequest, {}),
    onTextSent: textSent.event,
    onComposableChanged: composableChanged.event,
    onGraphChanged: graphChanged.event,
    attach: (client) => {
      client
        .getFeature('textDocument/didChange')
        .onNotificationSent(({ textDocument }) => textSent.fire(textDocument.uri));
      client.onNotification(ComposableChangedNotification, () => composableChanged.fire());
      client.onNotification(GraphChangedNotification, () => graphChanged.fire());
    },
    started: () => {
      composableChanged.fire();
      graphChanged.fire();
    },
    dispose: () => {
      textSent.dispose();
      composableChanged.dispose();
      graphChanged.dispose();
    },
  };
}
