/** The copies that every command leaves out, and what `check` says about them (docs/command-line.md, "Left out"). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, checkJson, folderWith, run } from './cli.ts';

const skillCalled = (name: string): string =>
  `---\nname: ${name}\ndescription: Writes a pull request. Use it after a change.\n---\n\nWrite.\n`;

const FILES = {
  '.gitignore': 'build/\n',
  'skills/write-pr/SKILL.md': skillCalled('write-pr'),
  'build/lib/skills/write-pr/SKILL.md': skillCalled('Write PR'),
  '.venv/lib/python3.12/site-packages/other/skills/write-pr/SKILL.md': skillCalled('Write PR'),
};

function repositoryWithCopies(): string {
  const root = folderWith(FILES);
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      cwd: root,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', 'skills');
  git('commit', '--quiet', '-m', 'A skill');
  git('worktree', 'add', '--quiet', '.claude/worktrees/fix');
  return root;
}

describe('copies of skills', () => {
  it('are left out of check, which says how many and why', async () => {
    const root = repositoryWithCopies();
    const { stderr } = await run(root, ['check']);
    assert.match(
      stderr,
      /Left out: 1 linked git worktree, 1 folder of Python packages and 1 path that git ignores\. Name a file or a folder to check it\.$/m,
    );
    const { findings, summary } = JSON.parse((await run(root, ['check', '--format', 'json'])).stdout);
    assert.deepEqual(findings, []);
    assert.deepEqual(summary, {
      ...{ files: 1, errors: 0, warnings: 0, infos: 0, hints: 0 },
      excluded: { worktree: 1, packages: 1, ignored: 1 },
    });
  });

  it('are not mentioned if the folder that git ignores has no skill, or if git names the changed files', async () => {
    const root = folderWith({ ...FILES, '.gitignore': 'out/\n', 'out/main.js': '' });
    rmSync(join(root, 'build'), { recursive: true });
    rmSync(join(root, '.venv'), { recursive: true });
    assert.doesNotMatch((await run(root, ['check'])).stderr, /Left out/);
    const copies = repositoryWithCopies();
    assert.doesNotMatch((await run(copies, ['check', '--changed'])).stderr, /Left out/);
  });

  it('are checked if they are named', async () => {
    const root = repositoryWithCopies();
    for (const path of ['build', 'build/lib/skills/write-pr/SKILL.md', '.venv', '.claude/worktrees/fix/skills']) {
      assert.equal((await checkJson(root, path)).summary.files, 1, path);
    }
    assert.equal((await checkJson(join(root, 'build'))).summary.files, 1);
  });

  it('are not the skills of a client in a folder that is named', async () => {
    const root = folderWith({ '.gitignore': '.claude/\n', 'app/.claude/skills/moor/SKILL.md': skillCalled('moor') });
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    assert.equal((await checkJson(root, 'app')).summary.files, 1);
  });

  it('are left out of match, clients and lists', async () => {
    const root = repositoryWithCopies();
    const matched = await run(root, ['match', 'write a pull request after the change', '.', '--format', 'json']);
    assert.equal(matched.stdout.match(/SKILL\.md"/g)?.length, 1, matched.stdout);
    for (const command of [
      ['clients', '.'],
      ['audit', '.'],
      ['catalog', '.'],
    ]) {
      const { stdout, stderr } = await run(root, [...command, '--format', 'json']);
      assert.ok(!/(?:build|site-packages|worktrees)\//.test(stdout), `${command}: ${stdout} ${stderr}`);
    }
  });

  it('are named where nothing else was found', async () => {
    const root = folderWith({ '.gitignore': 'build/\n', 'build/skills/moor/SKILL.md': skillCalled('moor') });
    assertUsageError(
      await run(root, ['check', '.']),
      /`\.` contains no skills\. Left out: 1 path that git ignores\. Name a skill file, a folder/,
    );
    assertUsageError(
      await run(root, ['check', '**/SKILL.md']),
      /matches no files\. Left out: 1 path that git ignores\./,
    );
  });
});
