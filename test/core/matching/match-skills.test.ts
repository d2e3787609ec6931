/** Which skills answer a request, and which are left out and why (docs/matching.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MatchQuery, matchSkills } from '../../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, ...lines, '---', '', 'Do it.', ''].join('\n');

/** Files by their paths below the root. */
function workspaceWith(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///${path}`, text });
  return workspace;
}

function match(files: Readonly<Record<string, string>> | Workspace, request: string, query: Partial<MatchQuery> = {}) {
  const { analysis } = files instanceof Workspace ? files : workspaceWith(files);
  return matchSkills(analysis, { request, top: 10, source: 'agent-selected', ...query });
}

const namesOf = ({ matches }: ReturnType<typeof match>): readonly string[] => matches.map(({ name }) => name);
const reasonsWhy = ({ excluded }: ReturnType<typeof match>) => excluded.map(({ name, reason }) => [name, reason]);

const FILES = {
  'merge-files.skill.md': skill('merge-files', 'description: Joins documents.'),
  'join.skill.md': skill('join', 'description: Makes one file of several. Use it to merge files.'),
  'tidy.skill.md': skill('tidy', 'description: Cleans a folder.', 'trigger_phrases: [merge it]', 'tags: [files]'),
  'bare.skill.md': skill('bare'),
};

test('a name weighs more than a description, and a trigger phrase goes before both', () => {
  assert.deepEqual(namesOf(match(FILES, 'merge files')), ['merge-files', 'tidy', 'join']);
  assert.deepEqual(namesOf(match(FILES, 'please merge it, these files')), ['tidy', 'merge-files', 'join']);
});

test('reasons name the keys and the words as they are written there', () => {
  const [first] = match(FILES, 'please MERGE it, these file').matches;
  assert.deepEqual(first?.reasons, [
    { field: 'trigger_phrases', text: 'merge it' },
    { field: 'trigger_phrases', text: 'merge' },
    { field: 'tags', text: 'files' },
  ]);
});

test('a score is 1 at most, and where every word stands in the name of a skill', () => {
  const { matches } = match(FILES, 'merge files');
  assert.ok(matches.every(({ score }) => score > 0 && score <= 1));
  assert.ok((matches[0]?.score ?? 0) > 0.9);
});

test('a skill without a description is found by its name', () => {
  assert.deepEqual(namesOf(match(FILES, 'bare')), ['bare']);
});

test('a misspelt word finds what it nearly is', () => {
  assert.equal(namesOf(match(FILES, 'megre documnets'))[0], 'merge-files');
});

test('words without meaning, signs and blanks find nothing', () => {
  for (const request of ['', ' ', 'please do it for me', '?!', '\u0000\u0007']) {
    assert.deepEqual(match(FILES, request), { matches: [], excluded: [] });
  }
});

test('a request of 100 KB is ranked by its beginning', () => {
  const found = match(FILES, `merge files ${'and other words '.repeat(6_500)}`);
  assert.equal(namesOf(found)[0], 'merge-files');
});

test('equal skills stand in the order of their names, then their versions and files', () => {
  const same = (name: string, version: string) => skill(name, `version: ${version}`, 'description: Counts words.');
  const files = {
    'b/b.skill.md': same('bb-words', '1.0.0'),
    'a/b.skill.md': same('bb-words', '1.0.0'),
    'c/a.skill.md': same('aa-words', '1.0.0'),
  };
  const { matches } = match(files, 'count words');
  assert.deepEqual(
    matches.map(({ id }) => id),
    ['file:///c/a.skill.md', 'file:///a/b.skill.md', 'file:///b/b.skill.md'],
  );
});

