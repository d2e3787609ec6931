/** Exported skills after an answer: LangGraph runs each node that waits again from its start. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { composite, failing, filesOf, parallel, writer, writingThread } from './writing-skills.ts';

describe('a run that continues after an answer', () => {
  const retried = filesOf({
    a: composite('a', 2, ['b'], '{step: b, retry: {max_attempts: 3, backoff: none}}'),
    b: writer('b'),
  });

  it('asks for each attempt of a composed skill, and repeats no call of a failed attempt', async () => {
    const { run, answer, waiting, calls } = writingThread(retried, { callTool: failing(2) });
    await run({ input: {} });
    for (let attempt = 1; attempt <= 3; attempt++) {
      assert.deepEqual(await waiting(), ['before_write at b/call_tools']);
      await answer(true);
      assert.equal(calls.length, attempt);
    }
    assert.deepEqual(await waiting(), []);
  });

  it('does not make the call of an earlier attempt after the answer no to a later one', async () => {
    const { run, answer, waiting, calls } = writingThread(retried, { callTool: failing(1) });
    await run({ input: {} });
    await answer(true);
    const { output } = await answer(false);
    assert.deepEqual([output, calls, await waiting()], [{ value: {} }, ['b/call_tools'], []]);
  });

  it('stops after the last attempt with the failure of the tool', async () => {
    const { run, answer, calls } = writingThread(retried, { callTool: failing(9) });
    await run({ input: {} });
    await answer(true);
    await answer(true);
    await assert.rejects(answer(true), { name: 'BUSY' });
    assert.equal(calls.length, 3);
  });

  it('counts the attempts of a second run on the thread from the start', async () => {
    const { run, answer, waiting, calls } = writingThread(retried, { callTool: failing(2) });
    await run({ input: {} });
    await answer(true);
    await run({ input: {} });
    for (const _ of [1, 2]) await answer(true);
    assert.deepEqual([await waiting(), calls.length], [[], 3]);
  });

  it('does not call a tool again that failed before the question', async () => {
    const { run, answer, waiting, calls } = writingThread(parallel('before_write, on_tool_error'), {
      callTool({ path }) {
        if (path.startsWith('b/')) throw new Error('Busy.');
        return 'written';
      },
    });
    await run({ input: {} });
    await answer(true, 'b/');
    assert.deepEqual(
      [calls, await waiting()],
      [['b/call_tools'], ['on_tool_error at b/call_tools', 'before_write at c/call_tools']],
    );
    await answer(true, 'c/');
    assert.deepEqual([calls, await waiting()], [['b/call_tools', 'c/call_tools'], ['on_tool_error at b/call_tools']]);
    await answer('given up', 'b/');
    assert.deepEqual([calls.length, await waiting()], [2, []]);
  });

  it('does not run again the attempts of a parallel step after the answer to another', async () => {
    const files = filesOf({
      a: composite('a', 2, ['b', 'c'], '{parallel: [{step: b, retry: {max_attempts: 2, backoff: none}}, {step: c}]}'),
      b: writer('b'),
      c: writer('c'),
    });
    const fail = failing(1);
    const { run, answer, calls, waiting } = writingThread(files, {
      callTool: (call) => (call.path.startsWith('b/') ? (fail?.(call) ?? null) : 'written'),
    });
    await run({ input: {} });
    await answer(true, 'b/');
    assert.deepEqual([calls, await waiting()], [['b/call_tools'], ['before_write at c/call_tools']]);
    await answer(true, 'c/');
    assert.deepEqual([calls, await waiting()], [['b/call_tools', 'c/call_tools'], ['before_write at b/call_tools']]);
    await answer(true);
    assert.equal(calls.length, 3);
  });
});
