/** The files that a search for skills leaves out (docs/format.md, section 1, "Left out"). */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Exclusions } from '../../../server/src/io/exclusions.ts';
import { nodeExclusions } from '../../../server/src/io/node-exclusions.ts';
import { nodeFiles } from '../../../server/src/io/node-files.ts';
import { toUri } from '../../../server/src/io/paths.ts';
import { findBelow } from '../../../server/src/io/select-files.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always', ...words],
    {
      cwd: root,
      stdio: 'pipe',
    },
  );

const SKILL = '---\nname: moor\ndescription: Moors a boat. Use it at a pier.\n---\n\nMoor.\n';

const skillsAt = (...folders: readonly string[]): Record<string, string> =>
  Object.fromEntries(folders.map((folder) => [`${folder}/SKILL.md`, SKILL]));

/** Returns a repository whose files are committed, except those that it ignores. */
function repositoryWith(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'site');
  mkdirSync(root);
  writeFiles(root, { 'README.md': 'Site', ...files });
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'All');
  return root;
}

/** Returns the paths that a search finds, and those that it leaves out with the reason. */
async function search(root: string, folder = root) {
  const { paths, excluded } = await findBelow(folder, nodeExclusions(root));
  const within = (path: string) => path.slice(root.length + 1).replaceAll('\\', '/');
  return {
    found: paths.map(within).map((path) => path.replace(/\/SKILL\.md$/, '')),
    left: excluded.map(({ path, reason }) => `${within(path)}: ${reason}`),
  };
}

