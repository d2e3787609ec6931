/**
 * Registers the handlers of requests. Each handler is guarded: an error in it is logged, the request gets a reply, and
 * the server continues. No other file registers requests (`test/core/architecture.test.ts`).
 */
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  type GenericRequestHandler,
  LSPErrorCodes,
  type ProtocolRequestType,
  ResponseError,
} from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { isUserError, messageOf, traceOf } from '../../../io/user-error.ts';
import type { Message } from '../../../protocol.ts';
import type { Session } from '../../../services/session/session.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';

type Request<Params, Reply> = Message<Params, Reply> | ProtocolRequestType<Params, Reply, unknown, unknown, unknown>;

/**
 * Registers the handler of a request. A `UserError` becomes the error of the reply. Any other error is logged; the
 * reply then is `afterError`, or by default an error that asks the user to report it.
 */
export function onRequest<Params, Reply>(
  connection: Connection,
  request: Request<Params, Reply>,
  answer: (params: Params, token: CancellationToken) => Reply | Promise<Reply>,
  afterError?: (params: Params) => Reply,
): void {
  const guarded = async (params: Params, token: CancellationToken): Promise<Reply> => {
    try {
      return await answer(params, token);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (isUserError(error)) throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
      connection.console.error(`${request.method}: ${traceOf(error)}`);
      if (afterError) return afterError(params);
      throw new ResponseError(ErrorCodes.InternalError, `Internal error, please report it: ${messageOf(error)}`);
    }
  };
  // With its type, the library also checks that the request has parameters.
  const handler = guarded as GenericRequestHandler<unknown, unknown>;
  if ('numberOfParams' in request)
    connection.onRequest(request as ProtocolRequestType<Params, unknown, never, unknown, void>, handler);
  else connection.onRequest(request.method, handler);
}

type OnSkillRequest = <Params extends { textDocument: { uri: string } }, Reply>(
  request: Request<Params, Reply | null>,
  answer: (analysis: Analysis, file: SkillFile, params: Params) => Reply | null | Promise<Reply | null>,
  otherwise?: Reply,
) => void;

/**
 * Returns a function that registers requests about a skill. Requests about other files, and requests whose handler
 * fails, get `otherwise`, by default null: editors send these requests on their own, and would show each error. An
 * edit to the file in the meantime cancels the request.
 */
export const skillRequests =
  (connection: Connection, session: Session): OnSkillRequest =>
  (request, answer, otherwise) => {
    const nothing = otherwise ?? null;
    onRequest(
      connection,
      request,
      async (params) => {
        const { analysis } = session;
        const file = analysis.file(params.textDocument.uri);
        if (!file?.isSkill) return nothing;
        const result = await answer(analysis, file, params);
        if (session.analysis.file(file.uri) === file) return result;
        throw new ResponseError(LSPErrorCodes.ContentModified, 'The file has changed since the request.');
      },
      () => nothing,
    );
  };
