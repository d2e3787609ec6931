/** `mcp --serve`: the `SKILL.md` folders of a workspace, with the protocol's extension for skills. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { CLI, folderWith, run, skill } from './cli.ts';
import { agentIn, ERAS } from './mcp.ts';

const SKILL = '---\nname: tidy-notes\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy them.\n';
const FILES = {
  '.agents/skills/tidy-notes/SKILL.md': SKILL,
  '.agents/skills/tidy-notes/references/form.md': '# Form\n',
  'packages/a/skills/sort-notes/SKILL.md': SKILL.replace('tidy-notes', 'sort-notes'),
  'skills/outline.skill.md': skill('outline'),
  'node_modules/x/skills/other/SKILL.md': SKILL.replace('tidy-notes', 'other'),
  'secret.txt': 'nobody asks for this',
};
const TIDY = 'skill://agents/skills/tidy-notes/SKILL.md';

for (const era of ERAS) {
  it(`serves only skill folders, with digests, to a client of ${era}`, async () => {
    const folder = folderWith(FILES);
    const { client } = await agentIn(folder, { era, words: ['--serve'] });
    const skills = new SkillsClient(client);
    assert.deepEqual([skills.supported, skills.directoryRead], [true, true]);
    const listed = await skills.list();
    assert.deepEqual(
      listed.skills.map(({ uri }) => uri),
      [TIDY, 'skill://packages/a/skills/sort-notes/SKILL.md'],
    );
    const { skill: tidy } = await skills.get(TIDY);
    assert.equal(tidy.frontmatter.name, 'tidy-notes');
    const read = await skills.read(tidy, 'references/form.md');
    assert.deepEqual([read.text, read.verified], ['# Form\n', true]);
    for (const uri of ['skill://secret.txt', 'skill://agents/skills/tidy-notes/../../../secret.txt']) {
      await assert.rejects(client.readResource({ uri }), uri);
    }
  });
}

it('serves the current files on disk, and no skill that contains a symbolic link', async () => {
  const folder = folderWith(FILES);
  const { client } = await agentIn(folder, { words: ['--serve'] });
  const skills = new SkillsClient(client);
  await skills.list();
  writeFileSync(join(folder, '.agents/skills/tidy-notes/references/form.md'), '# Another form\n');
  const read = await skills.read((await skills.get(TIDY)).skill, 'references/form.md');
  assert.deepEqual([read.text, read.verified], ['# Another form\n', true]);
  symlinkSync(join(folder, 'secret.txt'), join(folder, '.agents/skills/tidy-notes/references/link.txt'));
  const uris = (await skills.list()).skills.map(({ uri }) => uri);
  assert.ok(!uris.includes(TIDY));
});

it('serves the other skills if a file of one skill is too large or cannot be read', async () => {
  const folder = folderWith({
    ...FILES,
    '.agents/skills/tidy-notes/large.bin': '',
    'packages/b/skills/read-notes/SKILL.md': SKILL.replace('tidy-notes', 'read-notes'),
    'packages/b/skills/read-notes/secret.md': '',
  });
  truncateSync(join(folder, '.agents/skills/tidy-notes/large.bin'), 21 * 1024 * 1024);
  chmodSync(join(folder, 'packages/b/skills/read-notes/secret.md'), 0);
  const { client } = await agentIn(folder, { words: ['--serve'] });
  const uris = (await new SkillsClient(client).list()).skills.map(({ uri }) => uri);
  const readable = process.getuid?.() === 0 ? ['skill://packages/b/skills/read-notes/SKILL.md'] : [];
  assert.deepEqual(uris, ['skill://packages/a/skills/sort-notes/SKILL.md', ...readable]);
});

it('reports a folder that is not served, with escaped invisible characters in its name', async () => {
  const folder = folderWith({ 'skills/a\u001b[2Jb/SKILL.md': SKILL });
  const { status, stderr } = await run(folder, ['mcp', '--serve']);
  assert.equal(status, 0);
  assert.match(stderr, /^skill-composer: skills\/a␛\[2Jb/m);
  assert.ok(!stderr.includes('\u001b'));
});

it('reports each unserved skill only once', async () => {
  const server = spawn(process.execPath, [CLI, 'mcp', '--serve'], {
    cwd: folderWith({ ...FILES, 'skills/b/SKILL.md': SKILL }),
  });
  const said = text(server.stderr);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const requests = ['initialize', 'skills/list', 'skills/list', 'skills/list'].map((method, id) => ({
    id,
    method,
    params: id === 0 ? params : {},
  }));
  for (const request of requests) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  let answers = 0;
  for await (const _ of createInterface(server.stdout)) if (++answers === requests.length) server.stdin.end();
  assert.equal((await said).match(/must match/g)?.length, 1);
});

it('serves no skills without --serve', async () => {
  const { client } = await agentIn(folderWith(FILES));
  assert.equal(new SkillsClient(client).supported, false);
});
