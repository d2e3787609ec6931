/** The hooks in the real `pre-commit`, from a mirror repository with the unpacked package. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { git, repositoryWith, TARBALL } from '../packaged/installed.ts';
import { blockWith, unpackedPackage } from '../packaged/page.ts';
import { CATALOG, misspelt, skill } from '../protocol/cli.ts';
import { temporaryFolder } from '../temporary.mjs';

const { status } = spawnSync('pre-commit', ['--version']);
const skip = status === 0 ? false : 'There is no `pre-commit` on the PATH (on Debian: `apt-get install pre-commit`).';

const cache = temporaryFolder();

/** An environment that forbids downloads: none are needed, because the package has no dependencies. */
const env = { ...process.env, PRE_COMMIT_HOME: cache, npm_config_offline: 'true', GIT_ALLOW_PROTOCOL: 'file' };

const preCommit = (cwd: string, ...words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('pre-commit', ['run', '--color=never', ...words], { cwd, env, encoding: 'utf8' });

/** The configuration of the page, with the mirror as its repository. */
let settings: string | undefined;

function settingsFor(hook: string): string {
  if (settings === undefined) {
    const mirror = unpackedPackage();
    const { repos } = parse(blockWith('yaml', 'repos:'));
    git(mirror, 'init', '--quiet', '--initial-branch', 'main');
    git(mirror, 'add', '--force', '.');
    git(mirror, 'commit', '--quiet', '--message', 'one');
    git(mirror, 'tag', repos[0].rev);
    settings = stringify({ repos: [{ ...repos[0], repo: mirror }] });
  }
  return settings.replace('skill-composer-check', hook);
}

const NESTED = 'packages/app/.claude/skills/tidy/SKILL.md';
const TIDY = '---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy them.\n';

const repository = (hook: string, files: Readonly<Record<string, string>> = {}): string =>
  repositoryWith({
    '.pre-commit-config.yaml': settingsFor(hook),
    'skills.config.yaml': CATALOG,
    'deep/er/part.skill.md': skill('part', 'output_schema: {page: string}'),
    'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part]'),
    [NESTED]: TIDY,
    'README.md': '---\nname: [\n---\n',
    ...files,
  });

const change = (folder: string, path: string, text: string): void => {
  writeFileSync(join(folder, path), text);
  git(folder, 'add', '.');
};

describe('pre-commit', { skip }, () => {
  it('passes if all skills are valid, and does not run if no skill is committed', () => {
    const folder = repository('skill-composer-check');
    const all = preCommit(folder, '--all-files');
    assert.equal(all.status, 0, all.stdout + all.stderr);
    assert.match(all.stdout, /^Check skills\.+Passed$/m);
    change(folder, 'README.md', 'Another page.\n');
    const none = preCommit(folder);
    assert.equal(none.status, 0, none.stdout + none.stderr);
    assert.match(none.stdout, /^Check skills\.+\(no files to check\)Skipped$/m);
  });

  it('fails and shows the findings if a nested `SKILL.md` or `.skill.md` is invalid', () => {
    const folder = repository('skill-composer-check');
    change(folder, NESTED, TIDY.replace('description: Tidies notes. Use it for notes.\n', ''));
    const plain = preCommit(folder);
    assert.equal(plain.status, 1);
    assert.match(plain.stdout, /^Check skills\.+Failed$/m);
    assert.match(plain.stdout, new RegExp(`^${NESTED}:\\d+:\\d+ error `, 'm'));
    assert.doesNotMatch(plain.stdout, /README/);
    change(folder, NESTED, TIDY);
    change(folder, 'deep/er/part.skill.md', misspelt('part'));
    const deep = preCommit(folder);
    assert.equal(deep.status, 1);
    assert.match(deep.stdout, /^deep\/er\/part\.skill\.md:\d+:\d+ error unknown-tool/m);
  });

  it('shows findings that a committed file causes in another file', () => {
    const folder = repository('skill-composer-check');
    change(folder, 'deep/er/part.skill.md', skill('other', 'output_schema: {page: string}'));
    const { status, stdout } = preCommit(folder);
    assert.equal(status, 1);
    assert.match(stdout, /^whole\.skill\.md:\d+:\d+ error skill-not-found/m);
  });

  it('checks a commit that only deletes a skill, if `always_run` is set', () => {
    const settings = settingsFor('skill-composer-check').replace(/^( *)- id: .*$/m, '$&\n$1  always_run: true');
    const folder = repository('skill-composer-check', { '.pre-commit-config.yaml': settings });
    git(folder, 'rm', '--quiet', 'deep/er/part.skill.md');
    const { status, stdout } = preCommit(folder);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /^whole\.skill\.md:\d+:\d+ error skill-not-found/m);
  });

  it('applies safe fixes, and fails because files have changed', () => {
    const path = 'notes/tidy.skill.md';
    const quoted = skill('tidy').replace(/^description: .*$/m, 'description: "Finds a note: the last one."');
    const folder = repository('skill-composer-fix', { [path]: quoted });
    change(folder, path, quoted.replaceAll('"', ''));
    const { status, stdout } = preCommit(folder);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /files were modified by this hook/);
    assert.equal(readFileSync(join(folder, path), 'utf8'), quoted);
    git(folder, 'add', '.');
    const again = preCommit(folder);
    assert.equal(again.status, 0, again.stdout);
  });

  it('runs the hook of the README, which installs the package', () => {
    // The tarball stands for the package in the registry.
    const hook = blockWith('yaml', 'repo: local', 'README.md').replace(/\[skill-composer@.*\]/, `[${TARBALL}]`);
    const folder = repositoryWith({ '.pre-commit-config.yaml': hook, [NESTED]: TIDY });
    const passed = preCommit(folder, '--all-files');
    assert.equal(passed.status, 0, passed.stdout + passed.stderr);
    change(folder, NESTED, TIDY.replace(/^description: .*\n/m, ''));
    const { status, stdout } = preCommit(folder);
    assert.deepEqual([status, /^Check skills\.+Failed$/m.test(stdout)], [1, true], stdout);
    assert.match(stdout, new RegExp(`^${NESTED}:\\d+:\\d+ error agent-skill-missing-key`, 'm'));
  });
});
