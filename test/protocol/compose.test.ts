/** The preview's requests. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type {
  ComposeParams,
  ComposeReply,
  SamplesReply,
  SaveSampleReply,
  ShownRun,
} from '../../server/src/protocol.ts';
import { change, compose, files, PATH, promptOf, skill } from './draft-scene.ts';
import { withServer } from './server.ts';

test('composes the text of the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH);
    const reply = await compose(server);
    assert.match(promptOf(reply), /^Draft a scene at the pass\./);
    assert.deepEqual(
      [reply?.version, reply?.name, reply?.skillVersion, reply?.toolsKnown],
      [1, 'draft-scene', '1.2.0', false],
    );
    assert.deepEqual(reply?.invocation, { request: 'Draft it', parameters: { place: 'the pass' }, source: 'explicit' });
    await change(server, 2, skill('Tell of {{ place }}.'));
    const next = await compose(server, { invocation: { parameters: { place: 'the sea' } } });
    assert.match(promptOf(next), /^Tell of the sea\./);
    assert.equal(next?.version, 2);
  });
});

test('uses the name of the folder if the name of a skill cannot be read', async () => {
  const path = '.claude/skills/tidy-notes/SKILL.md';
  await withServer({ [path]: '---\nname: [tidy\ndescription: "Tidies' }, async (server) => {
    await server.open(path);
    const reply = await compose(server, { uri: server.uri(path) });
    assert.equal(reply?.name, 'tidy-notes');
  });
});

test('tests what a sample expects of the prompt, but not with other values', async () => {
  const path = 'skills/greet.skill.md';
  const expecting = (expect: string) =>
    `---\nname: greet\ndescription: Greets.\nversion: 1.0.0\ninput_schema: {name: string}\nsamples:\n  ada: {parameters: {name: Ada}, expect: ${expect}}\n---\n\nGreet {{ name }}.\n`;
  await withServer({ [path]: expecting('{prompt: [{type: contains, value: Bob}]}') }, async (server) => {
    const open = async (version: number, expect: string) => {
      const document = { uri: server.uri(path), version };
      await server.connection.sendNotification('textDocument/didChange', {
        textDocument: document,
        contentChanges: [{ text: expecting(expect) }],
      });
    };
    const expected = async (params: Partial<ComposeParams> = {}) =>
      (await compose(server, { uri: server.uri(path), sample: 'ada', ...params }))?.expected;
    await server.open(path);
    const [failed, ...others] = (await expected())?.failed ?? [];
    assert.match(failed?.message ?? '', /^Test `ada › contains Bob` fails\. /);
    assert.deepEqual([failed?.isSoft, failed?.range.start.line, others], [false, 6, []]);
    assert.equal(await expected({ invocation: { parameters: { name: 'Bob' } } }), undefined);
    await open(2, '{prompt: [{type: contains, value: Ada}]}');
    assert.deepEqual(await expected(), { failed: [], isPartial: false });
    await open(3, '{output: [{type: contains, value: Ada}]}');
    assert.deepEqual(await expected(), { failed: [], isPartial: true });
    await open(4, '{prompt: [{type: contains, value: Bob, severity: soft}], tokens: {max: 1}}');
    assert.deepEqual(
      (await expected())?.failed.map(({ isSoft }) => isSoft),
      [false, true],
    );
    await open(5, '{snapshot: true}');
    assert.match((await expected())?.failed[0]?.message ?? '', /does not exist/);
  });
});

test('generates no value for an optional parameter that is left out', async () => {
  const path = 'skills/greet.skill.yaml';
  const text =
    'name: greet\ndescription: Greets.\nversion: 1.0.0\ninput_schema: {name: string, mood: string?}\noutput_schema: {text: string}\n';
  await withServer({ [path]: text }, async (server) => {
    await server.open(path);
    const names = async (omitted: readonly string[]) => {
      const params: ComposeParams = { uri: server.uri(path), omitted };
      const reply: ComposeReply | null = await server.connection.sendRequest('skill/compose', params);
      return [Object.keys(reply?.invocation.parameters ?? {}), reply?.madeUp];
    };
    assert.deepEqual(await names([]), [
      ['name', 'mood'],
      ['name', 'mood'],
    ]);
    assert.deepEqual(await names(['mood']), [['name'], ['name']]);
  });
});

test('composes with the memory of a sample, and of an invocation', async () => {
  const path = 'skills/remember.skill.md';
  const text =
    '---\nname: remember\ndescription: Says what it remembers.\nversion: 1.0.0\ninput_schema: {}\nframing: main\n' +
    'samples: {rain: {memory: [{id: m, tier: canon, text: It rains.}]}}\n---\n\n' +
    '## PromptTemplate: main\n\n{% for one in memory %}{{ one.id }}: {{ one.text }}{% endfor %}\n';
  await withServer({ [path]: text }, async (server) => {
    await server.open(path);
    const promptFor = async (params: Partial<ComposeParams>) =>
      promptOf(await compose(server, { uri: server.uri(path), ...params }));
    assert.equal(await promptFor({ sample: 'rain' }), 'm: It rains.');
    const memory = [{ id: 'n', tier: 'canon', text: 'It snows.' }];
    assert.equal(await promptFor({ sample: 'rain', invocation: { memory } }), 'n: It snows.');
    assert.equal(await promptFor({ invocation: { memory } }), 'n: It snows.');
  });
});

test('locations are ranges in the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH, skill('🐉 龙 {{ place | nope }}.'));
    const reply = await compose(server);
    assert.ok(reply && !reply.result.ok);
    const [error] = reply.result.errors;
    assert.deepEqual(error?.range, { start: { line: 12, character: 16 }, end: { line: 12, character: 20 } });
    assert.equal('span' in (error ?? {}), false);
  });
});

test('the invocation record contains the thread, even after a failure', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH);
    const threadOf = async (text: string) => {
      const reply = await compose(server, { text, invocation: { thread_id: 't-3' } });
      const result = reply?.result;
      const record = result?.ok ? result.composition.invocationRecord : result?.invocationRecord;
      return [record?.threadId, record?.error];
    };
    assert.deepEqual(await threadOf(skill('Tell of {{ place }}.')), ['t-3', null]);
    assert.deepEqual(await threadOf(skill('Tell of {{ place | nope }}.')), ['t-3', 'MalformedTemplate']);
  });
});

test('the newest request with a key replaces older requests', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH);
    const replies = [];
    for (let version = 2; version < 12; version++) {
      await change(server, version, skill(`Draft number ${version}.`));
      replies.push(compose(server, { key: 'panel' }));
    }
    const other = compose(server, { key: 'another' });
    const answered = await Promise.all(replies);
    assert.match(promptOf(answered.at(-1) ?? null), /^Draft number 11\./);
    assert.ok(answered.slice(0, -1).some((reply: unknown) => reply === 'superseded'));
    assert.match(promptOf(await other), /^Draft number 11\./);
  });
});

test('returns nothing for a file that is not a skill', async () => {
  await withServer({ ...files, 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    assert.equal(await compose(server, { uri: server.uri('skills.config.yaml') }), null);
    assert.equal(await compose(server, { uri: server.uri('nowhere.skill.md') }), null);
  });
});

test('returns samples, examples and the values of an invocation', async () => {
  const example = '\n## Example: calm\n\n### Input\n\n```yaml\nplace: the bay\n```\n\n### Output\n\nIt is calm.\n';
  const text = skill('Draft {{ place }}.', 'model_preference: [large, small]') + example;
  const catalog = 'models: [tiny, large]\nprofiles:\n  - {name: reader, tools: []}\n';
  await withServer({ [PATH]: text, 'skills.config.yaml': catalog }, async ({ connection, uri, open }) => {
    await open(PATH);
    const reply = (await connection.sendRequest('skill/samples', { uri: uri(PATH) })) as SamplesReply;
    assert.deepEqual(reply.samples, [
      {
        name: 'storm',
        range: { start: { line: 7, character: 2 }, end: { line: 7, character: 7 } },
        invocation: { request: 'Draft it', parameters: { place: 'the pass' } },
      },
    ]);
    assert.deepEqual(
      reply.examples.map(({ name, invocation }) => [name, invocation]),
      [['calm', { parameters: { place: 'the bay' } }]],
    );
    assert.deepEqual([reply.profiles, reply.models], [['reader'], ['tiny', 'large', 'small']]);
    assert.deepEqual(Object.keys((reply.schema as { properties: object }).properties), ['place', 'tone']);
  });
});

test('returns an edit to the buffer that saves a sample', async () => {
  await withServer(files, async ({ connection, uri, open }) => {
    await open(PATH);
    const params = { uri: uri(PATH), name: 'calm', invocation: { request: 'Draft it' } };
    const reply = (await connection.sendRequest('skill/saveSample', params)) as SaveSampleReply;
    assert.deepEqual(reply, {
      version: 1,
      edits: [
        {
          range: { start: { line: 7, character: 0 }, end: { line: 7, character: 0 } },
          newText: '  calm: {request: Draft it}\n',
        },
      ],
    });
  });
});

test('reports an endless template as an error, and composes the next template', async () => {
  const endless: Readonly<Record<string, string>> = {
    loops: '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
    doubling: '{% set n = namespace(t="ab") %}{% for i in range(90) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t }}',
    panic: '{% import place as x %}{% import x as 1 %}',
  };
  await withServer(files, async (server) => {
    await server.open(PATH);
    for (const [what, template] of Object.entries(endless)) {
      const reply = await compose(server, { text: skill(template) });
      assert.ok(reply && !reply.result.ok, what);
      assert.equal(reply.result.errors[0]?.kind, 'MalformedTemplate');
      assert.match(promptOf(await compose(server)), /^Draft a scene at the pass\./);
    }
  });
});

test('runs a sample with its stubs and recorded output, and with the answers of the user', async () => {
  const path = 'skills/test.skill.md';
  const head =
    'name: test\ndescription: Tests.\nversion: 1.0.0\ninput_schema: {n: integer}\noutput_schema: {text: string}\n';
  const sample =
    'samples: {one: {parameters: {n: 1}, stubs: {read: {returns: {uri: "file:///x", span: {start: 0, end: 1}}}}}}\n';
  const text = `---\n${head}tools: [read]\ninterrupts: [before_exit]\n${sample}---\n\nDo it.\n`;
  await withServer({ [path]: text, 'skills/__outputs__/test.one.json': '{"text": "recorded"}' }, async (server) => {
    await server.open(path);
    const runWith = (params: object) =>
      server.connection.sendRequest<ShownRun | null>('skill/run', { uri: server.uri(path), sample: 'one', ...params });
    const waiting = await runWith({ answered: [] });
    assert.ok(waiting?.end.kind === 'waiting');
    assert.deepEqual([waiting.end.question.name, waiting.end.question.path], ['before_exit', 'check_exit']);
    const result = waiting.events.find(({ kind }) => kind === 'result');
    assert.ok(result?.kind === 'result');
    assert.deepEqual([result.value, result.from], ['{uri: "file:///x", span: {start: 0, end: 1}}', 'stub']);
    assert.deepEqual((await runWith({ answered: [true] }))?.end, { kind: 'met', output: '{text: "recorded"}' });
    assert.deepEqual((await runWith({ answered: [false] }))?.end.kind, 'failed');
    const wrong = await runWith({ answered: [], invocation: { parameters: { n: 'x' } } });
    assert.match(wrong?.end.kind === 'failed' ? wrong.end.message : '', /`n`/);
    assert.equal(
      await server.connection.sendRequest('skill/run', { uri: server.uri('other.skill.md'), answered: [] }),
      null,
    );
    await assert.rejects(runWith({ answered: 5 }));
  });
});
