import { strict as assert } from 'node:assert';
import { describe, it, test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DiagnosticSeverity } from 'vscode-languageserver-types';
import { utf16 } from '../../../server/src/features/locate.ts';
import { SkillRows } from '../../../server/src/features/skill-list.ts';
import { statusOf } from '../../../server/src/features/workspace-facts.ts';
import { showsLinks } from '../../../server/src/frontends/lsp/capabilities.ts';
import type { Files } from '../../../server/src/io/files.ts';
import { UserError } from '../../../server/src/io/user-error.ts';
import { settled, skill, startFakeSession, uriOf } from './fake-session.ts';

const whole = skill('whole', 'level: 2\ncomposes: [part]\noutput_schema: {}\n');
const TYPO = 'tols: [x]\n';

test('publishes the findings in every file after the workspace was read', async () => {
  const { session, clock, published } = startFakeSession({ 'a.skill.md': skill('a', TYPO), 'b.skill.md': skill('b') });
  session.receive({ kind: 'start' });
  await clock.pass(3_000);
  assert.deepEqual(published, ['a.skill.md: unknown-key']);
});

test('checks an edit in the next turn of the event loop', async () => {
  const { clock, published, open, type } = await settled({ 'a.skill.md': skill('a') });
  open('a.skill.md');
  await clock.pass(0);
  published.length = 0;
  type('a.skill.md', skill('a', TYPO));
  assert.deepEqual(published, []);
  await clock.pass(0);
  assert.deepEqual(published, ['a.skill.md: unknown-key']);
});

test('publishes every version of an open file, even with equal findings', async () => {
  const { clock, published, open, type } = await settled({ 'a.skill.md': skill('a') });
  open('a.skill.md');
  await clock.pass(0);
  type('a.skill.md', skill('a', '', 'Say goodbye.'));
  await clock.pass(0);
  assert.deepEqual(published, ['a.skill.md:', 'a.skill.md:']);
});

test('checks closed files that an edit affects after a pause in typing', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const { clock, published, open, type } = await settled(files);
  open('part.skill.md');
  await clock.pass(1_000);
  published.length = 0;
  type('part.skill.md', skill('other', 'level: 1\n'));
  await clock.pass(150);
  assert.deepEqual(published, ['part.skill.md: name-file-mismatch']);
  await clock.pass(100);
  assert.deepEqual(published.slice(1), ['whole.skill.md: skill-not-found']);
});

test('checks closed files at least every two seconds while the user types', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const { clock, published, open, type } = await settled(files);
  open('part.skill.md');
  await clock.pass(1_000);
  for (let typed = 0; typed < 25; typed++) {
    type('part.skill.md', skill(`other-${typed}`, 'level: 1\n'));
    await clock.pass(100);
    const isTold = published.some((one) => one.startsWith('whole'));
    assert.equal(isTold, typed >= 19, `after ${(typed + 1) * 100} ms`);
  }
});

test('checks the composites of a skill that an edit of its body breaks or repairs', async () => {
  const part = (text: string) => skill('part', 'level: 1\nframing: t\n', `## PromptTemplate: t\n\n${text}`);
  const files = { 'part.skill.md': part('Say hello.'), 'whole.skill.md': whole };
  const { clock, published, open, type } = await settled(files);
  open('part.skill.md');
  await clock.pass(1_000);
  published.length = 0;
  type('part.skill.md', part('Say {{ hello }}.'));
  await clock.pass(1_000);
  assert.deepEqual(published, ['part.skill.md: undefined-variable', 'whole.skill.md: broken-composed-skill']);
  published.length = 0;
  type('part.skill.md', part('Say hello.'));
  await clock.pass(1_000);
  assert.deepEqual(published, ['part.skill.md:', 'whole.skill.md:']);
});

test('checks the composites of a skill whose prompt begins to need an input', async () => {
  const keys = 'level: 1\nframing: t\n';
  const part = (text: string) =>
    skill('part', keys, `## PromptTemplate: t\n\n${text}`).replace(/input_schema: .*/, 'input_schema: {go: string?}');
  const { clock, published, open, type } = await settled({ 'part.skill.md': part('Say it.'), 'whole.skill.md': whole });
  open('part.skill.md');
  await clock.pass(1_000);
  published.length = 0;
  type('part.skill.md', part('Say {{ go }}.'));
  await clock.pass(1_000);
  assert.deepEqual(published, ['part.skill.md: unguarded-value', 'whole.skill.md: missing-required-field']);
});

