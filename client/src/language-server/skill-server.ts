/** What the panels and views ask of the language server, whichever process of it is running. */
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
  /** A document's newest text is on its way to the server: what is asked from here on is answered for that text. */
  readonly onTextSent: vscode.Event<vscode.Uri>;
  /** Compositions may have changed for another reason: another file, a catalog, a server that has started again. */
  readonly onComposableChanged: vscode.Event<void>;
  /** The composition graph changed, or a server has started again. Told once somebody has asked about graphs. */
  readonly onGraphChanged: vscode.Event<void>;
  /** Listens to a server that is about to start. */
  readonly attach: (client: BaseLanguageClient) => void;
  /** Says that the attached server runs. */
  readonly started: () => void;
}

/** `connect` resolves when the server has started, or has failed to. Requests to one that does not run are rejected. */
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
