/** Dry runs with hostile skills, stubs, answers and changes (docs/run.md, "Limits"). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { RunEvent, RunRequest } from '../../server/src/protocol.ts';
import { requestFor, skill } from '../core/composer/shapes.ts';
import { dryRun } from './dry.ts';

const of = (kind: RunEvent['kind']) => (event: RunEvent) => event.kind === kind;

const run = (text: string, parts: Partial<RunRequest> = {}, parameters: Record<string, Json> = {}) =>
  dryRun(requestFor({ 'a.skill.md': text }, 'a.skill.md', { parameters }), parts);

test('an endless run ends at the limit of steps, with a place and an advice', async () => {
  const text = skill('a', 'input_schema: {}\ntools: [read_page]\nexit: {on: tool_budget, max_tool_calls: 1000000}');
  const { end, events } = await run(text, { maxSteps: 50 });
  assert.equal(events.filter(of('enter')).length, 50);
  assert.ok(end.kind === 'failed');
  assert.deepEqual([end.code, end.path], ['STEP_LIMIT', 'call_tools']);
  assert.match(end.message, /50 nodes .* `--max-steps`/);
});

test('names of the prototype are ordinary names of inputs, steps, tools and stubs', async () => {
  const odd = '{__proto__: string, constructor: string, toString: string}';
  const part = `name: part\nversion: 1.0.0\ndescription: One.\nlevel: 1\ninput_schema: ${odd}\noutput_schema: ${odd}\nbacking_service: {endpoint: "x:1"}\n`;
  const whole = `name: whole\nversion: 1.0.0\ndescription: All.\nlevel: 2\ninput_schema: ${odd}\noutput_schema: ${odd}\ncomposes: [{skill: part, as: constructor}, {skill: part, as: other}]\nexecution: [{step: constructor}, {when: [{condition: $constructor.output.toString == "c", steps: [{step: other}]}]}]\n`;
  const value = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}') as Record<string, Json>;
  const files = { 'part.skill.yaml': part, 'whole.skill.yaml': whole };
  const compose = requestFor(files, 'whole.skill.yaml', { parameters: value });
  const stubs = [{ name: '__proto__', returns: 1 }, { name: 'part', returns: value }, { name: 'constructor' }];
  const { end, path } = await dryRun(compose, { stubs, detailed: true });
  assert.deepEqual(path, ['constructor', 'other']);
  assert.equal(JSON.stringify(end), JSON.stringify({ kind: 'met', on: 'output_schema', output: value }));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a stub of the wrong type causes a warning, and the run goes on', async () => {
  const text =
    'name: a\ndescription: One.\nversion: 1.0.0\ninput_schema: {}\noutput_schema: {n: integer}\nbacking_service: {endpoint: "x:1"}\n';
  const compose = requestFor({ 'a.skill.yaml': text }, 'a.skill.yaml');
  const { events, end } = await dryRun(compose, { stubs: [{ name: 'a', returns: { n: 'many' } }] });
  const [warning] = events.filter(of('warning'));
  assert.ok(warning?.kind === 'warning');
  assert.match(warning.message, /^The stub of `a` does not match the output schema of the tool: `n`: /);
  assert.equal(end.kind === 'failed' && end.code, 'OUTPUT_MISMATCH');
});

test('a composed skill whose approach uses only some of its tools has its prompt', async () => {
  const body = 'Read.\n\n## Approach: short\n```yaml artifact\ntools: [read_page]\n```\n\nUse #tool:read_page.\n';
  const part = skill('part', 'level: 1\ninput_schema: {}\ntools: [read_page, search_pages]', body);
  const whole = skill('whole', 'level: 2\ninput_schema: {}\ncomposes: [part]');
  const { events } = await dryRun(requestFor({ 'part.skill.md': part, 'whole.skill.md': whole }, 'whole.skill.md'));
  const entered = events.find((event) => event.kind === 'enter' && event.path === 'part/plan');
  assert.ok(entered?.kind === 'enter');
  assert.match(entered.prompt?.text ?? '', /Read\.$/);
});

test('a value of several megabytes is kept', async () => {
  const returns = 'x'.repeat(3_000_000);
  const text = skill('a', 'input_schema: {}\ntools: [read_page]');
  const { events } = await run(text, { stubs: [{ name: 'read_page', returns }] });
  const [result] = events.filter(of('result'));
  assert.ok(result?.kind === 'result' && result.value === returns);
});

test('a condition that fails ends the run at its branch', async () => {
  const part =
    'name: part\nversion: 1.0.0\ndescription: One.\nlevel: 1\ninput_schema: {}\noutput_schema: {x: integer?}\nbacking_service: {endpoint: "x:1"}\n';
  const whole =
    'name: whole\nversion: 1.0.0\ndescription: All.\nlevel: 2\ninput_schema: {}\noutput_schema: {}\ncomposes: [part, {skill: part, as: again}]\nexecution: [{step: part}, {step: again, condition: $part.output.x.y.z > 3}]\n';
  const compose = requestFor({ 'part.skill.yaml': part, 'whole.skill.yaml': whole }, 'whole.skill.yaml');
  const result = await dryRun(compose, { stubs: [{ name: 'part', returns: {} }] }).catch((error: Error) => error);
  if (result instanceof Error) return;
  assert.ok(result.end.kind === 'failed');
  assert.deepEqual([result.end.code, result.end.path], ['CONDITION_FAILED', 'branch_1']);
});

const asking = skill(
  'a',
  'input_schema: {slug: string, n: integer}\noutput_schema: {text: string}\ntools: [write_candidate]\ninterrupts: [on_missing_input, {name: before_write, message: May I}, on_output_mismatch]',
);

test('a run waits at an interrupt without an answer, and goes on with one more answer', async () => {
  const first = await run(asking, {}, { slug: 'x', n: 1 });
  assert.ok(first.end.kind === 'waiting');
  const { name, path, message } = first.end.question;
  assert.deepEqual([name, path, message], ['before_write', 'call_tools', 'May I']);
  const second = await run(asking, { answered: [true] }, { slug: 'x', n: 1 });
  assert.equal(second.end.kind, 'met');
  assert.deepEqual(second.events.slice(0, first.events.length), first.events);
});

test('a missing input is asked for, and the answer is validated', async () => {
  const answers = [{ name: 'before_write', value: true }];
  const first = await run(asking, { answers }, { slug: 'x' });
  assert.ok(first.end.kind === 'waiting');
  const { name, schema } = first.end.question;
  assert.deepEqual(
    [name, schema],
    ['on_missing_input', { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }],
  );
  const second = await run(asking, { answers, answered: [{ n: 'many' }] }, { slug: 'x' });
  assert.match(
    second.end.kind === 'waiting' ? (second.end.question.problem ?? '') : '',
    /`n`: Expected a whole number/,
  );
  assert.equal((await run(asking, { answers, answered: [{ n: 'many' }, { n: 2 }] }, { slug: 'x' })).end.kind, 'met');
});

test('the answer no leaves the call out', async () => {
  const { events, end } = await run(asking, { answers: [{ name: 'before_write', value: false }] }, { slug: 'x', n: 1 });
  assert.deepEqual(events.filter(of('call')), []);
  assert.equal(end.kind, 'met');
});

test('an answer that does not match is asked for again, with the reason', async () => {
  const recorded = { value: { text: 7 }, text: '{"text": 7}' };
  const answers = [
    { name: 'before_write', value: true },
    { name: 'on_output_mismatch', value: { text: false } },
  ];
  const one = await run(asking, { recorded, answers }, { slug: 'x', n: 1 });
  assert.ok(one.end.kind === 'waiting');
  assert.match(one.end.question.problem ?? '', /`text`: Expected a string/);
  const parts = { recorded, answers, answered: ['no', { text: 'yes' }] };
  const two = await run(asking, parts, { slug: 'x', n: 1 });
  assert.deepEqual(two.end, { kind: 'met', on: 'output_schema', output: { text: 'yes' } });
});

test('a change before a node changes what follows', async () => {
  const request = { answers: [{ name: 'before_write', value: true }], detailed: true };
  const { events } = await run(asking, request, { slug: 'x', n: 1 });
  const entered = events.filter(of('enter')).findIndex(({ path }) => path === 'check_exit');
  const patches = [
    { entered: 1, scope: 'input', path: ['slug'], value: 'changed' },
    { entered: 1, scope: 'results', path: ['7', 'result'], value: 'nothing to change' },
    { entered, scope: 'input', path: ['n'], value: 2 },
  ] as const;
  const changed = await run(asking, { ...request, patches }, { slug: 'x', n: 1 });
  const states = changed.events.flatMap((event) => (event.kind === 'enter' && event.state ? [event.state] : []));
  assert.deepEqual(
    states.map(({ input }) => `${input.slug} ${input.n}`),
    ['x 1', 'changed 1', 'changed 1', 'changed 1', 'changed 2'],
  );
  assert.equal(changed.events.filter(of('patch')).length, 3);
});

test('the end of an interrupt that is the exit condition', async () => {
  const text = skill(
    'a',
    'input_schema: {n: integer}\ntools: [write_candidate]\ninterrupts: [{name: before_write, when: n > 1}]\nexit: {on: interrupt, name: before_write}',
  );
  assert.equal((await run(text, {}, { n: 2 })).end.kind, 'met');
  const { end } = await run(text, {}, { n: 1 });
  assert.ok(end.kind === 'unmet');
  assert.match(end.message, /`before_write`, which is the exit condition, did not fire/);
});
