/** `skill/tests` and its like: the tests of skills, as the Testing view of an editor asks for them. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type ComposableChangedParams,
  type KeepPromptReply,
  KeepPromptRequest,
  KeepRoutingCaseRequest,
  type ModelRunsReply,
  ModelRunsRequest,
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type TestsReply,
  TestsRequest,
} from '../../server/src/protocol.ts';
import { run } from './cli.ts';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const SAMPLES = 'samples';

const samples = Object.fromEntries(
  readdirSync(SAMPLES, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [[relative(SAMPLES, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]] : [];
  }),
);

const greet = (...lines: readonly string[]): string =>
  [
    ...['---', 'name: greet', 'description: Greets a guest.', 'version: 1.0.0'],
    ...['input_schema: {guest: string}', 'framing: greeting', 'samples:', ...lines, '---', ''],
    ...['## PromptTemplate: greeting', '', 'Greet {{ guest }} warmly.', ''],
  ].join('\n');

const PATH = 'greet.skill.md';
const ADA = ['  ada:', '    parameters: {guest: Ada}'];
const snapshot = '    expect: {snapshot: true}';

const list = ({ connection, uri }: Server, path = PATH) =>
  connection.sendRequest<TestsReply | null>(TestsRequest, { uri: uri(path) });
const runTests = ({ connection, uri }: Server, params: Partial<RunTestsParams> = {}) =>
  connection.sendRequest<RunTestsReply>(RunTestsRequest, { uri: uri(PATH), ...params });
const keep = ({ connection, uri }: Server, sample: string) =>
  connection.sendRequest<KeepPromptReply>(KeepPromptRequest, { uri: uri(PATH), sample });
const told = ({ results }: RunTestsReply) => results?.map(({ kind, name, status }) => `${kind} ${name}: ${status}`);

test('the tests of the editor are those of `test` on the command line', async () => {
  type Told = Readonly<Record<'file' | 'kind' | 'name' | 'status', string>> & Record<string, unknown>;
  const { stdout } = await run(SAMPLES, ['test', '--snapshots', '--format', 'json']);
  const { tests } = JSON.parse(stdout) as { readonly tests: readonly Told[] };
  const expected = tests.map(({ skill: _, ...one }) => JSON.stringify(one)).sort();
  assert.ok(expected.length > 0);
  await withServer(samples, async (server) => {
    const found: string[] = [];
    for (const file of Object.keys(samples).filter((path) => path.endsWith('.md') || path.endsWith('.yaml'))) {
      const uri = server.uri(file);
      const reply = await server.connection.sendRequest<RunTestsReply | null>(RunTestsRequest, {
        uri,
        snapshots: true,
      });
      for (const { kind, name, status, message = null, expected = null, actual = null, range } of reply?.results ??
        []) {
        found.push(JSON.stringify({ file, kind, name, status, message, expected, actual, range }));
      }
    }
    assert.deepEqual(found.sort(), expected);
  });
});

test('every sample of the sample workspace expects something and passes, but for the mistakes', async () => {
  interface Told extends Readonly<Record<'file' | 'kind' | 'name' | 'status', string>> {}
  const { status, stdout } = await run(SAMPLES, ['test', '--format', 'json']);
  assert.equal(status, 1);
  const { tests } = JSON.parse(stdout) as { readonly tests: readonly Told[] };
  const [mistaken, sound] = [true, false].map((is) => tests.filter(({ file }) => file.startsWith('mistakes/') === is));
  const isExpected = ({ file, name }: Told): boolean =>
    tests.some((one) => one.file === file && one.kind !== 'composes' && `${one.name} › `.startsWith(`${name} › `));
  const composed = (sound ?? []).filter(({ kind }) => kind === 'composes');
  assert.ok(composed.length > 20);
  assert.deepEqual(
    composed.filter((one) => !isExpected(one)).map(({ file, name }) => `${file}: ${name}`),
    [],
  );
  assert.deepEqual(
    sound
      ?.filter(({ status }) => status === 'failed' || status === 'warned')
      .map(({ file, name }) => `${file}: ${name}`),
    [],
  );
  assert.deepEqual(
    mistaken
      ?.filter(({ file, status }) => file.endsWith('failing-test.skill.md') && status === 'failed')
      .map(({ kind }) => kind),
    ['prompt', 'snapshot'],
  );
});

test('the tests of a file are listed at their lines, and none of what is no skill', async () => {
  await withServer({ [PATH]: greet(...ADA), 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    const { name, range, tests } = (await list(server)) as TestsReply;
    assert.deepEqual([name, range.start], ['greet', { line: 1, character: 6 }]);
    assert.deepEqual(
      tests?.map(({ kind, name, range }) => [kind, name, range.start]),
      [['sample', 'ada', { line: 7, character: 2 }]],
    );
    assert.equal(await list(server, 'skills.config.yaml'), null);
    assert.equal(await list(server, 'missing.skill.md'), null);
  });
});

test('a run is of the text in the editor, and of those tests alone that are asked for', async () => {
  await withServer({ [PATH]: greet(...ADA) }, async (server) => {
    await server.open(PATH, greet(...ADA, '  eve: {parameters: {guest: Eve}}', '  eve-2: {parameters: {guest: Eve}}'));
    assert.deepEqual(told(await runTests(server, { only: ['eve'] })), ['composes eve: passed']);
    assert.deepEqual(told(await runTests(server, { filter: 'EVE' })), [
      'composes eve: passed',
      'composes eve-2: passed',
    ]);
  });
});

test('a failed assertion leads to the source of the prompt that decided', async () => {
  const expect = "    expect: {prompt: [{type: pattern, not_match: 'warm\\w+'}]}";
  await withServer({ [PATH]: greet(...ADA, expect) }, async (server) => {
    const failed = (await runTests(server)).results?.find(({ status }) => status === 'failed');
    assert.equal(failed?.source?.uri, server.uri(PATH));
    assert.deepEqual(failed?.source?.range.start, { line: 14, character: 18 });
  });
});

test('runs that come at once have each a result', async () => {
  await withServer({ [PATH]: greet(...ADA) }, async (server) => {
    const replies = await Promise.all([runTests(server), runTests(server), runTests(server)]);
    for (const reply of replies) assert.deepEqual(told(reply), ['composes ada: passed']);
  });
});

test('frontmatter that does not parse has no results, and tells nothing of its tests', async () => {
  await withServer({ [PATH]: greet('  ada: {') }, async (server) => {
    const { results, tests } = await runTests(server);
    assert.deepEqual([results, tests], [null, null]);
  });
});

test('keeping a prompt gives the edit of the sample and the file, with which the test passes', async () => {
  await withServer({ [PATH]: greet(...ADA) }, async (server) => {
    const kept = await keep(server, 'ada');
    assert.ok('edits' in kept && kept.kept);
    assert.deepEqual(
      kept.edits.map(({ newText }) => newText.trim()),
      ['expect: {snapshot: true}'],
    );
    assert.equal(kept.kept.uri, server.uri('__prompts__/greet.ada.txt'));
    assert.match(kept.kept.text, /^Greet Ada warmly\.\n/);
    await server.open(PATH, greet(...ADA, snapshot));
    assert.deepEqual(told(await runTests(server)), ['composes ada: passed', 'snapshot ada: failed']);
    const file = fileURLToPath(kept.kept.uri);
    mkdirSync(dirname(file));
    writeFileSync(file, kept.kept.text);
    assert.deepEqual(told(await runTests(server)), ['composes ada: passed', 'snapshot ada: passed']);
    assert.deepEqual(await keep(server, 'ada'), { version: 1, edits: [], kept: null });
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: server.uri(PATH), version: 2 },
      contentChanges: [{ text: greet(...ADA, snapshot).replace('warmly', 'wildly') }],
    });
    const red = (await runTests(server)).results?.find(({ kind }) => kind === 'snapshot');
    assert.equal(red?.status, 'failed');
    // From the first letter that is another one.
    assert.deepEqual(red.source?.range.start, { line: 14, character: 19 });
  });
});

test('what gives no prompt cannot be kept, and is told why', async () => {
  await withServer({ [PATH]: greet('  ada: {parameters: {guest: 3}}') }, async (server) => {
    const problem = async (sample: string) => {
      const reply = await keep(server, sample);
      return 'problem' in reply ? reply.problem : '';
    };
    assert.match(await problem('ada'), /^The sample `ada` gives no prompt that could be kept\. .*guest/);
    assert.match(await problem('eve'), /^There is no sample `eve` .*: keep the values as a sample first\.$/);
  });
});

test('a kept prompt that is a link out of the folder is not read', async () => {
  await withServer({ [PATH]: greet(...ADA, snapshot), '__prompts__/other.txt': '' }, async (server) => {
    symlinkSync('/etc/hostname', fileURLToPath(server.uri('__prompts__/greet.ada.txt')));
    const { results } = await runTests(server);
    const told = results?.find(({ kind }) => kind === 'snapshot');
    assert.equal(told?.status, 'failed');
    assert.match(told?.message ?? '', /`.*__prompts__\/greet\.ada\.txt` cannot be read\./);
    const kept = await keep(server, 'ada');
    assert.match('problem' in kept ? kept.problem : '', /cannot be read/);
  });
});

test('who has run tests hears which files an edit concerns', async () => {
  const whole = '---\nname: whole\ndescription: Greets twice.\nversion: 1.0.0\ncomposes: [greet]\n---\n';
  await withServer({ [PATH]: greet(...ADA), 'whole.skill.md': whole }, async (server) => {
    const heard = new Set<string>();
    server.connection.onNotification('skill/composableChanged', ({ uris }: ComposableChangedParams) => {
      for (const uri of uris ?? []) heard.add(uri);
    });
    await runTests(server);
    await server.open(PATH, greet(...ADA).replace('warmly', 'coldly'));
    await until('the skill that composes it', () => heard.has(server.uri('whole.skill.md')));
  });
});

const keepCase = ({ connection, uri }: Server, path: string, request: string, should = true) =>
  connection.sendRequest<KeepPromptReply>(KeepRoutingCaseRequest, { uri: uri(path), request, should });

test('a request is kept as a routing case by an edit of the skill, or as an eval of a SKILL.md', async () => {
  const tidy = '---\nname: tidy\ndescription: Tidies notes.\n---\n';
  const evals = '[{"query": "tidy up", "should_trigger": true}]';
  const files = { [PATH]: greet(...ADA), 'tidy/SKILL.md': tidy, 'tidy/evals/asked.json': evals };
  await withServer(files, async (server) => {
    await server.connection.sendRequest(TestsRequest, { uri: server.uri(PATH) });
    const kept = await keepCase(server, PATH, '  welcome\nthe guest ');
    assert.ok('edits' in kept && kept.kept === null);
    assert.match(kept.edits.map(({ newText }) => newText).join(), /should:\n +- welcome the guest/);
    assert.deepEqual(await keepCase(server, 'tidy/SKILL.md', 'sort my notes', false), {
      version: null,
      edits: [],
      kept: {
        uri: server.uri('tidy/evals/asked.json'),
        text: '[{"query": "tidy up", "should_trigger": true}, {"query": "sort my notes", "should_trigger": false}]',
      },
    });
  });
});

test('what cannot be kept as a routing case is told', async () => {
  await withServer({ [PATH]: greet(...ADA), 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    await server.connection.sendRequest(TestsRequest, { uri: server.uri(PATH) });
    const problem = async (path: string, request: string): Promise<string> => {
      const reply = await keepCase(server, path, request);
      return 'problem' in reply ? reply.problem : 'none';
    };
    assert.match(await problem(PATH, ' \n '), /empty request/);
    assert.match(await problem(PATH, 'x'.repeat(100_000)), /at most 300 characters/);
    assert.match(await problem('skills.config.yaml', 'plan'), /no skill/);
    assert.match(await problem('gone.skill.md', 'plan'), /no skill/);
  });
});

/** Of two skills, so that a request can lead to the other one. */
const WRITE = '---\nname: write-letter\ndescription: Writes a letter to a guest.\nversion: 1.0.0\n---\n';

