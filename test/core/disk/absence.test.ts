/** Missing files that git has not checked out. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { Absences } from '../../../server/src/io/absence.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always', ...words],
    { cwd: root, stdio: 'pipe' },
  );

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'site');
  mkdirSync(root);
  writeFiles(root, files);
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'All');
  return root;
}

it('recognises files in a submodule that is not checked out', async () => {
  const other = repositoryWith({ 'guide.md': '', 'docs/a.md': '' });
  const root = repositoryWith({ 'README.md': '' });
  git(root, 'submodule', '--quiet', 'add', other, 'vendor/guide');
  assert.equal(await new Absences().of(join(root, 'vendor/guide/gone.md')), undefined);
  git(root, 'submodule', '--quiet', 'deinit', '--force', 'vendor/guide');
  for (const path of ['guide.md', 'docs/a.md']) {
    assert.equal(await new Absences().of(join(root, 'vendor/guide', path)), 'submodule');
  }
  assert.equal(await new Absences().of(join(root, 'vendor/gone.md')), undefined);
});

it('recognises tracked files outside of a sparse checkout', async () => {
  const root = repositoryWith({ 'skills/a/SKILL.md': '', 'docs/deep/a.md': '', 'skills/a/big.csv': '' });
  git(root, 'sparse-checkout', 'set', 'skills');
  assert.equal(await new Absences().of(join(root, 'docs/deep/a.md')), 'sparse');
  assert.equal(await new Absences().of(join(root, 'docs/gone.md')), undefined);
  assert.equal(await new Absences().of(join(root, 'skills/a/gone.md')), undefined);
  git(root, 'sparse-checkout', 'set', '--no-cone', '/*', '!*.csv');
  assert.equal(await new Absences().of(join(root, 'skills/a/big.csv')), 'sparse');
});

it('recognises files that are checked together', async () => {
  const root = repositoryWith({ 'skills/a/SKILL.md': '', 'docs/deep/a.md': '' });
  git(root, 'sparse-checkout', 'set', 'skills');
  const absences = new Absences();
  const paths = ['docs/deep/a.md', 'skills/a/gone.md', 'docs/gone.md', 'skills/a/deep/gone.md', 'docs/deep/a.md'];
  const reasons = await Promise.all(paths.map((path) => absences.of(join(root, path))));
  assert.deepEqual(reasons, ['sparse', undefined, undefined, undefined, 'sparse']);
});
