/** Reads only the folders of the installed skills. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative, sep } from 'node:path';
import { mock, test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { CAPABILITY_LISTS } from '../../../server/src/packing/capabilities.ts';
import type { Lock } from '../../../server/src/packing/lock.ts';
import { diskFolder } from '../../../server/src/services/packing/disk-folder.ts';
import { uriAt } from '../../../server/src/services/packing/folder-access.ts';
import { readInstalled } from '../../../server/src/services/packing/installed.ts';
import { prepareInstall } from '../../../server/src/services/packing/prepare.ts';
import { bytesDigest } from '../../../server/src/skill/content-digest.ts';
import { temporaryFolder } from '../../temporary.mjs';

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Says it.\nversion: 1.0.0\n---\n\n${body}\n`;

const none = Object.fromEntries(CAPABILITY_LISTS.map((list) => [list, []]));
const capabilities = none as Record<(typeof CAPABILITY_LISTS)[number], []>;

/** A lock file whose skills have one file each. */
const lockOf = (...paths: readonly string[]): Lock =>
  new Map(
    paths.map((path) => [
      path,
      { path, origin: 'elsewhere', version: '1.0.0', files: new Map([[path, '']]), capabilities },
    ]),
  );

const pathsOf = async (root: string, lock: Lock): Promise<readonly string[][]> =>
  (await readInstalled(diskFolder(root), lock)).map(({ unit }) => unit.files.map(({ path }) => path));

test('lists only the folders of installed skills', async (t) => {
  const root = temporaryFolder({
    'skills/a.skill.md': skill('a', 'See [the guide](../docs/guide.md).'),
    'skills/__prompts__/a.all.md': 'Kept.',
    'docs/guide.md': 'Then [the rest](rest/more.md), and [nothing](none.md).',
    'docs/rest/more.md': 'More.',
    'src/deep/other.md': 'Other.',
    '.agents/skills/b/SKILL.md': skill('b', 'Do it.'),
    '.agents/skills/b/scripts/run.sh': 'ls',
  });
  const listed = mock.method(files, 'readdir');
  syncBuiltinESMExports();
  t.after(() => {
    listed.mock.restore();
    syncBuiltinESMExports();
  });
  assert.deepEqual(await pathsOf(root, lockOf('skills/a.skill.md', '.agents/skills/b/SKILL.md')), [
    ['docs/guide.md', 'docs/rest/more.md', 'skills/__prompts__/a.all.md', 'skills/a.skill.md'],
    ['.agents/skills/b/SKILL.md', '.agents/skills/b/scripts/run.sh'],
  ]);
  const folders = listed.mock.calls.map(({ arguments: [path] }) => relative(root, String(path)).replaceAll(sep, '/'));
  assert.deepEqual(folders.sort(), ['.agents/skills/b', '.agents/skills/b/scripts', 'skills/__prompts__']);
});

test('does not read referenced files through a symbolic link that leaves the folder', async () => {
  const outside = temporaryFolder({ 'secret.md': 'Secret.' });
  const root = temporaryFolder({
    'skills/a.skill.md': skill(
      'a',
      '[One](one.md), [two](linked/secret.md), [three](%2e%2e/%2e%2e/secret.md), [four](four.md).',
    ),
    'skills/real.md': 'Real.',
  });
  symlinkSync(join(outside, 'secret.md'), join(root, 'skills/one.md'));
  symlinkSync(outside, join(root, 'skills/linked'));
  symlinkSync('real.md', join(root, 'skills/four.md'));
  assert.deepEqual(await pathsOf(root, lockOf('skills/a.skill.md')), [['skills/a.skill.md', 'skills/four.md']]);
});

