/** The files that `check` reads and reports: paths, folders, catalogs in parent folders, and links. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findRule } from '../../server/src/rules/engine/index.ts';
import { assertUsageError, CATALOG, checkJson, folderWith, misspelt, rulesOf, run, skill } from './cli.ts';

const windows = process.platform === 'win32';

describe('check', () => {
  it('reads a folder with only manifests or agents of a client, but not files that any program may have', async () => {
    const folder = folderWith({
      'servers/.claude-plugin/plugin.json': '{"name": "servers", "mcpServers": "servers.json"}',
      'fleet/.claude-plugin/marketplace.json': '{"name": "fleet", "owner": {"name": "Ada"}, "plugins": []}',
      'extension/gemini-extension.json': '{"name": "extension"}',
      'crew/.claude/agents/pilot.md': '---\nname: pilot\ndescription: Guides ships.\n---\n\nGuide.\n',
      'team/.github/agents/pilot.agent.md': '---\ndescription: Guides ships.\n---\n\nGuide.\n',
      'other/plugin.json': '{"skills": 7}',
      'other/hooks/hooks.json': '[,]',
    });
    assert.deepEqual(rulesOf(await checkJson(folder, 'servers'), 'invalid-plugin-manifest'), [
      'servers/.claude-plugin/plugin.json invalid-plugin-manifest',
    ]);
    assert.deepEqual(rulesOf(await checkJson(folder, 'extension'), 'invalid-plugin-manifest'), [
      'extension/gemini-extension.json invalid-plugin-manifest',
    ]);
    assert.equal((await checkJson(folder, 'fleet')).status, 0);
    assert.equal((await checkJson(folder, 'crew')).status, 0);
    assert.equal((await checkJson(folder, 'team')).status, 0);
    assertUsageError(await run(folder, ['check', 'other']), /`other` contains no skills/);
  });

  it('reports findings only in the named paths, but reads the whole working folder', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'parts/part.skill.md': misspelt('part'),
      'whole/whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part, gone]'),
      'other/other.skill.md': misspelt('other'),
    });
    const about = async (...paths: string[]) =>
      rulesOf(await checkJson(folder, ...paths), 'unknown-tool', 'skill-not-found');
    assert.deepEqual(await about('whole'), ['whole/whole.skill.md skill-not-found']);
    assert.deepEqual(await about('parts/part.skill.md'), ['parts/part.skill.md unknown-tool']);
    assert.deepEqual(await about('{parts,other}/*.skill.md'), [
      'other/other.skill.md unknown-tool',
      'parts/part.skill.md unknown-tool',
    ]);
    assert.deepEqual(await about('oth*'), ['other/other.skill.md unknown-tool']);
    assert.deepEqual(await about(join(folder, 'other'), './other/other.skill.md'), [
      'other/other.skill.md unknown-tool',
    ]);
    assert.deepEqual(await about('--cwd', '.', '--', 'parts'), ['parts/part.skill.md unknown-tool']);
  });

  it('does not read the working folder if all named paths are outside', async () => {
    const folder = folderWith({
      'here/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: Does a. Use it for a.\n---\nDo a.\n',
      'there/.agents/skills/b/SKILL.md': '---\nname: b\ndescription: Does b: all of it.\n---\nDo b.\n',
    });
    const fault = async (cwd: string, ...paths: string[]) =>
      (await checkJson(join(folder, cwd), ...paths)).findings.find(({ rule }) => rule === 'invalid-yaml')?.message;
    const alone = await fault('there', '.');
    assert.match(alone ?? '', /Goose.* do not load this skill\.$/);
    assert.equal(await fault('here', '../there'), alone);
    assert.notEqual(await fault('here', '.', '../there'), alone);
  });

  it('finds the catalog in a parent folder of the named path, and prints paths relative to the working folder', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'deep/down/a.skill.md': misspelt('a'),
      'elsewhere/b.skill.md': misspelt('b'),
    });
    const below = await checkJson(folder, '--cwd', 'deep', '.', '../elsewhere');
    assert.deepEqual(rulesOf(below, 'unknown-tool'), [
      '../elsewhere/b.skill.md unknown-tool',
      'down/a.skill.md unknown-tool',
    ]);
    assert.equal(below.summary.files, 2);
  });

  it('checks catalogs and hidden folders, and skips dependencies and plain Markdown', async () => {
    const folder = folderWith({
      'skills.config.yaml': `${CATALOG}rules: {unknown-tool: loud}\n`,
      'node_modules/x/a.skill.md': misspelt('a'),
      '.agents/b.skill.md': misspelt('b'),
      'skills/README.md': '# Skills\n\n#tool:reed_page\n',
      'skills/plain.md': misspelt('plain'),
      'docs/plain.md': misspelt('plain'),
    });
    const all = await checkJson(folder);
    assert.deepEqual(rulesOf(all, 'unknown-tool'), ['.agents/b.skill.md unknown-tool', 'skills/plain.md unknown-tool']);
    assert.equal(all.summary.files, 3);
    assert.deepEqual(
      [...new Set((await checkJson(folder, 'skills.config.yaml')).findings.map(({ file }) => file))],
      ['skills.config.yaml'],
    );
    // A named file is checked even if the search skips it.
    assert.deepEqual(rulesOf(await checkJson(folder, 'node_modules/x/a.skill.md'), 'unknown-tool'), [
      'node_modules/x/a.skill.md unknown-tool',
    ]);
    assert.deepEqual(rulesOf(await checkJson(join(folder, 'skills')), 'unknown-tool'), ['plain.md unknown-tool']);
    assert.deepEqual(rulesOf(await checkJson(join(folder, 'skills'), 'plain.md'), 'unknown-tool'), [
      'plain.md unknown-tool',
    ]);
  });

  it('reports only links whose targets do not exist', { skip: findRule('broken-link') === undefined }, async () => {
    const folder = folderWith({
      'a.skill.md': `${skill('a')}[here](notes.md), [there](gone.md), [up](../no-such-folder/x.md)\n`,
      'notes.md': '',
    });
    assert.equal(rulesOf(await checkJson(folder), 'broken-link').length, 2);
  });

  it('reads the files in the folder of a SKILL.md, but follows no symbolic link out of the folder', {
    skip: windows,
  }, async () => {
    const folder = folderWith({
      'work/tidy/SKILL.md':
        '---\nname: tidy\ndescription: Tidies notes when asked.\n---\n\nSee [style](references/style.md) and [shared](references/shared.md).\n',
      'work/tidy/references/style.md': '# Style\n\nSee [more](more.md).\n',
      'work/sort/SKILL.md':
        '---\nname: sort\ndescription: Sorts maps of rivers if there are many.\n---\n\nSort [by hand](references/hand.md).\n',
      'work/sort/references/hand.md': '# By hand\n',
      'work/sort/references/old-plots.md': '# Plots\n',
      'secret.md': 'See [more](secret-more.md).\n',
    });
    symlinkSync('../../../secret.md', join(folder, 'work/tidy/references/shared.md'));
    const { findings } = await checkJson(join(folder, 'work'));
    assert.deepEqual(
      findings.map(({ file, rule, related }) => [file, rule, ...related.map((place) => place.file)]),
      [
        ['sort/SKILL.md', 'unreferenced-file', 'sort/references/old-plots.md'],
        ['tidy/SKILL.md', 'broken-link', 'tidy/references/style.md'],
      ],
    );
    assert.equal(findings[1]?.related[0]?.range.start.line, 2);
    assert.doesNotMatch(JSON.stringify(findings), /secret/);
  });

  it('reports a folder that cannot be read', { skip: windows }, async () => {
    const folder = folderWith({ 'open/a.skill.md': skill('a'), 'open/c.skill.md': skill('c'), 'shut/b.skill.md': '' });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'open'), 0o755);
    chmodSync(join(folder, 'open/c.skill.md'), 0o000);
    mkdirSync(join(folder, 'shut/inner'));
    chmodSync(join(folder, 'shut'), 0o000);
    try {
      const how = process.getuid?.() === 0 ? { uid: 65534 } : {};
      const { stdout, status } = await run(folder, ['check'], how);
      assert.match(stdout, /shut:1:1 warning unreadable-file\n.*folder cannot be read: permission denied/);
      assert.match(stdout, /open\/c\.skill\.md:1:1 warning unreadable-file/);
      assert.equal(status, 0);
      const { stderr } = await run(folder, ['graph'], how);
      assert.match(stderr, /`shut`: This folder cannot be read: permission denied/);
      assertUsageError(await run(folder, ['check', 'shut'], how), /folder `.*shut` cannot be read: permission denied/);
      assertUsageError(
        await run(folder, ['check', 'shut/b.skill.md'], how),
        /`shut\/b\.skill\.md` cannot be read: permission denied/,
      );
    } finally {
      chmodSync(join(folder, 'shut'), 0o755);
    }
  });

  it('treats a file that is named through a symbolic link as the file itself', { skip: windows }, async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'real/a.skill.md': misspelt('a') });
    symlinkSync('real', join(folder, 'link'));
    symlinkSync('.', join(folder, 'loop'));
    for (const paths of [[], ['link'], ['link/a.skill.md', 'real']]) {
      const report = await checkJson(folder, ...paths);
      assert.deepEqual(rulesOf(report, 'unknown-tool', 'duplicate-skill'), ['real/a.skill.md unknown-tool']);
    }
  });

  it('does not check the links in a file that is a symbolic link', { skip: windows }, async () => {
    const text = (name: string) => `---\nname: ${name}\ndescription: Tidies notes.\n---\n\nSee [style](style.md).\n`;
    const folder = folderWith({ 'agents/tidy.md': text('tidy'), 'agents/style.md': '', 'sort/SKILL.md': text('sort') });
    mkdirSync(join(folder, 'tidy'));
    symlinkSync('../agents/tidy.md', join(folder, 'tidy/SKILL.md'));
    assert.deepEqual(rulesOf(await checkJson(folder), 'broken-link'), ['sort/SKILL.md broken-link']);
  });
});
