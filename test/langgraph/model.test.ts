/** Runs with a model: the replies to the queries of a run decide its path (docs/run.md, "With a model"). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Subgraph } from '../../server/src/composer/composition.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { RunEvent, RunQuery, RunReply, RunRequest, RunValues } from '../../server/src/protocol.ts';
import { type Files, requestFor, shapeFor, skill } from '../core/composer/shapes.ts';
import { cases } from '../random.ts';
import { composition } from './compositions.ts';
import { dryRun, modelRun } from './dry.ts';
import { expectedRun } from './oracle.ts';

const run = (
  text: string | Files,
  reply: (query: RunQuery) => RunReply | undefined,
  parts: Partial<RunRequest> = {},
  parameters: Record<string, Json> = {},
) => {
  const files = typeof text === 'string' ? { 'a.skill.md': text } : text;
  return modelRun(requestFor(files, Object.keys(files)[0] ?? '', { parameters }), reply, parts);
};

/** Returns a model and tools that give these replies, and then none. */
const script = (...replies: readonly RunReply[]): (() => RunReply | undefined) => {
  const left = [...replies];
  return () => left.shift();
};

const call = (tool: string, input: RunValues = {}): RunReply => ({
  kind: 'call',
  tool,
  input,
});
const output = (text: string): RunReply => ({ kind: 'output', text });
const result = (value: Json): RunReply => ({ kind: 'result', value });
const failure = (code: string): RunReply => ({ kind: 'failure', code, message: `It failed with ${code}.` });

const of =
  <Kind extends RunEvent['kind']>(kind: Kind) =>
  (event: RunEvent): event is Extract<RunEvent, { kind: Kind }> =>
    event.kind === kind;

/** Returns a model that calls each tool of its loop once, as a dry run does, and tools that return a text. */
function dutiful(shape: Subgraph): (query: RunQuery) => RunReply {
  /** The number of results before each loop, which is less than the last one when a skill runs again. */
  const loops = new Map<string, { readonly before: number; last: number }>();
  return (query) => {
    if (query.kind === 'tool') return result('text');
    const { path, results, tools } = query;
    const known = loops.get(path);
    const loop = known && results.length > known.last ? known : { before: results.length, last: 0 };
    loop.last = results.length;
    loops.set(path, loop);
    const turn = results.length - loop.before;
    const names = path.split('/');
    const node = names.pop();
    const graph = names.reduce<Subgraph | undefined>(
      (at, step) => at?.nodes.find(({ skill: one }) => one?.step === step)?.subgraph,
      shape,
    );
    const isLast = graph?.nodes.findLast(({ kind }) => kind === 'plan')?.id === node;
    const usesBudget = isLast && graph?.exitCondition.on === 'tool_budget' && tools.length > 0;
    const tool = tools[usesBudget ? turn % tools.length : turn];
    return tool ? call(tool.name) : output('done');
  };
}

const INTERRUPTS = ['stage', 'tool_call', 'write', 'exit'].map((name) => `before_${name}`);

test('a random composition takes the path of the oracle, and the same replies give the same trace', async () => {
  await fc.assert(
    fc.asyncProperty(composition, async ({ files, ...situation }) => {
      const compose = requestFor(files, 'whole.skill.yaml', { parameters: { n: situation.n } });
      const { shape, errors } = shapeFor(compose);
      fc.pre(compose.skillPackage.faults.length === 0 && errors.length === 0);
      const names = [...INTERRUPTS, 'on_tool_error', 'on_budget_exhausted'];
      const answers = names.map((name) => ({ name, value: !situation.declines.includes(name) }));
      const request = { stubs: situation.stubs, answers };
      const { events, end, replies } = await modelRun(compose, dutiful(shape), request);
      assert.deepEqual(
        {
          entered: events.filter(of('enter')).map(({ path }) => path),
          fired: events.filter(of('interrupt')).map(({ name, path }) => `${name} at ${path}`),
          retries: events.filter(of('retry')).length,
          cancelled: events.filter(of('cancel')).map(({ step }) => step),
          end: end.kind === 'failed' ? end.code : end.kind,
        },
        expectedRun(shape, situation),
      );
      const again = await dryRun(compose, { ...request, replies });
      assert.equal(JSON.stringify([again.events, again.end]), JSON.stringify([events, end]));
    }),
    { ...cases(60), maxSkipsPerRun: 1000 },
  );
});

const staged = skill(
  'staged',
  `input_schema: {slug: string}
output_schema: {text: string}
model_preference: small
tools: [read_page, {name: write_candidate, constraints: {properties: {title: {enum: [x]}}}}]`,
  '## Approach\n\nFirst.\n\n1. **Read** with #tool:read_page.\n2. **Write** with #tool:write_candidate.\n\nBe brief.\n',
);

