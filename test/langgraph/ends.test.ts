/** Exits and interrupts of runs in LangGraph. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Failure } from '../../server/src/services/run/world.ts';
import { shapeOf, skill } from '../core/composer/shapes.ts';
import { reading, tools } from './reading-skill.ts';
import { threadOf } from './thread.ts';

test('exit: an output that does not match the schema does not end the loop', async () => {
  const text = skill('count', 'input_schema: {}\noutput_schema: {n: integer}');
  const shape = shapeOf({ 'count.skill.md': text }, 'count.skill.md');
  await assert.rejects(
    threadOf(shape, { says: { plan: [{ output: { n: 'many' } }] } }).start(),
    /Expected a whole number/,
  );
  assert.deepEqual((await threadOf(shape, { says: { plan: [{ output: { n: 3 } }] } }).start()).output, { n: 3 });
});

test('exit: on_output_mismatch pauses at check_exit, and a person corrects the output', async () => {
  const text = skill('count', 'input_schema: {}\noutput_schema: {n: integer}\ninterrupts: [on_output_mismatch]');
  const thread = threadOf(shapeOf({ 'count.skill.md': text }, 'count.skill.md'), { says: { plan: [{ output: {} }] } });
  assert.deepEqual((await thread.start()).pending, ['on_output_mismatch at check_exit']);
  assert.deepEqual((await thread.resume({ n: 4 })).output, { n: 4 });
});

test('exit: the tool call budget, or a lower limit of the invocation, ends the loop', async () => {
  const text = reading.replace(
    'tools:',
    'exit: {on: tool_budget, max_tool_calls: 3}\ninterrupts: [on_budget_exhausted]\ntools:',
  );
  const endless = { says: { plan: [{ call: 'read_page' }] }, tools };
  for (const [limit, calls] of [
    [undefined, 3],
    [9, 3],
    [2, 2],
  ] as const) {
    const shape = shapeOf(
      { 'read.skill.md': text },
      'read.skill.md',
      limit === undefined ? {} : { maxToolCalls: limit },
    );
    const thread = threadOf(shape, endless);
    assert.deepEqual((await thread.start()).pending, ['on_budget_exhausted at plan']);
    const { calls: made, log } = await thread.resume(true);
    assert.equal(made, calls);
    assert.equal(log.at(-1), 'check_exit');
  }
});

test('exit: without a schema or a budget, the caller ends an endless loop', async () => {
  const shape = shapeOf({ 'read.skill.md': reading }, 'read.skill.md');
  assert.deepEqual(shape.exitCondition, { on: 'caller' });
  const caller = new AbortController();
  let calls = 0;
  const read_page = (): string => {
    calls++;
    if (calls === 3) caller.abort();
    return 'a page';
  };
  const thread = threadOf(shape, { says: { plan: [{ call: 'read_page' }] }, tools: { read_page } });
  await assert.rejects(thread.start({}, caller.signal), /abort/i);
  assert.equal(calls, 3);
});

test('input interrupts pause at validate_input if a parameter is missing or a condition is true', async () => {
  const text = skill(
    'ask',
    'input_schema: {change: string}\ninterrupts:\n  - on_missing_input\n  - {name: on_ambiguous_input, when: change | length < 5}',
  );
  const thread = threadOf(shapeOf({ 'ask.skill.md': text }, 'ask.skill.md'), { says: { plan: [{ output: 'ok' }] } });
  assert.deepEqual((await thread.start()).pending, ['on_missing_input at validate_input']);
  assert.deepEqual((await thread.resume({ change: 'no' })).pending, ['on_ambiguous_input at validate_input']);
  const { output, input } = await thread.resume({ change: 'the chain holds' });
  assert.deepEqual([output, input], ['ok', { change: 'the chain holds' }]);
});

test('before_write pauses only for a tool that writes, and on_tool_error only for a tool that fails', async () => {
  const text = skill(
    'write',
    'input_schema: {}\ntools: [read_page, write_candidate]\ninterrupts: [before_write, on_tool_error]',
  );
  const shape = shapeOf({ 'write.skill.md': text }, 'write.skill.md');
  const says = { plan: [{ call: 'read_page' }, { call: 'write_candidate' }, { output: 'ok' }] };
  const failed = {
    ...tools,
    read_page: () => {
      throw new Failure('GONE');
    },
  };
  const thread = threadOf(shape, { says, tools: failed });
  assert.deepEqual((await thread.start()).pending, ['on_tool_error at call_tools']);
  assert.deepEqual((await thread.resume('an older copy')).pending, ['before_write at call_tools']);
  assert.equal((await thread.resume(true)).output, 'ok');
});
