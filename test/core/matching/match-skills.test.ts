/** The skills that match a request, and the reasons why other skills are left out (docs/matching.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MatchQuery, matchSkills } from '../../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, ...lines, '---', '', 'Do it.', ''].join('\n');

/** Returns a workspace with `files`, whose keys are paths below the root. */
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

test('a name outweighs a description, and a trigger phrase outweighs both', () => {
  assert.deepEqual(namesOf(match(FILES, 'merge files')), ['merge-files', 'tidy', 'join']);
  assert.deepEqual(namesOf(match(FILES, 'please merge it, these files')), ['tidy', 'merge-files', 'join']);
});

test('reasons contain the matching keys, and the words in their original spelling', () => {
  const [first] = match(FILES, 'please MERGE it, these file').matches;
  assert.deepEqual(first?.reasons, [
    { field: 'trigger_phrases', text: 'merge it' },
    { field: 'trigger_phrases', text: 'merge' },
    { field: 'tags', text: 'files' },
  ]);
});

test('a score is at most 1, and a name with every word of the request scores above 0.9', () => {
  const { matches } = match(FILES, 'merge files');
  assert.ok(matches.every(({ score }) => score > 0 && score <= 1));
  assert.ok((matches[0]?.score ?? 0) > 0.9);
});

test('finds a skill without a description by its name', () => {
  assert.deepEqual(namesOf(match(FILES, 'bare')), ['bare']);
});

test('finds similar words for a misspelt word', () => {
  assert.equal(namesOf(match(FILES, 'megre documnets'))[0], 'merge-files');
});

test('finds nothing for stop words, punctuation and spaces', () => {
  for (const request of ['', ' ', 'please do it for me', '?!', '\u0000\u0007']) {
    assert.deepEqual(match(FILES, request), { matches: [], isWeak: true, excluded: [] });
  }
});

test('finds a skill by the beginning of a request of 100 KB', () => {
  const found = match(FILES, `merge files ${'and other words '.repeat(6_500)}`);
  assert.equal(namesOf(found)[0], 'merge-files');
});

test('sorts equal skills by name, version and file', () => {
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

test('skills within the margin are ambiguous only if they have the same kind of match as the best skill', () => {
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

test('returns at most the requested number of skills, all from the given set', () => {
  assert.equal(match(FILES, 'merge files', { top: 1 }).matches.length, 1);
  const among = new Set(['file:///join.skill.md']);
  assert.deepEqual(namesOf(match(FILES, 'merge files', { among })), ['join']);
});

test('replaces a deprecated skill with its successor', () => {
  const old = ['description: Merges files.', 'deprecated: {since: 1.0.0, use: join}'];
  const files = {
    'merge-files.skill.md': skill('merge-files', ...old),
    'join.skill.md': skill('join', 'description: Makes one of several.'),
    'other.skill.md': skill('other', 'description: Has files.'),
  };
  const found = match(files, 'merge files');
  assert.deepEqual(namesOf(found), ['join', 'other']);
  assert.deepEqual(found.matches[0]?.reasons[0], { field: 'deprecated', text: 'merge-files' });
  assert.deepEqual(reasonsWhy(found), [['merge-files', 'it is deprecated, and `join` replaces it']]);
  const alone = { 'merge-files.skill.md': files['merge-files.skill.md'] };
  assert.deepEqual(namesOf(match(alone, 'merge files')), ['merge-files']);
});

test('keeps deprecated skills that name each other as successors', () => {
  const files = {
    'a.skill.md': skill('count-a', 'deprecated: {since: 1.0.0, use: count-b}'),
    'b.skill.md': skill('count-b', 'deprecated: {since: 1.0.0, use: count-a}'),
  };
  assert.deepEqual(namesOf(match(files, 'count')), ['count-a', 'count-b']);
});

test('leaves out older versions', () => {
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

test('a skill in the workspace hides an account skill with the same name', () => {
  const workspace = workspaceWith({ 'w/merge.skill.md': skill('merge'), 'home/merge.skill.md': skill('merge') });
  workspace.apply({ kind: 'account', folders: ['file:///home'] });
  const found = match(workspace, 'merge');
  assert.deepEqual(
    found.matches.map(({ id }) => id),
    ['file:///w/merge.skill.md'],
  );
  assert.match(found.excluded[0]?.reason ?? '', /has the same name/);
});

test('leaves out a `SKILL.md` that models may not choose, unless the source is `explicit`', () => {
  const files = { 'merge/SKILL.md': skill('merge', 'description: Merges.', 'disable-model-invocation: true') };
  assert.deepEqual(reasonsWhy(match(files, 'merge')), [
    ['merge', '`disable-model-invocation` prevents models from choosing it'],
  ]);
  assert.deepEqual(namesOf(match(files, 'merge', { source: 'explicit' })), ['merge']);
});

test('leaves out a skill that a gate denies, with the reason', () => {
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

test('leaves out a disabled skill and its composites', () => {
  const files = {
    ...FILES,
    'skills.config.yaml': 'permissions: {join: {enabled: false}}\n',
    'whole.skill.md': skill('merge-whole', 'level: 2', 'composes: [join]'),
  };
  const found = match(files, 'merge files');
  assert.deepEqual(reasonsWhy(found).toSorted(), [
    ['join', '`join` is disabled in this workspace'],
    ['merge-whole', 'the composed skill `join` is disabled in this workspace'],
  ]);
  assert.ok(!namesOf(found).includes('join'));
});

test('leaves out a skill with invalid frontmatter', () => {
  const files = { 'merge.skill.md': '---\nname: merge\ndescription: "Merges\n---\n' };
  assert.deepEqual(namesOf(match(files, 'merge')), []);
});

test('updates the ranking after edits and deletions', () => {
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

test('does not read the words of a skill again after an edit to its body', () => {
  const workspace = workspaceWith(FILES);
  const uri = 'file:///join.skill.md';
  const before = workspace.index.files.get(uri)?.words;
  workspace.analysis.file(uri);
  workspace.apply({ kind: 'text', uri, text: `${FILES['join.skill.md']}More.\n` });
  assert.equal(workspace.index.files.get(uri)?.words, before);
});

test('ambiguity does not depend on the requested number of skills', () => {
  const files = {
    'a.skill.md': skill('a', 'description: Plans the siege.'),
    'b.skill.md': skill('b', 'description: Plans the siege.'),
  };
  const [one] = match(files, 'plan the siege', { top: 1 }).matches;
  const [first] = match(files, 'plan the siege').matches;
  assert.deepEqual([one?.ambiguous, first?.ambiguous], [true, true]);
});
