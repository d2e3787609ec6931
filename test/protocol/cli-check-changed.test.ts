/** `check --changed`: changes since a commit, and the files that they affect. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { extended } from '../extended.ts';
import { assertUsageError, CATALOG, checkJson, folderWith, misspelt, run, skill, write } from './cli.ts';

const COMMITTED = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'one'];

const gitIn =
  (folder: string) =>
  (...words: readonly string[]): Buffer =>
    execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' });

function commitMore(folder: string): void {
  const git = gitIn(folder);
  git('add', '.');
  git(...COMMITTED);
}

function commitAll(folder: string): void {
  gitIn(folder)('init', '--quiet', '--initial-branch', 'main');
  commitMore(folder);
}

const committed = (files: Readonly<Record<string, string>>): string => {
  const folder = folderWith(files);
  commitAll(folder);
  return folder;
};

/** Adds the repository `added` as the submodule `shared`, with its own submodules. */
function addSubmodule(folder: string, added: string): void {
  const git = gitIn(folder);
  const allowed = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
  git(...allowed, 'add', added, 'shared');
  git(...allowed, 'update', '--init', '--recursive');
  commitMore(folder);
}

describe('check --changed', () => {
  const files = {
    'skills.config.yaml': CATALOG,
    'old.skill.md': misspelt('old'),
    'part.skill.md': skill('part', 'output_schema: {page: string}'),
    'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part]'),
    '.agents/skills/plain/SKILL.md':
      '---\nname: plain\ndescription: Reads pages.\n---\n\nSee [it](references/it.md).\n',
    '.agents/skills/plain/references/it.md': 'It.\n',
    '.gitignore': 'out/\n',
  };
  const changed = async (folder: string, ...words: string[]) => {
    const { findings } = await checkJson(folder, '--changed', ...words);
    return [...new Set(findings.map(({ file }) => file))];
  };

  it('leaves out unchanged files', async () => {
    const folder = committed(files);
    assert.deepEqual(await changed(folder), []);
    write(folder, 'new.skill.md', misspelt('new'));
    write(folder, 'out/made.skill.md', misspelt('made'));
    assert.deepEqual(await changed(folder), ['new.skill.md']);
    assert.deepEqual(await changed(folder, 'old.skill.md'), [], 'a path may follow it');
  });

  it('shows findings that a deleted composed skill or linked file causes elsewhere', async () => {
    const folder = committed(files);
    rmSync(join(folder, 'part.skill.md'));
    assert.deepEqual(await changed(folder), ['whole.skill.md']);
    rmSync(join(folder, '.agents/skills/plain/references/it.md'));
    assert.deepEqual(await changed(folder), ['.agents/skills/plain/SKILL.md', 'whole.skill.md']);
  });

  it('compares with the commit where the branch began', async () => {
    const folder = committed(files);
    const git = gitIn(folder);
    git('checkout', '--quiet', '-b', 'mine');
    write(folder, 'new.skill.md', misspelt('new'));
    commitMore(folder);
    git('checkout', '--quiet', 'main');
    write(folder, 'theirs.skill.md', misspelt('theirs'));
    commitMore(folder);
    git('checkout', '--quiet', 'mine');
    assert.deepEqual(await changed(folder), []);
    const { findings } = await checkJson(folder, '--changed=main');
    assert.deepEqual([...new Set(findings.map(({ file }) => file))], ['new.skill.md']);
  });

  it(
    'compares a submodule with its commit, and shows what a rename breaks outside of the submodule',
    extended,
    async () => {
      const { 'old.skill.md': old, 'part.skill.md': part, ...rest } = files;
      const folder = committed(rest);
      addSubmodule(folder, committed({ 'old.skill.md': old, 'part.skill.md': part }));
      assert.deepEqual(await changed(folder), []);
      write(folder, 'shared/part.skill.md', skill('other', 'output_schema: {page: string}'));
      assert.deepEqual(await changed(folder), ['shared/part.skill.md', 'whole.skill.md']);
      rmSync(join(folder, 'shared/part.skill.md'));
      assert.deepEqual(await changed(folder), ['whole.skill.md']);
      write(folder, 'shared/new.skill.md', misspelt('new'));
      assert.deepEqual(await changed(folder), ['shared/new.skill.md', 'whole.skill.md']);
    },
  );

  it('compares a nested submodule with its commit, and leaves out its ignored files', extended, async () => {
    const { 'old.skill.md': old, '.gitignore': ignore, ...rest } = files;
    const middle = committed({ 'README.md': 'Parts.\n' });
    addSubmodule(middle, committed({ 'old.skill.md': old, '.gitignore': ignore }));
    const folder = committed(rest);
    addSubmodule(folder, middle);
    assert.deepEqual(await changed(folder), []);
    write(folder, 'shared/shared/out/made.skill.md', misspelt('made'));
    assert.deepEqual(await changed(folder), []);
    write(folder, 'shared/shared/new.skill.md', misspelt('new'));
    write(folder, 'shared/shared/old.skill.md', misspelt('older'));
    assert.deepEqual(await changed(folder), ['shared/shared/new.skill.md', 'shared/shared/old.skill.md']);
  });

  it('reports a comparison with the named commit itself if there is no common commit', async () => {
    const folder = committed(files);
    gitIn(folder)('checkout', '--quiet', '--orphan', 'mine');
    write(folder, 'new.skill.md', misspelt('new'));
    commitMore(folder);
    const { stdout, stderr } = await run(folder, ['check', '--changed=main']);
    assert.match(stdout, /^new\.skill\.md:/m);
    assert.doesNotMatch(stdout, /^old\.skill\.md:/m);
    assert.match(stderr, /no common commit with HEAD, so files are compared with `main` itself/);
    assert.equal((await run(folder, ['check', '--changed=main', '--quiet'])).stderr, '');
  });

  it("runs no program from the repository's configuration", async () => {
    const folder = folderWith({ ...files, '.gitattributes': '*.md filter=own diff=own\n' });
    commitAll(folder);
    const touch = join(folder, 'ran');
    for (const key of ['filter.own.clean', 'diff.own.textconv', 'diff.external', 'core.fsmonitor']) {
      execFileSync('git', ['-C', folder, 'config', key, `touch ${touch}`]);
    }
    write(folder, 'old.skill.md', misspelt('older'));
    assert.deepEqual(await changed(folder), ['old.skill.md']);
    assert.equal(existsSync(touch), false);
  });

  it('reports why it cannot compare', async () => {
    const folder = folderWith(files);
    assertUsageError(await run(folder, ['check', '--changed']), /is not in a git repository/);
    execFileSync('git', ['-C', folder, 'init', '--quiet']);
    assertUsageError(await run(folder, ['check', '--changed']), /the repository has no commits/);
    commitAll(folder);
    assertUsageError(await run(folder, ['check', '--changed=gone']), /the commit does not exist/);
  });
});