test('a query has the prompt, the instructions, the tools, and everything that the skill knows so far', async () => {
  const { end, queries, events } = await run(
    staged,
    script(
      call('read_page'),
      result('a page'),
      output('read'),
      call('write_candidate', { title: 'x' }),
      result(7),
      output('Here:\n```json\n{"text": "done"}\n```\n'),
    ),
    {},
    { slug: 's' },
  );
  assert.deepEqual(end, { kind: 'met', on: 'output_schema', output: { text: 'done' } });
  const models = queries.filter((query) => query.kind === 'model');
  assert.deepEqual(
    models.map(({ path, label, results, outputs }) => [path, label, results.length, outputs]),
    [
      ['plan_1', 'Read', 0, []],
      ['plan_1', 'Read', 1, []],
      ['plan_2', 'Write', 1, [{ name: 'Read', value: 'read' }]],
      ['plan_2', 'Write', 2, [{ name: 'Read', value: 'read' }]],
    ],
  );
  const [first, , third] = models;
  assert.match(first?.prompt ?? '', /Do it well/);
  assert.ok((first?.tokens ?? 0) > 3);
  assert.equal(first?.model, 'small');
  assert.match(first?.instructions ?? '', /^First\./);
  assert.deepEqual(first?.tools, [{ name: 'read_page' }]);
  assert.equal(first?.schema, undefined);
  assert.match(third?.instructions ?? '', /Write.*Be brief\.$/s);
  const [tool] = third?.tools ?? [];
  assert.deepEqual([tool?.name, JSON.stringify(tool?.inputSchema).includes('"enum":["x"]')], ['write_candidate', true]);
  assert.ok(third?.schema);
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'result' || event.kind === 'output' ? [event.from] : [])),
    ['tool', 'model', 'tool', 'model', 'flow'],
  );
});

test('a composed skill has its own prompt, results and model, and its composite receives its output', async () => {
  const inner = skill('inner', 'level: 1\ninput_schema: {slug: string}\nmodel_preference: own');
  const outer = skill('outer', 'level: 2\ninput_schema: {slug: string}\ncomposes: [inner]\nmodel_preference: top');
  const files = { 'outer.skill.md': outer, 'inner.skill.md': inner };
  const { queries, end } = await run(files, script(output('in'), output('out')), {}, { slug: 'hive' });
  const [first, second] = queries;
  assert.ok(first?.kind === 'model' && second?.kind === 'model');
  assert.deepEqual([first.path, first.model, second.path, second.model], ['inner/plan', 'own', 'plan', 'top']);
  assert.match(first.prompt, /slug: hive/);
  assert.deepEqual(second.outputs, [{ name: 'inner', value: 'in' }]);
  assert.equal(end.kind === 'met' && end.output, 'out');
});

const reading = skill('a', 'input_schema: {}\ntools: [read_page, write_candidate]');

test('a stub answers before a tool, and other tools are asked for', async () => {
  const stubs = [{ name: 'read_page', returns: 'stubbed' }];
  const { queries, events } = await run(
    reading,
    script(call('read_page'), call('write_candidate', { title: 'x' }), result(null), output('done')),
    { stubs },
  );
  assert.deepEqual(
    queries.flatMap((query) => (query.kind === 'tool' ? [query] : [])),
    [{ kind: 'tool', path: 'call_tools', tool: 'write_candidate', input: { title: 'x' } }],
  );
  assert.deepEqual(
    events.filter(of('result')).map(({ from }) => from),
    ['stub', 'tool'],
  );
});

for (const tool of ['delete_all', '__proto__', 'constructor', '']) {
  test(`a call of the tool "${tool}", which is not available, ends the run`, async () => {
    const { end, queries } = await run(reading, script(call(tool)));
    assert.equal(end.kind === 'failed' && end.code, 'CAPABILITY_DENIED');
    assert.equal(queries.length, 1);
  });
}

test('a call whose input does not match the constraints of the tool ends the run', async () => {
  const { end } = await run(staged, script(output('read'), call('write_candidate', { title: 'y' })), {}, { slug: 's' });
  assert.equal(end.kind === 'failed' && end.code, 'CAPABILITY_DENIED');
});

test('a model that calls forever ends at the limit of steps, or with the budget', async () => {
  const forever = (query: RunQuery): RunReply => (query.kind === 'tool' ? result(1) : call('read_page'));
  const { end, replies } = await run(reading, forever, { maxSteps: 21 });
  assert.deepEqual([end.kind === 'failed' && end.code, replies.length], ['STEP_LIMIT', 20]);
  const limited = reading.replace('tools:', 'exit: {on: tool_budget, max_tool_calls: 3}\ntools:');
  const { end: met, events } = await run(limited, forever);
  assert.deepEqual([met.kind, events.filter(of('call')).length], ['met', 3]);
});

test('a failure of the model or of a tool is retried as the node says', async () => {
  const retrying = reading.replace(
    'tools:',
    'policy: {retry: {max_attempts: 2, retry_on: [MODEL_FAILED, GONE]}}\ntools:',
  );
  const replies = script(
    failure('MODEL_FAILED'),
    call('read_page'),
    failure('GONE'),
    result('found'),
    failure('MODEL_FAILED'),
    failure('MODEL_FAILED'),
  );
  const { events, end } = await run(retrying, replies);
  assert.deepEqual(
    events.filter(of('failure')).map(({ tool, code }) => `${tool} ${code}`),
    ['model MODEL_FAILED', 'read_page GONE', 'model MODEL_FAILED', 'model MODEL_FAILED'],
  );
  assert.equal(events.filter(of('retry')).length, 3);
  assert.deepEqual(end.kind === 'failed' && [end.code, end.message, end.path], [
    'MODEL_FAILED',
    'It failed with MODEL_FAILED.',
    'plan',
  ]);
});

