/**
 * `skill/installPreview` and `skill/install`: the preview, and the installation of exactly the files that the preview
 * shows.
 */
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

test('installs what the preview showed', async () => {
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

test('shows control and bidirectional characters of authors in the preview', async () => {
  const text = skill('other', 'author: "a\\u202eb\\u001b[2J"', 'tools: ["x\\u2066y"]');
  const source = folderWith({ 'other.skill.md': text });
  await withServer(
    files,
    async (server) => {
      const shown = JSON.stringify(viewIn(await preview(server, source)).skills);
      assert.match(shown, /a\\\\u202eb␛\[2J/);
      assert.match(shown, /x\\\\u2066y/);
    },
    TRUSTED,
  );
});

test('updates to a version with fewer files', async () => {
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

test('reads an installed skill, even without an event from a file watcher', async () => {
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

test('installs nothing if the source has changed since the preview', async () => {
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

test('returns the reason why a source cannot be installed', async () => {
  await withServer(
    files,
    async (server) => {
      const reply = await preview(server, '/nowhere/at/all.skill');
      assert.match('problem' in reply ? reply.problem : '', /does not exist/);
    },
    TRUSTED,
  );
});

test('names no command line options in a refusal', async () => {
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

test('reads and installs nothing in an untrusted workspace', async () => {
  const source = folderWith({ 'other.skill.md': skill('other') });
  await withServer(files, async (server) => {
    for (const reply of [await preview(server, source), await install(server, source, 'x')]) {
      assert.match('problem' in reply ? reply.problem : '', /a trusted workspace/);
    }
  });
});