test('answers a request for all files without waiting for a pause in typing', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const { clock, session, open, type } = await settled(files);
  open('part.skill.md');
  await clock.pass(1_000);
  type('part.skill.md', skill('other', 'level: 1\n'));
  let isChecked = false;
  void session.checked().then(() => {
    isChecked = true;
  });
  await clock.pass(1);
  assert.equal(isChecked, true);
  assert.equal(session.report(uriOf('whole.skill.md')).items.length, 1);
});

test('checks an open file only after its catalogs were read', async () => {
  const made = startFakeSession({
    'a.skill.md': skill('a', TYPO),
    'skills.config.yaml': 'rules: {unknown-key: off}\n',
  });
  let openGate = (): void => {};
  made.gate = new Promise((resolve) => {
    openGate = resolve;
  });
  made.session.receive({ kind: 'start' });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, [], 'its severities are not known yet');
  openGate();
  await made.clock.pass(1_000);
  assert.deepEqual([...new Set(made.published)], ['a.skill.md:']);
});

test('checks closed files for a pulling client only when the client requests all diagnostics', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO) }, { pull: true });
  assert.deepEqual(made.published, []);
  made.session.receive({ kind: 'want-all' });
  let isChecked = false;
  void made.session.checked().then(() => {
    isChecked = true;
  });
  await made.clock.pass(1);
  assert.equal(isChecked, true);
});

test('requests a refresh from a pulling client when diagnostics in other files have changed', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const made = await settled(files, { pull: true });
  made.open('part.skill.md');
  made.open('whole.skill.md');
  await made.clock.pass(1_000);
  const before = made.refreshes;
  made.type('part.skill.md', skill('part', 'level: 1\n', 'Another body.'));
  await made.clock.pass(1_000);
  assert.equal(made.refreshes, before);
  made.type('part.skill.md', skill('other', 'level: 1\n'));
  await made.clock.pass(1_000);
  assert.equal(made.refreshes, before + 1);
});

test('notifies the client only once after several edits', async () => {
  const { clock, announced, open, type } = await settled({ 'a.skill.md': skill('a') });
  open('a.skill.md');
  await clock.pass(1_000);
  announced.length = 0;
  for (const name of ['b', 'c', 'd']) type('a.skill.md', skill(name));
  await clock.pass(1_000);
  const concerned = new Set([uriOf('a.skill.md')]);
  assert.deepEqual(announced, [
    { graph: true, everything: false, compositions: false, concerned, composers: new Set() },
  ]);
});

test('notifies the client of the composites of an edited skill', async () => {
  const files = { 'part.skill.md': skill('part', 'level: 1\n'), 'whole.skill.md': whole };
  const { clock, announced, open, type } = await settled(files);
  open('part.skill.md');
  await clock.pass(1_000);
  announced.length = 0;
  type('part.skill.md', skill('part', 'level: 1\n', 'Another body.'));
  await clock.pass(1_000);
  const concerned = new Set([uriOf('part.skill.md')]);
  assert.deepEqual(announced, [
    { graph: false, everything: false, compositions: true, concerned, composers: new Set([uriOf('whole.skill.md')]) },
  ]);
});

test('notifies the client when a file turns out to be a link', async () => {
  const path = '.claude/skills/a/SKILL.md';
  const { session, clock, announced } = await settled({ [path]: '---\nname: a\ndescription: A.\n---\n\nA.\n' });
  announced.length = 0;
  const link = { folder: true, file: false };
  session.receive({ kind: 'link', uri: uriOf(path), link });
  session.receive({ kind: 'link', uri: uriOf(path), link });
  await clock.pass(1_000);
  assert.equal(announced.length, 1);
});

test('prepares an announcement piece by piece', async () => {
  const made = await settled({ 'a.skill.md': skill('a') });
  made.pieces = 3;
  made.open('a.skill.md', skill('b'));
  await made.clock.pass(1_000);
  assert.deepEqual([made.announced.length, made.pieces], [1, 0]);
});

const sampled = (body: string) => skill('a', 'samples: {one: {}}\n', body);

