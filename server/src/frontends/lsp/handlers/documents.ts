/** Handles the protocol's notifications about documents, and the requests for diagnostics. */
import {
  type Connection,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  WorkspaceDiagnosticRequest,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderUri } from '../../../io/files.ts';
import { onNotification, ReleasedTextNotification } from '../../../protocol.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { Session } from '../../../services/session/session.ts';
import { onRequest } from './guard.ts';

export function handleDocuments(connection: Connection, session: Session, composing: Composing): void {
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    session.receive({ kind: 'open', document: TextDocument.create(uri, languageId, version, text) });
    // Loading the tables of the composing worker takes a while, and the first preview should not wait for it.
    void session.read().then(() => composing.warm());
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
    session.receive({ kind: 'change', uri, version, changes: contentChanges }),
  );
  connection.onDidCloseTextDocument(({ textDocument }) => session.receive({ kind: 'close', uri: textDocument.uri }));
  connection.onDidSaveTextDocument(({ textDocument }) => session.receive({ kind: 'save', uri: textDocument.uri }));
  connection.onDidChangeWatchedFiles(({ changes }) =>
    // Some clients end the URI of a folder with a slash.
    session.receive({ kind: 'watched', uris: changes.map(({ uri }) => folderUri(uri)) }),
  );
  onNotification(connection, ReleasedTextNotification, ({ uri, text }) =>
    session.receive({ kind: 'released', uri, text: text ?? undefined }),
  );
}

/** Handles requests of a client that pulls diagnostics. */
export function handlePulledDiagnostics(connection: Connection, session: Session): void {
  onRequest(
    connection,
    DocumentDiagnosticRequest.type,
    async ({ textDocument, previousResultId }): Promise<DocumentDiagnosticReport> => {
      await session.catalogLoaded(textDocument.uri);
      const { id, items } = session.report(textDocument.uri);
      if (id === previousResultId) return { kind: 'unchanged', resultId: id };
      return { kind: 'full', resultId: id, items: [...items] };
    },
  );
  onRequest(connection, WorkspaceDiagnosticRequest.type, async ({ previousResultIds }) => {
    session.receive({ kind: 'want-all' });
    // The reply is sent when all files are checked. Meanwhile the client may request the files that it shows.
    await session.checked();
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const reports = [...session.analysis.index.files.keys()].map((uri) => ({ uri, ...session.report(uri) }));
    return {
      items: reports.map(({ uri, id, items }) =>
        known.get(uri) === id
          ? { kind: 'unchanged' as const, uri, version: null, resultId: id }
          : { kind: 'full' as const, uri, version: null, resultId: id, items: [...items] },
      ),
    };
  });
}