test('a routing case is a test of its own, and names who won and the words that decided', async () => {
  const routing = 'routing: {should: [write a letter to Ada], should_not: []}';
  const text = greet(...ADA).replace('samples:', `${routing}\nsamples:`);
  await withServer({ [PATH]: text, 'write-letter.skill.md': WRITE }, async (server) => {
    const { tests } = (await list(server)) as TestsReply;
    const [, routed] = tests ?? [];
    assert.deepEqual(
      [routed?.kind, routed?.name, routed?.range.start],
      ['routing', 'should: write a letter to Ada', { line: 6, character: 19 }],
    );
    const { results } = await runTests(server, { only: ['should: write a letter to Ada'] });
    assert.deepEqual(
      results?.map(({ kind, of, status }) => [kind, of, status]),
      [['routing', 'should: write a letter to Ada', 'failed']],
    );
    assert.match(results?.[0]?.message ?? '', /`write-letter` is chosen by the words .*“letter”/);
  });
});

test('evals beside a `SKILL.md` are tests at their places in their own file', async () => {
  const evals = { evals: [{ id: 7, prompt: 'Greet.', files: ['gone.txt'], assertions: ['Is polite'] }] };
  const triggers = '[{"query": "write a letter", "should_trigger": true}]';
  const files = {
    'greet/SKILL.md': '---\nname: greet\ndescription: Greets a guest.\n---\nGreet.\n',
    'greet/evals/evals.json': JSON.stringify(evals, undefined, 1),
    'greet/evals/triggers.json': triggers,
    'write-letter.skill.md': WRITE,
  };
  await withServer(files, async (server) => {
    const uri = server.uri('greet/SKILL.md');
    const { tests } = (await list(server, 'greet/SKILL.md')) as TestsReply;
    assert.deepEqual(
      tests?.map(({ kind, name, uri, range, semantic }) => [kind, name, uri, range.start.line, semantic.length]),
      [
        ['evals', 'case 7', server.uri('greet/evals/evals.json'), 3, 1],
        ['routing', 'should: write a letter', server.uri('greet/evals/triggers.json'), 0, 0],
      ],
    );
    const { results } = await runTests(server, { uri });
    assert.deepEqual(
      results?.map(({ kind, name, status, uri, range }) => [kind, name, status, uri, range.start.line]),
      [
        ['evals', 'case 7', 'passed', server.uri('greet/evals/evals.json'), 3],
        ['evals', 'case 7 › Is polite', 'skipped', server.uri('greet/evals/evals.json'), 9],
        ['evals', 'case 7 › gone.txt', 'failed', server.uri('greet/evals/evals.json'), 6],
        ['routing', 'should: write a letter', 'failed', server.uri('greet/evals/triggers.json'), 0],
      ],
    );
    const one = await runTests(server, { uri, only: ['should: write a letter'] });
    assert.deepEqual(
      one.results?.map(({ kind }) => kind),
      ['routing'],
    );
  });
});