/** Prepares an update of the skill `a` from the folder `new`, with a lock file for these files of the workspace. */
async function updated(texts: Readonly<Record<string, string>>, path: string, source = skill('a', 'New.')) {
  const own = path.endsWith('SKILL.md') ? 'a/SKILL.md' : 'a.skill.md';
  const root = temporaryFolder({ ...texts, [`new/${own}`]: source });
  const digests = Object.entries(texts).map(([one, text]) => [one, bytesDigest(new TextEncoder().encode(text))]);
  const entry = { path, origin: 'new', files: Object.fromEntries(digests), capabilities: {} };
  writeFileSync(join(root, 'skills.lock.json'), JSON.stringify({ version: 1, skills: { a: entry } }));
  const all = new Workspace();
  for (const [one, text] of Object.entries(texts)) all.apply({ kind: 'text', uri: uriAt(diskFolder(root), one), text });
  const { view } = await prepareInstall({ folder: diskFolder(root), index: all.analysis.index, source: 'new' });
  const removed = view.files.filter(({ state }) => state === 'removed').map((one) => one.path);
  return {
    removed,
    unremoved: view.unremoved.map((one) => one.path),
    conflicts: view.conflicts.map((one) => one.path),
  };
}

test('removes the files of the old version below its own folder', async () => {
  const texts = {
    'skills/a.skill.md': skill('a', 'See [the guide](guides/a.md).'),
    'skills/guides/a.md': 'Guide.',
    'skills/__prompts__/a.all.md': 'Kept.',
  };
  const { removed, unremoved } = await updated(texts, 'skills/a.skill.md');
  assert.deepEqual([removed, unremoved], [['skills/__prompts__/a.all.md', 'skills/guides/a.md'], []]);
  const folder = { '.agents/skills/a/SKILL.md': skill('a', 'Old.'), '.agents/skills/a/scripts/run.sh': 'ls' };
  const other = await updated(folder, '.agents/skills/a/SKILL.md');
  assert.deepEqual([other.removed, other.unremoved], [['.agents/skills/a/scripts/run.sh'], []]);
});

test('keeps other files of a lock file from elsewhere, and lists them', async () => {
  const own = 'skills/a.skill.md';
  const old = skill('a', '[One](../README.md), [two](b.skill.md), [three](shared.md), [four](A.skill.md).');
  const kept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a file outside the folder of the skill': { [own]: old, 'README.md': 'Mine.' },
    'a file that the skill does not use': { [own]: old, 'skills/notes.md': 'Mine.' },
    'another skill': { [own]: old, 'skills/b.skill.md': skill('b', 'Mine.') },
    'a file that another skill uses': {
      [own]: old,
      'skills/shared.md': 'Mine.',
      'skills/b.skill.md': skill('b', '[Shared](shared.md)'),
    },
    'a file that is the new file on some file systems': { [own]: old, 'skills/A.skill.md': skill('a', 'Old.') },
  };
  for (const [name, texts] of Object.entries(kept)) {
    const { removed, unremoved } = await updated(texts, own);
    assert.deepEqual(
      [removed, unremoved],
      [
        [],
        Object.keys(texts)
          .filter((path) => path !== own)
          .sort(),
      ],
      name,
    );
  }
});

test('keeps the file of another skill that a lock file names as the skill', async () => {
  const texts = { 'other/b.skill.md': skill('b', 'Mine.'), 'other/README.md': 'Mine.' };
  for (const path of Object.keys(texts)) {
    const { removed, unremoved } = await updated(texts, path);
    assert.deepEqual([removed, unremoved], [[], ['other/README.md', 'other/b.skill.md']]);
  }
  const agents = { '.agents/skills/SKILL.md': skill('a', 'Old.'), '.agents/skills/b/SKILL.md': skill('b', 'Mine.') };
  const { removed } = await updated({ ...agents, '.agents/skills/b/run.sh': 'Mine.' }, '.agents/skills/SKILL.md');
  assert.deepEqual(removed, ['.agents/skills/SKILL.md']);
  const wide = await updated({ 'src/SKILL.md': skill('a', 'Old.'), 'src/main.ts': 'Mine.' }, 'src/SKILL.md');
  assert.deepEqual([wide.removed, wide.unremoved], [['src/SKILL.md'], ['src/main.ts']]);
});

test('reports a conflict at a file that only the lock file assigns to the skill', async () => {
  const texts = { 'skills/a.skill.md': skill('b', 'Mine.') };
  assert.deepEqual((await updated(texts, 'skills/a.skill.md')).conflicts, ['skills/a.skill.md']);
});