for (const [title, replies] of [
  ['a result instead of an output', [result(1)]],
  ['an output instead of a result', [call('read_page'), output('text')]],
  ['a call instead of a result', [call('read_page'), call('read_page')]],
] as const) {
  test(`${title} ends the run with a clear failure`, async () => {
    const { end } = await run(reading, script(...replies));
    assert.ok(end.kind === 'failed');
    assert.equal(end.code, 'WRONG_REPLY');
    assert.match(end.message, / needs a (call or an output|result), but the reply is an? (call|output|result)\.$/);
  });
}

test('large and deeply nested values of models and tools do not crash a run', async () => {
  const asking = skill('a', 'input_schema: {}\noutput_schema: {text: string}\ntools: [read_page]');
  const long = 'x'.repeat(1_000_000);
  const { end: met } = await run(asking, script(output(JSON.stringify({ text: long }))));
  assert.ok(met.kind === 'met' && JSON.stringify(met.output).length > 1_000_000);
  const nested = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const deep = JSON.parse(nested) as Json;
  for (const [replies, code] of [
    [[output(nested)], 'WRONG_REPLY'],
    [[call('read_page', { deep })], 'WRONG_REPLY'],
    [[call('read_page'), result(deep)], 'WRONG_REPLY'],
  ] as const) {
    const { end } = await dryRun(requestFor({ 'a.skill.md': asking }, 'a.skill.md'), { replies });
    assert.equal(end.kind === 'failed' && end.code, code);
  }
});

test('a result that does not match the output schema of the tool causes a warning', async () => {
  const catalog = 'tools:\n  - {name: count, operation: READ, output_schema: {n: integer}}\n';
  const files = { 'a.skill.md': skill('a', 'input_schema: {}\ntools: [count]'), 'skills.config.yaml': catalog };
  const { events, end } = await run(files, script(call('count'), result({ n: 'many' }), output('done')));
  assert.match(events.find(of('warning'))?.message ?? '', /^The result of `count` does not match the output schema/);
  assert.equal(end.kind, 'met');
});

test('an input that does not match the input schema of the tool causes a warning', async () => {
  const catalog = 'tools:\n  - {name: count, operation: READ, input_schema: {n: integer}}\n';
  const files = { 'a.skill.md': skill('a', 'input_schema: {}\ntools: [count]'), 'skills.config.yaml': catalog };
  const { events, end } = await run(files, script(call('count', { n: 'many' }), result(1), output('done')));
  assert.match(events.find(of('warning'))?.message ?? '', /^The input of `count` does not match the input schema/);
  assert.equal(end.kind, 'met');
});

test('a composed skill whose prompt cannot be composed for its input ends the run', async () => {
  const inner = skill('inner', 'level: 1\ninput_schema: {text: string}');
  const outer = skill(
    'outer',
    'level: 2\ninput_schema: {}\ncomposes: [{skill: first, output_mapping: {value: text}}, inner]',
  );
  const first = skill('first', 'level: 1\ninput_schema: {}\noutput_schema: {value: string}');
  const files = { 'outer.skill.md': outer, 'inner.skill.md': inner, 'first.skill.md': first };
  const compose = requestFor(files, 'outer.skill.md');
  const limited = { ...compose, limits: { ...compose.limits, contextTokens: 100 } };
  const { end } = await modelRun(limited, script(output(JSON.stringify({ value: 'long '.repeat(200) }))));
  assert.ok(end.kind === 'failed');
  assert.deepEqual([end.code, end.path], ['PROMPT_FAILED', 'inner/plan']);
  assert.match(end.message, /^The prompt cannot be composed: The prompt has .* tokens, .* over the budget of 100\./);
});

test('a detailed trace has the number of replies before each node', async () => {
  const { events } = await run(reading, script(call('read_page'), result(1), output('done')), { detailed: true });
  assert.deepEqual(
    events.filter(of('enter')).map(({ node, replies }) => `${node} ${replies}`),
    ['validate_input 0', 'plan 0', 'call_tools 1', 'plan 2', 'check_exit 3'],
  );
});

test('interrupts of a run with a model are answered as in a dry run', async () => {
  const asking = reading.replace('tools:', 'interrupts: [before_write]\ntools:');
  const replies = [call('write_candidate')];
  const compose = requestFor({ 'a.skill.md': asking }, 'a.skill.md');
  const first = await dryRun(compose, { replies });
  assert.equal(first.end.kind === 'waiting' && first.end.question.name, 'before_write');
  const second = await dryRun(compose, { replies: [...replies, output('no')], answered: [false] });
  assert.deepEqual([second.end.kind, second.events.filter(of('call'))], ['met', []]);
});