const reader = `---
name: read-gate
description: Reads a page.
version: 1.0.0
input_schema: {page: string}
output_schema: {held: boolean}
framing: reading
tools: [read_page, save_draft]
samples:
  north:
    parameters: {page: north}
    expect:
      prompt: [{type: semantic, prompt: Is it polite?, severity: soft}]
      output: [{type: contains, value: held}, {type: semantic, prompt: Did it hold?, expected: true}]
    stubs: {read_page: {returns: {text: The gate held.}}}
  wrong: {parameters: {page: 3}, expect: {fails: ParameterMismatch}}
  bad: {parameters: {page: 4}}
---

## PromptTemplate: reading

Read {{ page }}.
`;
const catalog = `tools:
  - {name: read_page, description: Reads a page., input_schema: {page: string}, operation: READ, scope: "read:pages"}
  - {name: save_draft, description: Saves., operation: WRITE, scope: "write:drafts"}
`;

test('what a model is asked is the prompt, with the tools of the composition and the stubs of the sample', async () => {
  await withServer({ [PATH]: reader, 'skills.config.yaml': catalog }, async (server) => {
    const ask = (only?: readonly string[]) =>
      server.connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest, { uri: server.uri(PATH), only });
    const { runs = [], questions } = (await ask()) ?? {};
    const [run] = runs;
    assert.deepEqual([runs.map(({ sample }) => sample), questions], [['north'], 2]);
    assert.match(run?.prompt ?? '', /^Read north\./);
    assert.deepEqual(
      run?.tools.map(({ name, description, stub }) => [name, description, stub]),
      [
        ['read_page', 'Reads a page.', { returns: { text: 'The gate held.' } }],
        ['save_draft', 'Saves.', null],
      ],
    );
    assert.deepEqual(run?.tools[0]?.inputSchema, {
      type: 'object',
      properties: { page: { type: 'string' } },
      required: ['page'],
    });
    assert.deepEqual((await ask(['bad']))?.runs, []);
    assert.equal(
      await server.connection.sendRequest(ModelRunsRequest, { uri: server.uri('skills.config.yaml') }),
      null,
    );
  });
});

