/** The part of a sample that affects its run, as the request for the run. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ComposeRequest } from '../../../server/src/composer/composition.ts';
import type { RunRequest } from '../../../server/src/protocol.ts';
import { DEFAULT_MAX_STEPS, type RunOptions, runRequestOf } from '../../../server/src/services/testing/run-request.ts';
import { skill, wholeText } from '../rules/findings.ts';

const URI = 'file:///w/a.skill.md';
const COMPOSE = {} as ComposeRequest;

/** `lines` are the lines of the sample `dusk`, and `kept` the files in `__outputs__` by name. */
async function requestOf(
  lines: readonly string[],
  kept: Readonly<Record<string, string>> = {},
  options?: RunOptions,
): Promise<RunRequest> {
  const text = skill(...wholeText, 'samples:', '  dusk:', ...lines.map((line) => `    ${line}`));
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text });
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  const read = async (uri: string): Promise<string | undefined> => kept[uri.replace('file:///w/__outputs__/', '')];
  return runRequestOf(workspace.analysis, file, 'dusk', COMPOSE, read, options);
}

test('reads stubs and answers, each name once, in the order of the file', async () => {
  const { stubs, answers } = await requestOf([
    'stubs:',
    '  read_page: {returns: {text: The gate held.}}',
    '  __proto__: {fails: TIMEOUT, times: 2, returns: null}',
    '  search: {fails: TIMEOUT}',
    '  read_page: {returns: 2}',
    'answers: {before_write: false, constructor: {place: gate}}',
  ]);
  assert.deepEqual(stubs, [
    { name: 'read_page', returns: { text: 'The gate held.' } },
    { name: '__proto__', returns: null, fails: 'TIMEOUT', times: 2 },
    { name: 'search', fails: 'TIMEOUT' },
  ]);
  assert.deepEqual(answers, [
    { name: 'before_write', value: false },
    { name: 'constructor', value: { place: 'gate' } },
  ]);
});

test('ignores values that the format does not allow', async () => {
  const { stubs, answers } = await requestOf([
    'stubs: {a: 1, b: {times: 2}, c: {fails: X, times: 0}, d: {fails: X, times: 1.5}, e: {fails: []}}',
    'answers: [before_write]',
  ]);
  assert.deepEqual(stubs, [{ name: 'b' }, { name: 'c', fails: 'X' }, { name: 'd', fails: 'X' }, { name: 'e' }]);
  assert.deepEqual(answers, []);
});

test('has defaults, and replaces stubs and answers with those of the options', async () => {
  assert.deepEqual(await requestOf(['request: hello']), {
    ...{ compose: COMPOSE, expected: [], stubs: [], answers: [], answered: [], patches: [] },
    ...{ maxSteps: DEFAULT_MAX_STEPS, detailed: false },
  });
  const lines = ['stubs: {a: {returns: 1}, b: {returns: 2}}', 'answers: {x: 1}'];
  const options = { stubs: [{ name: 'a', returns: 3 }], answers: [{ name: 'x', value: 2 }], answered: [true] };
  const { stubs, answers, answered } = await requestOf(lines, {}, options);
  assert.deepEqual(stubs, [
    { name: 'b', returns: 2 },
    { name: 'a', returns: 3 },
  ]);
  assert.deepEqual([answers, answered], [[{ name: 'x', value: 2 }], [true]]);
});

test('passes the assertions of the sample on the output', async () => {
  const { expected } = await requestOf(['expect: {output: [{type: contains, value: gate}]}']);
  assert.deepEqual(
    expected.map(({ assertion }) => assertion),
    [{ type: 'contains', value: 'gate' }],
  );
});

test('parses a recorded output that is JSON, and uses another one as text', async () => {
  const recorded = async (kept: Readonly<Record<string, string>>) => (await requestOf([], kept)).recorded;
  const text = '\uFEFF{"page": "gate"}\n';
  assert.deepEqual(await recorded({ 'a.dusk.json': text }), { value: { page: 'gate' }, text });
  assert.deepEqual(await recorded({ 'a.dusk.txt': '{"page"}\n' }), { value: '{"page"}\n', text: '{"page"}\n' });
  assert.equal(await recorded({}), undefined);
});

test('refuses two recorded outputs, and a JSON file that is not JSON', async () => {
  const two = { 'a.dusk.json': '{}', 'a.dusk.txt': '' };
  await assert.rejects(requestOf([], two), /two recorded outputs, `.json` and `.txt`. Delete one of the files\./);
  await assert.rejects(
    requestOf([], { 'a.dusk.json': '{' }),
    /is not valid JSON. Fix it, or rename the file to `.txt`/,
  );
});
