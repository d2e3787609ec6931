/** Exported skills on LangGraph: a model and tools that are functions, interrupts on a thread, and failures. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { skill } from '../core/composer/shapes.ts';
import { exported, type Functions } from './exported.ts';

const guide = '## PromptTemplate: greet\n\n```jinja\nGreet {{ name }}{% if n > 1 %} twice{% endif %}.\n```\n';
const greeting = skill('a', 'framing: greet\ninput_schema: {name: string, n: {type: integer, default: 1}}', guide);

test('prompts are composed with the parameters and the request of the run, not with those of the export', async () => {
  const { run, queries } = exported({ 'a.skill.md': greeting }, { name: 'Nobody' });
  const { output } = await run({ input: { name: 'Ada', n: 2 }, request: 'Please.' });
  assert.deepEqual(output, { value: 'done' });
  const [{ prompt } = { prompt: '' }] = queries;
  assert.match(prompt, /^Greet Ada twice\.\n/);
  assert.match(prompt, /## Request\n\nPlease\./);
  assert.doesNotMatch(prompt, /Nobody/);
});

test('other parameters choose another approach, which runs with its own stages and its interrupts', async () => {
  const body = [
    '## Approach: short\n```yaml artifact\ninclude_when: n == 1\n```\n\n1. **Only** this.\n',
    '## Approach: long\n\n1. **First** this.\n2. **Second** that.\n',
  ].join('\n');
  const text = skill('a', 'input_schema: {n: integer}\ninterrupts: [before_exit]', body);
  const { run, queries, answer } = exported({ 'a.skill.md': text }, { n: 1 });
  await run({ input: { n: 2 } });
  await answer(true);
  assert.deepEqual(
    queries.map(({ label }) => label),
    ['First', 'Second'],
  );
  await run({ input: { n: 1 } });
  await answer(true);
  assert.equal(queries.at(-1)?.label, 'Only');
  const other = exported({ 'a.skill.md': text }, { n: 2 });
  await other.run({ input: { n: 1 } });
  assert.deepEqual(
    other.queries.map(({ label }) => label),
    ['Only'],
  );
});

test('an interrupt pauses with the call that it is about, and the answer continues the run', async () => {
  const calls: object[] = [];
  const { run, answer } = exported(
    {
      'a.skill.md': skill(
        'a',
        'input_schema: {}\ntools: [write_candidate]\ninterrupts: [{name: before_write, message: Save?}]',
      ),
    },
    {},
    {
      askModel: ({ results }) =>
        results.length > 0 ? { output: 'saved' } : { call: 'write_candidate', input: { text: 'x' } },
      callTool(call) {
        calls.push(call);
        return 7;
      },
    },
  );
  const paused = (await run({ input: {} })) as unknown as { __interrupt__: readonly { readonly value: object }[] };
  assert.deepEqual(paused.__interrupt__[0]?.value, {
    ...{ name: 'before_write', path: 'call_tools', message: 'Save?' },
    call: { tool: 'write_candidate', input: { text: 'x' } },
  });
  assert.deepEqual(calls, []);
  assert.deepEqual((await answer(true)).output, { value: 'saved' });
  assert.deepEqual(calls, [{ name: 'write_candidate', input: { text: 'x' }, path: 'call_tools' }]);
});

test('the text of an output that contains JSON is parsed for the output schema', async () => {
  const { run } = exported(
    { 'a.skill.md': skill('a', 'input_schema: {}\noutput_schema: {n: integer}\nexit: {on: output_schema}') },
    {},
    { askModel: () => ({ output: 'Here:\n\n```json\n{"n": 3}\n```\n' }) },
  );
  assert.deepEqual((await run({ input: {} })).output, { value: { n: 3 } });
});

test('a failure has the name of its code', async () => {
  const files = { 'a.skill.md': skill('a', 'input_schema: {n: integer}\ntools: [read_page]') };
  const call = { call: 'read_page', input: {} };
  const broken = () => {
    throw Object.assign(new Error('Busy.'), { code: 'BUSY' });
  };
  const cases: readonly [string, object, Partial<Functions>][] = [
    ['INPUT_MISMATCH', { n: 'x' }, {}],
    ['CAPABILITY_DENIED', { n: 1 }, { askModel: () => ({ call: 'rm', input: {} }) }],
    ['BUSY', { n: 1 }, { askModel: () => call, callTool: broken }],
    ['BUSY', { n: 1 }, { askModel: broken }],
    ['WRONG_REPLY', { n: 1 }, { askModel: () => 'text' as never }],
    ['WRONG_REPLY', { n: 1 }, { askModel: () => ({ call: 'read_page', input: 'text' as never }) }],
    ['WRONG_REPLY', { n: 1 }, { askModel: () => ({ output: deep(300) }) }],
    ['WRONG_REPLY', { n: 1 }, { askModel: () => call, callTool: () => deep(300) }],
    ['ERROR', { n: 1 }, { askModel: () => Promise.reject(undefined) }],
  ];
  for (const [name, input, functions] of cases) {
    await assert.rejects(exported(files, { n: 1 }, functions).run({ input }), { name });
  }
});

test('runs of one process do not affect each other', async () => {
  const arm = (name: string): string =>
    skill(name, 'input_schema: {n: integer}\noutput_schema: {value: integer}\nexit: {on: output_schema}');
  const whole = skill(
    'a',
    'level: 2\ninput_schema: {n: integer}\ncomposes: [{skill: b}, {skill: c, output_mapping: {value: other}}]\nexecution: [{speculate: [{step: c, keep_when: $b.output.value > 1}], until: b}]',
  );
  const { run } = exported(
    { 'a.skill.md': whole, 'b.skill.md': arm('b'), 'c.skill.md': arm('c') },
    { n: 1 },
    {
      askModel: async ({ path, prompt }) => {
        const n = Number(/n": (\d)/.exec(prompt)?.[1]);
        if (path.startsWith('c/')) await new Promise((done) => setTimeout(done, 20));
        return { output: path.includes('/') ? { value: n } : 'end' };
      },
    },
  );
  const kept = async (n: number) => Object.keys((await run({ input: { n } }, `${n}`)).outputs as object);
  assert.deepEqual(await kept(1), ['b']);
  assert.deepEqual(await kept(2), ['b', 'c']);
});

test('a second run on a thread begins without the state of the first', async () => {
  const arm = (name: string): string => skill(name, 'input_schema: {}\noutput_schema: {}');
  const whole = skill(
    'a',
    'level: 2\ninput_schema: {n: integer}\ninterrupts: [before_stage]\ncomposes: [{skill: b}, {skill: c}]\nexecution: [{parallel: [{step: b}, {step: c, condition: $input.n > 1}]}]',
    '## Approach: one\n\n1. **Only** this.\n',
  );
  const files = { 'a.skill.md': whole, 'b.skill.md': arm('b'), 'c.skill.md': arm('c') };
  const { run, queries, answer } = exported(files, { n: 1 }, { askModel: () => ({ output: {} }) });
  for (const n of [2, 1]) {
    queries.length = 0;
    const { __interrupt__: paused } = (await run({ input: { n } })) as { __interrupt__?: readonly unknown[] };
    assert.equal(paused?.length, 1);
    const { outputs } = await answer(true);
    const steps = n > 1 ? ['b', 'c'] : ['b'];
    assert.deepEqual(Object.keys(outputs as object).sort(), steps);
    assert.deepEqual(queries.map(({ path }) => path).sort(), [...steps.map((step) => `${step}/plan`), 'plan_1']);
  }
});

const deep = (levels: number): Json => (levels === 0 ? [] : [deep(levels - 1)]);