test('composes samples after a pause, and reports failures', async () => {
  const made = await settled({ 'a.skill.md': sampled('One.') });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  made.composed.length = made.published.length = 0;
  made.failures = [{ sample: 'one', message: 'It fails.', cause: undefined }];
  made.type('a.skill.md', sampled('Two.'));
  await made.clock.pass(200);
  made.type('a.skill.md', sampled('Three.'));
  await made.clock.pass(200);
  assert.deepEqual(made.composed, []);
  await made.clock.pass(100);
  assert.deepEqual(made.composed, ['a.skill.md']);
  assert.deepEqual(made.published.at(-1), 'a.skill.md: sample-fails');
});

test('composes stopped samples again only after their file has changed', async () => {
  const made = await settled({ 'a.skill.md': sampled('One.') });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  made.composed.length = 0;
  made.isStopped = true;
  made.type('a.skill.md', sampled('Two.'));
  await made.clock.pass(1_000);
  assert.deepEqual(made.composed, ['a.skill.md']);
  made.disk.set(uriOf('skills.config.yaml'), 'tools: []\n');
  made.session.receive({ kind: 'watched', uris: [uriOf('skills.config.yaml')] });
  await made.clock.pass(3_000);
  assert.deepEqual(made.composed, ['a.skill.md'], 'a catalog that comes concerns every file, and ends no template');
  made.type('a.skill.md', sampled('Three.'));
  await made.clock.pass(1_000);
  assert.deepEqual(made.composed, ['a.skill.md', 'a.skill.md']);
});

describe('a worker for samples that cannot be started', () => {
  /** Starts a session whose worker cannot be started for the first `failures` times. */
  async function withFailures(failures: number) {
    let starts = 0;
    const files = { 'a.skill.md': sampled('One.'), 'b.skill.md': skill('b', TYPO) };
    const made = startFakeSession(files, {
      async composeSamples() {
        if (starts++ < failures) throw new UserError('There is no worker.');
        return { failures: [{ sample: 'one', message: 'It fails.', cause: undefined }], isStopped: false };
      },
    });
    made.session.receive({ kind: 'start' });
    await made.clock.pass(5_000);
    const edit = async (text: string): Promise<void> => {
      made.type('b.skill.md', skill('b', '', text));
      await made.clock.pass(5_000);
    };
    return { made, edit, starts: () => starts };
  }

  it('is started again after the next edit of any file', async () => {
    const { made, edit, starts } = await withFailures(1);
    assert.deepEqual(made.logged, ['warn: Samples are not checked: There is no worker.']);
    assert.deepEqual(made.published, ['b.skill.md: unknown-key']);
    assert.equal(starts(), 1);
    made.open('b.skill.md');
    await edit('One.');
    assert.equal(starts(), 2);
    assert.equal(made.published.at(-1), 'a.skill.md: sample-fails');
    assert.deepEqual(made.warned, []);
  });

  it('is reported to the user after three times, and then started only after a refresh', async () => {
    const { made, edit, starts } = await withFailures(3);
    made.open('b.skill.md');
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) await edit(text);
    assert.equal(starts(), 3);
    assert.equal(made.warned.length, 1);
    assert.match(made.warned[0] ?? '', /^Samples are not checked: There is no worker\. Run /);
    made.session.receive({ kind: 'refresh' });
    await made.clock.pass(5_000);
    assert.equal(starts(), 4);
    assert.equal(made.published.at(-1), 'a.skill.md: sample-fails');
  });

  it('is not confused with an internal error, after which the samples of other files are composed', async () => {
    const composed: string[] = [];
    const made = startFakeSession(
      { 'a.skill.md': sampled('One.'), 'b.skill.md': sampled('Two.').replace('name: a', 'name: b') },
      {
        async composeSamples(_, uri) {
          composed.push(uri);
          if (uri.endsWith('a.skill.md')) throw new TypeError('broken');
          return undefined;
        },
      },
    );
    made.session.receive({ kind: 'start' });
    await made.clock.pass(5_000);
    assert.deepEqual(composed.sort(), [uriOf('a.skill.md'), uriOf('b.skill.md')]);
    assert.match(made.logged.join('\n'), /^error: samples of \S*a\.skill\.md: TypeError: broken/);
    assert.equal(made.logged.length, 1);
  });
});