describe('a search for skills', () => {
  it('leaves out linked worktrees of the repository, also after the repository was moved', async () => {
    const root = repositoryWith(skillsAt('.claude/skills/moor'));
    git(root, 'worktree', 'add', '--quiet', '-b', 'fix', '.claude/worktrees/fix-12');
    git(root, 'worktree', 'add', '--quiet', '-b', 'other', 'trees/other');
    const expected = {
      found: ['.claude/skills/moor'],
      left: ['.claude/worktrees/fix-12: worktree', 'trees/other: worktree'],
    };
    assert.deepEqual(await search(root), expected);
    const moved = join(root, '..', 'moved');
    renameSync(root, moved);
    assert.deepEqual(await search(moved), expected);
  });

  it('leaves out the worktrees of a repository in the folder, and of the repository above it', async () => {
    const root = repositoryWith(skillsAt('packages/a/skills/moor'));
    const above = join(root, '..');
    git(root, 'worktree', 'add', '--quiet', '-b', 'fix', '../fix');
    assert.deepEqual(await search(above), { found: ['site/packages/a/skills/moor'], left: ['fix: worktree'] });
    git(root, 'worktree', 'add', '--quiet', '-b', 'inner', 'packages/a/inner');
    assert.deepEqual(await search(join(root, 'packages')), { found: ['a/skills/moor'], left: ['a/inner: worktree'] });
    // In a worktree, the other worktrees of the repository are copies, too.
    git(root, 'worktree', 'add', '--quiet', '-b', 'deep', '../fix/deep');
    assert.deepEqual((await search(join(above, 'fix'))).left, ['deep: worktree']);
  });

  it('keeps submodules, other repositories, and worktrees without a main one', async () => {
    const root = repositoryWith(skillsAt('skills/moor'));
    const other = repositoryWith(skillsAt('skills/rig'));
    git(root, 'submodule', '--quiet', 'add', other, 'vendor/rig');
    cpSync(other, join(root, 'nested'), { recursive: true });
    git(other, 'worktree', 'add', '--quiet', '-b', 'far', join(root, 'far'));
    assert.deepEqual(await search(root), {
      found: ['far/skills/rig', 'nested/skills/rig', 'skills/moor', 'vendor/rig/skills/rig'],
      left: [],
    });
    const bare = join(temporaryFolder(), 'all');
    mkdirSync(bare);
    git(bare, 'clone', '--quiet', '--bare', other, '.bare');
    writeFiles(bare, { '.git': 'gitdir: ./.bare\n' });
    for (const name of ['one', 'two']) git(bare, 'worktree', 'add', '--quiet', '-b', name, name);
    assert.deepEqual(await search(bare), { found: ['one/skills/rig', 'two/skills/rig'], left: [] });
  });

  it('leaves out packages of Python, but not a skill with such a name', async () => {
    const root = join(temporaryFolder(), 'site');
    writeFiles(root, {
      ...skillsAt(
        '.venv/lib/python3.12/site-packages/x/skills/dock',
        'venv/skills/dock',
        'lib/site-packages/skills/dock',
      ),
      ...skillsAt('.claude/skills/venv', 'skills/moor', '.claude/skills/moor/.venv/skills/dock'),
    });
    assert.deepEqual(await search(root), {
      found: ['.claude/skills/venv', 'skills/moor'],
      left: ['.claude/skills/moor/.venv: packages', '.venv: packages', 'lib/site-packages: packages', 'venv: packages'],
    });
  });

  it('leaves out what .gitignore excludes, also in nested files, with exceptions, and in .git/info/exclude', async () => {
    const root = repositoryWith({
      '.gitignore': 'build/\n/out/*\n!/out/kept\n*.draft.skill.md\n',
      'docs/.gitignore': 'old\n!/build/\n',
      ...skillsAt(
        'build/moor',
        'src/build/moor',
        'out/gone',
        'out/kept',
        'docs/old/moor',
        'docs/build/moor',
        'private/moor',
      ),
      'a.draft.skill.md': SKILL,
    });
    writeFiles(root, { '.git/info/exclude': 'private\n' });
    git(root, 'rm', '-r', '--quiet', '--cached', 'private');
    const { found, left } = await search(root);
    assert.deepEqual(found, ['docs/build/moor', 'out/kept']);
    assert.deepEqual(left, [
      'a.draft.skill.md: ignored',
      'build: ignored',
      'docs/old: ignored',
      'out/gone: ignored',
      'private: ignored',
      'src/build: ignored',
    ]);
  });

  it('reads `build` and `dist` that nothing ignores, and .gitignore without git', async () => {
    const root = join(temporaryFolder(), 'site');
    writeFiles(root, { ...skillsAt('build/moor', 'dist/moor', 'out/moor'), '.gitignore': 'out' });
    assert.deepEqual(await search(root), { found: ['build/moor', 'dist/moor'], left: ['out: ignored'] });
  });

  it('never leaves out a folder that a client reads at the root of the workspace', async () => {
    const root = repositoryWith({
      '.gitignore': '.claude\n.agents/skills/\n*.local.md\n.github/*\n',
      ...skillsAt('.claude/skills/moor', '.agents/skills/moor', '.github/skills/moor', '.claude/other/moor'),
      ...skillsAt('packages/a/.claude/skills/moor', '.claude/skills/moor/inner'),
      '.claude/agents/pilot.md': SKILL,
      '.claude/commands/go.md': SKILL,
      'CLAUDE.local.md': 'Local',
    });
    const { found, left } = await search(root);
    assert.deepEqual(found, [
      '.agents/skills/moor',
      '.claude/agents/pilot.md',
      '.claude/commands/go.md',
      '.claude/skills/moor',
      '.claude/skills/moor/inner',
      '.github/skills/moor',
      'CLAUDE.local.md',
    ]);
    assert.deepEqual(left, ['.claude/other: ignored', 'packages/a/.claude: ignored']);
  });

  it('reads tracked files, which git does not ignore', async () => {
    const root = repositoryWith({ '.gitignore': 'lib/\n', ...skillsAt('skills/moor') });
    writeFiles(root, skillsAt('lib/tracked/skills/rig', 'lib/untracked/skills/rig'));
    git(root, 'add', '--force', 'lib/tracked');
    assert.deepEqual(await search(root), {
      found: ['lib/tracked/skills/rig', 'skills/moor'],
      left: ['lib/untracked: ignored'],
    });
  });

  it('reads a folder that is named, and a repository in an ignored folder of another one', async () => {
    const root = repositoryWith({ '.gitignore': '/build/\n', ...skillsAt('skills/moor') });
    writeFiles(root, skillsAt('build/a/skills/rig'));
    assert.deepEqual((await search(root, join(root, 'build'))).found, ['build/a/skills/rig']);
    assert.deepEqual((await search(join(root, 'build/a'))).found, ['skills/rig']);
    git(root, 'worktree', 'add', '--quiet', '-b', 'fix', 'trees/fix');
    assert.deepEqual((await search(root, join(root, 'trees/fix'))).found, ['trees/fix/skills/moor']);
  });

  it('uses the patterns of the folders above the workspace, up to its repository', async () => {
    const root = repositoryWith({ '.gitignore': '/app/dist\nbuild\n' });
    writeFiles(root, { ...skillsAt('app/dist/moor', 'app/build/moor', 'app/skills/moor'), 'app/.gitignore': 'x' });
    assert.deepEqual(await search(join(root, 'app')), {
      found: ['skills/moor'],
      left: ['build: ignored', 'dist: ignored'],
    });
  });

  it('does not read an ignored folder', async () => {
    const root = repositoryWith({ '.gitignore': 'big/\n', ...skillsAt('skills/moor', 'big/a/b') });
    const read: string[] = [];
    const exclusions = new Exclusions(toUri(root), {
      async read(uri) {
        read.push(uri.slice(toUri(root).length + 1));
        return nodeFiles.read(uri, { folders: [], isReadDirectly: () => false });
      },
    });
    await findBelow(root, exclusions);
    assert.deepEqual(
      read.filter((path) => path.startsWith('big')),
      [],
    );
  });

  it('decides about a single file in the same way', async () => {
    const root = repositoryWith({
      '.gitignore': 'build\n.claude\n',
      ...skillsAt('.claude/skills/moor', 'src/build/moor', 'build/moor', 'skills/moor', 'venv/moor', '.claude/x/moor'),
    });
    git(root, 'worktree', 'add', '--quiet', '-b', 'fix', 'trees/fix');
    const { paths } = await findBelow(root);
    const all = execFileSync('find', [root, '-name', 'SKILL.md'], { encoding: 'utf8' }).trim().split('\n');
    const kept = await nodeFiles.withoutExcluded?.(all.map(toUri), [toUri(root)]);
    assert.deepEqual(kept?.toSorted(), paths.map(toUri).sort());
    assert.equal(paths.length, 2);
    rmSync(join(root, '.gitignore'));
    assert.equal((await findBelow(root)).paths.length, 5);
  });
});
