/** Completion: the items, and the documentation of a selected item. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import { completion } from '../../../features/completion/completion.ts';
import { type CompletionClient, type DeferredDocs, resolveDocs } from '../../../features/completion/items.ts';
import { findPath, pathCompletion } from '../../../features/completion/paths.ts';
import type { InitializationOptions } from '../../../protocol.ts';
import type { Files } from '../../files/files.ts';
import type { Session } from '../../session/session.ts';
import { requestsDocs } from '../capabilities.ts';
import { attempt, createGuard } from './guard.ts';

export function handleCompletion(
  connection: Connection,
  session: Session,
  files: Files,
  capabilities: ClientCapabilities,
  options: InitializationOptions,
): void {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  /** The deferred documentation for the newest reply. Items from older replies are about to be replaced. */
  let deferred: DeferredDocs | undefined;
  let serial = 0;
  const defer = (left: DeferredDocs): number => {
    deferred = left;
    return ++serial;
  };
  const client: CompletionClient = {
    defaults: new Set(capabilities.textDocument?.completion?.completionList?.itemDefaults),
    defer: requestsDocs(capabilities) ? defer : undefined,
    supportsSnippets: capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
    suggestCommand: options.suggestCommand,
  };

  connection.onCompletion(
    guarded('completion', (analysis, file, { position }) => {
      const offset = locate.offset(file, position);
      const place = findPath(file, offset);
      if (!place) return completion(analysis, file, offset, locate, client);
      return files
        .list(place.folder)
        .then((entries) =>
          attempt(connection, 'completion', () =>
            pathCompletion(analysis, file, offset, place, entries, locate, client),
          ),
        );
    }),
  );
  // Changes since the reply do not affect what a name means, so the current analysis is used.
  if (client.defer) {
    connection.onCompletionResolve((item) => {
      const left = item.data === serial ? deferred : undefined;
      return (
        (left && attempt(connection, 'completionResolve', () => resolveDocs(item, left, session.analysis))) ?? item
      );
    });
  }
}
