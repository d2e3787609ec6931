/** Runs shapes in LangGraph with a scripted model and tools that are functions. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Failure } from '../../server/src/services/run/world.ts';
import { requestFor, shapeOf, skill } from '../core/composer/shapes.ts';
import { dryRun } from './dry.ts';
import { reading, tools } from './reading-skill.ts';
import { type Environment, threadOf } from './thread.ts';

test("a single loop plans, calls tools, and ends with the model's answer", async () => {
  const shape = shapeOf({ 'read.skill.md': reading }, 'read.skill.md');
  const says = { plan: [{ call: 'search_pages' }, { call: 'read_page' }, { output: 'done' }] };
  const { output, log } = await threadOf(shape, { says, tools }).start();
  assert.equal(output, 'done');
  assert.deepEqual(log, [
    'validate_input',
    'plan: search_pages',
    'call_tools: search_pages -> "three pages"',
    'plan: read_page',
    'call_tools: read_page -> "a page"',
    'plan: done',
    'check_exit',
  ]);
});

const staged = skill(
  'staged',
  'input_schema: {}\ntools: [read_page, write_candidate]\ninterrupts: [before_stage]',
  '## Approach\n\n1. **Read** with #tool:read_page.\n2. **Think**.\n3. **Write** with #tool:write_candidate.\n',
);

test('three stages run in order, each with its own tools, and pause where before_stage is declared', async () => {
  const shape = shapeOf({ 'staged.skill.md': staged }, 'staged.skill.md');
  const says = {
    plan_1: [{ call: 'read_page' }, { output: 'read' }],
    plan_2: [{ output: 'thought' }],
    plan_3: [{ call: 'write_candidate' }, { output: 'written' }],
  };
  const thread = threadOf(shape, { says, tools });
  assert.deepEqual((await thread.start()).pending, ['before_stage at plan_1']);
  assert.deepEqual((await thread.resume(true)).pending, ['before_stage at plan_2']);
  assert.deepEqual((await thread.resume(true)).pending, ['before_stage at plan_3']);
  const { output, log } = await thread.resume(true);
  assert.equal(output, 'written');
  assert.deepEqual(
    log.filter((line) => line.startsWith('plan')),
    ['plan_1: read_page', 'plan_1: done', 'plan_2: done', 'plan_3: write_candidate', 'plan_3: done'],
  );
});

test('a stage cannot call a tool of another stage', async () => {
  const shape = shapeOf({ 'staged.skill.md': staged.replace('\ninterrupts: [before_stage]', '') }, 'staged.skill.md');
  const thread = threadOf(shape, { says: { plan_1: [{ call: 'write_candidate' }] }, tools });
  await assert.rejects(thread.start(), /`call_tools_1` may not call `write_candidate`/);
});

const draft = skill(
  'draft',
  `input_schema: {slug: string, tone: {type: string, default: wry}}
output_schema: {text: string}
tools: [read_page, {name: write_candidate, optional: true}]
interrupts: [{name: before_write, message: May I}]`,
);
const nesting = {
  'draft.skill.md': draft,
  'outer.skill.md': skill(
    'outer',
    `input_schema: {page: string}
output_schema: {prose: string}
composes:
  - {skill: draft, input_mapping: {page: slug}, output_mapping: {text: prose}}`,
  ),
};

test('a composed skill is a separate graph with mapped inputs and outputs and its own interrupts', async () => {
  const shape = shapeOf(nesting, 'outer.skill.md', { profile: 'writer' });
  const says = {
    'draft/plan': [{ call: 'write_candidate', input: { title: 'x' } }, { output: { text: 'once' } }],
    plan: [{ output: { prose: 'twice' } }],
  };
  const thread = threadOf(shape, { says, tools });
  assert.deepEqual((await thread.start({ page: 'vey' })).pending, ['before_write at draft/call_tools']);
  const { output, flow, outputs } = await thread.resume('yes');
  assert.deepEqual(output, { prose: 'twice' });
  assert.deepEqual(outputs, { draft: { text: 'once' } });
  assert.deepEqual(flow, { page: 'vey', prose: 'once' });
});

test('the permissions of the top-level caller limit the tools at every depth', async () => {
  const shape = shapeOf(nesting, 'outer.skill.md', { profile: 'reader' });
  const says = { 'draft/plan': [{ call: 'write_candidate' }], plan: [{ output: { prose: '' } }] };
  await assert.rejects(
    threadOf(shape, { says, tools }).start({ page: 'vey' }),
    /`draft\/call_tools` may not call `write_candidate`/,
  );
  const wide = shapeOf(nesting, 'outer.skill.md', { profile: 'writer' });
  // The parent has no tools, although the composed skill has some.
  const parent = { 'draft/plan': [{ output: { text: '' } }], plan: [{ call: 'write_candidate' }] };
  await assert.rejects(threadOf(wide, { says: parent, tools }).start({ page: 'vey' }), /`plan` may call no tool/);
});

const part = (name: string, output: string): string =>
  skill(name, `input_schema: {seed: integer}\noutput_schema: {${output}: integer}`);
const parts = { 'a.skill.md': part('a', 'x'), 'b.skill.md': part('b', 'y'), 'c.skill.md': part('c', 'z') };
const composed = (execution: string): string =>
  `name: flow\nversion: 1.0.0\ndescription: Composes.\nlevel: 2\ninput_schema: {seed: integer}\ncomposes: [a, b, c]\nexecution:\n${execution}`;

const answers: Environment['says'] = {
  'a/plan': [{ output: { x: 1 } }],
  'b/plan': [{ output: { y: 2 } }],
  'c/plan': [{ output: { z: 3 } }],
};

test('a parallel group runs all of its steps, and the next step waits for all of them', async () => {
  const execution = '  - parallel:\n      - parallel:\n          - step: a\n          - step: b\n      - step: c\n';
  const shape = shapeOf({ ...parts, 'flow.skill.yaml': composed(execution) }, 'flow.skill.yaml');
  const { flow, log } = await threadOf(shape, { says: answers }).start({ seed: 0 });
  assert.deepEqual(flow, { seed: 0, x: 1, y: 2, z: 3 });
  assert.deepEqual(
    log.filter((line) => line.startsWith('join')),
    ['join_2', 'join_1'],
  );
  assert.equal(log.at(-1), 'check_exit');
  assert.equal(log.filter((line) => line === 'check_exit').length, 1);
});

const branching = `
  - step: a
  - when:
      - condition: $a.output.x == 1 and $input.seed > 5
        steps: [{step: b}]
    else: [{step: c, condition: $input.seed > 2}]
`.slice(1);

for (const [seed, ran] of [
  [9, ['a', 'b']],
  [3, ['a', 'c']],
  [1, ['a']],
] as const) {
  test(`a branch depends on outputs and inputs: the input ${seed} runs ${ran.join(' and ')}`, async () => {
    const shape = shapeOf({ ...parts, 'flow.skill.yaml': composed(branching) }, 'flow.skill.yaml', {
      parameters: { seed },
    });
    const { outputs, log } = await threadOf(shape, { says: answers }).start({ seed });
    assert.deepEqual(Object.keys(outputs), ran);
    assert.equal(log.at(-1), 'check_exit');
  });
}

const speculating = composed(
  '  - speculate: [{step: slow, keep_when: $a.output.x == 2}, {step: c, keep_when: $a.output.x == 1}]\n    until: a\n  - step: b\n',
).replace('[a, b, c]', '[slow, a, b, c]');
const slow = skill('slow', 'input_schema: {}\noutput_schema: {late: string}\ntools: [read_page]');
const speculation = { ...parts, 'slow.skill.md': slow, 'flow.skill.yaml': speculating };
const lateSays = { ...answers, 'slow/plan': [{ call: 'read_page' }, { output: { late: 'yes' } }] };

test('the end of the deciding step cancels steps that are not kept, and the next step does not wait for them', async () => {
  const shape = shapeOf(speculation, 'flow.skill.yaml');
  const read_page = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 5000, 'late').unref());
  const { outputs, log } = await threadOf(shape, { says: lateSays, tools: { read_page } }).start({ seed: 0 });
  assert.deepEqual(outputs, { a: { x: 1 }, c: { z: 3 }, b: { y: 2 } });
  assert.deepEqual(
    log.filter((line) => line.endsWith('cancelled')),
    ['skill_slow: cancelled'],
  );
  assert.equal(log.filter((line) => line === 'check_exit').length, 1);
});

test('drops the output of a cancelled step, even if this step ended before the deciding step', async () => {
  const shape = shapeOf(speculation, 'flow.skill.yaml');
  const { outputs, flow } = await threadOf(shape, { says: lateSays, tools: { read_page: () => 'soon' } }).start({
    seed: 0,
  });
  assert.deepEqual(Object.keys(outputs).sort(), ['a', 'b', 'c']);
  assert.equal('late' in flow, false);
});

test('the failure of a speculated step ends the run only if the step is kept', async () => {
  const read_page = (): never => {
    throw new Failure('GONE');
  };
  const start = (text: string) => {
    const shape = shapeOf({ ...speculation, 'flow.skill.yaml': text }, 'flow.skill.yaml');
    return threadOf(shape, { says: lateSays, tools: { read_page } }).start({ seed: 0 });
  };
  assert.deepEqual(Object.keys((await start(speculating)).outputs).sort(), ['a', 'b', 'c']);
  await assert.rejects(start(speculating.replace('x == 2', 'x == 1')), { code: 'GONE' });
});

test('a dry run asks nothing for a speculated step that is not needed, and does not run it', async () => {
  const asks = slow.replace('tools:', 'interrupts: [before_tool_call]\ntools:');
  const at = (text: string) => {
    const files = { ...speculation, 'slow.skill.md': asks, 'flow.skill.yaml': text };
    const stubs = [{ name: 'read_page', fails: 'GONE' }];
    return dryRun(requestFor(files, 'flow.skill.yaml', { parameters: { seed: 0 } }), { stubs });
  };
  const dropped = await at(speculating.replaceAll('x == 1', 'x < 0').replace('x == 2', 'x < 0'));
  assert.equal(dropped.end.kind, 'met');
  assert.deepEqual(dropped.path, ['a', 'b']);
  assert.deepEqual(
    dropped.events.flatMap((event) => (event.kind === 'cancel' ? [event.step] : [])),
    ['slow', 'c'],
  );
  const kept = await at(speculating.replace('x == 2', 'x >= 0'));
  assert.ok(kept.end.kind === 'waiting', JSON.stringify(kept.end));
  assert.equal(kept.end.question.path, 'slow/call_tools');
});

test('waits for a step that is kept', async () => {
  const text = speculating.replace('x == 2', 'x == 1');
  const shape = shapeOf({ ...speculation, 'flow.skill.yaml': text }, 'flow.skill.yaml');
  const read_page = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 20, 'late'));
  const { flow } = await threadOf(shape, { says: lateSays, tools: { read_page } }).start({ seed: 0 });
  assert.equal(flow.late, 'yes');
});

/** A service that fails with a code for the first `times` calls. */
function failing(times: number, code: string) {
  let asked = 0;
  const answer = (): { n: number } => {
    asked++;
    if (asked < times) throw new Failure(code);
    return { n: asked };
  };
  return { answer, asked: () => asked };
}

