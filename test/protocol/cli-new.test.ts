/** `new`: creates a skill without findings from a template. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, CLI, checkJson, folderWith, run } from './cli.ts';
import { onFullDisk } from './full-disk.ts';

describe('skill-composer new', () => {
  it('creates a skill without findings in the working folder, and prints its path', async () => {
    const folder = folderWith({});
    assert.deepEqual(await run(folder, ['new', 'draft-scene']), {
      status: 0,
      stdout: 'draft-scene.skill.md\n',
      stderr: 'skill-composer: A `.skill.md`, the default. `--kind agent-skill` makes a `SKILL.md`.\n',
    });
    assert.match(readFileSync(join(folder, 'draft-scene.skill.md'), 'utf8'), /^---\nname: draft-scene\ndescription: /);
    const { findings, summary } = await checkJson(folder);
    assert.deepEqual(findings, []);
    assert.equal(summary.files, 1);
  });

  it('creates each kind of skill, in `skills` if that folder exists', async () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'skills'));
    const paths = {
      literal: 'skills/a-literal.skill.md',
      template: 'skills/a-template.skill.md',
      staged: 'skills/a-staged.skill.md',
      contract: 'skills/a-contract.skill.yaml',
      'agent-skill': 'skills/a-agent-skill/SKILL.md',
    };
    const ran = await Promise.all(Object.keys(paths).map((kind) => run(folder, ['new', `a-${kind}`, '--kind', kind])));
    assert.deepEqual(
      ran.map(({ stdout }) => stdout),
      Object.values(paths).map((path) => `${path}\n`),
    );
    const { findings, summary } = await checkJson(folder);
    assert.deepEqual(
      findings.map(({ file, rule }) => [file, rule]),
      [[paths['agent-skill'], 'unclear-description']],
    );
    assert.equal(summary.files, 5);
  });

  it('accepts a title as the name, and keeps its capitals in the heading', async () => {
    const folder = folderWith({ '.claude/skills/other/SKILL.md': '---\nname: other\ndescription: Others.\n---\n' });
    const made = await run(folder, ['new', 'PDF Forms', '--kind', 'agent-skill']);
    assert.deepEqual([made.status, made.stdout], [0, '.claude/skills/pdf-forms/SKILL.md\n']);
    assert.match(
      readFileSync(join(folder, '.claude/skills/pdf-forms/SKILL.md'), 'utf8'),
      /^---\nname: pdf-forms\n.*"PDF Forms"[\s\S]*\n# PDF Forms\n/,
    );
    assert.equal(
      (await run(folderWith({}), ['new', 'PDF Forms', '--kind', 'agent-skill'])).stdout,
      '.agents/skills/pdf-forms/SKILL.md\n',
    );
  });

  it('creates a SKILL.md in the folder of the framework that is the first target client', async () => {
    const at = async (clients: string, ...folders: string[]) => {
      const folder = folderWith({ 'skills.config.yaml': `agent_skills: {clients: [${clients}]}\n` });
      for (const one of folders) mkdirSync(join(folder, one), { recursive: true });
      return (await run(folder, ['new', 'pdf-forms', '--kind', 'agent-skill'])).stdout;
    };
    assert.equal(
      await at('mastra:src/skills, claude-code', 'skills', '.claude/skills'),
      'src/skills/pdf-forms/SKILL.md\n',
    );
    assert.equal(await at('claude-code, mastra:src/skills', '.claude/skills'), '.claude/skills/pdf-forms/SKILL.md\n');
    assert.equal(await at('claude-code, mastra:src/skills', 'src/skills'), 'src/skills/pdf-forms/SKILL.md\n');
    assert.equal(await at('mastra'), '.agents/skills/pdf-forms/SKILL.md\n');
  });

  it('creates a SKILL.md by default where all skills are such files, and says so', async () => {
    const text = '---\nname: other\ndescription: Others.\n---\n';
    const folder = folderWith({ '.claude/skills/other/SKILL.md': text });
    const made = await run(folder, ['new', 'Weekly report']);
    assert.deepEqual([made.status, made.stdout], [0, '.claude/skills/weekly-report/SKILL.md\n']);
    assert.match(made.stderr, /A `SKILL\.md`, like the other skills here\. `--kind literal` makes a `\.skill\.md`/);
    assert.equal((await run(folder, ['new', 'own', '--kind', 'literal'])).stdout, 'own.skill.md\n');
    // Most skills decide, and in a folder of a client, its format.
    assert.equal((await run(folder, ['new', 'another'])).stdout, '.claude/skills/another/SKILL.md\n');
    mkdirSync(join(folder, 'typed'));
    await run(folder, ['new', 'own', '--kind', 'literal', 'typed']);
    assert.equal((await run(folder, ['new', 'beside', 'typed'])).stdout, 'typed/beside.skill.md\n');
    const inside = await run(folder, ['new', 'inside', '.claude/skills']);
    assert.equal(inside.stdout, '.claude/skills/inside/SKILL.md\n');
    assert.match(inside.stderr, /A `SKILL\.md`, like `\.claude\/skills\/\w[^`]*\/SKILL\.md`/);
    const within = await run(join(folder, '.claude/skills'), ['new', 'within']);
    assert.equal(within.stdout, 'within/SKILL.md\n');
    const empty = folderWith({});
    mkdirSync(join(empty, '.agents/skills'), { recursive: true });
    const first = await run(empty, ['new', 'first']);
    assert.equal(first.stdout, '.agents/skills/first/SKILL.md\n');
    assert.match(first.stderr, /: A `SKILL\.md`, because `\.agents\/skills` exists\. `--kind literal`/);
  });

  it('searches a limited number of folders for other skills, and says so', async () => {
    const paths = Array.from({ length: 2_100 }, (_, at) => `part-${at}`);
    const folder = folderWith({ 'part-0/deep/own.skill.md': '', 'part-0/deep/SKILL.md': '' });
    for (const path of paths.slice(1)) mkdirSync(join(folder, path));
    const searched = 'Only the first 2,000 folders were searched for skills.\n';
    const made = await run(folder, ['new', 'first']);
    assert.equal(made.stdout, 'first.skill.md\n');
    assert.equal(
      made.stderr,
      `skill-composer: A \`.skill.md\`, the default. \`--kind agent-skill\` makes a \`SKILL.md\`. ${searched}`,
    );
    // A skill of the own format near the root ends the search.
    const second = await run(folder, ['new', 'second']);
    assert.equal(
      second.stderr,
      'skill-composer: A `.skill.md`, like `first.skill.md`. `--kind agent-skill` makes a `SKILL.md`.\n',
    );
    unlinkSync(join(folder, 'first.skill.md'));
    unlinkSync(join(folder, 'second.skill.md'));
    mkdirSync(join(folder, '.claude/skills'), { recursive: true });
    const third = await run(folder, ['new', 'third']);
    assert.equal(third.stdout, '.claude/skills/third/SKILL.md\n');
    assert.ok(third.stderr.endsWith(` ${searched}`));
  });

  it('creates a skill in a named folder, relative to `--cwd`', async () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'work'));
    const { stdout } = await run(folder, ['new', 'draft-scene', '--cwd', 'work', 'parts/scenes']);
    assert.equal(stdout, 'parts/scenes/draft-scene.skill.md\n');
    assert.ok(readFileSync(join(folder, 'work/parts/scenes/draft-scene.skill.md'), 'utf8'));
  });

  it('accepts any description', async () => {
    const folder = folderWith({});
    const description = `Use it for: "pages" & 'scenes' # 🐉\r\nor {{ 7 * 7 }}`;
    await run(folder, ['new', 'draft-scene', '--description', description]);
    assert.deepEqual((await checkJson(folder)).findings, []);
    assert.match(readFileSync(join(folder, 'draft-scene.skill.md'), 'utf8'), /🐉 or \{\{ 7 \* 7 \}\}/);
  });

  it('does not overwrite existing files', async () => {
    const folder = folderWith({ 'draft-scene.skill.md': 'mine', b: 'a file', '.agents/skills/b': 'a file' });
    assertUsageError(await run(folder, ['new', 'draft-scene']), /`draft-scene\.skill\.md` already exists/);
    assert.equal(readFileSync(join(folder, 'draft-scene.skill.md'), 'utf8'), 'mine');
    assertUsageError(
      await run(folder, ['new', 'a', 'b']),
      /`b\/a\.skill\.md` cannot be written: a file has the same name as/,
    );
    assertUsageError(
      await run(folder, ['new', 'b', '--kind', 'agent-skill']),
      /a file has the same name as its folder/,
    );
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /Missing required argument `NAME`.*`skill-composer new --help`/],
    [['Draft/Scene_2'], /`Draft\/Scene_2` is not a valid skill name\. .*single hyphens.* Try `draft-scene-2`/],
    [['../draft'], /Try `draft`/],
    [['龍'], /is not a valid skill name/],
    [['a', '--kind', 'stagd'], /`--kind` does not support `stagd`\. Did you mean `staged`\?/],
    [['a', '--kind', 'composite'], /`--kind` does not support `composite`/],
    [['a', '--description', ' '], /The description is empty/],
    [['a', '--description', 'x'.repeat(1025)], /has 1,025 characters; the limit is 1,024/],
    [['a', '--format', 'json'], /`new` does not support `--format json`/],
    [['a', '--cwd', 'nowhere'], /`--cwd nowhere` is not a folder/],
    [['a', 'b', 'c'], /Too many arguments/],
  ];
  for (const [words, message] of wrong) {
    it(`refuses \`new ${words.join(' ').slice(0, 60)}\``, async () => {
      const folder = folderWith({});
      assertUsageError(await run(folder, ['new', ...words]), message);
    });
  }

  it('leaves no incomplete file if the disk is full', { skip: process.platform === 'win32' }, () => {
    const folder = folderWith({});
    const words = ['new', 'draft-scene', '--kind', 'staged', '--description', 'Drafts a scene of a play. '.repeat(30)];
    const { status, stderr } = spawnSync(...onFullDisk(process.execPath, CLI, ...words), { cwd: folder });
    assert.match(String(stderr), /^skill-composer: `draft-scene\.skill\.md` cannot be written: .+\.\n$/);
    assert.equal(status, 2);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('lists the kinds of skills in its help', async () => {
    const { stdout } = await run(folderWith({}), ['new', '--help']);
    for (const kind of ['literal', 'template', 'staged', 'contract', 'agent-skill'])
      assert.match(stdout, new RegExp(kind));
  });
});
