/** `skill/tests` and related requests: the tests of skills in the Testing view of an editor. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type ComposableChangedParams,
  type KeepPromptReply,
  KeepPromptRequest,
  type RunTestsReply,
  RunTestsRequest,
  type TestsReply,
} from '../../server/src/protocol.ts';
import { extended } from '../extended.ts';
import { run } from './cli.ts';
import { type Server, withServer } from './server.ts';
import { ADA, greet, list, PATH, runTests, snapshot } from './tests.ts';
import { until } from './until.ts';

const SAMPLES = 'samples';

const samples = Object.fromEntries(
  readdirSync(SAMPLES, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [[relative(SAMPLES, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]] : [];
  }),
);

const keep = ({ connection, uri }: Server, sample: string) =>
  connection.sendRequest<KeepPromptReply>(KeepPromptRequest.method, { uri: uri(PATH), sample });
const told = ({ results }: RunTestsReply) => results?.map(({ kind, name, status }) => `${kind} ${name}: ${status}`);

test('the editor and the command line run the same tests', extended, async () => {
  type Told = Readonly<Record<'file' | 'kind' | 'name' | 'status', string>> & Record<string, unknown>;
  const { stdout } = await run(SAMPLES, ['test', '--snapshots', '--format', 'json']);
  const { tests } = JSON.parse(stdout) as { readonly tests: readonly Told[] };
  const expected = tests.map(({ skill: _, ...one }) => JSON.stringify(one)).sort();
  assert.ok(expected.length > 0);
  await withServer(samples, async (server) => {
    const found: string[] = [];
    for (const file of Object.keys(samples).filter((path) => path.endsWith('.md') || path.endsWith('.yaml'))) {
      const uri = server.uri(file);
      const reply = await server.connection.sendRequest<RunTestsReply | null>(RunTestsRequest.method, {
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

// Slow, because it composes and runs the samples of all our skills.
test('every sample of the sample workspace has expectations and passes, except the intended mistakes', async () => {
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

test('lists the tests in a file with their lines, and none for a file that is not a skill', async () => {
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

test('runs only the requested tests, with the text in the editor', async () => {
  await withServer({ [PATH]: greet(...ADA) }, async (server) => {
    await server.open(PATH, greet(...ADA, '  eve: {parameters: {guest: Eve}}', '  eve-2: {parameters: {guest: Eve}}'));
    assert.deepEqual(told(await runTests(server, { only: ['eve'] })), ['composes eve: passed']);
    assert.deepEqual(told(await runTests(server, { filter: 'EVE' })), [
      'composes eve: passed',
      'composes eve-2: passed',
    ]);
  });
});

test('returns the source of the prompt text that decided a failed assertion', async () => {
  const expect = "    expect: {prompt: [{type: pattern, not_match: 'warm\\w+'}]}";
  await withServer({ [PATH]: greet(...ADA, expect) }, async (server) => {
    const failed = (await runTests(server)).results?.find(({ status }) => status === 'failed');
    assert.equal(failed?.source?.uri, server.uri(PATH));
    assert.deepEqual(failed?.source?.range.start, { line: 14, character: 18 });
  });
});

test('returns a result for each of several simultaneous runs', async () => {
  await withServer({ [PATH]: greet(...ADA) }, async (server) => {
    const replies = await Promise.all([runTests(server), runTests(server), runTests(server)]);
    for (const reply of replies) assert.deepEqual(told(reply), ['composes ada: passed']);
  });
});

test('returns the reason and no tests for invalid frontmatter', async () => {
  await withServer({ [PATH]: greet('  ada: {') }, async (server) => {
    const reply = await runTests(server);
    assert.deepEqual([told(reply), reply.tests], [['composes all tests: failed'], null]);
    assert.match(reply.results?.[0]?.message ?? '', /^This `\{` is not closed\./);
  });
});

test('fails a test with a misspelt expectation at its key, and lists keys that may contain tests', async () => {
  const expect = '    expect: {prompt: [{type: contains, valu: Ada}]}';
  const text = greet(...ADA, expect).replace('samples:', 'routing: [greet]\nsamples:');
  await withServer({ [PATH]: text }, async (server) => {
    const { results, tests } = await runTests(server);
    assert.deepEqual(
      tests?.map(({ kind, name }) => `${kind} ${name}`),
      ['sample ada', 'routing routing'],
    );
    assert.deepEqual(
      results?.map(({ kind, of, status, message, range }) => [kind, of, status, message, range.start.line]),
      [
        ['composes', 'ada', 'failed', 'Unknown key `valu`. Did you mean `value`?', 10],
        ['routing', 'routing', 'failed', '`routing` must be a map of keys to values, but is a list.', 6],
      ],
    );
    assert.deepEqual(told(await runTests(server, { only: ['ada'] })), ['composes ada: failed']);
  });
});

test('lists and fails an `evals.json` that cannot be read', async () => {
  const path = 'tidy/SKILL.md';
  const text = '---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy.\n';
  await withServer({ [path]: text, 'tidy/evals/evals.json/a.txt': '' }, async (server) => {
    const { results, tests } = await runTests(server, { uri: server.uri(path) });
    assert.deepEqual(
      tests?.map(({ kind, name }) => `${kind} ${name}`),
      ['evals is JSON'],
    );
    assert.deepEqual(
      results?.map(({ status, message }) => [status, message]),
      [['failed', '`evals/evals.json` cannot be read: it is a folder.']],
    );
  });
});

test('saving a prompt returns the sample edit and the file that make the test pass', async () => {
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
    // The range begins at the first different letter.
    assert.deepEqual(red.source?.range.start, { line: 14, character: 19 });
  });
});

test('reports why a prompt cannot be saved', async () => {
  await withServer({ [PATH]: greet('  ada: {parameters: {guest: 3}}') }, async (server) => {
    const problem = async (sample: string) => {
      const reply = await keep(server, sample);
      return 'problem' in reply ? reply.problem : '';
    };
    assert.match(await problem('ada'), /^The sample `ada` has no prompt to save\. .*does not match the contract/);
    assert.match(await problem('eve'), /^Unknown sample `eve`\. Save the values as a sample first\.$/);
  });
});

test('does not read a saved prompt that is a link to another folder', async () => {
  await withServer({ [PATH]: greet(...ADA, snapshot), '__prompts__/other.txt': '' }, async (server) => {
    symlinkSync('/etc/hostname', fileURLToPath(server.uri('__prompts__/greet.ada.txt')));
    const { results } = await runTests(server);
    const told = results?.find(({ kind }) => kind === 'snapshot');
    assert.equal(told?.status, 'failed');
    assert.match(told?.message ?? '', /`.*__prompts__\/greet\.ada\.txt` cannot be read: it is a symbolic link/);
    const kept = await keep(server, 'ada');
    assert.match('problem' in kept ? kept.problem : '', /cannot be read/);
  });
});

test('after a client has run tests, notifies the client of the files that an edit affects', async () => {
  const whole = '---\nname: whole\ndescription: Greets twice.\nversion: 1.0.0\ncomposes: [greet]\n---\n';
  await withServer({ [PATH]: greet(...ADA), 'whole.skill.md': whole }, async (server) => {
    const heard = new Set<string>();
    server.connection.onNotification('skill/composableChanged', ({ uris }: ComposableChangedParams) => {
      for (const uri of uris ?? []) heard.add(uri);
    });
    await runTests(server);
    await server.open(PATH);
    // The affected files are unknown while files are being read.
    let version = 1;
    await until('the skill that composes it', async () => {
      const textDocument = { uri: server.uri(PATH), version: ++version };
      const text = greet(...ADA).replace('warmly', `coldly ${version}`);
      await server.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
      return heard.has(server.uri('whole.skill.md'));
    });
  });
});
