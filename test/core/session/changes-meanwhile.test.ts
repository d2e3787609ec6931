import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Message } from '../../../server/src/hosts/session/messages.ts';
import { settled, skill, uriOf, world } from './fake-session.ts';

const whole = skill('whole', 'level: 2\ncomposes: [part]\noutput_schema: {}\n');
const TYPO = 'tols: [x]\n';
const sampled = (body: string) => skill('a', 'samples: {one: {}}\n', body);

test('the findings of a folder go with it, also where a catalog goes, too', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO), 'skills.config.yaml': 'tols: 1\n' });
  made.session.receive({ kind: 'folders', added: [], removed: ['file:///site'] });
  await made.clock.pass(1_000);
  assert.deepEqual([...made.published].sort(), ['a.skill.md:', 'skills.config.yaml:']);
});

test('an edit of a catalog has the samples of every file composed again', async () => {
  const made = await settled({ 'a.skill.md': sampled('One.'), 'skills.config.yaml': '' });
  made.open('skills.config.yaml');
  await made.clock.pass(1_000);
  made.composed.length = 0;
  made.type('skills.config.yaml', 'tools: [{name: x}]\n');
  await made.clock.pass(1_000);
  assert.deepEqual(made.composed, ['a.skill.md']);
});

const account = { settings: { accountSkills: '~/skills' }, folders: ['file:///site/project'] };

test('a skill of the account has no findings when it is closed again', async () => {
  const made = await settled({ 'skills/a.skill.md': skill('a', TYPO) }, account);
  made.open('skills/a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['skills/a.skill.md: unknown-key']);
  made.session.receive({ kind: 'close', uri: uriOf('skills/a.skill.md') });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'skills/a.skill.md:');
});

test('a folder of the account that is set while another one is being read is read after it', async () => {
  const files = { 'skills/a.skill.md': skill('a'), 'others/b.skill.md': skill('b') };
  const made = world(files, account);
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

test('a file that the patterns of new settings leave out is not taken in by the reading before', async () => {
  const made = world({ 'a.skill.md': skill('a'), 'notes/b.md': skill('b') }, { settings: { files: ['**/*.md'] } });
  made.session.receive({ kind: 'start' });
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  made.session.receive({ kind: 'settings', settings: { files: ['**/*.skill.md'] } });
  await made.clock.pass(1_000);
  assert.deepEqual([...made.session.analysis.index.files.keys()], [uriOf('a.skill.md')]);
});

test('settings with the same severities concern nobody', async () => {
  const settings = { rules: { 'unknown-key': 'hint' } };
  const made = await settled({ 'a.skill.md': skill('a', TYPO) }, { settings });
  made.session.receive({ kind: 'settings', settings });
  await made.clock.pass(1_000);
  assert.deepEqual(made.announced, []);
});

test('that a linked file is missing changes no composition', async () => {
  const made = await settled({ 'a.skill.md': skill('a', '', 'See [the notes](notes.md).'), 'notes.md': '' });
  made.disk.delete(uriOf('notes.md'));
  made.session.receive({ kind: 'watched', uris: [uriOf('notes.md')] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['a.skill.md: broken-link']);
  assert.deepEqual(made.announced, []);
});

test('a folder of the account whose name is no text that a URI can hold stops nothing', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO), 'skills.config.yaml': 'account_skills: "~/\\uD800"\n' });
  assert.deepEqual(made.logged, []);
  assert.equal(made.session.analysis.partial, false);
});

test('a client is not told of diagnostics that it has just been given', async () => {
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

test('how many files have been read is told while they are being read', async () => {
  const made = world({ 'a.skill.md': skill('a') });
  made.gate = new Promise(() => {});
  made.session.receive({ kind: 'start' });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.announced, [
    { graph: false, everything: false, compositions: false, concerned: new Set(), composers: new Set() },
  ]);
});

test('a message that cannot be taken in stops nothing', async () => {
  const made = await settled({ 'a.skill.md': skill('a') });
  const faulty = { kind: 'read', files: undefined } as unknown as Message;
  made.session.receive(faulty);
  assert.match(made.logged.join(), /^error: TypeError/);
  made.open('a.skill.md', skill('a', TYPO));
  await made.clock.pass(0);
  assert.deepEqual(made.published, ['a.skill.md: unknown-key']);
});

test('a file below two folders is read where the patterns match below one of them', async () => {
  const folders = ['file:///site', 'file:///site/inner'];
  const made = await settled(
    { 'inner/skills/a.md': skill('a', TYPO) },
    { folders, settings: { files: ['skills/*.md'] } },
  );
  assert.equal(made.session.analysis.index.files.size, 1);
});

test('a linked file that comes while it is being looked for is found', async () => {
  const made = world({ 'a.skill.md': skill('a', '', 'See [the notes](notes.md).') });
  made.session.receive({ kind: 'start' });
  made.open('a.skill.md');
  made.disk.set(uriOf('notes.md'), '');
  made.session.receive({ kind: 'watched', uris: [uriOf('notes.md')] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md:');
});