test('reports a broken link until its file is created', async () => {
  const made = await settled({ 'a.skill.md': skill('a', '', 'See [the notes](notes.md).') });
  made.open('a.skill.md');
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md: broken-link');
  made.disk.set(uriOf('notes.md'), '');
  made.session.receive({ kind: 'watched', uris: [uriOf('notes.md')] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md:');
});

test('removes the findings in a removed folder', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO) });
  made.session.receive({ kind: 'folders', added: [], removed: ['file:///site'] });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['a.skill.md:']);
});

test('does not report the same skill in two workspace folders as a duplicate', async () => {
  const made = startFakeSession({ 'a/one.skill.md': skill('one'), 'b/one.skill.md': skill('one') });
  made.session.receive({ kind: 'start' });
  await made.clock.pass(3_000);
  assert.deepEqual([...made.published].sort(), ['a/one.skill.md: duplicate-skill', 'b/one.skill.md: duplicate-skill']);
  made.published.length = 0;
  made.session.receive({ kind: 'folders', added: ['file:///site/b'], removed: [] });
  await made.clock.pass(3_000);
  assert.deepEqual([...made.published].sort(), ['a/one.skill.md:', 'b/one.skill.md:']);
});

test('uses the text on disk for a closed file', async () => {
  const made = await settled({ 'a.skill.md': skill('a') });
  made.open('a.skill.md', skill('a', TYPO));
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md: unknown-key');
  made.session.receive({ kind: 'close', uri: uriOf('a.skill.md') });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published.at(-1), 'a.skill.md:');
});

test('applies settings to every file', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO) });
  made.session.receive({ kind: 'settings', settings: { rules: { 'unknown-key': 'off' } } });
  await made.clock.pass(1_000);
  assert.deepEqual(made.published, ['a.skill.md:']);
});

test('does nothing after the session has ended', async () => {
  const made = await settled({ 'a.skill.md': skill('a') });
  made.open('a.skill.md');
  made.session.dispose();
  await made.clock.pass(5_000);
  assert.deepEqual(made.published, []);
});

test('compares sunsets with the current day after midnight', async () => {
  const { session, clock, open, type } = await settled({
    'old.skill.md': skill('old', 'deprecated: {sunset: 2026-03-31}\n'),
    'a.skill.md': skill('a', '', 'Ask #skill:old.'),
  });
  const told = () =>
    session
      .report(uriOf('a.skill.md'))
      .items.map(({ message }) => message)
      .join();
  assert.match(told(), /will be removed on 2026-03-31/);
  clock.day = '2026-04-01';
  open('old.skill.md');
  await clock.pass(3_000);
  assert.match(told(), /was due to be removed on 2026-03-31/);
  type('old.skill.md', skill('old', 'deprecated: {sunset: 2026-04-01}\n'));
  await clock.pass(3_000);
  assert.match(told(), /will be removed on 2026-04-01/);
});

test('reports a missing path in code unless a parent folder contains the path', async () => {
  const text =
    '---\nname: tidy\ndescription: Tidies notes when asked.\n---\n\nRead `references/style.md` and `references/day.md`.\n';
  const made = await settled({ 'skills/tidy/SKILL.md': text, 'references/day.md': '' });
  const expected = (rules: string) => assert.equal(made.published.at(-1), `skills/tidy/SKILL.md: ${rules}`.trim());
  made.open('skills/tidy/SKILL.md', text);
  await made.clock.pass(1_000);
  expected('broken-link');
  made.disk.set(uriOf('skills/tidy/references/style.md'), '');
  made.session.receive({ kind: 'watched', uris: [uriOf('skills/tidy/references/style.md')] });
  await made.clock.pass(1_000);
  expected('');
  made.disk.delete(uriOf('references/day.md'));
  made.session.receive({ kind: 'watched', uris: [uriOf('references/day.md')] });
  await made.clock.pass(1_000);
  expected('broken-link');
});

