/** `skill/installPreview` and `skill/install`: what an editor shows before it installs, and that it installs just that. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { InstallPreviewReply, InstallReply, InstallView, SkillsReply } from '../../server/src/protocol.ts';
import { folderWith, skill } from './cli.ts';
import { NOTES } from './install.ts';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const TRUSTED = { initializationOptions: { trusted: true } };
const files = { 'mine.skill.md': skill('mine') };

const preview = ({ connection, uri }: Server, source: string, to?: string) =>
  connection.sendRequest<InstallPreviewReply>('skill/installPreview', {
    folder: uri('').replace(/\/$/, ''),
    source,
    ...(to !== undefined && { to }),
  });

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

test('a newer version that has one file less is an update', async () => {
  const source = folderWith({ 'pdf-forms/SKILL.md': NOTES, 'pdf-forms/extra.md': 'More.\n' });
  await withServer(
    files,
    async (server) => {
      await install(server, source, viewIn(await preview(server, source)).digest);
      rmSync(join(source, 'pdf-forms/extra.md'));
      const view = viewIn(await preview(server, source));
      assert.deepEqual(
        [view.skills.map(({ state }) => state), view.files.map(({ state }) => state).sort()],
        [['update'], ['removed', 'same']],
      );
      await install(server, source, view.digest);
      assert.equal(viewIn(await preview(server, source)).skills[0]?.state, 'same');
    },
    TRUSTED,
  );
});

test('a skill that was installed is known, also where no watcher has told of its file', async () => {
  const source = folderWith({ 'pdf-forms/SKILL.md': NOTES });
  await withServer(
    files,
    async (server) => {
      const { digest } = viewIn(await preview(server, source));
      await install(server, source, digest);
      await until('the skill is in the list', async () => {
        const { skills } = await server.connection.sendRequest<SkillsReply>('skill/skills');
        return skills.some(({ name }) => name === 'merge-notes');
      });
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

test('a refusal in an editor names no option of the command line', async () => {
  const source = folderWith({ 'other.skill.md': skill('other') });
  await withServer(
    { ...files, 'skills/other.skill.md': 'Mine.\n' },
    async (server) => {
      const { digest } = viewIn(await preview(server, source));
      const conflict = await install(server, source, digest);
      const away = await preview(server, source, '../elsewhere');
      for (const [reply, reason] of [
        [conflict, /`skills\/other\.skill\.md` .* allow overwriting\.$/],
        [away, /`\.\.\/elsewhere` is outside the workspace\. Select a folder in the workspace\.$/],
      ] as const) {
        assert.match('problem' in reply ? reply.problem : JSON.stringify(reply), reason);
        assert.doesNotMatch(JSON.stringify(reply), /--/);
      }
    },
    TRUSTED,
  );
});

test('nothing is read or installed in a workspace that is not trusted', async () => {
  const source = folderWith({ 'other.skill.md': skill('other') });
  await withServer(files, async (server) => {
    for (const reply of [await preview(server, source), await install(server, source, 'x')]) {
      assert.match('problem' in reply ? reply.problem : '', /a trusted workspace/);
    }
  });
});
