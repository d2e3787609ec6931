/** `mcp` and git: the version that the changes since the last commit require. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { folderWith } from './cli.ts';
import { agentIn } from './mcp.ts';
import { FILES, OUTLINE } from './mcp-files.ts';

const FILE = 'skills/outline-scene.skill.md';

function committed(files: Readonly<Record<string, string>>) {
  const folder = folderWith(files);
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return { folder, git };
}

it('several writes since the last commit require only one new version', async () => {
  const { folder, git } = committed(FILES);
  const agent = await agentIn(folder);
  const since = async () => (await agent.call('check_skill', { skill: 'outline-scene' })).sinceHead;
  assert.deepEqual((await since()).changes, []);
  const set = (values: object) =>
    agent.call('update_skill', { skill: 'outline-scene', set: values, allow_errors: true });

  const first = await set({ output_schema: { beats: 'string[]', mood: 'string' } });
  assert.deepEqual([first.sinceHead.demandedVersion, first.sinceHead.ok], ['1.3.0', false]);
  const bumped = await set({ version: '1.3.0' });
  assert.deepEqual(
    [bumped.sinceHead.oldVersion, bumped.sinceHead.newVersion, bumped.sinceHead.ok],
    ['1.2.0', '1.3.0', true],
  );
  const second = await set({ output_schema: { beats: 'string[]', mood: 'string', place: 'string' } });
  // The version of the previous write was never released.
  assert.deepEqual([second.contract.ok, second.sinceHead.ok], [false, true]);
  const broken = await set({ output_schema: { mood: 'string' } });
  assert.deepEqual([broken.sinceHead.demandedVersion, broken.sinceHead.ok], ['2.0.0', false]);
  assert.deepEqual((await since()).changes, broken.sinceHead.changes);

  // Unsaved text is also compared.
  const given = { text: OUTLINE.replace('beats: "string[]"', 'beats: string'), file: FILE };
  assert.equal((await agent.call('check_skill', given)).sinceHead.demandedVersion, '2.0.0');
  git('commit', '--quiet', '--all', '--message', 'second');
  assert.deepEqual((await since()).changes, []);
});

it("reports nothing for a file without a commit, and runs no program from the repository's configuration", async () => {
  const bare = await agentIn(folderWith(FILES));
  assert.equal((await bare.call('check_skill', { skill: 'outline-scene' })).sinceHead, null);
  const { folder, git } = committed({
    ...FILES,
    'agents/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies. Use it to tidy.\n---\n\nTidy.\n',
  });
  const made = join(folder, 'made');
  for (const key of ['core.fsmonitor', 'core.pager', 'diff.loud.textconv', 'filter.loud.smudge'])
    git('config', key, `sh -c 'touch "${made}"' #`);
  writeFileSync(join(folder, '.gitattributes'), '* diff=loud filter=loud\n');
  const agent = await agentIn(folder);
  assert.deepEqual((await agent.call('check_skill', { skill: 'outline-scene' })).sinceHead.changes, []);
  assert.equal((await agent.call('check_skill', { skill: 'tidy' })).sinceHead, null);
  const created = await agent.call('create_skill', { name: 'new', description: 'Makes it new. Use it for that.' });
  assert.deepEqual([created.ok, created.sinceHead], [true, null]);
  assert.ok(!existsSync(made));
});
