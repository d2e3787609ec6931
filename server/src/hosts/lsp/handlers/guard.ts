/** The one guard around requests: a fault in a feature is logged and costs its answer, never the server. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Session } from '../../session/session.ts';
import { traceOf } from '../../session/trace.ts';

export type Guarded = <Params extends { textDocument: { uri: string } }, Result>(
  name: string,
  answer: (analysis: Analysis, file: SkillFile, params: Params) => Result | Promise<Result>,
) => (params: Params) => Result | Promise<Result | null> | null;

/** Answers about a skill; a file that is none has no answer, and one that is edited meanwhile cancels the request. */
export function createGuard(connection: Connection, session: Session): Guarded {
  return (name, answer) => (params) => {
    const { analysis } = session;
    const file = analysis.file(params.textDocument.uri);
    if (!file?.isSkill) return null;
    const answered = attempt(connection, name, () => answer(analysis, file, params));
    if (!(answered instanceof Promise)) return answered;
    return answered.then((result) => {
      if (session.analysis.file(file.uri) === file) return result;
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The file was edited meanwhile.');
    });
  };
}

/** The same for a request that is about no file. */
export function attempt<Result>(connection: Connection, name: string, answer: () => Result): Result | null {
  try {
    return answer();
  } catch (error) {
    // A refusal is an answer to the user, and no fault.
    if (error instanceof ResponseError) throw error;
    connection.console.error(`${name}: ${traceOf(error)}`);
    return null;
  }
}