test('reads the folder of an open SKILL.md again when a file in the folder changes', async () => {
  const text =
    '---\nname: tidy\ndescription: Tidies notes when asked.\n---\n\nSee [the style](references/style.md#tone).\n';
  const made = await settled({
    'skills/tidy/SKILL.md': text,
    'skills/tidy/references/style.md': '# Tome\n\n[More](more.md)\n',
    'skills/tidy/references/old-plots.md': '',
  });
  const expected = (rules: string) => assert.equal(made.published.at(-1), `skills/tidy/SKILL.md: ${rules}`.trim());
  made.open('skills/tidy/SKILL.md', text);
  await made.clock.pass(1_000);
  expected('unreferenced-file broken-link broken-link');
  const change = async (name: string, content: string | undefined) => {
    if (content === undefined) made.disk.delete(uriOf(name));
    else made.disk.set(uriOf(name), content);
    made.session.receive({ kind: 'watched', uris: [uriOf(name)] });
    await made.clock.pass(1_000);
  };
  await change('skills/tidy/references/more.md', '');
  expected('unreferenced-file broken-link');
  await change('skills/tidy/references/style.md', '# Tone\n\n[More](more.md)\n');
  expected('unreferenced-file');
  await change('skills/tidy/references/old-plots.md', undefined);
  expected('');
});

test('reads a folder again if the folder changes during reading, and drops a folder without an open SKILL.md', async () => {
  const text = '---\nname: tidy\ndescription: Tidies notes when asked.\n---\n\nSee `references/style.md`.\n';
  const made = await settled({
    'skills/tidy/SKILL.md': text,
    'skills/tidy/references/style.md': '',
    'skills/tidy/references/old-plots.md': '',
  });
  let open = () => {};
  made.gate = new Promise((resolve) => {
    open = resolve;
  });
  made.open('skills/tidy/SKILL.md', text);
  await made.clock.pass(10);
  made.disk.delete(uriOf('skills/tidy/references/old-plots.md'));
  made.session.receive({ kind: 'watched', uris: [uriOf('skills/tidy/references/old-plots.md')] });
  open();
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), 'skills/tidy/SKILL.md:');
  assert.ok(made.session.analysis.folder(uriOf('skills/tidy/SKILL.md')));
  made.session.receive({ kind: 'close', uri: uriOf('skills/tidy/SKILL.md') });
  await made.clock.pass(1_000);
  assert.equal(made.session.analysis.folder(uriOf('skills/tidy/SKILL.md')), undefined);
});

test('in VS Code, reports invalid JSON only in closed packages, and counts it also in open ones', async () => {
  const { session, clock, published } = startFakeSession({ 'old.skill.json': '{"name": }' }, { editor: 'VS Code' });
  const errors = async () => {
    void session.findingsChanged();
    await clock.pass(3_000);
    return session.findings?.errors;
  };
  session.receive({ kind: 'start' });
  await clock.pass(3_000);
  assert.deepEqual(published, ['old.skill.json: invalid-json']);
  assert.equal(await errors(), 1);
  const uri = uriOf('old.skill.json');
  session.receive({ kind: 'open', document: TextDocument.create(uri, 'json', 1, '{"name": }') });
  await clock.pass(0);
  assert.equal(published.at(-1), 'old.skill.json:');
  assert.equal(await errors(), 1);
  session.receive({ kind: 'close', uri });
  await clock.pass(3_000);
  assert.equal(published.at(-1), 'old.skill.json: invalid-json');
});

test('links pushed and pulled findings to the pages of their rules, if the client shows links', async () => {
  const addressOf = (rule: string): string => `https://example.com/rules/${rule}.html`;
  for (const pull of [false, true]) {
    const { session } = await settled({ 'a.skill.md': skill('a', TYPO) }, { pull, addressOf });
    const links = session.report(uriOf('a.skill.md')).items.map(({ codeDescription }) => codeDescription?.href);
    assert.deepEqual(links, [addressOf('unknown-key')]);
  }
  const support = (codeDescriptionSupport?: boolean) =>
    showsLinks({ textDocument: { publishDiagnostics: { ...(codeDescriptionSupport && { codeDescriptionSupport }) } } });
  assert.deepEqual([showsLinks({}), support(), support(true)], [false, false, true]);
});

