/** `skill/installPreview` and `skill/install`: what an editor shows before it installs, and that it installs just that. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { InstallPreviewReply, InstallReply, InstallView } from '../../server/src/protocol.ts';
import { folderWith, skill } from './cli.ts';
import { type Server, withServer } from './server.ts';

const TRUSTED = { initializationOptions: { trusted: true } };
const files = { 'mine.skill.md': skill('mine') };

const preview = ({ connection, uri }: Server, source: string) =>
  connection.sendRequest<InstallPreviewReply>('skill/installPreview', { folder: uri('').replace(/\/$/, ''), source });

const install = ({ connection, uri }: Server, source: string, digest: string) =>
  connection.sendRequest<InstallReply>('skill/install', {
    folder: uri('').replace(/\/$/, ''),
    source,
    digest,
    force: false,
  });

function viewIn(reply: InstallPreviewReply): InstallView {
  assert.ok('skills' in reply, JSON.stringify(reply));
  return reply;
}

test('what was shown is installed, and the skill is there', async () => {
  const source = folderWith({ 'other.skill.md': skill('other', 'tools: [write_page]') });
  await withServer(
    files,
    async (server) => {
      const { skills, digest } = viewIn(await preview(server, source));
      assert.deepEqual(
        skills.map(({ name, path }) => [name, path]),
        [['other', 'skills/other.skill.md']],
      );
      assert.ok(!existsSync(fileURLToPath(server.uri('skills'))), 'a preview writes nothing');
      assert.deepEqual(await install(server, source, digest), { written: ['skills/other.skill.md'] });
      assert.ok(existsSync(fileURLToPath(server.uri('skills.lock.json'))));
      assert.equal(viewIn(await preview(server, source)).skills[0]?.state, 'same');
    },
    TRUSTED,
  );
});

test('nothing is installed where the source has changed since it was shown', async () => {
  const source = folderWith({ 'other.skill.md': skill('other') });
  await withServer(
    files,
    async (server) => {
      const { digest } = viewIn(await preview(server, source));
      writeFileSync(join(source, 'other.skill.md'), skill('other', 'tools: [write_page]'));
      const reply = await install(server, source, digest);
      assert.match('problem' in reply ? reply.problem : '', /has changed since the preview/);
      assert.ok(!existsSync(fileURLToPath(server.uri('skills'))));
    },
    TRUSTED,
  );
});

test('what cannot be installed is an answer with the reason', async () => {
  await withServer(
    files,
    async (server) => {
      const reply = await preview(server, '/nowhere/at/all.skill');
      assert.match('problem' in reply ? reply.problem : '', /does not exist/);
    },
    TRUSTED,
  );
});

test('nothing is read or installed in a workspace that is not trusted', async () => {
  const source = folderWith({ 'other.skill.md': skill('other') });
  await withServer(files, async (server) => {
    for (const reply of [await preview(server, source), await install(server, source, 'x')]) {
      assert.match('problem' in reply ? reply.problem : '', /workspaces that you trust/);
    }
  });
});
