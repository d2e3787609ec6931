/** The files that a run of a command reads: each of them once, and each folder once. */
import { strict as assert } from 'node:assert';
import fs, { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { nodeFiles } from '../../../server/src/io/node-files.ts';
import { toUri } from '../../../server/src/io/paths.ts';
import { openProject, readSurroundings } from '../../../server/src/io/project.ts';
import { RunFiles } from '../../../server/src/io/run-files.ts';
import { NO_PROGRESS } from '../../../server/src/io/stderr.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${body}\n`;

const REPOSITORY = {
  'skills/a/SKILL.md': skill(
    'a',
    'Read [one](references/one.md), [gone](references/gone.md), and run `scripts/go.sh`.',
  ),
  'skills/a/references/one.md': '# One\n\n[two](two.md) and [b](../../b/SKILL.md)\n',
  'skills/a/references/two.md': '# Two\n',
  'skills/a/scripts/go.sh': '#!/bin/sh\necho 1\n',
  'skills/a/inner/SKILL.md': skill('inner', 'Read [note](note.md).'),
  'skills/a/inner/note.md': '# Note\n',
  'skills/b/SKILL.md': skill('b', 'Read [one](../a/references/one.md) and [gone](gone.md).'),
  'node_modules/x/skills/c/SKILL.md': skill('c', 'Read [gone](gone.md).'),
};

/** Counts the calls of the file system below a folder, by their name and path. */
function counted(t: TestContext, root: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string, path: unknown): void => {
    if (!String(path).startsWith(root)) return;
    const key = `${name} ${String(path).slice(root.length + 1)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const watch = (of: object, name: string, as: string): void => {
    const own = Reflect.get(of, name);
    t.mock.method(of as Record<string, () => void>, name, function (this: unknown, ...words: unknown[]) {
      count(as, words[0]);
      return own.apply(this, words);
    });
  };
  for (const [name, as] of [
    ['open', 'open'],
    ['readdir', 'list'],
    ['access', 'access'],
  ] as const) {
    watch(fs.promises, name, as);
    watch(fs, `${name}Sync`, as);
  }
  watch(fs, 'existsSync', 'access');
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return counts;
}

it('reads each file and each folder once, and lists no excluded folder', async (t) => {
  const root = temporaryFolder(REPOSITORY);
  const counts = counted(t, root);
  const project = await openProject({ cwd: root, paths: [], config: undefined, progress: NO_PROGRESS });
  for (const uri of project.named) await readSurroundings(project, uri);
  const often = [...counts].filter(([, count]) => count > 1);
  // The working folder is also searched for a file that makes it a repository.
  assert.deepEqual(often, []);
  assert.deepEqual(
    [...counts.keys()].filter((key) => /node_modules\/x/.test(key)),
    [],
  );
  assert.equal(counts.get('open skills/a/references/one.md'), 1);
  assert.equal(counts.get('open skills/a/inner/note.md'), 1);
});

it('finds out with at most four calls that the target of a link is missing', async (t) => {
  const root = temporaryFolder({ 'skills/a/SKILL.md': skill('a', 'Read [gone](references/gone.md).') });
  const counts = counted(t, '/');
  const project = await openProject({ cwd: root, paths: [], config: undefined, progress: NO_PROGRESS });
  for (const uri of project.named) await readSurroundings(project, uri);
  const calls = [...counts].filter(([key]) => key.startsWith('access '));
  assert.ok(calls.length <= 4, calls.join('\n'));
});

describe('a question whether a file exists', () => {
  it('has the same answer as the system gives', async () => {
    const root = temporaryFolder({ 'a/one.md': '', 'a/Two.md': '', 'a/b/three.md': '' });
    mkdirSync(join(root, 'empty'));
    symlinkSync('one.md', join(root, 'a/link.md'));
    symlinkSync('gone.md', join(root, 'a/dangling.md'));
    symlinkSync('a', join(root, 'linked'), 'junction');
    // Some file systems refuse a name that is not UTF-8.
    if (process.platform === 'linux') writeFileSync(Buffer.from(`${root}/a/x\xff.md`, 'latin1'), '');
    const run = new RunFiles(root);
    const paths = [
      'a/x%EF%BF%BD.md',
      ...['', 'a', 'a/', 'a/one.md', 'a/one.md/', 'a/two.md', 'a/gone.md', 'a/b', 'a/b/three.md', 'a/link.md'],
      ...['a/dangling.md', 'linked', 'linked/one.md', 'linked/gone.md', 'empty', 'empty/x', 'gone/x', 'gone/y/x.md'],
      ...['a/one.md/x', 'a/../a/one.md', '../gone.md', 'a/caf%C3%A9.md'],
    ];
    for (const path of paths) {
      const uri = `${toUri(root)}/${path}`;
      assert.equal(await run.exists(uri), await nodeFiles.exists(uri), path);
    }
    assert.equal(await run.exists('memory:/x'), false);
  });

  it('is answered for a path that no file can have', async () => {
    const root = temporaryFolder();
    const uri = `${toUri(root)}/${'a/'.repeat(20_000)}b.md`;
    for (const files of [new RunFiles(root), nodeFiles]) {
      assert.equal(await files.exists(uri), false);
      assert.equal(await files.absences()(uri), undefined);
    }
  });

  it('lists a folder only once', async () => {
    const root = temporaryFolder({ 'a/one.md': '' });
    const run = new RunFiles(root);
    assert.equal(await run.exists(toUri(join(root, 'a/gone.md'))), false);
    rmSync(join(root, 'a'), { recursive: true });
    assert.equal(await run.exists(toUri(join(root, 'a/one.md'))), true);
  });
});

it('reads files as the language server does', async () => {
  const root = temporaryFolder({ 'a.md': 'text', 'empty.md': '', 'zero.md': 'a\0b' });
  writeFiles(root, { 'x/deep.md': 'ü' });
  fs.writeFileSync(join(root, 'latin.md'), Buffer.from([0x66, 0xfc, 0x72]));
  symlinkSync('a.md', join(root, 'link.md'));
  symlinkSync('gone.md', join(root, 'dangling.md'));
  const run = new RunFiles(root);
  const scope = { folders: [toUri(root)], isReadDirectly: () => false };
  for (const name of [
    'a.md',
    'empty.md',
    'zero.md',
    'x',
    'x/deep.md',
    'latin.md',
    'link.md',
    'dangling.md',
    'gone.md',
  ]) {
    const uri = toUri(join(root, name));
    assert.deepEqual(await run.read(uri, scope), await nodeFiles.read(uri, scope), name);
  }
});
