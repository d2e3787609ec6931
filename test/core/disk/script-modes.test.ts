/** The modes and line endings of scripts, in git and on the disk (docs/rules/script-call.md). */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { toUri } from '../../../server/src/io/paths.ts';
import { ScriptModes, withModes } from '../../../server/src/io/script-modes.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

const windows = process.platform === 'win32';
const SCRIPT = '#!/bin/sh\necho 1\n';
const CRLF = SCRIPT.replaceAll('\n', '\r\n');

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
    cwd: root,
    stdio: 'pipe',
  });

const modesIn = async (root: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    (
      await withModes(
        toUri(root),
        Object.entries(files).map(([path, text]) => ({ path, text })),
      )
    ).map(({ path, isExecutable, isCommittedWithLf }) => [path, [isExecutable, isCommittedWithLf]]),
  );

it('the mode in git counts, and that on the disk only for untracked scripts', async () => {
  const root = temporaryFolder();
  const files = { 'a.sh': SCRIPT, 'b c.sh': SCRIPT, 'notes.md': 'x' };
  writeFiles(root, files);
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'update-index', '--chmod=+x', 'a.sh');
  writeFiles(root, { 'new.py': 'print(1)', 'own.py': 'print(1)' });
  if (!windows) for (const name of ['b c.sh', 'own.py']) chmodSync(join(root, name), 0o755);
  assert.deepEqual(await modesIn(root, { ...files, 'new.py': 'print(1)', 'own.py': 'print(1)' }), {
    'a.sh': [true, true],
    'b c.sh': [false, true],
    'notes.md': [undefined, undefined],
    'new.py': windows ? [undefined, true] : [false, undefined],
    'own.py': windows ? [undefined, true] : [true, undefined],
  });
});

it('the line endings in git count', async () => {
  const root = temporaryFolder();
  git(root, 'init', '--quiet');
  writeFiles(root, { 'a.sh': CRLF, 'b.sh': CRLF, '.gitattributes': 'b.sh text eol=crlf\na.sh -text\n' });
  git(root, 'add', '.');
  const modes = await modesIn(root, { 'a.sh': CRLF, 'b.sh': CRLF });
  assert.deepEqual([modes['a.sh']?.[1], modes['b.sh']?.[1]], [undefined, true]);
});

it('lists a repository once for all skills of a run', async () => {
  const root = temporaryFolder({ 'a/go.sh': SCRIPT, 'b/go.sh': SCRIPT, 'b/crlf.sh': CRLF });
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'update-index', '--chmod=+x', 'a/go.sh');
  const modes = new ScriptModes(root);
  const added = async (folder: string, path: string, text: string) =>
    (await modes.add(toUri(join(root, folder)), [{ path, text }])).map(({ isExecutable }) => isExecutable);
  assert.deepEqual(await added('a', 'go.sh', SCRIPT), [true]);
  git(root, 'update-index', '--chmod=+x', 'b/go.sh', 'b/crlf.sh');
  assert.deepEqual(await added('b', 'go.sh', SCRIPT), [false]);
  // Git is asked again for the line endings of a script.
  assert.deepEqual(await added('b', 'crlf.sh', CRLF), [true]);
});
