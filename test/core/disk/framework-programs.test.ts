/** The frameworks and folders that the programs of a workspace name, read from disk. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { frameworkPrograms } from '../../../server/src/io/framework-programs.ts';
import { nodeFiles } from '../../../server/src/io/node-files.ts';
import { toUri } from '../../../server/src/io/paths.ts';
import { temporaryFolder } from '../../temporary.mjs';

const manifest = (...packages: string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '1'])) });
const call = (folder: string): string =>
  `import { loadAllSkillsInDir } from '@google/adk';\n\nloadAllSkillsInDir('${folder}');\n`;

/** Returns the programs of a folder with these files; a link has its target in a list. */
async function programsIn(files: Readonly<Record<string, string | readonly [string]>>) {
  const written = Object.entries(files).filter((one): one is [string, string] => typeof one[1] === 'string');
  const folder = temporaryFolder(Object.fromEntries(written));
  for (const [path, content] of Object.entries(files)) {
    if (typeof content !== 'string') symlinkSync(content[0], join(folder, path));
  }
  const { packages, folders } = await frameworkPrograms(nodeFiles, toUri(folder));
  return {
    packages: [...packages],
    folders: folders.map(({ framework, program, folder: named, file, line }) => [
      ...[framework, program, named],
      `${file}:${line}`,
    ]),
  };
}

test('a program in a package of the workspace', async () => {
  const found = await programsIn({
    'package.json': manifest('left-pad'),
    'packages/two words/package.json': manifest('@google/adk'),
    'packages/two words/src/agent.ts': call('src/skills'),
    'packages/two words/src/other.mjs': call('src/skills'),
    'packages/web/package.json': manifest('next'),
    'packages/web/agent.ts': call('skills'),
  });
  assert.deepEqual(found, {
    packages: ['left-pad', '@google/adk', 'next'],
    folders: [['google-adk', 'packages/two words', 'src/skills', 'packages/two words/src/agent.ts:3']],
  });
});

test('tests, output of builds, modules, declarations, links and large files are not read', async () => {
  const outside = join(temporaryFolder({ 'outside.ts': call('e') }), 'outside.ts');
  const { folders } = await programsIn({
    'package.json': manifest('@google/adk'),
    'src/agent.test.ts': call('a'),
    'test/agent.ts': call('b'),
    'dist/agent.js': call('c'),
    'node_modules/x/agent.js': call('d'),
    'node_modules/x/package.json': manifest('@google/adk'),
    'linked.ts': [outside],
    'agent.d.ts': call('f'),
    'large.js': call('g') + ' '.repeat(300_000),
    'broken.js': '\0'.repeat(9),
    'agent.py': call('h'),
  });
  assert.deepEqual(folders, []);
});

test('a workspace with broken manifests has no programs', async () => {
  const found = await programsIn({ 'package.json': '{', 'a/package.json': '[]', 'a/agent.ts': call('skills') });
  assert.deepEqual(found, { packages: [], folders: [] });
});
