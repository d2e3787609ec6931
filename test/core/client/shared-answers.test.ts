/** Views that request the same data share one request until something changes, and receive no outdated response. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareAnswers } from '../../../client/src/language-server/shared-answers.ts';

function open() {
  const sent: { readonly key: string; readonly settle: (reply: string | Error) => void; isCancelled: boolean }[] = [];
  const shared = shareAnswers<string>((key) => {
    let resolve: (reply: string) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const promise = new Promise<string>((...settle) => {
      [resolve, reject] = settle;
    });
    const request = {
      key,
      settle: (reply: string | Error) => (reply instanceof Error ? reject(reply) : resolve(reply)),
      isCancelled: false,
    };
    sent.push(request);
    return {
      reply: promise,
      cancel: () => {
        request.isCancelled = true;
        reject(new Error('cancelled'));
      },
    };
  });
  return { ...shared, sent };
}

test('two callers share the request for one file', async () => {
  const { ask, sent } = open();
  const both = Promise.all([ask('a'), ask('a')]);
  sent[0]?.settle('answer');
  assert.deepEqual(await both, ['answer', 'answer']);
  assert.equal(await ask('a'), 'answer');
  assert.equal(sent.length, 1);
});

test('every file has its own request', async () => {
  const { ask, sent } = open();
  const both = Promise.all([ask('a'), ask('b')]);
  for (const { key, settle } of sent) settle(key);
  assert.deepEqual(await both, ['a', 'b']);
});

test('a change cancels open requests, and the next call sends a new one', async () => {
  const { ask, invalidate, sent } = open();
  const old = ask('a');
  invalidate();
  assert.equal(sent[0]?.isCancelled, true);
  const next = ask('a');
  sent[1]?.settle('new');
  assert.deepEqual([await old, await next, sent.length], [undefined, 'new', 2]);
});

test('keeps a response until the next change', async () => {
  const { ask, invalidate, sent } = open();
  const first = ask('a');
  sent[0]?.settle('first');
  await first;
  invalidate();
  assert.equal(sent[0]?.isCancelled, false);
  const second = ask('a');
  sent[1]?.settle('second');
  assert.equal(await second, 'second');
});

test('reports a failed request to all callers, and sends a new request for the next call', async () => {
  const { ask, sent } = open();
  const both = Promise.allSettled([ask('a'), ask('a')]);
  sent[0]?.settle(new Error('no server'));
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const again = ask('a');
  sent[1]?.settle('answer');
  assert.equal(await again, 'answer');
});
