/** The errors of a contract in runs: fallbacks, and the errors that are never or once retried (docs/subgraph.md, "Errors"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { RunEnd, RunRequest } from '../../server/src/protocol.ts';
import { type Files, requestFor, shapeFor } from '../core/composer/shapes.ts';
import { dryRun } from './dry.ts';
import { exported } from './exported.ts';

const contract = (name: string, output: string, ...lines: readonly string[]): string =>
  [`name: ${name}`, 'description: D.', 'version: 1.0.0', 'input_schema: {x: string}', `output_schema: ${output}`]
    .concat(lines, '')
    .join('\n');

const service = (name: string, errors: string, ...lines: readonly string[]): string =>
  contract(name, '{v: string}', `errors: ${errors}`, 'backing_service: {endpoint: "a.b:1"}', ...lines);

const composite = (...lines: readonly string[]): string =>
  [
    '---',
    ...contract('a', '{v: string}', 'level: 2', 'composes: [s]', ...lines).split('\n'),
    '---',
    '',
    'Say it.',
    '',
  ].join('\n');

const only = (own: string, ...lines: readonly string[]): Files => ({
  'a.skill.yaml': contract('a', '{v: string}', 'level: 2', 'composes: [s]', ...lines),
  's.skill.yaml': own,
});

type Stub = RunRequest['stubs'][number];

async function ran(files: Files, stubs: readonly Stub[], name = 'a.skill.yaml') {
  const { events, end, path } = await dryRun(requestFor(files, name, { parameters: { x: 'given' } }), { stubs });
  const calls = events.filter(({ kind }) => kind === 'failure').length;
  const attempts = events.filter(({ kind }) => kind === 'retry').length;
  const from = events.flatMap((event) => (event.kind === 'output' && event.from === 'fallback' ? [event.path] : []));
  return { end: endOf(end), calls, attempts, from, path };
}

const endOf = (end: RunEnd): Json =>
  end.kind === 'met' || end.kind === 'unmet' ? (end.output ?? null) : end.kind === 'failed' ? end.code : end.kind;

const fails = (name: string, code: string, times?: number): Stub => ({ name, fails: code, ...(times && { times }) });

describe('a speculated step that fails', () => {
  const files = (keep: string): Files => ({
    'a.skill.yaml': contract(
      'a',
      '{b: boolean, v: string?}',
      'level: 2',
      'composes: [s, d]',
      `execution: [{speculate: [{step: s${keep}}], until: d}]`,
    ),
    's.skill.yaml': service('s', '[{code: GONE}]'),
    'd.skill.yaml': contract('d', '{b: boolean}', 'backing_service: {endpoint: "a.b:1"}'),
  });
  const stubs = (b: boolean): readonly Stub[] => [fails('s', 'GONE'), { name: 'd', returns: { b } }];

  it('ends the run only if it is kept', async () => {
    const keep = ', keep_when: $d.output.b';
    assert.deepEqual((await ran(files(keep), stubs(false))).end, { b: false });
    assert.equal((await ran(files(keep), stubs(true))).end, 'GONE');
    assert.equal((await ran(files(''), stubs(false))).end, 'GONE');
  });
});

describe('a fallback', () => {
  it('replaces the result of a composed skill that fails with its error', async () => {
    const files = only(service('s', '[{code: LOC, retry: never, fallback: {v: none}}, {code: GONE}]'));
    const { end, from } = await ran(files, [fails('s', 'LOC')]);
    assert.deepEqual([end, from], [{ v: 'none' }, ['skill_s']]);
    assert.equal((await ran(files, [fails('s', 'GONE')])).end, 'GONE');
    assert.deepEqual((await ran(files, [])).from, []);
  });

  it('may be a word, an input, or a map with inputs', async () => {
    for (const [fallback, expected] of [
      ['none at all', { v: 'none at all' }],
      ['x', { v: 'given' }],
      ['$input.x', { v: 'given' }],
      ['{v: "no $input.x"}', { v: 'no given' }],
    ] as const) {
      const files = only(service('s', `[{code: LOC, fallback: ${fallback}}]`));
      assert.deepEqual((await ran(files, [fails('s', 'LOC')])).end, expected, fallback);
    }
  });

  it('may be a skill, which gets the inputs of the failed one and may have a fallback itself', async () => {
    const files = {
      ...only(service('s', '[{code: LOC, fallback: other}]')),
      'other.skill.yaml': service('other', '[{code: DOWN, fallback: {v: last}}]'),
    };
    const answered = await ran(files, [fails('s', 'LOC'), { name: 'other', returns: { v: 'second' } }]);
    assert.deepEqual([answered.end, answered.from], [{ v: 'second' }, ['skill_s']]);
    const { end } = await ran(files, [fails('s', 'LOC'), fails('other', 'DOWN')]);
    assert.deepEqual(end, { v: 'last' });
    assert.equal((await ran(files, [fails('s', 'LOC'), fails('other', 'ELSE')])).end, 'ELSE');
  });

  it('is used only after the last attempt', async () => {
    const retry = 'execution: [{step: s, retry: {max_attempts: 3}}]';
    const files = only(service('s', '[{code: LOC, fallback: {v: none}}]'), retry);
    const { end, calls } = await ran(files, [fails('s', 'LOC')]);
    assert.deepEqual([end, calls], [{ v: 'none' }, 3]);
    assert.deepEqual((await ran(files, [{ ...fails('s', 'LOC', 2), returns: { v: 'third' } }])).end, { v: 'third' });
  });

  it('replaces the result of the invoked skill, also after a failure of a parallel step', async () => {
    const alone = { 's.skill.yaml': service('s', '[{code: LOC, fallback: {v: none}}]') };
    assert.deepEqual((await ran(alone, [fails('s', 'LOC')], 's.skill.yaml')).end, { v: 'none' });
    const errors = 'errors: [{code: LOC, fallback: {v: whole}}]';
    const files = {
      'a.skill.yaml': contract(
        'a',
        '{v: string}',
        'level: 2',
        'composes: [s, t]',
        errors,
        'execution: [{parallel: [{step: s}, {step: t}]}]',
      ),
      's.skill.yaml': service('s', '[{code: LOC}]'),
      't.skill.yaml': contract('t', '{w: string}', 'backing_service: {endpoint: "a.b:1"}'),
    };
    assert.deepEqual((await ran(files, [fails('s', 'LOC')])).end, { v: 'whole' });
  });

  it('must match the output schema, and does not replace a field of the output', async () => {
    const wrong = only(service('s', '[{code: LOC, fallback: {w: none}}]'));
    assert.equal((await ran(wrong, [fails('s', 'LOC')])).end, 'OUTPUT_MISMATCH');
    const field = only(service('s', '[{code: LOC, fallback: v}]'));
    assert.equal((await ran(field, [fails('s', 'LOC')])).end, 'LOC');
  });

  it('never ends a run that is its own fallback', async () => {
    const files = {
      ...only(service('s', '[{code: LOC, fallback: other}]')),
      'other.skill.yaml': service('other', '[{code: LOC, fallback: s}]'),
    };
    assert.equal((await ran(files, [fails('s', 'LOC'), fails('other', 'LOC')])).end, 'UNKNOWN_SKILL');
  });

  it('replaces the output of an adapted version before its adapter', async () => {
    const files = {
      'a.skill.yaml': contract(
        'a',
        '{w: string}',
        'level: 2',
        'composes: [s]',
        'requires: [{skill: s, version: "^0.9.0"}]',
      ),
      's.skill.yaml': service('s', '[{code: LOC, fallback: {v: none}}]', 'adapts: {from: "0.9", with: old}'),
      'old.skill.yaml': [
        'name: old\ndescription: D.\nversion: 1.0.0\ninput_schema: {v: string}\noutput_schema: {w: string}',
        'backing_service: {endpoint: "a.b:1"}\n',
      ].join('\n'),
    };
    const { end } = await ran(files, [fails('s', 'LOC'), { name: 'old', returns: { w: 'adapted' } }]);
    assert.deepEqual(end, { w: 'adapted' });
  });
});

describe('a retry of all errors', () => {
  const retry = 'execution: [{step: s, retry: {max_attempts: 4}}]';
  const files = only(service('s', '[{code: GONE, retry: never}, {code: ONE, retry: once}, {code: BUSY}]'), retry);

  it('leaves out those that are never retried', async () => {
    const { end, calls } = await ran(files, [fails('s', 'GONE', 3)]);
    assert.deepEqual([end, calls], ['GONE', 1]);
  });

  it('repeats an error with `once` only once, and others up to the number of attempts', async () => {
    const once = await ran(files, [fails('s', 'ONE', 3)]);
    assert.deepEqual([once.end, once.calls], ['ONE', 2]);
    assert.equal((await ran(files, [fails('s', 'ONE', 1)])).attempts, 1);
    const busy = await ran(files, [fails('s', 'BUSY', 3)]);
    assert.deepEqual([busy.calls, typeof busy.end], [3, 'object']);
  });

  it('obeys the errors of the invoked skill, too, even if retry_on names them', async () => {
    const own = { 's.skill.yaml': service('s', '[{code: GONE, retry: never}]', 'retry: {max_attempts: 4}') };
    assert.equal((await ran(own, [fails('s', 'GONE', 3)], 's.skill.yaml')).calls, 1);
    const named = only(
      service('s', '[{code: GONE, retry: never}]'),
      'execution: [{step: s, retry: {max_attempts: 4, retry_on: [GONE]}}]',
    );
    assert.equal((await ran(named, [fails('s', 'GONE', 3)])).calls, 1);
  });
});

describe('the subgraph', () => {
  it('contains the errors, the service and the limits of its calls', () => {
    const policy =
      'policy: {idempotent: true, idempotency_key: "{x}", timeout_ms: 800, rate_limit: {global_per_sec: 50}, circuit_breaker: {error_rate_threshold: 0.05, window_sec: 30}}';
    const errors = '[{code: A, retry: once}, {code: B, fallback: other}, {code: A, retry: never}]';
    const files = {
      's.skill.yaml': service('s', errors, policy),
      'other.skill.yaml': contract('other', '{v: string}'),
    };
    const { shape, decisions } = shapeFor(requestFor(files, 's.skill.yaml', { parameters: { x: 'y' } }));
    const { service: found, timeoutMs } = shape.nodes.find(({ kind }) => kind === 'call_service') ?? {};
    assert.deepEqual(found, {
      endpoint: 'a.b:1',
      idempotent: true,
      idempotencyKey: '{x}',
      rateLimit: { global_per_sec: 50 },
      circuitBreaker: { error_rate_threshold: 0.05, window_sec: 30 },
    });
    assert.equal(timeoutMs, 800);
    const [once, other] = shape.errors ?? [];
    assert.deepEqual(once, { code: 'A', retry: 'once' });
    assert.equal(shape.errors?.length, 2);
    assert.ok(other?.fallback && 'skill' in other.fallback && other.fallback.subgraph);
    assert.deepEqual(
      decisions.flatMap(({ subject, name, reason }) => (subject === 'skill' ? [`${name}: ${reason}`] : [])),
      ['other: runs instead if this skill fails with B'],
    );
  });
});

describe('an exported skill', () => {
  const files = {
    'a.skill.md': composite('execution: [{step: s, retry: {max_attempts: 4}}]'),
    's.skill.yaml': service('s', '[{code: LOC, retry: never, fallback: other}, {code: ONE, retry: once}]'),
    'other.skill.yaml': service('other', '[{code: DOWN, fallback: {v: last}}]'),
  };
  const failing = (codes: Readonly<Record<string, string>>, called: string[]) => (call: { readonly name: string }) => {
    called.push(call.name);
    const code = codes[call.name];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return { v: call.name };
  };
  const askModel = (query: { readonly outputs: readonly { readonly value: Json }[] }) => ({
    output: query.outputs[0]?.value ?? null,
  });

  it('runs fallbacks, and obeys `never` and `once`', async () => {
    const called: string[] = [];
    const run = (codes: Readonly<Record<string, string>>) =>
      exported(files, { x: 'given' }, { askModel, callTool: failing(codes, called) }).run({ input: { x: 'given' } });
    assert.deepEqual((await run({ s: 'LOC' })).output?.value, { v: 'other' });
    assert.deepEqual(called.splice(0), ['s', 'other']);
    assert.deepEqual((await run({ s: 'LOC', other: 'DOWN' })).output?.value, { v: 'last' });
    called.splice(0);
    await assert.rejects(run({ s: 'ONE' }), /ONE/);
    assert.deepEqual(called, ['s', 's']);
  });

  it('asks in a fallback without calling the failed skill again', async () => {
    const asking = {
      ...files,
      'other.skill.md':
        '---\nname: other\ndescription: D.\nversion: 1.0.0\ninput_schema: {x: string}\noutput_schema: {v: string}\ninterrupts: [before_exit]\n---\n\nSay it.\n',
    };
    const { 'other.skill.yaml': _, ...without } = asking;
    const called: string[] = [];
    const thread = exported(
      without,
      { x: 'given' },
      {
        askModel: ({ path }) => ({ output: path === 'plan' ? { v: 'whole' } : { v: 'instead' } }),
        callTool: failing({ s: 'LOC' }, called),
      },
    );
    await thread.run({ input: { x: 'given' } });
    assert.deepEqual(
      (await thread.questions()).map(({ path }) => path),
      ['other/check_exit'],
    );
    const { outputs } = await thread.answer(true);
    assert.deepEqual(outputs, { s: { v: 'instead' } });
    assert.deepEqual(called, ['s']);
  });
});
