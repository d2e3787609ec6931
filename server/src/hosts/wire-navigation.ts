/** The requests that lead from place to place, and rename, which changes all of them at once. */
import { type ClientCapabilities, type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { definition } from '../features/navigation/definition.ts';
import { documentLinks } from '../features/navigation/document-links.ts';
import { documentSymbols, flatSymbols } from '../features/navigation/document-symbols.ts';
import { foldingRanges } from '../features/navigation/folding.ts';
import { highlights } from '../features/navigation/highlights.ts';
import { linkedEditingRanges } from '../features/navigation/linked-editing.ts';
import { references } from '../features/navigation/references.ts';
import { selectionRange } from '../features/navigation/selection-ranges.ts';
import { workspaceSymbols } from '../features/navigation/workspace-symbols.ts';
import { isRefusal, prepareRename, type Refusal, type RenameClient, rename } from '../features/rename/rename.ts';
import { attempt, createGuard } from './guard.ts';
import type { Session } from './session.ts';

export function wireNavigation(connection: Connection, session: Session, capabilities: ClientCapabilities): void {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  const { textDocument } = capabilities;
  const links = textDocument?.definition?.linkSupport === true;
  const isNested = textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
  const client = renameClient(capabilities, session);

  connection.onDefinition(
    guarded('definition', (index, document, { position }) =>
      definition(index, document, locate.offset(document, position), locate, links),
    ),
  );
  connection.onReferences(
    guarded('references', (index, document, { position, context }) =>
      references(index, document, locate.offset(document, position), locate, context.includeDeclaration),
    ),
  );
  connection.onDocumentHighlight(
    guarded('documentHighlight', (index, document, { position }) =>
      highlights(index, document, locate.offset(document, position), locate),
    ),
  );
  connection.onPrepareRename(
    guarded('prepareRename', (index, document, { position }) =>
      orFail(prepareRename(index, document, locate.offset(document, position), locate)),
    ),
  );
  connection.onRenameRequest(
    guarded('rename', (index, document, { position, newName }) =>
      orFail(rename(index, document, locate.offset(document, position), newName, locate, client)),
    ),
  );
  connection.onDocumentSymbol(
    guarded('documentSymbol', (_, document) => {
      const symbols = documentSymbols(document, locate);
      return isNested ? symbols : [...flatSymbols(document.uri, symbols)];
    }),
  );
  connection.onWorkspaceSymbol(({ query }) =>
    attempt(connection, 'workspaceSymbol', () => workspaceSymbols(session.index(), query, locate)),
  );
  connection.onFoldingRanges(guarded('foldingRange', (_, document) => foldingRanges(document)));
  connection.onSelectionRanges(
    guarded('selectionRange', (_, document, { positions }) =>
      positions.map((position) => selectionRange(document, locate.offset(document, position), locate)),
    ),
  );
  connection.onDocumentLinks(guarded('documentLink', (index, document) => documentLinks(index, document, locate)));
  connection.languages.onLinkedEditingRange(
    guarded('linkedEditingRange', (_, document, { position }) =>
      linkedEditingRanges(document, locate.offset(document, position), locate),
    ),
  );
}

function renameClient({ workspace }: ClientCapabilities, session: Session): RenameClient {
  const edit = workspace?.workspaceEdit;
  const documentChanges = edit?.documentChanges === true;
  return {
    documentChanges,
    renamesFiles: documentChanges && edit?.resourceOperations?.includes('rename') === true,
    annotations: edit?.changeAnnotationSupport !== undefined,
    version: session.version,
  };
}

/** A refusal goes to the user as the error's message: editors show it at the place. */
function orFail<Answer extends object>(answer: Answer | Refusal): Answer {
  if (isRefusal(answer)) throw new ResponseError(LSPErrorCodes.RequestFailed, answer.refusal);
  return answer;
}
