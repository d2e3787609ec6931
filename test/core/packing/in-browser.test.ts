/** Packing and installing when only a client can access the files, as in a browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { writeArchive } from '../../../server/src/io/archives/archive.ts';
import { isUserError } from '../../../server/src/io/user-error.ts';
import { isAsLocked } from '../../../server/src/packing/checked-skill.ts';
import { applyInstall } from '../../../server/src/services/packing/apply.ts';
import { diskFolder } from '../../../server/src/services/packing/disk-folder.ts';
import type { FolderAccess } from '../../../server/src/services/packing/folder-access.ts';
import { openFolder } from '../../../server/src/services/packing/folder-source.ts';
import { checkInstalled } from '../../../server/src/services/packing/installed.ts';
import { pack, packTo } from '../../../server/src/services/packing/pack.ts';
import { prepareInstall } from '../../../server/src/services/packing/prepare.ts';
import { EMPTY_INDEX } from '../../../server/src/workspace/workspace-index.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { MemoryClient } from './memory-client.ts';

type Files = Readonly<Record<string, Uint8Array>>;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const skillText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\n${more}---\n\nDo it.\n`;

const FILES: Files = {
  'skills/whole.skill.md': utf8(
    `${skillText('whole', 'level: 2\ncomposes: [part]\n')}See [the map](pages/a%20map.md).\n`,
  ),
  'skills/part.skill.md': utf8(skillText('part')),
  'skills/pages/a map.md': utf8('A map.\n'),
  'forms/SKILL.md': utf8(skillText('forms')),
  'forms/scripts/fill.py': utf8('print(1)\n'),
  'forms/picture.png': Uint8Array.from([0x89, 0, 255, 1]),
  'node_modules/other/SKILL.md': utf8(skillText('other')),
  'skills.config.yaml': utf8('tools: []\n'),
};

const below = (root: string, files: Files) =>
  Object.entries(files).map(([path, bytes]) => [`${root}/${path}`, bytes] as const);

async function onDisk<Result>(files: Files, use: (folder: FolderAccess) => Promise<Result>): Promise<Result> {
  return use(diskFolder(temporaryFolder(files)));
}

const archived = (files: Files): Promise<Uint8Array> =>
  writeArchive(
    'zip',
    Object.entries(files).map(([path, bytes]) => ({ path, bytes, isExecutable: true })),
  );

const preview = (folder: FolderAccess, source: string) => prepareInstall({ folder, index: EMPTY_INDEX, source });

const install = async (folder: FolderAccess, source: string) => applyInstall(await preview(folder, source), false);

describe('packing in a browser', () => {
  for (const kind of ['tgz', 'zip'] as const) {
    it(`produces the same bytes as on a desktop (${kind})`, async () => {
      const client = new MemoryClient(below('/w', FILES));
      const here = await pack(await client.folder('/w').open(), {}, kind, 'it');
      const there = await onDisk(FILES, async (folder) => {
        const source = await folder.open();
        return pack({ ...source, name: 'work' }, {}, kind, 'it');
      });
      assert.ok(Buffer.from(here.bytes).equals(there.bytes), 'the bytes differ');
      assert.deepEqual(here.paths, there.paths);
      assert.deepEqual(here.collected.leftOut, there.collected.leftOut);
    });
  }

  it('writes the archive to its path, and does not pack an older archive at that path', async () => {
    const client = new MemoryClient(below('/w', FILES));
    const folder = client.folder('/w');
    const packed = () =>
      packTo({ folder, out: 'memory:/w/forms/a.skill', wanted: (all) => new Set(all), namedPaths: [''], shown: 'it' });
    const first = await packed();
    assert.deepEqual(client.files.get('/w/forms/a.skill'), first.bytes);
    assert.deepEqual((await packed()).bytes, first.bytes);
  });

  it('does not follow links, and reports them', async () => {
    const client = new MemoryClient(below('/w', FILES));
    client.links.add('/w/forms/picture.png');
    const { paths, collected } = await pack(await client.folder('/w').open(), {}, 'zip', 'it');
    assert.ok(!paths.includes('forms/picture.png'), paths.join());
    assert.deepEqual(collected.leftOut[0], {
      path: 'forms/picture.png',
      why: 'is a link, and browsers do not report its target',
    });
  });
});

describe('a folder that a file system lists in itself', () => {
  it('ends at the limit of a path', async () => {
    let listed = 0;
    const { paths, leftOut } = await openFolder({
      name: 'w',
      async list() {
        listed++;
        return [
          { name: 'a.md', kind: 'file' },
          { name: 'x'.repeat(99), kind: 'folder' },
        ];
      },
      find: async () => 'file',
      follow: async () => ({ why: 'is a link' }),
      read: async () => 'absent',
    });
    assert.deepEqual([listed, paths.length, leftOut.length], [41, 41, 1]);
    assert.equal(leftOut[0]?.why, 'has a path that is too long');
  });
});

describe('installing in a browser', () => {
  it('leaves out the files that a Mac adds to an archive', async () => {
    const bytes = await archived({
      'forms/SKILL.md': utf8(skillText('forms')),
      'forms/._SKILL.md': utf8('x'),
      'forms/.DS_Store': utf8('x'),
      '__MACOSX/forms/._SKILL.md': utf8('x'),
    });
    const client = new MemoryClient([['/w/a.skill', bytes]]);
    assert.deepEqual(await install(client.folder('/w'), 'memory:/w/a.skill'), ['.agents/skills/forms/SKILL.md']);
  });

  it('writes the same files and lock file as on a desktop', async () => {
    const bytes = await archived({ 'forms/SKILL.md': utf8(skillText('forms')), 'forms/a.sh': utf8('#!/bin/sh\n') });
    const client = new MemoryClient([['/w/a.skill', bytes]]);
    const written = await install(client.folder('/w'), 'memory:/w/a.skill');
    assert.deepEqual(written, ['.agents/skills/forms/SKILL.md', '.agents/skills/forms/a.sh']);
    assert.ok((await checkInstalled(client.folder('/w'), EMPTY_INDEX)).every(isAsLocked));
    await onDisk({ 'a.skill': bytes }, async (folder) => {
      await install(folder, 'a.skill');
      for (const path of ['skills.lock.json', ...written]) {
        const read = await folder.read(path, 1e6);
        assert.ok(typeof read !== 'string');
        assert.equal(Buffer.from(client.files.get(`/w/${path}`) ?? []).toString(), read.bytes.toString(), path);
      }
    });
  });

  it('lists only the folders of installed skills when it checks them, and does not follow links', async () => {
    const client = new MemoryClient(below('/other', FILES));
    await install(client.folder('/w'), 'memory:/other');
    const folder = client.folder('/w');
    client.files.set('/w/.agents/skills/forms/new.md', utf8('new'));
    client.listed.length = 0;
    const changed = async () =>
      (await checkInstalled(folder, EMPTY_INDEX)).flatMap(({ files }) => files.map(({ path, state }) => [path, state]));
    assert.deepEqual(await changed(), [['.agents/skills/forms/new.md', 'added']]);
    assert.deepEqual(client.listed, ['/w/.agents/skills/forms', '/w/.agents/skills/forms/scripts']);
    client.links.add('/w/skills/pages');
    assert.deepEqual((await changed()).sort(), [
      ['.agents/skills/forms/new.md', 'added'],
      ['skills/pages/a map.md', 'missing'],
    ]);
  });

  it('installs a folder, or one skill with the skills that it composes', async () => {
    const client = new MemoryClient(below('/other', FILES));
    await install(client.folder('/w'), 'memory:/other/skills/whole.skill.md');
    assert.deepEqual([...client.files.keys()].filter((path) => path.startsWith('/w/')).sort(), [
      '/w/skills.lock.json',
      '/w/skills/pages/a map.md',
      '/w/skills/part.skill.md',
      '/w/skills/whole.skill.md',
    ]);
    await install(client.folder('/more'), 'memory:/other');
    assert.ok(client.files.has('/more/.agents/skills/forms/picture.png'));
  });

  it('installs a picked file without listing its folder', async () => {
    const client = new MemoryClient([['/a.skill.md', utf8(skillText('a'))]]);
    client.folders.delete('/');
    client.folders.add('/w');
    await install(client.folder('/w'), 'memory:/a.skill.md');
    assert.ok(client.files.has('/w/skills/a.skill.md'));
  });

  it('refuses a hostile archive, and writes nothing', async () => {
    const link = { os: 3, attrs: (0o120777 << 16) >>> 0 };
    const skill = utf8(skillText('a'));
    const hostile: readonly (readonly [Uint8Array, RegExp])[] = [
      [zipSync({ 'a/SKILL.md': skill, '../out.md': skill }), /leaves the folder/],
      [zipSync({ 'a/SKILL.md': skill, 'a/link': [skill, link] }), /is a link/],
      [zipSync({ 'a/SKILL.md': skill, 'a/skill.md': skill }), /case/],
      [zipSync({ 'a/SKILL.md': skill, 'a/bomb': new Uint8Array(21 * 2 ** 20) }, { level: 1 }), /larger than 20 MiB/],
      [utf8('no archive'), /neither a gzipped tar nor a zip/],
    ];
    for (const [bytes, reason] of hostile) {
      const client = new MemoryClient([['/w/a.skill', bytes]]);
      const before = client.tree;
      await assert.rejects(install(client.folder('/w'), 'memory:/w/a.skill'), (error) => {
        assert.ok(isUserError(error), String(error));
        assert.match(error.message, reason);
        return true;
      });
      assert.deepEqual(client.tree, before);
    }
  });

  it('does not write through links', async () => {
    const client = new MemoryClient([['/w/a.skill', await archived({ 'a.skill.md': utf8(skillText('a')) })]]);
    client.folders.add('/w/skills');
    client.links.add('/w/skills');
    const before = client.tree;
    await assert.rejects(install(client.folder('/w'), 'memory:/w/a.skill'), /`skills` is a link or a file/);
    assert.deepEqual(client.tree, before);
    client.links.clear();
    client.files.set('/w/skills/a.skill.md', utf8('elsewhere'));
    client.links.add('/w/skills/a.skill.md');
    const forced = applyInstall(await preview(client.folder('/w'), 'memory:/w/a.skill'), true);
    await assert.rejects(forced, /`skills\/a\.skill\.md` is a link/);
  });

  it('writes all files, or none if any write fails', async () => {
    const older = { 'a/SKILL.md': utf8(skillText('a')), 'a/gone.md': utf8('gone'), 'a/kept.md': utf8('kept') };
    const newer = {
      'a/SKILL.md': utf8(skillText('a', 'license: MIT\n')),
      'a/deep/new.md': utf8('new'),
      'a/kept.md': utf8('other'),
    };
    const [first, second] = [await archived(older), await archived(newer)];
    // Three files and the lock are written, and one file is removed.
    for (let changes = 0; changes <= 5; changes++) {
      const client = new MemoryClient([
        ['/w/a.skill', first],
        ['/w/b.skill', second],
      ]);
      const folder = client.folder('/w');
      await install(folder, 'memory:/w/a.skill');
      const before = client.tree;
      client.failsAfter = changes;
      const update = install(folder, 'memory:/w/b.skill');
      if (changes < 5) {
        await assert.rejects(update, /Not installed: the quota is used up/);
        assert.deepEqual(client.tree, before, `after ${changes} changes`);
      } else {
        await update;
        assert.ok(!client.files.has('/w/.agents/skills/a/gone.md'));
        assert.ok((await checkInstalled(folder, EMPTY_INDEX)).every(isAsLocked));
      }
    }
  });

  it('writes nothing if a file has changed since the preview', async () => {
    const client = new MemoryClient([['/w/a.skill', await archived({ 'a.skill.md': utf8(skillText('a')) })]]);
    const prepared = await preview(client.folder('/w'), 'memory:/w/a.skill');
    client.files.set('/w/skills/a.skill.md', utf8('mine'));
    await assert.rejects(applyInstall(prepared, false), /files changed since the preview/);
    assert.equal(client.files.size, 2);
  });
});

describe('a legacy package', () => {
  const PACKAGE = JSON.stringify({
    name: 'Draft Scene',
    description: 'Drafts a scene.',
    version: '1.0.0',
    artifacts: [
      { kind: 'prompt_template', name: 'main', content: 'Draft a {{ tone }} scene.' },
      { kind: 'code_template', name: 'run', content: 'print(1)' },
    ],
  });
  const source = (text: string): MemoryClient =>
    new MemoryClient(below('/src', { 'x.skill.json': utf8(text), 'y.skill.md': utf8(skillText('y')) }));

  it('is converted, and the preview shows the skill and the parts that were not converted', async () => {
    const client = source(PACKAGE);
    const { view } = await preview(client.folder('/w'), 'memory:/src/x.skill.json');
    assert.deepEqual(
      view.files.map(({ path, state }) => `${path} ${state}`),
      ['skills/draft-scene.skill.md new'],
    );
    assert.match(view.conversion?.text ?? '', /^name: draft-scene$/m);
    assert.deepEqual(
      view.conversion?.losses.map(({ what }) => what),
      ['code_template `run`'],
    );
    assert.ok(!client.files.has('/w/skills/draft-scene.skill.md'), 'the preview writes nothing');
    await install(client.folder('/w'), 'memory:/src/x.skill.json');
    assert.equal(
      Buffer.from(client.files.get('/w/skills/draft-scene.skill.md') ?? []).toString(),
      view.conversion?.text,
    );
    const again = await preview(client.folder('/w'), 'memory:/src/x.skill.json');
    assert.deepEqual(
      again.view.skills.map(({ state }) => state),
      ['same'],
    );
  });

  it('is refused with the reason if it cannot be converted', async () => {
    for (const [text, reason] of [
      ['{"a": 1}', /x\.skill\.json` cannot be installed, because .* no `artifacts` list/],
      ['{"artifacts": [', /does not parse/],
    ] as const) {
      await assert.rejects(preview(source(text).folder('/w'), 'memory:/src/x.skill.json'), reason);
    }
  });

  it('in a folder is listed, and is not installed', async () => {
    const { view } = await preview(source(PACKAGE).folder('/w'), 'memory:/src');
    assert.deepEqual(
      view.skills.map(({ name }) => name),
      ['y'],
    );
    assert.deepEqual(
      view.leftOut.map(({ path }) => path),
      ['x.skill.json'],
    );
    assert.equal(view.conversion, null);
  });
});
