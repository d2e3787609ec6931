/** The protocol's notifications about documents, and its two ways to hand out diagnostics. */
import type { Connection } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { BaselineNotification, type BaselineParams } from '../protocol.ts';
import type { Session } from './session.ts';

export function wireDiagnostics(connection: Connection, session: Session): void {
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
    session.open(TextDocument.create(uri, languageId, version, text)),
  );
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
    session.change(uri, version, contentChanges),
  );
  connection.onDidCloseTextDocument(({ textDocument }) => session.close(textDocument.uri));
  connection.onDidSaveTextDocument(({ textDocument }) => session.saved(textDocument.uri));
  connection.onDidChangeWatchedFiles(({ changes }) => session.changedOnDisk(changes.map(({ uri }) => uri)));
  connection.onNotification(BaselineNotification, ({ uri, text }: BaselineParams) =>
    session.setBaseline(uri, text ?? undefined),
  );

  if (!session.pull) return;
  connection.languages.diagnostics.on(async ({ textDocument, previousResultId }) => {
    await session.governed(textDocument.uri);
    session.index();
    const { id, items } = session.reports.of(textDocument.uri);
    if (id === previousResultId) return { kind: 'unchanged', resultId: id };
    return { kind: 'full', resultId: id, items: [...items] };
  });
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => {
    session.wantAll();
    // The client is answered when all is known; meanwhile it may ask for what it shows.
    await session.checked();
    session.index();
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    return {
      items: [...session.reports.all()].map(([uri, { id, items }]) =>
        known.get(uri) === id
          ? { kind: 'unchanged' as const, uri, version: null, resultId: id }
          : { kind: 'full' as const, uri, version: null, resultId: id, items: [...items] },
      ),
    };
  });
}