const service = 'backing_service: {endpoint: "x:1"}\ninput_schema: {}\noutput_schema: {n: integer}\n';
const flaky = `name: flaky\nversion: 1.0.0\ndescription: Fails.\n${service}`;
const caller = (retry: string): string =>
  `name: caller\nversion: 1.0.0\ndescription: Calls.\nlevel: 2\ninput_schema: {}\ncomposes: [flaky]\nexecution:\n  - {step: flaky${retry}}\n`;

for (const { title, retry, times, code, attempts, fails } of [
  {
    title: 'a step is tried again as its retry says',
    retry: ', retry: {max_attempts: 3}',
    times: 3,
    code: 'BUSY',
    attempts: 3,
    fails: false,
  },
  { title: 'a retry ends', retry: ', retry: {max_attempts: 2}', times: 3, code: 'BUSY', attempts: 2, fails: true },
  {
    title: 'a retry is for the codes that it names',
    retry: ', retry: {max_attempts: 3, retry_on: [BUSY]}',
    times: 3,
    code: 'GONE',
    attempts: 1,
    fails: true,
  },
  {
    title: 'without a retry the first failure ends the whole',
    retry: '',
    times: 2,
    code: 'BUSY',
    attempts: 1,
    fails: true,
  },
]) {
  test(title, async () => {
    const { answer, asked } = failing(times, code);
    const shape = shapeOf({ 'flaky.skill.yaml': flaky, 'caller.skill.yaml': caller(retry) }, 'caller.skill.yaml');
    const run = threadOf(shape, { says: {}, services: { 'flaky/call_service': answer } }).start();
    if (fails) await assert.rejects(run, new RegExp(code));
    else assert.deepEqual((await run).outputs, { flaky: { n: attempts } });
    assert.equal(asked(), attempts);
  });
}

test('a node fails after its timeout', async () => {
  const text = reading.replace('input_schema', 'policy: {timeout_ms: 20}\ninput_schema');
  const shape = shapeOf({ 'read.skill.md': text }, 'read.skill.md');
  const read_page = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 5000, 'late').unref());
  const thread = threadOf(shape, { says: { plan: [{ call: 'read_page' }] }, tools: { read_page } });
  await assert.rejects(thread.start(), /took longer than 20 ms/);
});
