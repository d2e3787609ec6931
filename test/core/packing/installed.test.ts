/** Reads only the folders of the installed skills. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { diskPlace } from '../../../server/src/hosts/node/disk-folder.ts';
import { readInstalled } from '../../../server/src/hosts/packing/installed.ts';
import { CAPABILITY_LISTS } from '../../../server/src/packing/capabilities.ts';
import type { Lock } from '../../../server/src/packing/lock.ts';

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Says it.\nversion: 1.0.0\n---\n\n${body}\n`;

/** A folder with these files, which is removed at the end of the test. */
function workspace(t: TestContext, texts: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skill-composer-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const none = Object.fromEntries(CAPABILITY_LISTS.map((list) => [list, []]));
const capabilities = none as Record<(typeof CAPABILITY_LISTS)[number], []>;

/** A lock file whose skills have one file each. */
const lockOf = (...paths: readonly string[]): Lock =>
  new Map(
    paths.map((path) => [
      path,
      { path, origin: 'elsewhere', version: '1.0.0', files: new Map([[path, '']]), capabilities },
    ]),
  );

const pathsOf = async (root: string, lock: Lock): Promise<readonly string[][]> =>
  (await readInstalled(diskPlace(root), lock)).map(({ unit }) => unit.files.map(({ path }) => path));

test('lists only the folders of installed skills', async (t) => {
  const root = workspace(t, {
    'skills/a.skill.md': skill('a', 'See [the guide](../docs/guide.md).'),
    'skills/__prompts__/a.all.md': 'Kept.',
    'docs/guide.md': 'Then [the rest](rest/more.md), and [nothing](none.md).',
    'docs/rest/more.md': 'More.',
    'src/deep/other.md': 'Other.',
    '.agents/skills/b/SKILL.md': skill('b', 'Do it.'),
    '.agents/skills/b/scripts/run.sh': 'ls',
  });
  const listed = mock.method(files, 'readdir');
  syncBuiltinESMExports();
  t.after(() => {
    listed.mock.restore();
    syncBuiltinESMExports();
  });
  assert.deepEqual(await pathsOf(root, lockOf('skills/a.skill.md', '.agents/skills/b/SKILL.md')), [
    ['docs/guide.md', 'docs/rest/more.md', 'skills/__prompts__/a.all.md', 'skills/a.skill.md'],
    ['.agents/skills/b/SKILL.md', '.agents/skills/b/scripts/run.sh'],
  ]);
  const folders = listed.mock.calls.map(({ arguments: [path] }) => relative(root, String(path)).replaceAll(sep, '/'));
  assert.deepEqual(folders.sort(), ['.agents/skills/b', '.agents/skills/b/scripts', 'skills/__prompts__']);
});

test('does not read referenced files through a symbolic link that leaves the folder', async (t) => {
  const outside = workspace(t, { 'secret.md': 'Secret.' });
  const root = workspace(t, {
    'skills/a.skill.md': skill(
      'a',
      '[One](one.md), [two](linked/secret.md), [three](%2e%2e/%2e%2e/secret.md), [four](four.md).',
    ),
    'skills/real.md': 'Real.',
  });
  symlinkSync(join(outside, 'secret.md'), join(root, 'skills/one.md'));
  symlinkSync(outside, join(root, 'skills/linked'));
  symlinkSync('real.md', join(root, 'skills/four.md'));
  assert.deepEqual(await pathsOf(root, lockOf('skills/a.skill.md')), [['skills/a.skill.md', 'skills/four.md']]);
});
