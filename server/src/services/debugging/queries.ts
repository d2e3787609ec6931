/** The queries of a run with a model, which the host of a debug session answers (docs/debugging.md). */
import { isTooDeep, MAX_DEPTH } from '../../composer/json.ts';
import type { RunQuery, RunReply } from '../../protocol.ts';
import type { DebugHost } from './launch.ts';

const PATIENCE_MS = 5 * 60_000;

/**
 * Asks the host. An error of the host becomes the reply, and so does a model that takes too long. A tool has no limit,
 * because it may wait for a user.
 */
export function askHost(
  ask: NonNullable<DebugHost['ask']>,
  query: RunQuery,
  signal: AbortSignal,
  patience = PATIENCE_MS,
): Promise<RunReply> {
  const failure = (code: string, message: string): RunReply => ({ kind: 'failure', code, message });
  const asked = async (until: AbortSignal): Promise<RunReply> => {
    try {
      const reply = await ask(query, until);
      const value = reply.kind === 'call' ? reply.input : reply.kind === 'result' ? reply.value : undefined;
      if (!isTooDeep(value)) return reply;
      return failure('WRONG_REPLY', `The reply is nested more than ${MAX_DEPTH} levels deep.`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failure(query.kind === 'model' ? 'MODEL_FAILED' : 'TOOL_FAILED', message);
    }
  };
  if (query.kind === 'tool') return asked(signal);
  const limit = AbortSignal.timeout(patience);
  const late = new Promise<RunReply>((resolve) => {
    const message = `The model did not reply within ${patience / 1_000} seconds.`;
    limit.addEventListener('abort', () => resolve(failure('TIMEOUT', message)), { once: true });
  });
  return Promise.race([late, asked(AbortSignal.any([signal, limit]))]);
}

/** Returns what the Debug Console shows at a query. */
export const queryLine = (query: RunQuery): string =>
  query.kind === 'tool' ? `Calling ${query.tool}…` : `Asking the model for ${query.label} (${query.tokens} tokens)…`;
