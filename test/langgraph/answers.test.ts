/** Answers to the interrupts of exported skills (docs/langgraph.md, "Interrupts"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Command } from '@langchain/langgraph';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { mainFailure } from '../../server/src/services/run/engine.ts';
import { Failure } from '../../server/src/services/run/world.ts';
import { skill } from '../core/composer/shapes.ts';
import { exported, type Functions } from './exported.ts';
import { composite, failing, filesOf, parallel, writer, writingThread } from './writing-skills.ts';

const refused = { name: 'WRONG_ANSWER' };

describe('an answer', () => {
  const nameless: readonly Json[] = [
    true,
    false,
    null,
    0,
    '',
    'yes',
    [],
    [true],
    {},
    { b: true },
    { to: 'b', run: 'c' },
  ];
  for (const value of nameless) {
    it(`without the ID of a question is refused: ${JSON.stringify(value)}`, async () => {
      const { run, resume, answer, questions, waiting, calls } = writingThread(parallel());
      await run({ input: {} });
      const before = await questions();
      assert.equal(before.length, 2);
      await assert.rejects(resume(value), { ...refused, message: /must name its question: .* the 2 questions\.$/ });
      assert.deepEqual(await questions(), before);
      // LangGraph keeps an answer without an ID in the checkpoint, and would give it to the next question.
      await answer(true, 'b/');
      assert.deepEqual(await waiting(), ['before_write at c/call_tools']);
      await assert.rejects(resume(value), { ...refused, message: /must name its question: .* the question\.$/ });
      assert.deepEqual(calls, ['b/call_tools']);
      await answer(false);
      assert.deepEqual([await waiting(), calls], [[], ['b/call_tools']]);
    });
  }

  it('reaches only its question, also in composites of composites', async () => {
    const { run, answer, waiting, calls } = writingThread(
      filesOf({
        a: composite('a', 3, ['m', 'd'], '{parallel: [{step: m}, {step: d}]}'),
        m: composite('m', 2, ['b', 'c'], '{parallel: [{step: b}, {step: c}]}'),
        ...Object.fromEntries(['b', 'c', 'd'].map((name) => [name, writer(name)])),
      }),
    );
    await run({ input: {} });
    const paths = ['m/b/call_tools', 'm/c/call_tools', 'd/call_tools'];
    assert.deepEqual((await waiting()).sort(), paths.map((path) => `before_write at ${path}`).sort());
    for (const [at, path] of paths.entries()) {
      await answer(true, path);
      assert.deepEqual(calls, paths.slice(0, at + 1));
      assert.equal((await waiting()).length, paths.length - at - 1);
    }
  });

  it('to several questions gives each its own value', async () => {
    const { run, resume, questions, calls } = writingThread(parallel());
    await run({ input: {} });
    const values = (await questions()).map(({ id, path }) => [id, path.startsWith('c/')]);
    const { output } = await resume(Object.fromEntries(values));
    assert.deepEqual([output, calls], [{ value: {} }, ['c/call_tools']]);
  });

  it('with the ID of another question is refused, together with the right answers beside it', async () => {
    const { run, resume, questions, calls } = writingThread(parallel());
    await run({ input: {} });
    const [{ id } = { id: '' }] = await questions();
    await run({ input: {} });
    const [now] = await questions();
    for (const other of [id, '0'.repeat(32)]) {
      const message = new RegExp(`^The question \`${other}\` does not wait`);
      await assert.rejects(resume({ [other]: true }), { ...refused, message });
      await assert.rejects(resume({ [now?.id ?? '']: true, [other]: true }), { ...refused, message });
    }
    assert.deepEqual([calls, (await questions()).length], [[], 2]);
  });

  it('that is sent twice does not reach the next question of the same node', async () => {
    const files = filesOf({ a: writer('a', 'before_tool_call, before_write, on_tool_error') });
    const { run, resume, questions, waiting, calls } = writingThread(files, { callTool: failing(1) });
    await run({ input: {} });
    const asked = ['before_tool_call', 'before_write', 'on_tool_error'];
    const ids: string[] = [];
    for (const name of asked) {
      assert.deepEqual(await waiting(), [`${name} at call_tools`]);
      for (const id of ids) await assert.rejects(resume({ [id]: true }), refused);
      const [{ id } = { id: '' }] = await questions();
      ids.push(id);
      await resume({ [id]: true });
    }
    for (const id of ids) await assert.rejects(resume({ [id]: true }), { ...refused, message: /^No question waits/ });
    assert.deepEqual(calls, ['call_tools']);
  });

  it('of an earlier round of a loop does not reach the question of a later round', async () => {
    const askModel: Functions['askModel'] = ({ results }) =>
      results.length < 3 ? { call: 'write_candidate', input: { n: results.length } } : { output: {} };
    const { run, resume, questions, calls } = writingThread(filesOf({ a: writer('a') }), { askModel });
    await run({ input: {} });
    for (let round = 1; round <= 3; round++) {
      const [{ id } = { id: '' }] = await questions();
      await resume({ [id]: true });
      await assert.rejects(resume({ [id]: true }), refused);
      assert.equal(calls.length, round);
    }
  });

  it('with a change of the state or of the next node is refused', async () => {
    const { run, questions, calls } = writingThread(filesOf({ a: writer('a') }));
    await run({ input: {} });
    const before = await questions();
    const resume = { [before[0]?.id ?? '']: true };
    const wanted = { tool: 'write_candidate', input: { text: 'Another text.' } };
    for (const more of [{ update: { wanted } }, { goto: 'check_exit' }, { goto: ['plan'] }]) {
      await assert.rejects(run(new Command({ resume, ...more })), {
        ...refused,
        message: /without `update` and `goto`/,
      });
    }
    assert.deepEqual([calls, await questions()], [[], before]);
  });

  it('is not changed, so that the caller can send it again after a refusal', async () => {
    const { run, questions, calls } = writingThread(parallel());
    await run({ input: {} });
    const ids = (await questions()).map(({ id }) => id);
    const command = new Command({ resume: Object.fromEntries(ids.map((id) => [id, true])) });
    const text = JSON.stringify(command);
    await run(command);
    assert.equal(JSON.stringify(command), text);
    await assert.rejects(run(command), refused);
    assert.equal(calls.length, 2);
  });

  it('is checked in every way to run a graph', async () => {
    const { run, served, questions, calls } = writingThread(parallel());
    await run({ input: {} });
    const before = await questions();
    const command = new Command({ resume: true }) as never;
    const config = { configurable: { thread_id: 'thread' } };
    const graph = served() as unknown as Record<
      'stream' | 'streamEvents',
      (...of: unknown[]) => AsyncIterable<unknown>
    >;
    for (const stream of [
      async () => graph.stream(command, config),
      async () => graph.streamEvents(command, { ...config, version: 'v2' }),
      async () => graph.streamEvents(command, { ...config, version: 'v3' }),
    ]) {
      await assert.rejects(async () => {
        for await (const _ of await stream());
      }, refused);
    }
    assert.deepEqual([calls, await questions()], [[], before]);
  });

  it('to no question is refused', async () => {
    const { run, resume } = writingThread(filesOf({ a: writer('a', '') }));
    await run({ input: {} });
    await assert.rejects(resume(true), { ...refused, message: 'No question waits for an answer.' });
  });

  it('can be null', async () => {
    const files = filesOf({ a: writer('a', 'on_tool_error') });
    const results: Json[] = [];
    const { run, answer } = writingThread(files, {
      callTool: failing(1),
      askModel: ({ results: [one] }) => {
        if (!one) return { call: 'write_candidate', input: {} };
        results.push(one.result);
        return { output: {} };
      },
    });
    await run({ input: {} });
    await answer(null);
    assert.deepEqual(results, [null]);
  });

  it('of the wrong type is asked for again with the reason, as another question', async () => {
    const text = skill('a', 'input_schema: {n: integer}\ninterrupts: [on_missing_input]');
    const { run, resume, answer, questions } = exported(filesOf({ a: text }), { n: 1 });
    await run({ input: {} });
    const [first] = await questions();
    await answer({ n: 'many' });
    const [again] = await questions();
    assert.match(again?.problem ?? '', /^`n`: Expected a whole number/);
    await assert.rejects(resume({ [first?.id ?? '']: { n: 2 } }), refused);
    await assert.rejects(resume({ n: 2 }), refused);
    assert.deepEqual((await answer({ n: 2 })).flow, { n: 2 });
  });

  it('no to several questions ends the run with `DECLINED`', async () => {
    const { run, answer } = writingThread(parallel('before_exit'));
    await run({ input: {} });
    await assert.rejects(answer(false), { name: 'DECLINED' });
  });

  it('no takes precedence over a parallel failure that a retry may repeat', () => {
    const busy = new Failure('BUSY');
    const declined = new Failure('DECLINED', 'No.', false);
    assert.equal(mainFailure(new AggregateError([busy, declined])), declined);
    assert.equal(mainFailure(new AggregateError([busy, new Failure('GONE')])), busy);
    assert.equal(mainFailure(busy), busy);
  });

  it('reaches the shape that the parameters choose', async () => {
    const body = '## Approach: short\n```yaml artifact\ninclude_when: n == 1\n```\n\nBe brief.\n';
    const files = { ...parallel(), 'a.skill.md': `${parallel()['a.skill.md']?.replace('{}', '{n: integer}')}${body}` };
    const { run, resume, answer, waiting, calls } = writingThread(files);
    await run({ input: { n: 1 } });
    assert.equal((await waiting()).length, 2);
    await assert.rejects(resume(true), refused);
    await answer(true, 'c/');
    assert.deepEqual([calls, await waiting()], [['c/call_tools'], ['before_write at b/call_tools']]);
  });

  it('to a question whose node has failed since the first answer is refused, and the first answer is used', async () => {
    const { run, resume, questions, calls } = writingThread(filesOf({ a: writer('a') }), { callTool: failing(1) });
    await run({ input: {} });
    const [{ id } = { id: '' }] = await questions();
    await assert.rejects(resume({ [id]: true }), { name: 'BUSY' });
    for (const value of [false, true]) {
      await assert.rejects(resume({ [id]: value }), { ...refused, message: /has an answer already/ });
    }
    assert.equal(calls.length, 1);
    assert.deepEqual((await run(null)).output, { value: {} });
    assert.equal(calls.length, 2);
  });
});
