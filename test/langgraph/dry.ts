/** Runs of skills in memory. */
import { strict as assert } from 'node:assert';
import { createComposer } from '../../server/src/composer/compose.ts';
import type { ComposeRequest } from '../../server/src/composer/composition.ts';
import type { RunEvent, RunQuery, RunReply, RunRequest, Trace } from '../../server/src/protocol.ts';
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

/**
 * Runs a skill with a model that `reply` plays. Each run begins with the events of the run before it, and one run that
 * stays open gives the same trace, with each event sent once.
 */
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
    if (!query || !next) {
      await assertOpenRun(dryRequest(compose, { ...parts, replies: [] }), [...replies], trace);
      return { ...trace, replies, queries };
    }
    queries.push(query);
    replies.push(next);
  }
}

/** Checks that a run which is answered while it stays open gives the trace. */
async function assertOpenRun(request: RunRequest, replies: RunReply[], trace: Trace): Promise<void> {
  const sent: RunEvent[] = [];
  const result = await run(request, composer, async (_, events) => {
    sent.push(...events);
    return replies.shift();
  });
  assert.deepEqual(result, trace);
  assert.deepEqual(sent, trace.events.slice(0, sent.length));
}