test('two that stand within the margin are ambiguous, and only in the tier of the best', () => {
  const near = {
    'a.skill.md': skill('count-words', 'description: Counts words in a text.'),
    'b.skill.md': skill('count-lines', 'description: Counts lines and words in a text.'),
    'c.skill.md': skill('paint', 'description: Paints a picture of words.'),
  };
  const flags = (files: Readonly<Record<string, string>>, request: string) =>
    match(files, request).matches.map(({ name, ambiguous }) => [name, ambiguous]);
  assert.deepEqual(flags(near, 'count'), [
    ['count-lines', true],
    ['count-words', true],
  ]);
  assert.deepEqual(flags({ ...near, 'skills.config.yaml': 'matching: {margin: 0}\n' }, 'count'), [
    ['count-lines', false],
    ['count-words', false],
  ]);
  const triggered = skill('count-lines', 'description: Counts.', 'trigger_phrases: [count]');
  assert.deepEqual(flags({ ...near, 'b.skill.md': triggered }, 'count'), [
    ['count-lines', false],
    ['count-words', false],
  ]);
});

test('no more skills are ranked than are asked for, and only those that are asked about', () => {
  assert.equal(match(FILES, 'merge files', { top: 1 }).matches.length, 1);
  const among = new Set(['file:///join.skill.md']);
  assert.deepEqual(namesOf(match(FILES, 'merge files', { among })), ['join']);
});

test('the successor of a deprecated skill ranks in its place', () => {
  const old = ['description: Merges files.', 'deprecated: {since: 1.0.0, use: join}'];
  const files = {
    'merge-files.skill.md': skill('merge-files', ...old),
    'join.skill.md': skill('join', 'description: Makes one of several.'),
    'other.skill.md': skill('other', 'description: Has files.'),
  };
  const found = match(files, 'merge files');
  assert.deepEqual(namesOf(found), ['join', 'other']);
  assert.deepEqual(found.matches[0]?.reasons[0], { field: 'deprecated', text: 'merge-files' });
  assert.deepEqual(reasonsWhy(found), [['merge-files', 'it is deprecated, and `join` takes its place']]);
  const alone = { 'merge-files.skill.md': files['merge-files.skill.md'] };
  assert.deepEqual(namesOf(match(alone, 'merge files')), ['merge-files']);
});

test('deprecated skills that name each other all stay', () => {
  const files = {
    'a.skill.md': skill('count-a', 'deprecated: {since: 1.0.0, use: count-b}'),
    'b.skill.md': skill('count-b', 'deprecated: {since: 1.0.0, use: count-a}'),
  };
  assert.deepEqual(namesOf(match(files, 'count')), ['count-a', 'count-b']);
});

test('what is not the newest version is left out', () => {
  const files = {
    'v1/merge.skill.md': skill('merge', 'version: 1.9.0'),
    'v2/merge.skill.md': skill('merge', 'version: 1.10.0'),
  };
  const found = match(files, 'merge');
  assert.deepEqual(
    found.matches.map(({ version }) => version),
    ['1.10.0'],
  );
  assert.deepEqual(reasonsWhy(found), [['merge', 'it is not the newest version, which is 1.10.0']]);
});

test("a skill of the account is hidden by the workspace's of its name", () => {
  const workspace = workspaceWith({ 'w/merge.skill.md': skill('merge'), 'home/merge.skill.md': skill('merge') });
  workspace.apply({ kind: 'account', folders: ['file:///home'] });
  const found = match(workspace, 'merge');
  assert.deepEqual(
    found.matches.map(({ id }) => id),
    ['file:///w/merge.skill.md'],
  );
  assert.match(found.excluded[0]?.reason ?? '', /hides it/);
});

test('a `SKILL.md` that the model may not choose is left out, unless somebody asks for it by name', () => {
  const files = { 'merge/SKILL.md': skill('merge', 'description: Merges.', 'disable-model-invocation: true') };
  assert.deepEqual(reasonsWhy(match(files, 'merge')), [
    ['merge', '`disable-model-invocation` keeps the model from choosing it'],
  ]);
  assert.deepEqual(namesOf(match(files, 'merge', { source: 'explicit' })), ['merge']);
});

