/** The one guard around requests: a fault in a feature is logged and costs its answer, never the server. */
import { type Connection, ResponseError } from 'vscode-languageserver';
import type { SkillDocument } from '../skill/document.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Session } from './session.ts';

export type Guarded = <Params extends { textDocument: { uri: string } }, Result>(
  name: string,
  answer: (index: WorkspaceIndex, document: SkillDocument, params: Params) => Result,
) => (params: Params) => Result | null;

export function createGuard(connection: Connection, session: Session): Guarded {
  return (name, answer) => (params) => {
    const document = session.document(params.textDocument.uri);
    if (!document?.isSkill) return null;
    return attempt(connection, name, () => answer(session.index(), document, params));
  };
}

/** The same for a request that is about no file. */
export function attempt<Result>(connection: Connection, name: string, answer: () => Result): Result | null {
  try {
    return answer();
  } catch (error) {
    // A refusal is an answer to the user, and no fault.
    if (error instanceof ResponseError) throw error;
    connection.console.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
    return null;
  }
}