test('what a model gives is held against schema and assertions, and what it answers decides semantic ones', async () => {
  await withServer({ [PATH]: reader, 'skills.config.yaml': catalog }, async (server) => {
    const judge = async (params: Partial<RunTestsParams>) => {
      const { results, outputs } = await runTests(server, { only: ['north'], ...params });
      const of = (status: string) => results?.filter((one) => one.status === status).map(({ name }) => name);
      return {
        results,
        outputs,
        failed: of('failed'),
        skipped: of('skipped'),
        passed: of('passed'),
        warned: of('warned'),
      };
    };
    const bad = await judge({ given: [{ sample: 'north', output: '{"held": "yes"}' }] });
    assert.deepEqual(bad.failed, ['north › output schema']);
    assert.deepEqual(bad.skipped, ['north › Is it polite?', 'north › Did it hold?']);
    const question = bad.results?.find(({ name }) => name === 'north › Did it hold?')?.question?.text ?? '';
    assert.match(question, /Did it hold\?\nThe right answer: true[\s\S]*\{"held": "yes"\}/);
    assert.deepEqual(bad.outputs, [
      {
        uri: server.uri('__outputs__/read-gate.north.json'),
        other: server.uri('__outputs__/read-gate.north.txt'),
        text: '{"held": "yes"}',
      },
    ]);
    const good = await judge({
      given: [{ sample: 'north', output: '{"held": true}' }],
      answers: [
        { name: 'north › Did it hold?', answer: 'HOLDS: It did.' },
        { name: 'north › Is it polite?', answer: 'FAILS. It is curt.' },
      ],
    });
    assert.deepEqual([good.failed, good.skipped, good.warned], [[], [], ['north › Is it polite?']]);
    assert.ok(good.passed?.includes('north › Did it hold?'));
    const none = await judge({ given: [{ sample: 'north', problem: 'The model called its tools without an end.' }] });
    assert.deepEqual(none.failed, ['north']);
    assert.equal(
      none.results?.find(({ status }) => status === 'failed')?.message,
      'The model called its tools without an end.',
    );
    assert.deepEqual((await judge({})).outputs, []);
  });
});
