/** Sends the notifications and refresh requests of a session to the client. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { statusOf } from '../../../features/workspace-facts.ts';
import {
  ComposableChangedNotification,
  type FindingCounts,
  GraphChangedNotification,
  type ServerMessage,
  StatusNotification,
  sendNotification,
} from '../../../protocol.ts';
import type { Changes, Client } from '../../../services/session/options.ts';
import { asTitle } from '../../../text.ts';
import type { ClientRequests, Registered } from '../client-requests.ts';

/**
 * The data that the client has requested and may be showing. Only clients that request this data support our
 * notifications.
 */
export interface RequestedData {
  status: boolean;
  graph: boolean;
  compositions: boolean;
  /** Sends changes in the list of skills. */
  skills: ((concerned: Changes['concerned']) => void) | undefined;
  /** Follows a rename, whose preview the client may be showing. */
  renamed: ((analysis: Analysis) => void) | undefined;
}

export interface ConnectedClient extends Client {
  readonly shown: RequestedData;
  refreshLenses(): void;
  refreshInlayHints(): void;
  /** Sends the status of the workspace if it has changed. Without `findings`, their numbers are those of the last call. */
  announceStatus(analysis: Analysis, findings?: FindingCounts | null): void;
}

/**
 * Shows lines to the user in a notification, because some clients do not support the request with choices. VS Code
 * renders `[text](address)` as a link, which can even run a command, so links are escaped. Our client offers to show
 * `places`. Other clients ignore this field, which the protocol does not have.
 */
export function showMessage(
  connection: Connection,
  type: MessageType,
  lines: readonly string[],
  places?: ServerMessage['places'],
): void {
  const message = lines.map((line) => asTitle(line).replaceAll('](', '] (')).join('\n');
  const params: ServerMessage = { type, message, ...(places && { places }) };
  void connection.sendNotification(ShowMessageNotification.method, params);
}

export function clientOf(
  connection: Connection,
  requests: ClientRequests,
  { workspace }: ClientCapabilities,
): ConnectedClient {
  const shown: RequestedData = {
    status: false,
    graph: false,
    compositions: false,
    skills: undefined,
    renamed: undefined,
  };
  /** Asks the client to request `what` again, in `area` of the protocol. */
  const refresh = (
    area: string,
    what: string,
    { refreshSupport }: { readonly refreshSupport?: boolean } = {},
  ): void => {
    const method = `workspace/${area}/refresh`;
    const effect = `The client may show old ${what} until the file is edited.`;
    if (refreshSupport) void requests.ask(method, effect, () => connection.sendRequest(method));
  };
  let lastStatus = '';
  let lastFindings: FindingCounts | null = null;
  const client: ConnectedClient = {
    shown,
    publish(uri, version, diagnostics) {
      const params = { uri, diagnostics: [...diagnostics] };
      void connection.sendDiagnostics(version === undefined ? params : { ...params, version });
    },
    refreshDiagnostics: () => refresh('diagnostic', 'diagnostics', workspace?.diagnostics),
    refreshLenses: () => refresh('codeLens', 'code lenses', workspace?.codeLens),
    refreshInlayHints: () => refresh('inlayHint', 'inlay hints', workspace?.inlayHint),
    announce({ graph, everything, compositions, concerned, composers }: Changes, analysis: Analysis) {
      if (graph) {
        client.refreshLenses();
        refresh('semanticTokens', 'colours', workspace?.semanticTokens);
      }
      // Changes that affect every file, such as severities, change the counts of findings in a graph.
      if (graph || everything) {
        client.refreshInlayHints();
        if (shown.graph) sendNotification(connection, GraphChangedNotification, undefined);
      }
      if (compositions && shown.compositions) {
        const uris = concerned === 'all' ? null : [...new Set([...concerned, ...composers])];
        sendNotification(connection, ComposableChangedNotification, { uris });
      }
      shown.skills?.(concerned);
      shown.renamed?.(analysis);
      client.announceStatus(analysis);
    },
    prepare: (analysis) => (shown.status || shown.skills !== undefined) && analysis.listLosses.readNext(),
    announceStatus(analysis, findings = lastFindings) {
      lastFindings = findings;
      if (!shown.status) return;
      const status = statusOf(analysis, findings);
      const { catalogs } = analysis.index;
      // A new or removed catalog changes the status of a file although no count changes.
      const state = JSON.stringify([status, [...catalogs.values()].map(({ uri, tools }) => [uri, tools.size])]);
      if (state === lastStatus) return;
      lastStatus = state;
      sendNotification(connection, StatusNotification, status);
    },
    watch: watching(requests, workspace),
    log: (level, message) => connection.console[level](message),
    warn: (message) => showMessage(connection, MessageType.Warning, [message]),
  };
  return client;
}

/**
 * Returns a function that watches folders outside the workspace, which the pattern for all files does not cover. Each
 * call replaces the folders of the previous call.
 */
function watching(requests: ClientRequests, workspace: ClientCapabilities['workspace']): Client['watch'] {
  const { dynamicRegistration, relativePatternSupport } = workspace?.didChangeWatchedFiles ?? {};
  const { method } = DidChangeWatchedFilesNotification;
  const effect = 'The server may not notice when other programs change skills of your account.';
  let last: Registered | undefined;
  return (folders) => {
    if (!dynamicRegistration || !relativePatternSupport) return;
    const watchers = folders.map((baseUri) => ({ globPattern: { baseUri, pattern: '**/*' } }));
    last?.dispose();
    last = watchers.length > 0 ? requests.register(effect, [{ method, registerOptions: { watchers } }]) : undefined;
  };
}