test('a skill that the caller or the place does not allow is left out with the reason of the gate', () => {
  const files = {
    'skills.config.yaml': [
      'scopes: [read:pages]',
      'roles: {reader: [], editor: [read:pages]}',
      'profiles: [{name: guest, role: reader, tier: child}]',
      '',
    ].join('\n'),
    'a.skill.md': skill('merge-a', 'allowed_roles: [editor]'),
    'b.skill.md': skill('merge-b', 'required_scopes: [read:pages]'),
    'c.skill.md': skill('merge-c', 'capabilities_required: [{tier: adult}]'),
    'd.skill.md': skill('merge-d', 'allowed_contexts: [channel]'),
  };
  const reasons = reasonsWhy(match(files, 'merge', { profile: 'guest' })).toSorted();
  assert.deepEqual(
    reasons.map(([name]) => name),
    ['merge-a', 'merge-b', 'merge-c', 'merge-d'],
  );
  for (const [at, word] of ['role', 'scope', 'tier', 'context'].entries()) {
    assert.ok(reasons[at]?.[1]?.includes(word), word);
  }
  assert.equal(match(files, 'merge', { channel: 'desk' }).matches.length, 4);
});

test('a skill that a catalog disables is left out, and so is a composite of it', () => {
  const files = {
    ...FILES,
    'skills.config.yaml': 'permissions: {join: {enabled: false}}\n',
    'whole.skill.md': skill('merge-whole', 'level: 2', 'composes: [join]'),
  };
  const found = match(files, 'merge files');
  assert.deepEqual(reasonsWhy(found).toSorted(), [
    ['join', '`join` is disabled in this workspace'],
    ['merge-whole', 'its part `join` is disabled in this workspace'],
  ]);
  assert.ok(!namesOf(found).includes('join'));
});

test('a frontmatter that does not parse says nothing of its skill', () => {
  const files = { 'merge.skill.md': '---\nname: merge\ndescription: "Merges\n---\n' };
  assert.deepEqual(namesOf(match(files, 'merge')), []);
});

test('the ranking follows edits, renames and files that go', () => {
  const workspace = workspaceWith(FILES);
  const names = () => namesOf(match(workspace, 'merge files'));
  assert.deepEqual(names(), ['merge-files', 'tidy', 'join']);
  workspace.apply({ kind: 'delete', uri: 'file:///merge-files.skill.md' });
  assert.deepEqual(names(), ['tidy', 'join']);
  workspace.apply({ kind: 'text', uri: 'file:///bare.skill.md', text: skill('bare', 'description: Merge files.') });
  assert.deepEqual(names().toSorted(), ['bare', 'join', 'tidy']);
  workspace.apply({ kind: 'text', uri: 'file:///bare.skill.md', text: skill('merge-files') });
  assert.deepEqual(names(), ['merge-files', 'tidy', 'join']);
  workspace.apply({ kind: 'unreadable', uri: 'file:///join.skill.md', reason: 'gone' });
  assert.deepEqual(names(), ['merge-files', 'tidy']);
});

test('an edit of a body leaves the words of its skill the same object', () => {
  const workspace = workspaceWith(FILES);
  const uri = 'file:///join.skill.md';
  const before = workspace.index.files.get(uri)?.words;
  workspace.analysis.file(uri);
  workspace.apply({ kind: 'text', uri, text: `${FILES['join.skill.md']}More.\n` });
  assert.equal(workspace.index.files.get(uri)?.words, before);
});

test('whether the best match is ambiguous does not depend on how many are asked for', () => {
  const files = {
    'a.skill.md': skill('a', 'description: Plans the siege.'),
    'b.skill.md': skill('b', 'description: Plans the siege.'),
  };
  const [one] = match(files, 'plan the siege', { top: 1 }).matches;
  const [first] = match(files, 'plan the siege').matches;
  assert.deepEqual([one?.ambiguous, first?.ambiguous], [true, true]);
});
