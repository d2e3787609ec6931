/** `skill/pack` and `skill/installed`: packing in an editor, and imported skills. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { InstalledReply, PackReply } from '../../server/src/protocol.ts';
import { temporaryFolder } from '../temporary.mjs';
import { folderWith, run, skill } from './cli.ts';
import { installed } from './install.ts';
import { type Server, withServer } from './server.ts';

const FILES = {
  'skills.config.yaml': 'tools: []\n',
  'skills/whole.skill.md': `${skill('whole', 'level: 2', 'composes: [part]')}\nSee [the map](pages/map.md).\n`,
  'skills/parts/part.skill.md': skill('part'),
  'skills/pages/map.md': 'A map.\n',
  'skills/alone.skill.md': skill('alone'),
  'notes/read me.md': 'Nothing of a skill.\n',
};

const outside = (name: string): string => join(temporaryFolder(), name);

const pack = ({ connection, uri }: Server, paths: readonly string[], out: string) =>
  connection.sendRequest<PackReply>('skill/pack', {
    folder: uri('').replace(/\/$/, ''),
    uris: paths.map((path) => uri(path)),
    out,
  });

test('packs a skill and a folder into the same bytes as the command line', async () => {
  await withServer(FILES, async (server) => {
    const folder = fileURLToPath(server.uri(''));
    for (const path of ['skills/whole.skill.md', 'skills']) {
      const out = outside('a.skill');
      const reply = await pack(server, [path], out);
      assert.ok('paths' in reply, JSON.stringify(reply));
      const other = outside('b.skill');
      const { stdout } = await run(folder, ['pack', path, '--out', other]);
      assert.deepEqual(reply.paths, stdout.trimEnd().split('\n'));
      assert.deepEqual(readFileSync(out), readFileSync(other));
      assert.deepEqual(reply.leftOut, []);
    }
  });
});

test('reports the files in a folder that are not packed', async () => {
  await withServer(FILES, async (server) => {
    const reply = await pack(server, [''], outside('a.skill'));
    assert.deepEqual('leftOut' in reply ? reply.leftOut : reply, [
      { path: 'skills.config.yaml', why: 'belongs to the workspace, not to a skill' },
    ]);
  });
});

test('returns the reason why a path cannot be packed, and writes nothing', async () => {
  await withServer(FILES, async (server) => {
    const below = fileURLToPath(server.uri('skills/alone.skill.md/a.skill'));
    for (const [paths, out, reason] of [
      [['notes'], outside('a.skill'), /`notes` contains no skills/],
      [['skills/alone.skill.md'], outside('a.txt'), /is not the name of an archive/],
      [['../elsewhere'], outside('a.skill'), /outside the workspace folder/],
      [['skills/alone.skill.md'], below, /cannot be written: a part of the path is a file, not a folder\.$/],
    ] as const) {
      const reply = await pack(server, paths, out);
      assert.match('problem' in reply ? reply.problem : JSON.stringify(reply), reason);
      assert.ok(!existsSync(out));
    }
  });
});

test('returns the source of an imported skill, and its changes since the import', async () => {
  const source = folderWith({ 'other.skill.md': skill('other'), 'SKILL.md': '' });
  await withServer({ 'mine.skill.md': skill('mine') }, async (server) => {
    const folder = fileURLToPath(server.uri(''));
    const ask = async () => {
      const reply = await server.connection.sendRequest<InstalledReply>('skill/installed', {
        folder: server.uri('').replace(/\/$/, ''),
      });
      assert.ok('skills' in reply, JSON.stringify(reply));
      return reply.skills;
    };
    assert.deepEqual(await ask(), []);
    installed(await run(folder, ['install', join(source, 'other.skill.md'), '--yes']));
    const [fresh] = await ask();
    assert.equal(fresh?.uri, server.uri('skills/other.skill.md'));
    assert.match(fresh?.origin ?? '', /other\.skill\.md$/);
    assert.deepEqual([fresh?.version, fresh?.files, fresh?.changes], ['1.0.0', [], []]);
    writeFileSync(join(folder, 'skills/other.skill.md'), skill('other', 'tools: [write_page]'));
    const [edited] = await ask();
    assert.deepEqual(edited?.files, [{ path: 'skills/other.skill.md', state: 'edited' }]);
    assert.deepEqual(edited?.changes, [{ kind: 'more', text: 'new tool `write_page`' }]);
    writeFileSync(join(folder, 'skills.lock.json'), '{"version": 2}');
    const reply = await server.connection.sendRequest<InstalledReply>('skill/installed', {
      folder: server.uri('').replace(/\/$/, ''),
    });
    assert.match('problem' in reply ? reply.problem : '', /is invalid: /);
  });
});
