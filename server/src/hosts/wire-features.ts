/** The protocol's requests, each answered by the feature of the same name. */
import type { Connection } from 'vscode-languageserver';
import { codeActions } from '../features/code-actions.ts';
import { codeLenses } from '../features/code-lens.ts';
import { completion } from '../features/completion/index.ts';
import { hover } from '../features/hover.ts';
import { createGuard } from './guard.ts';
import type { Session } from './session.ts';

export function wireFeatures(connection: Connection, session: Session, previewCommand: string | undefined): void {
  const guarded = createGuard(connection, session);
  const { locate } = session;

  connection.onCodeAction(
    guarded('codeAction', (index, document, { range, context }) =>
      codeActions(index, document, range, context.only, locate),
    ),
  );
  if (previewCommand !== undefined) {
    connection.onCodeLens(guarded('codeLens', (_, document) => codeLenses(document, previewCommand, locate)));
  }
  connection.onCompletion(
    guarded('completion', (index, document, { position }) =>
      completion(index, document, locate.offset(document, position), locate),
    ),
  );
  connection.onHover(
    guarded('hover', (index, document, { position }) =>
      hover(index, document, locate.offset(document, position), locate),
    ),
  );
}
