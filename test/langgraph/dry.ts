/** Runs of skills in memory. */
import { strict as assert } from 'node:assert';
import { createComposer } from '../../server/src/composer/compose.ts';
import type { ComposeRequest } from '../../server/src/composer/composition.ts';
import type { RunQuery, RunReply, RunRequest, Trace } from '../../server/src/protocol.ts';
import { run } from '../../server/src/services/run/run.ts';

export const composer = createComposer();

/** Returns the request of a dry run; `parts` replaces the defaults. */
export const dryRequest = (compose: ComposeRequest, parts: Partial<RunRequest> = {}): RunRequest => ({
  compose,
  ...{ expected: [], stubs: [], answers: [], answered: [], patches: [], maxSteps: 1000, detailed: false },
  ...parts,
});

/** Runs a skill. Throws if it does not compose. */
export async function dryRun(compose: ComposeRequest, parts: Partial<RunRequest> = {}): Promise<Trace> {
  const result = await run(dryRequest(compose, parts), composer);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result;
}

/** Runs a skill with a model that `reply` plays. Each run begins with the events of the run before it. */
export async function modelRun(
  compose: ComposeRequest,
  reply: (query: RunQuery) => RunReply | undefined,
  parts: Partial<RunRequest> = {},
): Promise<Trace & { readonly replies: readonly RunReply[]; readonly queries: readonly RunQuery[] }> {
  const replies: RunReply[] = [];
  const queries: RunQuery[] = [];
  let before: Trace['events'] = [];
  for (;;) {
    const trace = await dryRun(compose, { ...parts, replies: [...replies] });
    assert.deepEqual(trace.events.slice(0, before.length), before);
    before = trace.events;
    const query = trace.end.kind === 'asking' ? trace.end.query : undefined;
    const next = query && reply(query);
    if (!query || !next) return { ...trace, replies, queries };
    queries.push(query);
    replies.push(next);
  }
}
