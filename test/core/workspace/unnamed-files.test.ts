/** The ways in which a skill can name a file in its folder. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { unnamedFiles } from '../../../server/src/skill-folder/unnamed-files.ts';

/** The unnamed files of a skill with this body and these files. */
function unnamed(body: string, files: Readonly<Record<string, string | undefined>>): readonly string[] {
  const folder = new SkillFolder(
    'file:///a/tidy',
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );
  const skill = new SkillFile('file:///a/tidy/SKILL.md', `---\nname: tidy\n---\n\n${body}\n`);
  return unnamedFiles(skill, folder, folder.files, new Set()).map(({ path }) => path);
}

const MERGE = { 'scripts/merge_all.py': '' };

test('a file is referenced by its path, or by its name with or without the extension, in any letter case', () => {
  for (const body of [
    'Run `scripts/merge_all.py`.',
    'Run merge_all.py.',
    '`python -m scripts.merge_all`',
    'Call **Merge_All** at the end.',
    '[it](scripts%2Fmerge_all.py)',
  ]) {
    assert.deepEqual(unnamed(body, MERGE), [], body);
  }
  for (const body of ['Merge all of them.', 'Run merge_all_of_them.py.', 'The script merges.']) {
    assert.deepEqual(unnamed(body, MERGE), ['scripts/merge_all.py'], body);
  }
});

test('a reference to a folder includes all of its files, unless the folder is only part of a path', () => {
  for (const body of [
    'See scripts/ for more.',
    'What is in the `scripts` folder.',
    'The scripts directory has them.',
    'All of `scripts/*.py`.',
    '`scripts/{task}_all.py`',
    '[all](./scripts)',
    'Run any file in scripts.',
  ]) {
    assert.deepEqual(unnamed(body, MERGE), [], body);
  }
  assert.deepEqual(unnamed('Run `scripts/sort.py`.', { ...MERGE, 'scripts/sort.py': '' }), ['scripts/merge_all.py']);
});

test('references in referenced files count, but references in other files do not', () => {
  const files = {
    'references/one.md': 'Go on with [two](two-more.md).',
    'references/two-more.md': '',
    'references/three-more.md': 'See four-more.md.',
    'references/four-more.md': '',
  };
  assert.deepEqual(unnamed('See references/one.md.', files), ['references/three-more.md', 'references/four-more.md']);
});

test('a script that reads its folder, or computes a file name, references all files in the folder', () => {
  for (const text of ['for path in here.glob("*.py"): run(path)', 'importlib.import_module(f"scripts.{name}")']) {
    assert.deepEqual(unnamed('Run start.py.', { ...MERGE, 'scripts/start.py': text }), [], text);
  }
  assert.deepEqual(unnamed('Run start.py.', { ...MERGE, 'scripts/start.py': 'print()' }), ['scripts/merge_all.py']);
});

test('references in an unreferenced manifest count, and files of another skill are ignored', () => {
  assert.deepEqual(unnamed('Tidy.', { 'package.json': '{"main": "scripts/merge_all.py"}', ...MERGE }), [
    'package.json',
  ]);
  assert.deepEqual(unnamed('Tidy.', { 'deep/SKILL.md': '', 'deep/references/own-page.md': '' }), []);
});

test('reports nothing if a referenced file was not read, or if the files are too long', () => {
  const linked = { 'references/shared-page.md': undefined, 'references/other-page.md': '' };
  assert.deepEqual(unnamed('See shared-page.md.', linked), []);
  assert.deepEqual(unnamed('Tidy.', linked), Object.keys(linked));
  const long = { 'references/long-page.md': 'word '.repeat(200_001), 'references/other-page.md': '' };
  assert.deepEqual(unnamed('See long-page.md.', long), []);
});

test('reuses the references in unchanged files when the folder is read again', () => {
  const uri = 'file:///a/tidy';
  const [same, changed] = ['references/same.md', 'references/changed.md'];
  const before = new SkillFolder(uri, [
    { path: same, text: 'One.' },
    { path: changed, text: 'Two.' },
  ]);
  const [namingOfSame, namingOfChanged] = before.files.map((file) => before.mentionsIn(file));
  const parsed = before.find(`${uri}/${same}`);
  const after = new SkillFolder(
    uri,
    [
      { path: same, text: 'One.' },
      { path: changed, text: 'Three.' },
    ],
    before,
  );
  assert.ok(namingOfSame && parsed);
  const [kept, made] = after.files.map((file) => after.mentionsIn(file));
  assert.equal(kept, namingOfSame);
  assert.equal(after.find(`${uri}/${same}`), parsed);
  assert.notEqual(made, namingOfChanged);
  assert.equal(after.find(`${uri}/${changed}`)?.text, 'Three.');
});

test('searches text for a limited number of folders, and treats other folders as referenced', () => {
  const names = Array.from({ length: 60 }, (_, at) => `${'a'.repeat(at + 1)}b`);
  const files = Object.fromEntries(names.map((name) => [`${name}/x.md`, '']));
  const left = unnamed(`${names.join(' ')} ${'a'.repeat(1_000)}`, files);
  assert.equal(left.length, 32);
  assert.deepEqual(unnamed('Say hello.', files).length, 60);
});
