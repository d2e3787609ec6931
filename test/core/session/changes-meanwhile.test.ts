import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Message } from '../../../server/src/services/session/messages.ts';
import { settled, skill, startFakeSession, uriOf } from './fake-session.ts';

const whole = skill('whole', 'level: 2\ncomposes: [part]\noutput_schema: {}\n');
const TYPO = 'tols: [x]\n';
const sampled = (body: string) => skill('a', 'samples: {one: {}}\n', body);

test('removes the findings of all files in a removed folder, including its catalog', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO), 'skills.config.yaml': 'tols: 1\n' });
  made.session.receive({ kind: 'folders', added: [], removed: ['file:///site'] });
  await made.clock.pass(1_000);
  assert.deepEqual([...made.published].sort(), ['a.skill.md:', 'skills.config.yaml:']);
});

test('composes all samples again after an edit to a catalog', async () => {
  const made = await settled({ 'a.skill.md': sampled('One.'), 'skills.config.yaml': '' });
  made.open('skills.config.yaml');
  await made.clock.pass(1_000);
  made.composed.length = 0;
  made.type('skills.config.yaml', 'tools: [{name: x}]\n');
  await made.clock.pass(1_000);
  assert.deepEqual(made.composed, ['a.skill.md']);
});

const account = { settings: { accountSkills: '~/skills' }, folders: ['file:///site/project'] };

test('removes the findings of an account skill when it is closed', async () => {
  const made = await settled({ 'skills/a.skill.md': skill('a', TYPO) }, account);
  made.open('skills/a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['skills/a.skill.md: unknown-key']);
  made.session.receive({ kind: 'close', uri: uriOf('skills/a.skill.md') });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'skills/a.skill.md:');
});

test('reads only the new account folder if the setting changes during reading', async () => {
  const files = { 'skills/a.skill.md': skill('a'), 'others/b.skill.md': skill('b') };
  const made = startFakeSession(files, account);
  let openGate = (): void => {};
  made.onWatch = () => {
    made.gate = new Promise((resolve) => {
      openGate = resolve;
    });
  };
  made.session.receive({ kind: 'start' });
  await made.clock.pass(1_000);
  made.session.receive({ kind: 'settings', settings: { accountSkills: '~/others' } });
  made.onWatch = () => {};
  openGate();
  await made.clock.pass(1_000);
  assert.deepEqual([...made.session.analysis.index.files.keys()], [uriOf('others/b.skill.md')]);
  assert.equal(made.session.analysis.partial, false);
});

test('applies new file patterns that arrive while files are being read', async () => {
  const made = startFakeSession(
    { 'a.skill.md': skill('a'), 'notes/b.md': skill('b') },
    { settings: { files: ['**/*.md'] } },
  );
  made.session.receive({ kind: 'start' });
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  made.session.receive({ kind: 'settings', settings: { files: ['**/*.skill.md'] } });
  await made.clock.pass(1_000);
  assert.deepEqual([...made.session.analysis.index.files.keys()], [uriOf('a.skill.md')]);
});

test('changes nothing if new settings have the same severities', async () => {
  const settings = { rules: { 'unknown-key': 'hint' } };
  const made = await settled({ 'a.skill.md': skill('a', TYPO) }, { settings });
  made.session.receive({ kind: 'settings', settings });
  await made.clock.pass(1_000);
  assert.deepEqual(made.announced, []);
});

test('does not compose again when a linked file is deleted', async () => {
  const made = await settled({ 'a.skill.md': skill('a', '', 'See [the notes](notes.md).'), 'notes.md': '' });
  made.disk.delete(uriOf('notes.md'));
  made.session.receive({ kind: 'watched', uris: [uriOf('notes.md')] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['a.skill.md: broken-link']);
  assert.deepEqual(made.announced, []);
});

test('accepts an account folder whose name is not valid in a URI', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO), 'skills.config.yaml': 'account_skills: "~/\\uD800"\n' });
  assert.deepEqual(made.logged, []);
  assert.equal(made.session.analysis.partial, false);
});

test('does not notify a client of diagnostics that it just received', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const made = await settled(files, { pull: true });
  made.open('part.skill.md');
  made.open('whole.skill.md');
  await made.clock.pass(1_000);
  const before = made.refreshes;
  made.type('part.skill.md', skill('other', 'level: 1\n'));
  assert.equal(made.session.report(uriOf('whole.skill.md')).items.length, 1);
  await made.clock.pass(1_000);
  assert.equal(made.refreshes, before);
});

test('notifies the client of progress while files are being read', async () => {
  const made = startFakeSession({ 'a.skill.md': skill('a') });
  made.gate = new Promise(() => {});
  made.session.receive({ kind: 'start' });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.announced, [
    { graph: false, everything: false, compositions: false, concerned: new Set(), composers: new Set() },
  ]);
});

test('continues after the handler of a message fails', async () => {
  const made = await settled({ 'a.skill.md': skill('a') });
  const faulty = { kind: 'read', files: undefined } as unknown as Message;
  made.session.receive(faulty);
  assert.match(made.logged.join(), /^error: TypeError/);
  made.open('a.skill.md', skill('a', TYPO));
  await made.clock.pass(0);
  assert.deepEqual(made.published, ['a.skill.md: unknown-key']);
});

test('reads a file in two nested folders if a pattern matches relative to either folder', async () => {
  const folders = ['file:///site', 'file:///site/inner'];
  const made = await settled(
    { 'inner/skills/a.md': skill('a', TYPO) },
    { folders, settings: { files: ['skills/*.md'] } },
  );
  assert.equal(made.session.analysis.index.files.size, 1);
});

test('does not report a link to a file that is created during the search', async () => {
  const made = startFakeSession({ 'a.skill.md': skill('a', '', 'See [the notes](notes.md).') });
  made.session.receive({ kind: 'start' });
  made.open('a.skill.md');
  made.disk.set(uriOf('notes.md'), '');
  made.session.receive({ kind: 'watched', uris: [uriOf('notes.md')] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md:');
});

test('checks an open file while the disk is compared with the index', async () => {
  const made = await settled({ 'a.skill.md': skill('a'), 'sub/b.skill.md': skill('b') });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  let openGate = (): void => {};
  made.gate = new Promise((resolve) => {
    openGate = resolve;
  });
  made.disk.delete(uriOf('sub/b.skill.md'));
  made.session.receive({ kind: 'watched', uris: [uriOf('sub')] });
  made.session.receive({ kind: 'refresh' });
  await made.clock.pass(10_000);
  made.type('a.skill.md', skill('a', TYPO));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), 'a.skill.md: unknown-key');
  assert.equal(made.session.analysis.index.files.has(uriOf('sub/b.skill.md')), true);
  openGate();
  await made.clock.pass(1_000);
  assert.deepEqual([...made.session.analysis.index.files.keys()], [uriOf('a.skill.md')]);
});
