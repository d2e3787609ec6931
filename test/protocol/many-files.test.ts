/** The command line and the server find two skills in a folder with many files. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import { extended } from '../extended.ts';
import { CATALOG, checkJson, folderWith, misspelt, rulesOf } from './cli.ts';
import { withServer } from './server.ts';

const FOLDERS = 500;

async function findsBoth(filesOfFolder: number): Promise<void> {
  const folder = folderWith({
    'skills.config.yaml': CATALOG,
    'first.skill.md': misspelt('first'),
    [`${FOLDERS - 1}/deep/last.skill.md`]: misspelt('last'),
  });
  for (let one = 0; one < FOLDERS; one++) {
    mkdirSync(join(folder, String(one)), { recursive: true });
    for (let file = 0; file < filesOfFolder; file++) writeFileSync(join(folder, String(one), `${file}.md`), '');
  }
  const report = await checkJson(folder);
  assert.deepEqual(rulesOf(report, 'unknown-tool').length, 2);
  assert.equal(report.summary.files, 3);
  const rootUri = pathToFileURL(folder).href;
  const below = (path: string): string => `../${basename(folder)}/${path}`;
  const isFound = (all: readonly Diagnostic[]): boolean => all.some(({ code }) => code === 'unknown-tool');
  await withServer(
    {},
    async ({ open, published }) => {
      await open(below('first.skill.md'), misspelt('first'));
      await published(below('first.skill.md'), isFound);
      await published(below(`${FOLDERS - 1}/deep/last.skill.md`), isFound);
    },
    { rootUri, workspaceFolders: [{ uri: rootUri, name: 'many' }] },
  );
}

test('finds skills among 5,000 files', () => findsBoth(10));

test('finds skills among 100,000 files', extended, () => findsBoth(200));
