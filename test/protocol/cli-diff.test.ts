/** `diff`: compares a contract with a version in git or in a file. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { extended } from '../extended.ts';
import { assertUsageError, folderWith, run } from './cli.ts';

const contract = (version: string, output: string): string =>
  `name: find-page\ndescription: Finds the page that a question is about.\nversion: ${version}\nlevel: 1\ninput_schema: {question: string}\noutput_schema: ${output}\n`;

const OLD = contract('1.2.0', '{page: string, score: number}');
const BROKEN = contract('1.2.1', '{page: string}');

/** Creates a repository with the former text of the file in its last commit. */
function repositoryWith(file: string, text: string): string {
  const folder = folderWith({ [file]: text });
  commitAll(folder);
  return folder;
}

function commitAll(folder: string): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
}

describe('skill-composer diff', () => {
  it('compares with git HEAD, reports breaking changes, and exits with 1 if the version is too low', async () => {
    const folder = repositoryWith('skills/find page.skill.yaml', OLD);
    writeFileSync(join(folder, 'skills/find page.skill.yaml'), BROKEN);
    assert.deepEqual(await run(folder, ['diff', 'skills/find page.skill.yaml']), {
      status: 1,
      stdout:
        'skills/find page.skill.yaml:6:1 major The output `score` was removed.\n\nFrom 1.2.0 to 1.2.1: the version must be at least 2.0.0.\n',
      stderr: '',
    });
    writeFileSync(join(folder, 'skills/find page.skill.yaml'), contract('2.0.0', '{page: string}'));
    const bumped = await run(folder, ['diff', 'skills/find page.skill.yaml', '--base', 'HEAD']);
    assert.equal(bumped.status, 0);
    assert.match(
      bumped.stdout,
      /major The output `score` was removed\.\n\nFrom 1\.2\.0 to 2\.0\.0: the version matches the changes/,
    );
    assert.equal((await run(folder, ['diff', 'skills/find page.skill.yaml', '--quiet'])).stdout, '');
  });

  it('compares with a file, even outside of a repository', async () => {
    const folder = folderWith({ 'find-page.skill.yaml': BROKEN, 'old.yaml': OLD });
    const { status, stdout } = await run(folder, [
      'diff',
      'find-page.skill.yaml',
      '--base-file',
      'old.yaml',
      '--format',
      'json',
    ]);
    assert.equal(status, 1);
    assert.deepEqual(JSON.parse(stdout), {
      version: 1,
      file: 'find-page.skill.yaml',
      base: 'old.yaml',
      isNew: false,
      oldVersion: '1.2.0',
      newVersion: '1.2.1',
      bump: 'major',
      demandedVersion: '2.0.0',
      ok: false,
      changes: [
        {
          bump: 'major',
          path: 'output_schema.score',
          message: 'The output `score` was removed.',
          range: { start: { line: 5, character: 0 }, end: { line: 5, character: 13 } },
        },
      ],
      findings: [],
    });
  });

  it('refuses a lower version, and reports a changed body with the same version', async () => {
    const skill = (version: string, prose: string) =>
      `---\nname: find-page\ndescription: Finds a page.\nversion: ${version}\ninput_schema: {}\n---\n\n${prose}\n`;
    const folder = folderWith({
      'old.md': skill('1.2.0', 'Find it.'),
      'down.skill.md': skill('1.1.0', 'Find it at once.'),
      'same.skill.md': skill('1.2.0', 'Find it at once.'),
      'windows.skill.md': skill('1.2.0', 'Find it.').replaceAll('\n', '\r\n'),
      'up.skill.md': skill('1.2.1', 'Find it at once.'),
    });
    const diff = (file: string, ...more: string[]) => run(folder, ['diff', file, '--base-file', 'old.md', ...more]);
    assert.deepEqual(await diff('down.skill.md'), {
      status: 1,
      stdout:
        'down.skill.md:4:10 error The version went down from `1.2.0` to `1.1.0`. Set it to `1.2.0` or higher.\n\nThe version decreases from 1.2.0 to 1.1.0.\n',
      stderr: '',
    });
    const same = await diff('same.skill.md');
    assert.equal(same.status, 0);
    assert.match(same.stdout, /^same\.skill\.md:4:10 hint The body changed, but the version is still `1\.2\.0`\./);
    const json = JSON.parse((await diff('same.skill.md', '--format', 'json')).stdout);
    assert.deepEqual([json.ok, json.findings.length, json.findings[0].severity], [true, 1, 'hint']);
    for (const file of ['windows.skill.md', 'up.skill.md']) {
      assert.equal((await diff(file)).stdout, 'The contract is the same as in `old.md`.\n');
    }
  });

  it('reports nothing for a new or unchanged file', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    writeFileSync(join(folder, 'rate-page.skill.yaml'), OLD);
    const same = await run(folder, ['diff', 'find-page.skill.yaml']);
    assert.deepEqual(same, { status: 0, stdout: 'The contract is the same as in `HEAD`.\n', stderr: '' });
    const fresh = await run(folder, ['diff', 'rate-page.skill.yaml']);
    assert.deepEqual([fresh.status, fresh.stderr], [0, '']);
    assert.match(fresh.stdout, /`rate-page\.skill\.yaml` is new: `HEAD` does not contain it/);
  });

  it('reports a blob that is missing in a partial clone, and does not treat the file as new', async () => {
    const whole = repositoryWith('skills/find-page.skill.yaml', OLD);
    const git = (folder: string, ...words: string[]) => execFileSync('git', ['-C', folder, ...words]);
    git(whole, 'config', 'uploadpack.allowFilter', 'true');
    const clone = folderWith({});
    git(clone, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', pathToFileURL(whole).href, '.');
    mkdirSync(join(clone, 'skills'));
    writeFileSync(join(clone, 'skills/find-page.skill.yaml'), BROKEN);
    writeFileSync(join(clone, 'skills/rate-page.skill.yaml'), OLD);
    assertUsageError(
      await run(clone, ['diff', 'skills/find-page.skill.yaml']),
      /The content of `find-page\.skill\.yaml` in `HEAD` is missing in this clone .*`git show HEAD:\.\/find-page\.skill\.yaml`/,
    );
    const fresh = await run(clone, ['diff', 'skills/rate-page.skill.yaml']);
    assert.equal(fresh.status, 0);
    assert.match(fresh.stdout, /is new: `HEAD` does not contain it/);
  });

  it('reports that a commit is missing in a shallow clone', async () => {
    const whole = repositoryWith('find-page.skill.yaml', OLD);
    const git = (folder: string, ...words: string[]) => execFileSync('git', ['-C', folder, ...words]);
    git(whole, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'second');
    const clone = folderWith({});
    git(clone, 'clone', '--quiet', '--depth', '1', pathToFileURL(whole).href, '.');
    assertUsageError(
      await run(clone, ['diff', 'find-page.skill.yaml', '--base', 'HEAD~1']),
      /the commit does not exist in this shallow clone\. Run `git fetch --unshallow`/,
    );
  });

  it('reports missing objects in a damaged repository', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim();
    const lose = (object: string) =>
      rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)), { force: true });
    const [commit, tree] = [git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD^{tree}')];
    lose(tree);
    assertUsageError(await run(folder, ['diff', 'find-page.skill.yaml']), /`HEAD` cannot be read: /);
    lose(commit);
    assertUsageError(await run(folder, ['diff', 'find-page.skill.yaml']), /the commit is missing in this clone/);
    writeFileSync(join(folder, '.git/HEAD'), 'nonsense');
    assertUsageError(await run(folder, ['diff', 'find-page.skill.yaml']), /is not in a git work tree/);
  });

  it('compares in worktrees, through links, and with any file name', extended, async () => {
    const names = ['find-page.skill.yaml', ':(top)*[a].skill.yaml', '-p\u00e4ge \'"$x.skill.yaml'];
    for (const name of names) {
      const folder = repositoryWith(name, OLD);
      const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words]);
      const tree = join(folderWith({}), 'tree');
      git('worktree', 'add', '--quiet', tree);
      symlinkSync(join(tree, name), join(tree, 'link.skill.yaml'));
      for (const file of [join(tree, name), join(tree, 'link.skill.yaml')]) {
        const { stdout, stderr } = await run(folder, ['diff', file]);
        assert.equal(stderr, '');
        assert.match(stdout, /the same as in `HEAD`/, `${name} in ${file}`);
      }
    }
  });

  it('uses the repository of the file, not the repository of a git hook', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    const env = { GIT_DIR: folderWith({}), GIT_WORK_TREE: '/', GIT_INDEX_FILE: 'nothing' };
    assert.match((await run(folder, ['diff', 'find-page.skill.yaml'], { env })).stdout, /the same/);
  });

  it('refuses a bare repository, and a file that was a link in the commit', async () => {
    const bare = folderWith({ 'a.skill.yaml': OLD });
    execFileSync('git', ['init', '--quiet', '--bare', bare]);
    assertUsageError(await run(bare, ['diff', 'a.skill.yaml']), /is not in a git repository/);
    const folder = folderWith({ 'b.skill.yaml': OLD });
    symlinkSync('b.skill.yaml', join(folder, 'a.skill.yaml'));
    commitAll(folder);
    rmSync(join(folder, 'a.skill.yaml'));
    writeFileSync(join(folder, 'a.skill.yaml'), OLD);
    assertUsageError(await run(folder, ['diff', 'a.skill.yaml']), /`a\.skill\.yaml` is not a file in `HEAD`/);
  });

  it('reports what to do if the repository belongs to another user', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can give a folder away');
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    for (const path of [folder, join(folder, '.git')]) chownSync(path, 12_345, 12_345);
    const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
    assertUsageError(
      await run(folder, ['diff', 'find-page.skill.yaml'], { env }),
      /belongs to another user, so git does not read it\. Add it to git's `safe\.directory` if you trust it/,
    );
  });

  it('never runs a `git` from the repository, whatever the PATH', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    const program = join(folder, 'node_modules/.bin/git');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, `#!/bin/sh\ntouch "${join(folder, 'made')}"\n`, { mode: 0o755 });
    const outside = folderWith({});
    symlinkSync(program, join(outside, 'git'));
    const PATH = [dirname(program), '.', 'node_modules/.bin', '', outside].join(':');
    assertUsageError(
      await run(folder, ['diff', 'find-page.skill.yaml'], { env: { PATH } }),
      /`git` is not in any PATH folder/,
    );
    const env = { PATH: `${PATH}:${process.env.PATH}` };
    assert.match((await run(folder, ['diff', 'find-page.skill.yaml'], { env })).stdout, /the same/);
    assert.ok(!existsSync(join(folder, 'made')));
  });

  it('starts no shell, and treats no name as an option', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    for (const base of ['$(touch made)', '; touch made', '--output=made', '`touch made`']) {
      assertUsageError(
        await run(folder, ['diff', 'find-page.skill.yaml', `--base=${base}`]),
        /the commit does not exist/,
      );
    }
    assert.match((await run(folder, ['diff', 'find-page.skill.yaml'])).stdout, /the same/);
    assert.doesNotMatch(execFileSync('ls', { cwd: folder, encoding: 'utf8' }), /made/);
  });

  it('runs no program from the repository’s configuration', async () => {
    const folder = repositoryWith('find-page.skill.yaml', OLD);
    const made = join(folder, 'made');
    const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim();
    const program = `sh -c 'touch "${made}"' #`;
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['core.sshCommand', program],
      ['core.gitProxy', program],
      ['diff.loud.textconv', program],
      ['filter.loud.smudge', program],
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', 'ssh://example.invalid/repository'],
      ['remote.origin.promisor', 'true'],
    ] as const) {
      git('config', key, value);
    }
    writeFileSync(join(folder, '.gitattributes'), '* diff=loud filter=loud\n');
    assert.match((await run(folder, ['diff', 'find-page.skill.yaml'])).stdout, /the same/);
    // git would fetch a missing blob with the configured program.
    const blob = git('rev-parse', 'HEAD:find-page.skill.yaml');
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    await run(folder, ['diff', 'find-page.skill.yaml']);
    assert.ok(!existsSync(made));
  });

  const files = { 'a.skill.yaml': OLD, 'b.skill.yaml': 'name: [b', 'notes.txt': '' };
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['diff', /Missing required argument `FILE`.*`skill-composer diff --help`/],
    ['diff a.skill.yaml', /`a\.skill\.yaml` is not in a git repository\. Use `--base-file FILE`/],
    ['diff a.skill.yaml --base x --base-file b.skill.yaml', /`--base` cannot be used with `--base-file`/],
    ['diff a.skill.yaml --base-file nowhere.yaml', /`--base-file nowhere\.yaml` cannot be read: it does not exist/],
    ['diff a.skill.yaml --base-file b.skill.yaml', /`b\.skill\.yaml` is not valid YAML/],
    ['diff b.skill.yaml --base-file a.skill.yaml', /`b\.skill\.yaml` is not valid YAML/],
    ['diff nowhere.skill.yaml --base-file a.skill.yaml', /`nowhere\.skill\.yaml` cannot be read: it does not exist/],
    ['diff notes.txt --base-file a.skill.yaml', /has no contract to compare/],
    ['diff a.skill.yaml --base-file a.skill.yaml --format xml', /`--format` does not support `xml`/],
    ['diff a.skill.yaml b.skill.yaml', /Too many arguments/],
  ];
  for (const [words, message] of wrong) {
    it(`refuses \`${words}\``, async () => {
      assertUsageError(await run(folderWith(files), words.split(' ')), message);
    });
  }

  it('needs no git for --base-file, and otherwise reports that git is missing', async () => {
    const folder = repositoryWith('a.skill.yaml', OLD);
    mkdirSync(join(folder, 'bin'));
    chmodSync(join(folder, 'bin'), 0o755);
    const how = { env: { PATH: join(folder, 'bin') } };
    assert.equal((await run(folder, ['diff', 'a.skill.yaml', '--base-file', 'a.skill.yaml'], how)).status, 0);
    assertUsageError(await run(folder, ['diff', 'a.skill.yaml'], how), /`git` is not in any PATH folder/);
  });
});