test('counts only files below workspace folders', async () => {
  const files = { 'a.skill.md': skill('a', TYPO), 'docs/b.skill.md': skill('b', TYPO) };
  const inside = 'file:///site/docs';
  const { session, clock } = await settled(files, { folders: [inside] });
  const findings = async () => {
    void session.findingsChanged();
    await clock.pass(5_000);
    const { skills, inWorkspace, lists } = statusOf(session.analysis, session.findings);
    const rows = [...session.analysis.graph.skills.keys()].map((uri) => new SkillRows().find(session.analysis, uri));
    assert.equal(rows.filter((row) => row?.isInWorkspace).length, inWorkspace);
    return { skills, inWorkspace, listed: lists?.skills, ...session.findings };
  };
  const own = { skills: 1, inWorkspace: 1, listed: 0, errors: 0, warnings: 1, infos: 0, hints: 0 };
  assert.deepEqual(await findings(), own);
  const open = (uri: string, text: string) =>
    session.receive({ kind: 'open', document: TextDocument.create(uri, 'skillmd', 1, text) });
  open('untitled:Untitled-1', skill('c', TYPO));
  open(uriOf('a.skill.md'), skill('a', TYPO));
  open(uriOf('.claude/skills/d/SKILL.md'), '---\nname: d\ndescription: Reads: all pages when asked.\n---\n');
  assert.deepEqual(await findings(), { ...own, skills: 4 });
  session.receive({ kind: 'folders', added: ['file:///site'], removed: [inside] });
  assert.deepEqual(await findings(), {
    skills: 4,
    inWorkspace: 3,
    listed: 1,
    errors: 1,
    warnings: 2,
    infos: 0,
    hints: 0,
  });
  session.receive({ kind: 'folders', added: [], removed: ['file:///site'] });
  assert.deepEqual(await findings(), {
    skills: 3,
    inWorkspace: 0,
    listed: 0,
    errors: 0,
    warnings: 0,
    infos: 0,
    hints: 0,
  });
});

test('in VS Code, reports the same findings in an open SKILL.md as in a closed one', async () => {
  const text = '---\nname: Other Name\ndescripton: Reads a.\n---\n\n[Gone](gone.md)\n';
  const { session, clock, published } = startFakeSession({ '.claude/skills/a/SKILL.md': text }, { editor: 'VS Code' });
  session.receive({ kind: 'start' });
  await clock.pass(3_000);
  const closed = published.at(-1);
  assert.match(closed ?? '', /agent-skill-missing-key/);
  const uri = uriOf('.claude/skills/a/SKILL.md');
  session.receive({ kind: 'open', document: TextDocument.create(uri, 'skill', 1, text) });
  await clock.pass(3_000);
  assert.equal(published.at(-1), closed);
});

test('counts a folder that a client does not read once, also while several of its files are open', async () => {
  const skills = {
    a: 'Sorts letters by date when asked.',
    b: 'Draws maps of rivers before a trip.',
    c: 'Finds songs if the user hums.',
  };
  const files = Object.fromEntries(
    Object.entries(skills).map(([name, description]) => [
      `.claude/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`,
    ]),
  );
  const names = Object.keys(files);
  const textOf = (name: string) => files[name] ?? '';
  const { session, clock } = await settled({
    ...files,
    'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex]}\n',
  });
  const counts = async () => {
    void session.findingsChanged();
    await clock.pass(5_000);
    return session.findings;
  };
  assert.deepEqual(await counts(), { errors: 0, warnings: 1, infos: 0, hints: 0 });
  for (const name of names) {
    session.receive({ kind: 'open', document: TextDocument.create(uriOf(name), 'skill', 1, textOf(name)) });
  }
  assert.deepEqual(await counts(), { errors: 0, warnings: 1, infos: 0, hints: 0 });
  const { Warning, Hint } = DiagnosticSeverity;
  const severities = names.map((name) => session.report(uriOf(name)).items.map(({ severity }) => severity));
  assert.deepEqual(severities, [[Warning], [Hint], [Hint]]);
});

test('keeps no report of a deleted file', async () => {
  const made = await settled({ 'a.skill.md': skill('a', TYPO) });
  const uri = uriOf('a.skill.md');
  assert.equal(made.session.report(uri), made.session.report(uri));
  made.disk.delete(uri);
  made.session.receive({ kind: 'watched', uris: [uri] });
  await made.clock.pass(3_000);
  assert.deepEqual(made.published, ['a.skill.md:']);
  assert.notEqual(made.session.report(uri), made.session.report(uri), 'the second report is made again');
  made.disk.set(uri, skill('a', TYPO));
  made.session.receive({ kind: 'watched', uris: [uri] });
  await made.clock.pass(3_000);
  assert.equal(made.published.at(-1), 'a.skill.md: unknown-key');
});

