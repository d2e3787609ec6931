/** A finding at the word that is being typed is delayed until typing pauses. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { utf8 } from '../../../server/src/features/locate.ts';
import type { SessionOptions } from '../../../server/src/services/session/options.ts';
import { type FakeSession, settled, skill, uriOf } from './fake-session.ts';

const FILE = 'a.skill.md';

/** The longest delay of a finding. */
const REST = 500;

const TEXT = skill('a', 'tools: []\neffects: [Nope]\n');

async function opened(options: Partial<SessionOptions> = {}, text = TEXT): Promise<FakeSession & { at: Cursor }> {
  const made = await settled(
    { 'skills.config.yaml': 'tools: [{name: read_page, operation: READ}]\n', [FILE]: text },
    options,
  );
  made.open(FILE);
  await made.clock.pass(REST);
  made.published.length = 0;
  return Object.assign(made, { at: { line: 5, character: 'tools: ['.length } });
}

interface Cursor {
  line: number;
  character: number;
}

/** Types the letters one by one, `pause` milliseconds apart. */
async function type(made: FakeSession & { at: Cursor }, letters: string, pause = 50): Promise<void> {
  for (const text of letters) {
    const version = (made.session.version(uriOf(FILE)) ?? 0) + 1;
    const range = { start: { ...made.at }, end: { ...made.at } };
    made.session.receive({ kind: 'change', uri: uriOf(FILE), version, changes: [{ text, range }] });
    made.at.character += text.length;
    await made.clock.pass(pause);
  }
}

async function erase(made: FakeSession & { at: Cursor }, count: number): Promise<void> {
  const version = (made.session.version(uriOf(FILE)) ?? 0) + 1;
  const start = { ...made.at, character: made.at.character - count };
  made.session.receive({
    kind: 'change',
    uri: uriOf(FILE),
    version,
    changes: [{ text: '', range: { start, end: { ...made.at } } }],
  });
  made.at.character -= count;
  await made.clock.pass(0);
}

const rulesIn = (made: FakeSession): readonly string[] => made.published.map((one) => one.replace(`${FILE}: `, ''));

test('reports a wrong name only after a pause in typing', async () => {
  const made = await opened();
  await type(made, 'reed_page');
  assert.deepEqual([...new Set(rulesIn(made))], ['unknown-effect']);
  await made.clock.pass(REST);
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-effect');
});

test('never reports the beginning of a correct name', async () => {
  const made = await opened();
  await type(made, 'read_page');
  await made.clock.pass(10 * REST);
  assert.deepEqual([...new Set(rulesIn(made))], ['unknown-effect']);
});

test('keeps a finding while its word is edited, and removes the finding when the word is correct', async () => {
  const made = await opened({}, TEXT.replace('[]', '[read_pag]'));
  made.at.character += 'read_pag'.length;
  await type(made, 'x', 0);
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-effect');
  await erase(made, 1);
  await type(made, 'e', 0);
  assert.equal(rulesIn(made).at(-1), 'unknown-effect');
});

test('reports the word immediately after an edit at another position', async () => {
  const made = await opened();
  await type(made, 'reed');
  made.at = { line: 9, character: 0 };
  await type(made, 'x', 0);
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-effect');
});

test('reports the word immediately after an edit in another file and after saving', async () => {
  const inOther = await opened();
  await type(inOther, 'reed');
  inOther.open('b.skill.md', skill('b'));
  inOther.type('b.skill.md', skill('b', '', 'Say more.'));
  await inOther.clock.pass(0);
  assert.ok(rulesIn(inOther).includes('unknown-tool unknown-effect'));
  const saved = await opened();
  await type(saved, 'reed');
  saved.session.receive({ kind: 'save', uri: uriOf(FILE) });
  await saved.clock.pass(0);
  assert.equal(rulesIn(saved).at(-1), 'unknown-tool unknown-effect');
});

test('reports text that is inserted in one edit immediately', async () => {
  const made = await opened();
  const range = { start: { ...made.at }, end: { ...made.at } };
  made.session.receive({ kind: 'change', uri: uriOf(FILE), version: 2, changes: [{ text: 'reed_page', range }] });
  await made.clock.pass(0);
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-effect');
});

test('requests a refresh from a pulling client, or reports immediately if the client supports no refresh', async () => {
  const names = (made: FakeSession) => made.session.report(uriOf(FILE)).items.map(({ code }) => code);
  const asking = await opened({ pull: true });
  await type(asking, 'reed');
  assert.deepEqual(names(asking), ['unknown-effect']);
  const before = asking.refreshes;
  await asking.clock.pass(REST);
  assert.equal(asking.refreshes, before + 1);
  assert.deepEqual(names(asking), ['unknown-tool', 'unknown-effect']);
  const plain = await opened({ pull: true, canRefreshDiagnostics: false });
  await type(plain, 'reed');
  assert.deepEqual(names(plain), ['unknown-tool', 'unknown-effect']);
});

test('uses the position encoding of the client for the word', async () => {
  const tools = `tools: [${'é'.repeat(30)}, `;
  const made = await opened({ locate: utf8 }, TEXT.replace('tools: [', tools));
  made.at.character = Buffer.byteLength(tools);
  await type(made, 'reed');
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-effect');
  await made.clock.pass(REST);
  assert.equal(rulesIn(made).at(-1), 'unknown-tool unknown-tool unknown-effect');
});
