/** Each file of `samples/mistakes` has the mistakes that its row in the README there names, and no others. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/check.ts';
import { rules } from '../../../server/src/rules/index.ts';

const FOLDER = join('samples', 'mistakes');

/** What a host has to find out first. */
const OF_HOSTS = ['sample-fails', 'broken-link'];

function workspaceOfMistakes(): Workspace {
  const workspace = new Workspace();
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:md|yaml)$/.test(path) || path.endsWith('README.md')) continue;
    const uri = `file:///mistakes/${path.replaceAll('\\', '/')}`;
    workspace.apply({ kind: 'text', uri, text: readFileSync(join(FOLDER, path), 'utf8') });
  }
  return workspace;
}

/** The files of each row, and the rules that it names. */
const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `') && !line.includes('`agent-skill-…`'))
  .map((line) => line.split(' | ').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')))
  .map(([files = [], named = []]) => ({
    files,
    named: named.filter((name) => rules.some((rule) => rule.name === name)),
  }));

const workspace = workspaceOfMistakes();

for (const { files, named } of rows) {
  for (const file of files) {
    test(`${file} has the mistakes ${named.join(', ')}`, () => {
      const { analysis } = workspace;
      const skill = analysis.file(`file:///mistakes/${file}`);
      assert.ok(skill, 'there is no such file');
      const found = new Set(check(skill, analysis).map(({ rule }) => rule));
      assert.deepEqual([...found].sort(), named.filter((name) => !OF_HOSTS.includes(name)).sort());
    });
  }
}

test('every file with a mistake has a row', () => {
  const known = new Set(rows.flatMap(({ files }) => files));
  const paths = readdirSync(FOLDER).filter((path) => /\.skill\.(?:md|yaml)$/.test(path));
  assert.deepEqual(
    paths.filter((path) => !known.has(path)),
    [],
  );
});
