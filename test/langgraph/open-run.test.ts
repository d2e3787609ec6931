/** A run stays open while it is asked for replies: its cost is linear in the number of replies. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { AskMore, RunRequest } from '../../server/src/protocol.ts';
import { type Composing, createComposing } from '../../server/src/services/composing/composing.ts';
import { serveJobs } from '../../server/src/services/composing/serve.ts';
import type { Job, WorkerAnswer } from '../../server/src/services/composing/worker.ts';
import { run } from '../../server/src/services/run/run.ts';
import { requestFor, skill } from '../core/composer/shapes.ts';
import { dryRequest } from './dry.ts';

/** A skill whose model calls its tool again and again. */
const REQUEST: RunRequest = dryRequest(
  requestFor(
    {
      'one.skill.md': skill(
        'one',
        'input_schema: {}\ntools: [read_page]\nexit: {on: tool_budget, max_tool_calls: 300}',
      ),
    },
    'one.skill.md',
  ),
  { stubs: [{ name: 'read_page', returns: 1 }], replies: [] },
);
const CALL: AskMore = async () => ({ kind: 'call', tool: 'read_page', input: {} });

/** Runs `work` with a worker in this thread. Returns its messages. */
async function withWorker(work: (composing: Composing) => Promise<void>) {
  const jobs: Job[] = [];
  const answers: WorkerAnswer[] = [];
  let ended = 0;
  const composing = createComposing(({ answer }) => {
    const queue = (message: WorkerAnswer): void => {
      answers.push(message);
      queueMicrotask(() => answer(message));
    };
    const take = serveJobs(queue, () => run);
    const post = (job: Job): void => {
      jobs.push(job);
      void take(job);
    };
    return { post, end: () => void ended++ };
  });
  await work(composing).finally(() => composing.dispose());
  return { jobs, answers, ended };
}

test('a run is sent once, each reply once, and each event twice', async () => {
  let length = 0;
  const { jobs, answers } = await withWorker(async (composing) => {
    const result = await composing.run('', REQUEST, undefined, CALL);
    assert.ok(result !== 'superseded' && result.ok, JSON.stringify(result));
    assert.equal(result.end.kind, 'met');
    length = result.events.length;
  });
  assert.deepEqual([jobs.filter(({ kind }) => kind === 'run').length, jobs.length], [1, 302]);
  const sent = answers.flatMap((one) => (one.kind === 'asking' ? one.events : []));
  assert.ok(sent.length <= length, `${sent.length} events of ${length}`);
});

test('a run that is cancelled, or whose model fails, ends with its worker', async () => {
  const { jobs, ended } = await withWorker(async (composing) => {
    const stop = new AbortController();
    const open = composing.run('', REQUEST, stop.signal, () => {
      stop.abort();
      return new Promise(() => {});
    });
    assert.equal(await open, 'superseded');
    await assert.rejects(
      composing.run('', REQUEST, undefined, () => Promise.reject(new Error('closed'))),
      /closed/,
    );
  });
  assert.deepEqual([jobs.map(({ kind }) => kind), ended], [['run', 'run'], 2]);
});
