/** The files of a `SKILL.md` folder that are read, and those that are left out. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Files } from '../../../server/src/io/files.ts';
import { readFolder } from '../../../server/src/io/read-folder.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';

const ROOT = 'file:///w/tidy';

/** A disk with these files, and the URIs that were read from it. */
function disk(texts: Readonly<Record<string, string>>) {
  const uris = new Map(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text]));
  const read: string[] = [];
  const files: Files = {
    find: async () => [],
    exists: async (uri) => uris.has(uri),
    async read(uri) {
      read.push(uri.slice(ROOT.length + 1));
      const text = uris.get(uri);
      return text === undefined ? { kind: 'absent' } : { kind: 'text', text };
    },
    async list(folder) {
      const below = [...uris.keys()].filter((uri) => uri.startsWith(`${folder}/`));
      const names = new Set(below.map((uri) => uri.slice(folder.length + 1).split('/')[0] ?? ''));
      return [...names].map((name) => ({ name, isFolder: !uris.has(`${folder}/${name}`) }));
    },
  };
  return { files, read };
}

test('reads the 200 files closest to the folder, and reports the others as skipped', async () => {
  const texts = Object.fromEntries(Array.from({ length: 210 }, (_, at) => [`references/p${1000 + at}.md`, '']));
  const { files, read } = disk({ ...texts, 'SKILL.md': '', 'deep/er/x.md': '', 'near.md': '' });
  const found = await readFolder(files, ROOT);
  assert.equal(read.length, 200);
  assert.deepEqual([read[0], read.includes('SKILL.md'), read.includes('deep/er/x.md')], ['near.md', false, false]);
  const folder = new SkillFolder(ROOT, found);
  assert.deepEqual([folder.files.length, folder.unread, folder.isComplete], [200, 12, false]);
});

test('skips files above the limits, and files that contain null bytes', async () => {
  const long = 'x'.repeat(1_000_001);
  const { files } = disk({ 'a.md': long, 'b.bin': 'a\0b', 'c.md': 'text' });
  assert.deepEqual(await readFolder(files, ROOT), [
    { path: 'a.md', text: undefined, isTooLarge: true },
    { path: 'b.bin', text: undefined },
    { path: 'c.md', text: 'text' },
  ]);
  const many = disk(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, 'x'.repeat(900_000)])));
  const kept = (await readFolder(many.files, ROOT)).filter(({ text }) => text !== undefined);
  assert.equal(kept.length, 22);
});

test('skips dependencies and the files of other skills', async () => {
  const { files, read } = disk({
    'node_modules/x/index.js': '',
    '.git/config': '',
    'sub/SKILL.md': '',
    'sub/references/own.md': '',
    'own.md': '',
  });
  const folder = new SkillFolder(ROOT, await readFolder(files, ROOT));
  assert.ok(!read.some((path) => /node_modules|\.git/.test(path)));
  assert.deepEqual(
    folder.files.map(({ path }) => path),
    ['own.md'],
  );
});

test('reads only a few files at the same time', async () => {
  const { files } = disk(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${100 + at}.md`, `${at}`])));
  let underWay = 0;
  let most = 0;
  const found = await readFolder(
    {
      ...files,
      async read(uri, scope) {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        return files.read(uri, scope);
      },
    },
    ROOT,
  );
  assert.ok(most > 1 && most <= 8, String(most));
  assert.deepEqual(
    found.map(({ text }) => text),
    Array.from({ length: 30 }, (_, at) => `${at}`),
  );
});

test('lists folders by depth', async () => {
  const { files } = disk(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${10 + at}/deep/x.md`, ''])));
  const { files: near } = disk({ 'a/b/c/d/x.md': '', 'a/y.md': '', 'z.md': '' });
  assert.equal((await readFolder(files, ROOT)).length, 20);
  assert.deepEqual(
    (await readFolder(near, ROOT)).map(({ path }) => path),
    ['z.md', 'a/y.md', 'a/b/c/d/x.md'],
  );
});
