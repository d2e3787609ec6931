/** Laws of packing and installing, over random trees: the same bytes, the same tree, and all or nothing. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { packTar } from 'modern-tar';
import { UserError } from '../../../server/src/io/user-error.ts';
import { isAsLocked } from '../../../server/src/packing/checked-skill.ts';
import { applyInstall } from '../../../server/src/services/packing/apply.ts';
import { diskFolder } from '../../../server/src/services/packing/disk-folder.ts';
import { checkInstalled } from '../../../server/src/services/packing/installed.ts';
import { pack } from '../../../server/src/services/packing/pack.ts';
import { prepareInstall } from '../../../server/src/services/packing/prepare.ts';
import { EMPTY_INDEX } from '../../../server/src/workspace/workspace-index.ts';
import { cases } from '../../random.ts';
import { temporaryFolder } from '../../temporary.mjs';

type Tree = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly isExecutable: boolean }>;

function folderWith(tree: Tree = new Map()): string {
  const folder = temporaryFolder();
  for (const [path, { bytes, isExecutable }] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
  return folder;
}

const treeIn = (folder: string): readonly (readonly [string, string, boolean])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'hex'), (statSync(path).mode & 0o100) !== 0]);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const skillText = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, `description: Does ${name}.`, 'version: 1.0.0', ...lines, '---', '', 'Do it.', ''].join(
    '\n',
  );

const name = fc.stringMatching(/^[a-z]{2,5}$/).map((word) => `s-${word}`);
const file = fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), isExecutable: fc.boolean() });

/** Skills that compose earlier skills, and folders with a `SKILL.md` and further files, all in one folder. */
const trees: fc.Arbitrary<Tree> = fc
  .record({
    skills: fc.uniqueArray(fc.tuple(name, fc.nat(2)), { minLength: 1, maxLength: 4, selector: ([one]) => one }),
    folders: fc.uniqueArray(
      fc.tuple(name, fc.uniqueArray(fc.tuple(name, file), { maxLength: 3, selector: ([one]) => one })),
      {
        maxLength: 2,
        selector: ([one]) => one,
      },
    ),
  })
  .map(({ skills, folders }) => {
    const tree = new Map<string, { bytes: Uint8Array; isExecutable: boolean }>();
    for (const [at, [own, depth]] of skills.entries()) {
      const parts = skills.slice(0, at).map(([one]) => one);
      const text = skillText(own, ...(parts.length > 0 ? ['level: 2', `composes: [${parts.join(', ')}]`] : []));
      // The first skill is at the root, so that the root is the common folder.
      const path = `${'deep/'.repeat(at === 0 ? 0 : depth)}${own}.skill.md`;
      tree.set(path, { bytes: utf8(text), isExecutable: false });
    }
    for (const [folder, files] of folders) {
      const text = skillText(`agent-${folder}`);
      tree.set(`agent-${folder}/SKILL.md`, { bytes: utf8(text), isExecutable: false });
      for (const [path, one] of files) tree.set(`agent-${folder}/files/${path}`, one);
    }
    return tree;
  });

const install = async (root: string, source: string) => {
  const prepared = await prepareInstall({ folder: diskFolder(root), index: EMPTY_INDEX, source, to: 'skills' });
  await applyInstall(prepared, false);
};

describe('packing and installing', () => {
  for (const kind of ['tgz', 'zip'] as const) {
    it(`packs the same bytes twice, and restores the same tree (${kind})`, async () => {
      await fc.assert(
        fc.asyncProperty(trees, async (tree) => {
          const source = folderWith(tree);
          const { bytes } = await pack(await diskFolder(source).open(), {}, kind, 'it');
          const again = await pack(await diskFolder(folderWith(new Map([...tree].reverse()))).open(), {}, kind, 'it');
          assert.ok(Buffer.from(bytes).equals(again.bytes), 'the bytes differ');
          const archive = join(folderWith(), `a.${kind}`);
          writeFileSync(archive, bytes);
          const workspace = folderWith();
          await install(workspace, archive);
          assert.deepEqual(treeIn(join(workspace, 'skills')), treeIn(source));
          assert.deepEqual(readdirSync(workspace).sort(), ['skills', 'skills.lock.json']);
          assert.ok((await checkInstalled(diskFolder(workspace), EMPTY_INDEX)).every(isAsLocked));
        }),
        cases(25),
      );
    });
  }

  it('detects every change to an installed file', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), async (tree, at) => {
        const workspace = folderWith();
        await install(workspace, folderWith(tree));
        const paths = treeIn(join(workspace, 'skills')).map(([path]) => path);
        const path = join(workspace, 'skills', paths[at % paths.length] as string);
        writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('\n')]));
        assert.ok(!(await checkInstalled(diskFolder(workspace), EMPTY_INDEX)).every(isAsLocked));
      }),
      cases(25),
    );
  });

  it('does not change the workspace if the archive is refused', async () => {
    const good = { header: { name: 'a.skill.md', size: 0, type: 'file' as const }, body: skillText('a') };
    const bad = ['../out.md', '/out.md', 'a/../../out.md', 'C:\\out.md', 'A.SKILL.md', 'con.md', 'x/.git/config'];
    const around = folderWith(new Map([['w/mine.md', { bytes: utf8('mine'), isExecutable: false }]]));
    for (const entry of [
      ...bad.map((path) => ({ header: { name: path, size: 2, type: 'file' as const }, body: 'hi' })),
      { header: { name: 'link', size: 0, type: 'symlink' as const, linkname: '/etc/passwd' } },
    ]) {
      const body = utf8(good.body);
      const tar = await packTar([{ header: { ...good.header, size: body.length }, body }, entry]);
      const archive = join(folderWith(), 'a.tgz');
      writeFileSync(archive, gzipSync(tar));
      await assert.rejects(install(join(around, 'w'), archive), UserError, entry.header.name);
      const left = treeIn(around).map(([path]) => path);
      assert.deepEqual(left, ['w/mine.md']);
    }
  });
});
