/** The text and the JSON of a trace, and the questions of `run` in a terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pc from 'picocolors';
import { printRun, type RunPrinting } from '../../../server/src/frontends/cli/commands/run.ts';
import { outputTo } from '../../../server/src/frontends/cli/console.ts';
import { NO_PROGRESS } from '../../../server/src/io/stderr.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import type { Question, RunEnd, RunEvent, RunRequest, Trace } from '../../../server/src/protocol.ts';
import { shortJson } from '../../../server/src/reports/json.ts';
import { endToPretty, eventsWriter, headToPretty, traceToJson } from '../../../server/src/reports/run.ts';
import { isUnseen } from '../../properties/unseen.ts';

const plain = pc.createColors(false);
const TEXT = '---\nname: judge\ninterrupts: [before_write]\n---\n';
const here = { uri: 'file:///w/judge.skill.md', span: { start: 29, end: 41 } };
const findFile = (uri: string) => (uri === here.uri ? { file: 'judge.skill.md', text: TEXT } : undefined);
const MET: RunEnd = { kind: 'met', on: 'output_schema', output: { verdict: 'good' } };

const traceOf = (events: readonly RunEvent[], end: RunEnd = MET): Trace => ({
  ...{ events, end, path: [], interrupts: [] },
  assertions: { run: 0, passed: 0 },
});
const shown = (events: readonly RunEvent[]) => eventsWriter(plain)(events);
const shownEnd = (end: RunEnd) => endToPretty(end, findFile, plain);

type Enter = Extract<RunEvent, { kind: 'enter' }>;
const enter = (path: string, node: Enter['node'], more: Partial<Enter> = {}): RunEvent => ({
  ...{ kind: 'enter', path, node, label: node, ...here },
  ...more,
});
const leave = (path: string, ...to: readonly string[]): RunEvent => ({ kind: 'leave', path, to });

const QUESTION: Question = { name: 'before_write', path: 'call_tools_2', message: 'May I save?', ...here };

describe('the text of a trace', () => {
  it('shows nodes, calls with their results, and outputs, each on one line', () => {
    const read = { path: 'call_tools_1', tool: 'read_page' };
    const plan = enter('plan_1', 'plan', { label: 'Read', prompt: { text: '…', tokens: 210, artifacts: [] } });
    assert.equal(
      shown([
        enter('validate_input', 'validate_input', { input: { slug: 'tollhouse' } }),
        leave('validate_input'),
        plan,
        enter('call_tools_1', 'call_tools'),
        { kind: 'call', ...read, input: { slug: '«slug»' } },
        { kind: 'result', ...read, value: { text: 'The gate held.' }, from: 'stub' },
        leave('call_tools_1'),
        plan,
        { kind: 'output', path: 'plan_1', value: '«text»', from: 'generated' },
        leave('plan_1'),
        enter('check_exit', 'check_exit'),
      ]),
      `› validate_input  {slug: "tollhouse"}
› Read            210 tokens
  · read_page({slug: "«slug»"}) → {text: "The gate held."}  (stub)
  → "«text»"  (generated)
`,
    );
  });

  it('shows the target of a condition by its name, and the tokens of a prompt once', () => {
    const prompt = { text: 'Read it.', tokens: 3, artifacts: [] };
    assert.equal(
      shown([
        enter('plan_1', 'plan', { label: 'Read', prompt }),
        enter('plan_2', 'plan', { label: 'Write', prompt }),
        { kind: 'condition', path: 'branch', condition: '$input.save', holds: true, to: 'skill_save' },
        enter('skill_save', 'skill', { label: 'save-it', step: 'save-it', input: {} }),
        enter('save-it/plan', 'plan', { label: 'Ask the model', prompt }),
      ]),
      `› Read     3 tokens
› Write
◇ $input.save is true, goes to save-it
› save-it  {}
  › Ask the model  3 tokens
`,
    );
  });

  it('indents the nodes of composed skills', () => {
    assert.equal(
      shown([
        enter('road', 'skill', { label: 'road', step: 'road', input: { from: 'a' } }),
        enter('road/validate_input', 'validate_input', { input: { from: 'a' } }),
        enter('road/call_service', 'call_service', { label: 'Call the service' }),
        { kind: 'output', path: 'road/call_service', value: { km: 3 }, from: 'stub' },
        { kind: 'output', path: 'road', value: { km: 3 }, from: 'flow' },
      ]),
      `› road  {from: "a"}
  › Call the service
    → {km: 3}  (stub)
  → {km: 3}
`,
    );
  });

  it('indents the arms of parallel groups, also if other arms run between them', () => {
    const step = (name: string) => enter(`skill_${name}`, 'skill', { label: name, step: name, input: {} });
    const inner = enter('a/plan', 'plan', { label: 'Ask the model', tools: ['read_page', 'write'] });
    assert.equal(
      shown([
        enter('group_1', 'parallel', { label: 'In parallel' }),
        leave('group_1', 'group_2', 'skill_c'),
        enter('group_2', 'speculate', { label: 'Speculate' }),
        leave('group_2', 'skill_a', 'skill_b'),
        ...[step('c'), leave('skill_c', 'join_1')],
        ...[step('a'), inner, leave('a/plan', 'check_exit'), leave('skill_a', 'join_2')],
        ...[step('b'), leave('skill_b', 'join_2')],
        ...[enter('join_2', 'join'), { kind: 'cancel', path: 'join_2', step: 'b' } as const, leave('join_2', 'join_1')],
        ...[enter('join_1', 'join'), leave('join_1', 'skill_d'), step('d')],
      ]),
      `› In parallel
  › Speculate
  › c          {}
    › a  {}
      › Ask the model  tools: read_page and write
    › b  {}
  × b is cancelled; its results are dropped
› d            {}
`,
    );
  });

  const others: readonly (readonly [string, RunEvent, string])[] = [
    [
      'a condition that holds',
      { kind: 'condition', path: 'branch', condition: '$input.kind == "a"', holds: true, to: 'fetch' },
      '◇ $input.kind == "a" is true, goes to fetch',
    ],
    [
      'a condition that does not hold',
      { kind: 'condition', path: 'branch', condition: '$input.n > 3', holds: false, to: 'fetch' },
      '◇ $input.n > 3 is false',
    ],
    ['a retry', { kind: 'retry', path: 'road', attempt: 2, of: 3, code: 'BUSY' }, '  ↻ attempt 2 of 3 after BUSY'],
    [
      'an answer',
      { kind: 'interrupt', path: 'a/call_tools', name: 'before_write', message: 'May I?', answer: true },
      '    ? before_write at call_tools: May I?  answer: true',
    ],
    [
      'an interrupt that ends the run',
      { kind: 'interrupt', path: 'plan', name: 'before_stage', ends: true },
      '  ? before_stage at plan  ends the run',
    ],
    ['a budget', { kind: 'budget', path: 'plan', used: 3, of: 8 }, '  · 3 of 8 tool calls used'],
    ['a cancelled step', { kind: 'cancel', path: 'b', step: 'b' }, '× b is cancelled; its results are dropped'],
    [
      'a patch',
      { kind: 'patch', path: 'plan', scope: 'outputs', name: 'road', value: { km: 4 } },
      '± outputs.road = {km: 4}',
    ],
    ['a warning', { kind: 'warning', path: 'plan', message: 'No value.' }, '  ! No value.'],
    ['a call without a result', { kind: 'call', path: 'call_tools', tool: 'read', input: {} }, '  · read({})'],
    [
      'a result without its call',
      { kind: 'result', path: 'call_tools', tool: 'read', value: 1, from: 'generated' },
      '  · read → 1  (generated)',
    ],
    ['a failed call', { kind: 'failure', path: 'call_tools', tool: 'read', code: 'BUSY' }, '  · read ✗ BUSY'],
  ];
  for (const [what, event, line] of others) {
    it(`shows ${what}`, () => assert.equal(shown([event]), `${line}\n`));
  }

  it('shows a failed call with its input', () => {
    const call = { path: 'call_tools', tool: 'read' };
    assert.equal(
      shown([
        { kind: 'call', ...call, input: { a: 1 } },
        { kind: 'failure', ...call, code: 'BUSY' },
      ]),
      '  · read({a: 1}) ✗ BUSY\n',
    );
  });

  it('shows the skill, its sample and the generated parameters first', () => {
    const head = { skill: 'judge', file: 'judge.skill.md', parameters: {} };
    assert.equal(
      headToPretty({ ...head, sample: 'dusk', generated: [] }, plain),
      'judge  sample dusk  judge.skill.md\n\n',
    );
    assert.equal(
      headToPretty({ ...head, sample: undefined, generated: ['place', 'tone'] }, plain),
      'judge  judge.skill.md\nGenerated parameters: place and tone.\n\n',
    );
  });

  it('shows each end, a failure with its line', () => {
    assert.equal(shownEnd(MET), '■ output_schema met: {verdict: "good"}\n');
    assert.equal(shownEnd({ kind: 'met', on: 'caller', output: null }), '■ ended\n');
    assert.equal(
      shownEnd({ kind: 'unmet', on: 'tool_budget', message: 'The budget is not used up.', output: 3 }),
      '■ tool_budget not met: The budget is not used up.\n  → 3\n',
    );
    assert.equal(
      shownEnd({ kind: 'failed', code: 'DECLINED', message: 'The answer is `false`.', path: 'plan_1', ...here }),
      `■ failed at plan_1
judge.skill.md:3:14 error DECLINED
  The answer is \`false\`.
  3 | interrupts: [before_write]
    |              ^^^^^^^^^^^^
`,
    );
    const lost = { uri: 'file:///gone', span: { start: 0, end: 0 } };
    assert.equal(
      shownEnd({ kind: 'failed', code: 'TIME_LIMIT', message: 'Too long.', path: '', ...lost }),
      '■ failed: TIME_LIMIT. Too long.\n',
    );
    assert.equal(
      shownEnd({ kind: 'waiting', question: { ...QUESTION, problem: 'Not a boolean.' } }),
      '? before_write at call_tools_2 waits for an answer: May I save?  judge.skill.md:3:14\n  Not a boolean.\n',
    );
  });

  it('cuts long values, without reading all of them', () => {
    const long = 'x'.repeat(5_000_000);
    assert.equal(shortJson({ text: long }, 20), `{text: "${'x'.repeat(11)}…`);
    assert.equal([...shortJson('🐉'.repeat(200), 20)].length, 20);
    let deep: Json = 1;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    assert.equal(shortJson(deep, 5), '[[[[…');
    assert.equal(shortJson({ 'a-b': [1, null, true], 'c d': {} }, 60), '{a-b: [1, null, true], "c d": {}}');
    assert.equal(shortJson(JSON.parse('{"__proto__": {"constructor": 1}}'), 60), '{__proto__: {constructor: 1}}');
  });

  it("shows authors' text on one line, without control characters", () => {
    const evil = 'a\n::error::b\u001b[2J\u202e\u2028c';
    const all: readonly RunEvent[] = [
      enter(evil, 'validate_input', { input: { [evil]: evil } }),
      enter(evil, 'plan', { label: evil, step: evil, tools: [evil] }),
      { kind: 'call', path: evil, tool: evil, input: { [evil]: evil } },
      { kind: 'failure', path: evil, tool: evil, code: evil },
      { kind: 'result', path: evil, tool: evil, value: evil, from: 'stub' },
      { kind: 'output', path: evil, value: evil, from: 'stub' },
      { kind: 'condition', path: evil, condition: evil, holds: true, to: evil },
      { kind: 'retry', path: evil, attempt: 2, of: 3, code: evil },
      { kind: 'interrupt', path: evil, name: evil, message: evil, answer: evil },
      { kind: 'cancel', path: evil, step: evil },
      { kind: 'patch', path: evil, scope: 'flow', name: evil, value: evil },
      { kind: 'warning', path: evil, message: evil },
    ];
    const head = { skill: evil, file: evil, sample: evil, parameters: {}, generated: [evil] };
    const ends: readonly RunEnd[] = [
      { kind: 'met', on: 'caller', output: evil },
      { kind: 'unmet', on: 'caller', message: evil, output: evil },
      { kind: 'failed', code: evil, message: evil, path: evil, ...here },
      { kind: 'failed', code: evil, message: evil, path: evil, uri: '', span: here.span },
      { kind: 'waiting', question: { ...QUESTION, name: evil, path: evil, message: evil, problem: evil } },
    ];
    const text = [headToPretty(head, plain), shown(all), ...ends.map(shownEnd)].join('');
    assert.deepEqual([...text].filter(isUnseen), []);
    assert.equal(shown(all).trimEnd().split('\n').length, all.length - 1);
    assert.doesNotMatch(text, /^\s*::/m);
  });
});

describe('the JSON of a trace', () => {
  const head = {
    skill: 'judge',
    file: 'judge.skill.md',
    sample: undefined,
    parameters: { slug: 'a' },
    generated: ['slug'],
  };
  const place = () => ({ file: 'judge.skill.md', range: 'here' });

  it('contains complete values, and places instead of spans', () => {
    const long = 'x'.repeat(200_000);
    const data = { uri: 'mine', span: { start: 1, end: 2 } };
    const trace = traceOf([enter('plan', 'plan'), { kind: 'output', path: 'plan', value: [long, data], from: 'flow' }]);
    const json = JSON.parse([...traceToJson(head, trace, place)].join(''));
    assert.deepEqual(json, {
      ...{ ok: true, ...head, sample: null },
      events: [
        { kind: 'enter', path: 'plan', node: 'plan', label: 'plan', file: 'judge.skill.md', range: 'here' },
        { kind: 'output', path: 'plan', value: [long, data], from: 'flow' },
      ],
      ...{ end: MET, path: [], interrupts: [], assertions: { run: 0, passed: 0 } },
    });
  });

  it('contains the places of a failure and of a question', () => {
    const ends: readonly RunEnd[] = [
      { kind: 'failed', code: 'A', message: 'b', path: 'plan', ...here },
      { kind: 'waiting', question: QUESTION },
    ];
    const [failed, waiting] = ends.map(
      (end) => JSON.parse([...traceToJson(head, traceOf([], end), place)].join('')).end,
    );
    assert.deepEqual(failed, { kind: 'failed', code: 'A', message: 'b', path: 'plan', ...place() });
    assert.deepEqual(waiting.question, {
      ...{ name: 'before_write', path: 'call_tools_2', message: 'May I save?' },
      ...place(),
    });
  });
});

describe('a run in a terminal', () => {
  /** A run with one interrupt that accepts only `accepted`. */
  const runWith = (accepted: Json, schema?: Json) => async (request: Pick<RunRequest, 'answers' | 'answered'>) => {
    const answer = [...request.answers.map(({ value }) => value), ...request.answered].at(-1);
    const start = enter('plan', 'plan', { label: 'Save' });
    const { name, path, message = '' } = QUESTION;
    if (answer !== undefined && JSON.stringify(answer) === JSON.stringify(accepted)) {
      return { ok: true, ...traceOf([start, { kind: 'interrupt', name, path, message, answer }]) } as const;
    }
    const problem = answer !== undefined && { problem: 'Wrong.' };
    const question = { ...QUESTION, ...(schema !== undefined && { schema }), ...problem };
    return { ok: true, ...traceOf([start], { kind: 'waiting', question }) } as const;
  };
  const printing: RunPrinting = {
    ...{ format: 'text', quiet: false, given: [], findFile, place: (value) => value },
    head: { skill: 'judge', file: 'judge.skill.md', sample: undefined, parameters: {}, generated: [] },
  };
  const base = { answers: [], answered: [], compose: { makesUp: true } } as unknown as RunRequest;

  /** Runs with these lines as the user's input, which then ends. */
  async function typed(
    run: ReturnType<typeof runWith>,
    lines: readonly string[],
    {
      request = base,
      isTerminal = true,
      ...more
    }: Partial<RunPrinting> & { request?: RunRequest; isTerminal?: boolean } = {},
  ) {
    const printed: string[] = [];
    const asked: string[] = [];
    const notes: string[] = [];
    const left = [...lines];
    const status = await printRun(
      run,
      request,
      { ...printing, ...more },
      {
        ...outputTo((text) => void printed.push(text), true),
        ...{
          colors: plain,
          progress: NO_PROGRESS,
          isTerminal,
          printError: () => {},
          note: (line) => void notes.push(line),
        },
        ask: async (question) => {
          asked.push(question);
          return left.shift();
        },
        confirm: async () => undefined,
      },
    );
    return { status, text: printed.join(''), asked, notes };
  }

  it('asks for the answer to an interrupt, and prints each event once', async () => {
    const { status, text, asked, notes } = await typed(runWith(true, { type: 'boolean' }), ['yes']);
    assert.deepEqual(asked, ['? before_write at call_tools_2: May I save?\n  Answer (boolean): ']);
    assert.equal(
      text,
      `judge  judge.skill.md

› Save
  ? before_write at call_tools_2: May I save?  answer: true
■ output_schema met: {verdict: "good"}
`,
    );
    assert.deepEqual([status, notes], [0, []]);
  });

  const answers: readonly (readonly [string, Json, Json | undefined])[] = [
    ['no', false, undefined],
    ['{"a": 1}', { a: 1 }, undefined],
    ['n', 'n', { type: 'string' }],
    ['17', '17', { type: 'string' }],
    ['"17"', '17', { type: 'string' }],
    ['17', 17, { type: 'integer' }],
    ['grim', 'grim', { enum: ['grim', 'wry'] }],
  ];
  for (const [line, value, schema] of answers) {
    it(`reads \`${line}\` as ${JSON.stringify(value)} for the schema ${JSON.stringify(schema)}`, async () => {
      assert.equal((await typed(runWith(value, schema), [line])).status, 0);
    });
  }

  it('asks with the path of the composed skill, because parallel skills can have the same interrupt', async () => {
    const run = (path: string) => async () =>
      ({ ok: true, ...traceOf([], { kind: 'waiting', question: { ...QUESTION, path } }) }) as const;
    for (const path of ['left/call_tools', 'right/call_tools']) {
      const { asked, text } = await typed(run(path), []);
      assert.match(asked.join(), new RegExp(`^\\? before_write at ${path}: `));
      assert.match(text, new RegExp(`\\? before_write at ${path} waits for an answer: `));
    }
  });

  it('uses the default for an empty line, and asks again without a default', async () => {
    const preset = await typed(runWith(3, { type: 'integer', default: 3 }), ['']);
    assert.deepEqual([preset.status, preset.asked.length], [0, 1]);
    assert.match(preset.asked[0] ?? '', /Answer \(integer, default: 3\): $/);
    const none = await typed(runWith(3, { type: 'integer' }), [' ', '3']);
    assert.deepEqual([none.status, none.asked.length], [0, 2]);
  });

  it('asks again with the problem of an answer that does not match, also of the answer of a sample', async () => {
    const { status, asked } = await typed(runWith(true), ['no', 'yes']);
    assert.equal(status, 0);
    assert.match(asked[1] ?? '', /May I save\?\n {2}Wrong\.\n {2}Answer/);
    const request = { ...base, answers: [{ name: 'before_write', value: 3 }] };
    const own = await typed(runWith(true), ['yes'], { request });
    assert.deepEqual([own.status, own.asked.length], [0, 1]);
  });

  it('refuses an option whose answer does not match', async () => {
    const request = { ...base, answers: [{ name: 'before_write', value: 3 }] };
    await assert.rejects(typed(runWith(true), [], { request, given: ['before_write'] }), {
      name: 'UserError',
      message: '`--answer before_write`: Wrong.',
    });
  });

  it('shows how to answer at the end of the input, and does not ask without a terminal or as JSON', async () => {
    const ended = await typed(runWith(true, { type: 'boolean' }), []);
    assert.match(
      ended.text,
      /\n› Save\n\? before_write at call_tools_2 waits for an answer: May I save\? {2}judge\.skill\.md:3:14\n$/,
    );
    assert.deepEqual(ended.notes, ['Answer with `--answer before_write=true`, or with the key `answers` of a sample.']);
    assert.equal(ended.status, 1);
    const piped = await typed(runWith(true), ['yes'], { isTerminal: false });
    assert.deepEqual([piped.status, piped.asked], [1, []]);
    const json = await typed(runWith(true), ['yes'], { format: 'json' });
    assert.deepEqual([json.status, json.asked, JSON.parse(json.text).end.kind], [1, [], 'waiting']);
  });

  it('shows an example of an answer that fits the schema', async () => {
    const adviceFor = async (schema: Json) => (await typed(runWith('-', schema), [])).notes.join('');
    assert.match(await adviceFor({ enum: ['the gate', 'b'] }), /`--answer 'before_write="the gate"'`/);
    assert.match(await adviceFor({ type: 'object' }), /`--answer before_write=JSON`/);
    assert.match(await adviceFor({ type: 'integer', default: 4 }), /`--answer before_write=4`/);
  });

  it('prints only the end with `quiet`, and nothing if the exit condition is met', async () => {
    assert.equal((await typed(runWith(true), ['yes'], { quiet: true })).text, '');
    const waiting = await typed(runWith(true), [], { quiet: true });
    assert.match(waiting.text, /^\? before_write at call_tools_2 waits/);
  });
});
