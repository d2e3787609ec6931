/** `pack`: archives of skills with all required files. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run, skill } from './cli.ts';

const FILES = {
  'skills.config.yaml': 'tools: []\n',
  'skills/whole.skill.md': `${skill('whole', 'level: 2', 'composes: [part]')}\nSee [the map](pages/map.md).\n`,
  'skills/parts/part.skill.md': skill('part', 'tools: [find-it]'),
  'skills/parts/find-it.skill.yaml':
    'name: find-it\ndescription: Finds it.\nversion: 1.0.0\ninput_schema: {}\nbacking_service: {endpoint: "https://find.example"}\n',
  'skills/pages/map.md': 'A map, with [a legend](legend.md) and [another](../../outside.md).\n',
  'skills/pages/legend.md': 'A legend.\n',
  'skills/pages/unrelated.md': 'Nothing leads here.\n',
  'skills/__prompts__/whole.first.md': 'A saved prompt.\n',
  'skills/__prompts__/other.first.md': 'That of another skill.\n',
  'skills/alone.skill.md': skill('alone'),
  'agents/merge-notes/SKILL.md': '---\nname: merge-notes\ndescription: Merges notes.\n---\n\nMerge.\n',
  'agents/merge-notes/scripts/merge.py': 'print(1)\n',
  'agents/merge-notes/node_modules/x.js': '',
};

const packed = (stdout: string): readonly string[] => stdout.trimEnd().split('\n');

describe('skill-composer pack', () => {
  it('packs composed skills, contracts of tools, linked pages and saved prompts, and nothing else', async () => {
    const folder = folderWith(FILES);
    const { stdout, stderr, status } = await run(folder, ['pack', 'skills/whole.skill.md', '--out', 'a.tgz']);
    assert.deepEqual([stderr, status], ['', 0]);
    assert.deepEqual(packed(stdout), [
      '__prompts__/whole.first.md',
      'pages/legend.md',
      'pages/map.md',
      'parts/find-it.skill.yaml',
      'parts/part.skill.md',
      'whole.skill.md',
    ]);
  });

  it('writes a plugin with two manifests, and refuses other names and other skills', async () => {
    const agentSkill = '---\nname: b\ndescription: Does it. Use it when asked.\n---\n\nDo it.\n';
    const folder = folderWith({
      'a.skill.md': skill('a'),
      'x/b/SKILL.md': agentSkill,
      'x/b/examples/c/SKILL.md': agentSkill,
    });
    const { stdout, stderr } = await run(folder, ['pack', 'x', '--plugin', 'story-tools', '--out', 'p.zip']);
    assert.equal(stderr, '');
    const skills = ['skills/b/SKILL.md', 'skills/b/examples/c/SKILL.md'];
    assert.deepEqual(packed(stdout), ['.claude-plugin/plugin.json', 'plugin.json', ...skills]);
    const several = await run(folder, ['pack', 'x', '--out', 'x.skill']);
    assert.match(several.stderr, /contains 2 files `SKILL.md` \(`b\/SKILL.md` and `b\/examples\/c\/SKILL.md`\)/);
    const wrong = await run(folder, ['pack', 'x', '--plugin', 'Story Tools', '--out', 'p.zip']);
    assert.match(wrong.stderr, /`--plugin Story Tools` is not the name of a plugin. Did you mean `story-tools`\?/);
    const other = await run(folder, ['pack', 'a.skill.md', '--plugin', 'p', '--out', 'p.zip']);
    assert.match(other.stderr, /`a.skill.md` cannot be in a plugin/);
  });

  it('packs the whole folder of a `SKILL.md` under the name of the folder', async () => {
    const folder = folderWith(FILES);
    const { stdout } = await run(folder, ['pack', 'agents', '--out', 'a.skill']);
    assert.deepEqual(packed(stdout), ['merge-notes/SKILL.md', 'merge-notes/scripts/merge.py']);
    assert.equal(readFileSync(join(folder, 'a.skill')).subarray(0, 2).toString(), 'PK');
  });

  for (const name of ['a.tgz', 'a.skill']) {
    it(`writes the same bytes into ${name} for the same files, at any time and in any folder`, async () => {
      const [one, two] = [folderWith(FILES), folderWith({})];
      await run(one, ['pack', '--out', name, '--quiet']);
      const first = readFileSync(join(one, name));
      cpSync(join(one, 'skills'), join(two, 'skills'), { recursive: true });
      cpSync(join(one, 'agents'), join(two, 'agents'), { recursive: true });
      utimesSync(join(two, 'skills/alone.skill.md'), 1, 1);
      for (const folder of [one, two]) {
        const env = { TZ: folder === two ? 'Asia/Tokyo' : 'America/Lima' };
        const { status } = await run(folder, ['pack', '--out', name, '--quiet'], { env });
        assert.equal(status, 0);
        assert.ok(readFileSync(join(folder, name)).equals(first), 'the bytes differ');
      }
    });
  }

  it('reports named and required files that are not packed, and no others', async () => {
    const folder = folderWith({
      ...FILES,
      'skills/latin.skill.md': `${skill('latin')}\nSee [one](pages/out.md), [two](more/a.md) and [the catalog](skills.config.yaml).\n`,
      'skills/skills.config.yaml': 'tools: []\n',
      'agents/merge-notes/skills.lock.json': '{}',
    });
    const outside = folderWith({ 'a.md': 'A.' });
    symlinkSync(join(outside, 'a.md'), join(folder, 'skills/pages/out.md'));
    symlinkSync(outside, join(folder, 'skills/more'));
    symlinkSync(outside, join(folder, 'elsewhere'));
    const told = async (...paths: readonly string[]) => {
      const { stderr } = await run(folder, ['pack', ...paths, '--out', 'a.tgz']);
      return [...stderr.matchAll(/Not packed: `(.*?)`/g)].map(([, path]) => path).sort();
    };
    assert.deepEqual(await told('skills/alone.skill.md'), []);
    const latin = ['skills/more', 'skills/pages/out.md', 'skills/skills.config.yaml'];
    assert.deepEqual(await told('skills/latin.skill.md'), latin);
    assert.deepEqual(await told('agents/merge-notes/SKILL.md'), ['agents/merge-notes/skills.lock.json']);
    assert.deepEqual(await told('skills'), latin);
    assert.deepEqual(
      await told(),
      ['agents/merge-notes/skills.lock.json', 'elsewhere', 'skills.config.yaml', ...latin].sort(),
    );
  });

  it('reports a named pipe, and does not wait for its content', { skip: process.platform === 'win32' }, async () => {
    const folder = folderWith(FILES);
    execFileSync('mkfifo', [join(folder, 'agents/merge-notes/pipe')]);
    const { stdout, stderr } = await run(folder, ['pack', 'agents', '--out', 'a.tgz']);
    assert.match(stderr, /Not packed: `agents\/merge-notes\/pipe` is neither a file nor a folder\./);
    assert.doesNotMatch(stdout, /pipe/);
  });

  it('reports links to files outside of the folder, and does not read them', async () => {
    const folder = folderWith(FILES);
    const outside = folderWith({ 'secret.txt': 'a secret' });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'agents/merge-notes/notes.txt'));
    symlinkSync(outside, join(folder, 'agents/merge-notes/more'));
    symlinkSync('scripts/merge.py', join(folder, 'agents/merge-notes/run.py'));
    const { stdout, stderr } = await run(folder, ['pack', 'agents', '--out', 'a.tgz']);
    assert.match(stderr, /`agents\/merge-notes\/notes\.txt` is a link to a file outside the folder/);
    assert.match(stderr, /`agents\/merge-notes\/more` is a link to a file outside the folder/);
    assert.ok(packed(stdout).includes('merge-notes/run.py'), 'a link that stays within becomes a file');
    assert.ok(!packed(stdout).some((path) => path.includes('notes.txt')));
  });

  it('refuses invalid frontmatter, and file names that not every system can unpack', async () => {
    const broken = folderWith({ 'a.skill.md': '---\nname: [a\n---\n' });
    assertUsageError(
      await run(broken, ['pack', '--out', 'a.tgz']),
      /`a\.skill\.md` is not valid YAML, so its capabilities are unknown/,
    );
    const odd = folderWith({ 'x/SKILL.md': '---\nname: x\ndescription: X.\n---\n', 'x/what?.md': '' });
    assertUsageError(
      await run(odd, ['pack', '--out', 'a.tgz']),
      /`x\/what\?\.md` has a character that Windows does not allow/,
    );
    assert.deepEqual(readdirSync(odd), ['x']);
  });

  it('requires the name of an archive', async () => {
    const folder = folderWith(FILES);
    assertUsageError(
      await run(folder, ['pack']),
      /Missing option `--out`\. Write `--out FILE\.skill` or `--out FILE\.tgz`/,
    );
    assertUsageError(await run(folder, ['pack', '--out', 'a.rar']), /is not the name of an archive/);
    assertUsageError(
      await run(folder, ['pack', '--format', 'json', '--out', 'a.tgz']),
      /does not support `--format json`/,
    );
  });
});