describe('the files of a session', () => {
  const text = (names: Readonly<Record<string, string>>) =>
    new Map(Object.entries(names).map(([a, b]) => [uriOf(a), b]));

  /** File access in which `fails` decides which files cannot be read. */
  const filesOf = (disk: ReadonlyMap<string, string>, fails: (uri: string) => void, find?: Files['find']): Files => ({
    find: find ?? (async () => [...disk.keys()]),
    async read(uri) {
      fails(uri);
      const found = disk.get(uri);
      return found === undefined ? { kind: 'absent' } : { kind: 'text', text: found };
    },
    exists: async (uri) => disk.has(uri),
    list: async () => [],
  });

  it('are reported if an internal error prevents their reading, and the others are checked', async () => {
    const disk = text({ 'a.skill.md': skill('a'), 'b.skill.md': skill('b', TYPO) });
    const files = filesOf(disk, (uri) => {
      if (uri.endsWith('a.skill.md')) throw new TypeError('broken');
    });
    const made = startFakeSession({}, { files });
    made.session.receive({ kind: 'start' });
    await made.clock.pass(3_000);
    assert.deepEqual(made.published, ['a.skill.md: unreadable-file', 'b.skill.md: unknown-key']);
    assert.equal(made.session.analysis.index.facts.unreadable.get(uriOf('a.skill.md')), 'failed');
    assert.match(made.logged.join(), /^error: \S*a\.skill\.md: TypeError: broken/);
  });

  it('cause no finding about missing names while their folders cannot be searched', async () => {
    const whole = skill('whole', 'level: 2\ncomposes: [part]\noutput_schema: {}\n');
    const disk = text({ 'whole.skill.md': whole, 'part.skill.md': skill('part', 'level: 1\n') });
    let isSearchable = false;
    const find = async () => {
      if (!isSearchable) throw new Error('no such feature');
      return [...disk.keys()];
    };
    const made = startFakeSession({}, { files: filesOf(disk, () => {}, find) });
    made.session.receive({ kind: 'start' });
    made.open('whole.skill.md', whole);
    await made.clock.pass(3_000);
    assert.deepEqual(made.published, ['whole.skill.md:']);
    assert.match(made.logged.join(), /^error: The folders cannot be searched for skills: Error: no such feature/);
    await made.session.read();
    isSearchable = true;
    made.session.receive({ kind: 'settings', settings: { files: ['**/*.skill.md'] } });
    await made.clock.pass(3_000);
    assert.ok(made.session.analysis.graph.skills.has(uriOf('part.skill.md')));
    assert.ok(!made.session.analysis.partial);
  });

  it('are checked when they are open, also if the catalogs cannot be read for a while', async () => {
    const made = startFakeSession({ 'a.skill.md': skill('a', TYPO) });
    let open = (): void => {};
    made.gate = new Promise((resolve) => {
      open = resolve;
    });
    made.session.receive({ kind: 'start' });
    made.open('a.skill.md', skill('a', TYPO));
    await made.clock.pass(2_000);
    assert.deepEqual(made.published, []);
    await made.clock.pass(2_000);
    assert.deepEqual(made.published, ['a.skill.md: unknown-key']);
    made.disk.set(uriOf('skills.config.yaml'), 'rules: {unknown-key: off}\n');
    open();
    await made.clock.pass(3_000);
    assert.equal(made.published.at(-1), 'a.skill.md:', 'the late catalog counts');
  });
});

test('shows the first internal error to the user, and checks the other files', async () => {
  const broken = { ...utf16, range: () => assert.fail(new TypeError('broken')) };
  const made = startFakeSession(
    { 'a.skill.md': skill('a', TYPO), 'b.skill.md': skill('b', TYPO), 'c.skill.md': skill('c') },
    { locate: broken },
  );
  made.session.receive({ kind: 'start' });
  await made.clock.pass(3_000);
  assert.equal(made.logged.filter((line) => /^error: check \S+: TypeError: broken/.test(line)).length, 2);
  assert.equal(made.warned.length, 1);
  assert.match(made.warned[0] ?? '', /^Internal error, please report it: findings may be missing/);
  made.open('c.skill.md');
  await made.clock.pass(3_000);
  assert.deepEqual(made.published.at(-1), 'c.skill.md:');
});
