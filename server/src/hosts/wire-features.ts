/** The protocol's requests, each answered by the feature of the same name. */
import type { Connection } from 'vscode-languageserver';
import { codeActions } from '../features/code-actions.ts';
import { completion } from '../features/completion/index.ts';
import { hover } from '../features/hover.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Session } from './session.ts';

export function wireFeatures(connection: Connection, session: Session): void {
  /** The one guard: a fault in a feature is logged and costs its answer, never the server. */
  const guarded = <Params extends { textDocument: { uri: string } }, Result>(
    name: string,
    answer: (index: WorkspaceIndex, document: SkillDocument, params: Params) => Result,
  ) => {
    return (params: Params): Result | null => {
      const document = session.document(params.textDocument.uri);
      if (!document?.isSkill) return null;
      try {
        return answer(session.index(), document, params);
      } catch (error) {
        connection.console.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
        return null;
      }
    };
  };
  const { locate } = session;

  connection.onCodeAction(
    guarded('codeAction', (index, document, { range, context }) =>
      codeActions(index, document, range, context.only, locate),
    ),
  );
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
