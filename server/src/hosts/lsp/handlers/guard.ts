/** Guards requests: an error in a feature is logged and the request gets no result. The server continues. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Session } from '../../session/session.ts';
import { traceOf } from '../../user-error.ts';

export type Guarded = <Params extends { textDocument: { uri: string } }, Result>(
  name: string,
  answer: (analysis: Analysis, file: SkillFile, params: Params) => Result | Promise<Result>,
) => (params: Params) => Result | Promise<Result | null> | null;

/**
 * Returns a function that guards requests about a skill. Requests about other files get null. An edit to the file in
 * the meantime cancels the request.
 */
export function createGuard(connection: Connection, session: Session): Guarded {
  return (name, answer) => (params) => {
    const { analysis } = session;
    const file = analysis.file(params.textDocument.uri);
    if (!file?.isSkill) return null;
    const answered = attempt(connection, name, () => answer(analysis, file, params));
    if (!(answered instanceof Promise)) return answered;
    return answered.then((result) => {
      if (session.analysis.file(file.uri) === file) return result;
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since the request.');
    });
  };
}

/** Runs a request. If it fails, logs the error and returns null. */
export function attempt<Result>(connection: Connection, name: string, answer: () => Result): Result | null {
  try {
    return answer();
  } catch (error) {
    // A refusal is a reply to the user, not an error of the server.
    if (error instanceof ResponseError) throw error;
    connection.console.error(`${name}: ${traceOf(error)}`);
    return null;
  }
}
