/** `convert`: converts every form of a skill to every other form. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CONSISTENCY_CHECKER } from '../core/exchange/consistency-checker.ts';
import { extended } from '../extended.ts';
import { assertUsageError, folderWith, run } from './cli.ts';

const DRAFT = `---
name: draft
description: Drafts a scene.
version: 1.0.0 # kept
input_schema: {tone: string}
allowed_roles: [writer]
---

Draft it.
`;

const FILES = {
  'draft.skill.md': DRAFT,
  'checker.skill.json': CONSISTENCY_CHECKER,
  'bad.skill.json': CONSISTENCY_CHECKER.replace('"Check Prompt"\n', '"Chek"\n'),
  'broken.skill.json': '{"name": "a" "artifacts": []}',
  'tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\n\nRead [it](references/form.md).\n',
  'tidy/references/form.md': '# The form\n',
  'other.json': '{"a": 1}',
};

describe('skill-composer convert', () => {
  it('puts skills whose folders have files with the same name into their own folders', async () => {
    const folder = folderWith({
      ...FILES,
      'sort/SKILL.md': '---\nname: sort\ndescription: Sorts.\n---\n\nRead [it](references/form.md).\n',
      'sort/references/form.md': '# Another form\n',
      'third/SKILL.md': '---\nname: sort\ndescription: Sorts.\n---\n\nSort.\n',
    });
    const words = ['--to', 'skill-md', '--out', 'made'];
    const { status, stdout } = await run(folder, ['convert', 'tidy/SKILL.md', 'sort/SKILL.md', ...words]);
    assert.deepEqual(
      [status, stdout.split('\n').sort()],
      [
        0,
        [
          '',
          'made/sort/references/form.md',
          'made/sort/sort.skill.md',
          'made/tidy/references/form.md',
          'made/tidy/tidy.skill.md',
        ],
      ],
    );
    assert.equal(readFileSync(join(folder, 'made/sort/references/form.md'), 'utf8'), '# Another form\n');
    // Two skills with the same name cannot be in one folder.
    assertUsageError(
      await run(folder, ['convert', 'third/SKILL.md', 'sort/SKILL.md', '--to', 'skill-md', '--out', 'other']),
      /^skill-composer: Two results have the name `sort\/sort\.skill\.md`\. Convert/,
    );
    assert.equal(existsSync(join(folder, 'other')), false);
  });

  it('copies the linked files of a skill, and reports those that cannot be copied', async () => {
    const folder = folderWith({
      'notes/list.md': '# List\n',
      'a.skill.md':
        '---\nname: a\ndescription: Reads. Use it to read.\nversion: 1.0.0\ninput_schema: {}\n---\n\nRead [it](notes/list.md), [all](notes), [gone](gone.md) and [up](../up.md).\n',
    });
    const { stdout, stderr } = await run(folder, ['convert', 'a.skill.md', '--to', 'agent-skill', '--out', 'made']);
    assert.equal(stdout, 'made/a/SKILL.md\nmade/a/notes/list.md\n');
    assert.equal(readFileSync(join(folder, 'made/a/notes/list.md'), 'utf8'), '# List\n');
    assert.match(stderr, /lost: file `a\/notes`\. It is not copied: it is a folder\./);
    assert.match(stderr, /lost: file `\.\.\/up\.md`\. .* not copied/);
    assert.doesNotMatch(stderr, /gone\.md|list\.md/);
  });

  it('writes no SKILL.md if the catalog is invalid', async () => {
    const folder = folderWith({ ...FILES, 'skills.config.yaml': 'tools: [' });
    const words = ['convert', 'draft.skill.md', '--to', 'agent-skill', '--out', 'made'];
    assertUsageError(await run(folder, words), /The catalog `skills\.config\.yaml:1` is not valid YAML/);
  });

  it('restores the same bytes from a record', async () => {
    const folder = folderWith(FILES);
    const there = await run(folder, ['convert', 'draft.skill.md', '--to', 'record']);
    assert.deepEqual([there.status, there.stderr], [0, '']);
    assert.equal(JSON.parse(there.stdout).identity.name, 'draft');
    writeFileSync(join(folder, 'draft.record.json'), there.stdout);
    const back = await run(folder, ['convert', 'draft.record.json', '--to', 'skill-md']);
    assert.deepEqual([back.status, back.stdout, back.stderr], [0, DRAFT, '']);
  });

  it('converts a package, prints the skill, and reports losses with their locations', async () => {
    const checker = FILES['checker.skill.json'].replace(/"state_blob": "[^"]*"/, '"state_blob": "a state"');
    const folder = folderWith({ ...FILES, 'checker.skill.json': checker });
    const { status, stdout, stderr } = await run(folder, ['convert', 'checker.skill.json', '--to', 'skill-md']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^---\n# Converted from a package\./);
    assert.match(stderr, /checker\.skill\.json:34:5: lost: code_template `Cross-Reference Script`\./);
    assert.match(stderr, /checker\.skill\.json:\d+:\d+ warning invalid-package/);
  });

  it('converts a package with an error, and exits with 1', async () => {
    const folder = folderWith(FILES);
    const { status, stdout, stderr } = await run(folder, ['convert', 'bad.skill.json', '--to', 'skill-md']);
    assert.equal(status, 1);
    assert.match(stdout, /^name: consistency-checker$/m);
    assert.match(stderr, /error invalid-package/);
  });

  it('writes a folder of the open standard, and the report as JSON', async () => {
    const folder = folderWith(FILES);
    const words = ['convert', 'draft.skill.md', '--to', 'agent-skill', '--out', 'made', '--report', 'json'];
    const { status, stdout, stderr } = await run(folder, words);
    assert.deepEqual([status, stderr], [0, '']);
    const start = { line: 5, character: 0 };
    assert.deepEqual(JSON.parse(stdout), {
      version: 1,
      written: ['made/draft/SKILL.md'],
      removed: [],
      kept: [],
      targets: [{ path: 'made/draft/SKILL.md', state: 'missing' }],
      problems: [],
      lost: [
        {
          what: 'allowed_roles',
          range: { start, end: { line: 5, character: 23 } },
          why: 'A `SKILL.md` does not support this key.',
        },
      ],
    });
    const { status: checked } = await run(folder, ['check', 'made', '--fail-on', 'hint']);
    assert.equal(checked, 0);
  });

  it('copies the files in the folder of a SKILL.md, and overwrites nothing without --force', async () => {
    const folder = folderWith(FILES);
    const words = ['convert', 'tidy/SKILL.md', '--to', 'skill-md', '--out', 'made'];
    const { status, stdout } = await run(folder, words);
    assert.deepEqual([status, stdout], [0, 'made/tidy.skill.md\nmade/references/form.md\n']);
    assert.equal(readFileSync(join(folder, 'made/references/form.md'), 'utf8'), '# The form\n');
    writeFileSync(join(folder, 'made/tidy.skill.md'), 'mine');
    assertUsageError(await run(folder, words), /`made\/tidy\.skill\.md`, `made\/references\/form\.md` already exist/);
    assert.equal(readFileSync(join(folder, 'made/tidy.skill.md'), 'utf8'), 'mine');
    assert.equal((await run(folder, [...words, '--force'])).status, 0);
    assert.match(readFileSync(join(folder, 'made/tidy.skill.md'), 'utf8'), /^name: tidy$/m);
  });

  it('copies deeply nested files from a folder with very many files', extended, async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`tidy/rules/${at}.md`, '']));
    const folder = folderWith({ ...FILES, ...many, 'tidy/rules/a/b/deep.md': 'Deep.' });
    const { status } = await run(folder, ['convert', 'tidy/SKILL.md', '--to', 'skill-md', '--out', 'made']);
    assert.equal(status, 0);
    assert.equal(readFileSync(join(folder, 'made/rules/a/b/deep.md'), 'utf8'), 'Deep.');
  });

  it('does not write through a link in the target folder, and replaces no folder', async () => {
    const folder = folderWith({ ...FILES, 'outside/form.md': 'mine', 'made/references/kept.md': 'kept' });
    const words = ['convert', 'tidy/SKILL.md', '--to', 'skill-md', '--force', '--out'];
    symlinkSync(join(folder, 'outside/form.md'), join(folder, 'made/references/form.md'));
    assertUsageError(await run(folder, [...words, 'made']), /`made\/references\/form\.md` is a link or a folder/);
    mkdirSync(join(folder, 'other'));
    symlinkSync(join(folder, 'outside'), join(folder, 'other/references'));
    assertUsageError(await run(folder, [...words, 'other']), /`references` is a link or a file/);
    mkdirSync(join(folder, 'third/tidy.skill.md'), { recursive: true });
    assertUsageError(await run(folder, [...words, 'third']), /`third\/tidy\.skill\.md` is a link or a folder/);
    assert.equal(readFileSync(join(folder, 'outside/form.md'), 'utf8'), 'mine');
    assert.ok(!existsSync(join(folder, 'made/tidy.skill.md')), 'all of it is written, or nothing');
  });

  it('copies no file whose name is not allowed on some operating system', async () => {
    const convert = async (path: string) => {
      const folder = folderWith({ 'tidy/SKILL.md': FILES['tidy/SKILL.md'], [path]: '# A\n' });
      return run(folder, ['convert', 'tidy/SKILL.md', '--to', 'skill-md', '--out', 'made']);
    };
    const invisible = /`references\/a␛\[2Jb\.md` has an invisible character \(U\+001B\)\. Rename the file/;
    assertUsageError(await convert('tidy/references/a\u001b[2Jb.md'), invisible);
    assertUsageError(await convert('tidy/references/aux.md'), /`references\/aux\.md` has the name of a Windows device/);
  });

  it('reports an impossible conversion on one line', async () => {
    const folder = folderWith(FILES);
    const stops = async (pattern: RegExp, ...words: string[]) =>
      assertUsageError(await run(folder, ['convert', ...words]), pattern);
    await stops(/Add `--out DIR`/, 'draft.skill.md', 'checker.skill.json', '--to', 'record');
    await stops(/creates folders/, 'draft.skill.md', '--to', 'agent-skill');
    await stops(/Missing option `--to`.* such as `--clients codex`\./, 'draft.skill.md');
    await stops(/does not support `skillmd`/, 'draft.skill.md', '--to', 'skillmd');
    await stops(/already a `\.skill\.md`/i, 'draft.skill.md', '--to', 'skill-md');
    await stops(
      /`broken\.skill\.json:1:\d+` cannot be converted\. Its JSON does not parse/,
      'broken.skill.json',
      '--to',
      'skill-md',
    );
    await stops(/It is not a skill/, 'other.json', '--to', 'skill-md');
    await stops(/does not exist/, 'none.skill.md', '--to', 'record');
    assert.ok(!existsSync(join(folder, 'made')));
  });

  it('refuses to compose a package that is not converted', async () => {
    assertUsageError(await run(folderWith(FILES), ['compose', 'checker.skill.json']), /Convert it to a skill first/);
  });

  it('checks packages like skills', async () => {
    const folder = folderWith(FILES);
    const { status, stdout } = await run(folder, ['check', 'bad.skill.json', '--format', 'json']);
    assert.equal(status, 1);
    const errors = JSON.parse(stdout).findings.filter(({ severity }: { severity: string }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ rule }: { rule: string }) => rule),
      ['invalid-package'],
    );
  });
});
