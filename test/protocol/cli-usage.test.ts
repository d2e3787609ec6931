/** The help of the command line, and errors for invalid arguments. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, CLI, folderWith, run, skill } from './cli.ts';

describe('skill-composer', () => {
  const folder = folderWith({ 'a.skill.md': skill('a'), 'notes.md': '# Notes\n', 'empty/readme.txt': '' });

  it('prints its help and its version', async () => {
    const help = await run(folder, ['--help']);
    assert.equal(help.status, 0);
    assert.equal(help.stderr, '');
    for (const command of [
      'check',
      'compose',
      'convert',
      'diff',
      'explain',
      'graph',
      'install',
      'lsp',
      'match',
      'mcp',
      'new',
      'pack',
      'run',
    ])
      assert.match(help.stdout, new RegExp(`^  ${command}\\b`, 'm'));
    assert.match((await run(folder, ['check', '--help'])).stdout, /--fail-on .*[\s\S]*--no-color/);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal((await run(folder, ['--version'])).stdout, `${version}\n`);
  });

  it('prints help for a width of 80 characters', async () => {
    const { stdout } = await run(folder, ['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].flatMap(([, name = '']) => name);
    assert.ok(commands.length > 15);
    for (const words of [[], ...commands.map((name) => [name]), ['record', 'check'], ['tools', 'pull']]) {
      const help = await run(folder, [...words, '--help']);
      const long = help.stdout.split('\n').filter((line) => [...line].length > 80);
      assert.deepEqual(long, [], words.join(' '));
    }
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /Missing command/],
    ['lint .', /Unknown command `lint`\. Did you mean `check`\?/],
    ['fix', /Unknown command `fix`\. Did you mean `check --fix`\?/],
    ['check --clinet x', /Unknown option `--clinet`\. Run `skill-composer check --help`/],
    ['check --json', /Unknown option `--json`\. Did you mean `--format json`\?/],
    ['check -f json', /Unknown option `-f`\. Did you mean `--format`\?/],
    ['check --fix-all', /Did you mean `--fix`\?/],
    ['check --output x.json', /Did you mean `--out`\?/],
    ['check -o x.json', /Did you mean `--out`\?/],
    ['check --reporter=json', /Did you mean `--format`\?/],
    ['check --silent', /Did you mean `--quiet`\?/],
    ['check -q', /Did you mean `--quiet`\?/],
    ['check -w', /Did you mean `--watch`\?/],
    ['check --max-warnings 0', /Did you mean `--fail-on warning`\?/],
    ['check --since main', /Did you mean `--changed`\?/],
    ['check --staged', /Did you mean `--changed`\?/],
    ['check --disable broken-link', /Did you mean `--rule NAME=off`\?/],
    ['convert a.skill.md --to package --json', /Did you mean `--report json`\?/],
    ['graph --fix-all', /Unknown option `--fix-all`\. Run `skill-composer graph --help`/],
    ['test -u', /Did you mean `--update`\?/],
    ['install x -y', /Did you mean `--yes`\?/],
    ['chek', /Unknown command `chek`\. Did you mean `check`\?/],
    ['mcp a.skill.md', /Too many arguments for `mcp`/],
    ['check --fromat json', /Unknown option `--fromat`\. Did you mean `--format`\?/],
    ['check --format', /`--format <FORMAT>` argument missing/],
    ['check --format xml', /`--format` does not support `xml`/],
    ['check --fail-on fatal', /`--fail-on` does not support `fatal`/],
    ['check --rule unknown-tol=off', /unknown rule `unknown-tol`\. Did you mean `unknown-tool`/],
    ['check --rule unknown-tool=of', /does not support `of`\. Did you mean `off`\?/],
    ['check --rule unknown-tool', /has no severity/],
    ['check nowhere.skill.md', /`nowhere\.skill\.md` matches no files/],
    ['check a.skill.md nowhere/*.md', /`nowhere\/\*\.md` matches no files/],
    ['check empty', /`empty` contains no skills/],
    ['check *.txt', /`\*\.txt` matches no files/],
    ['check notes.md', /`notes\.md` does not have the name of a skill file/],
    ['check --cwd nowhere', /`--cwd nowhere` is not a folder/],
    ['check --config nowhere.yaml', /`--config nowhere\.yaml` cannot be read: it does not exist/],
    ['explain unknown-tol', /unknown rule `unknown-tol`\. Did you mean `unknown-tool`/],
    ['explain unknown-tool --format json', /it prints only text/],
    ['explain a b', /Too many arguments/],
    ['tools pull --yess', /Did you mean `--yes`\? Run `skill-composer tools pull --help`\./],
    ['check --out json=x.txt --out sarif=x.txt', /`--out` names the file `x\.txt` twice/],
    ['graph --out empty', /`--out empty` cannot be written: it is a folder/],
    ['run --max-steps 0', /`--max-steps` must be a positive integer/],
    ['run a.skill.md --format prompt', /`--format` does not support `prompt`/],
    ['lsp', /Run `skill-composer lsp --stdio`/],
  ];
  for (const [words, message] of wrong) {
    it(`refuses \`${words}\``, async () => {
      assertUsageError(await run(folder, words === '' ? [] : words.split(' ')), message);
    });
  }
});

describe('a result', () => {
  const printing: readonly (readonly [string, readonly string[]])[] = [
    ['compose', ['a.skill.md']],
    ['compose', ['a.skill.md', '--format', 'json']],
    ['graph', []],
    ['diff', ['a.skill.md', '--base-file', 'b.skill.md']],
    ['match', ['read a page']],
    ['audit', ['--format', 'markdown']],
    ['clients', ['tidy']],
  ];
  const files = {
    'a.skill.md': skill('a'),
    'b.skill.md': skill('b'),
    'tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies notes.\n---\n\nTidy.\n',
  };
  for (const [command, words] of printing) {
    it(`of \`${[command, ...words].join(' ')}\` is written completely to the --out file, without colours`, async () => {
      const folder = folderWith(files);
      const printed = await run(folder, [command, ...words]);
      assert.notEqual(printed.stdout, '');
      const how = { env: { FORCE_COLOR: '1' } };
      assert.deepEqual(await run(folder, [command, ...words, '--out', 'made/x.txt'], how), { ...printed, stdout: '' });
      assert.equal(readFileSync(join(folder, 'made/x.txt'), 'utf8'), printed.stdout);
    });
  }

  it('of a failed composition does not overwrite the --out file', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a').replace(/Read the page[\s\S]*/, ''), 'x.txt': 'kept' });
    const { status, stdout } = await run(folder, ['compose', 'a.skill.md', '--out', 'x.txt']);
    assert.deepEqual([status, stdout, readFileSync(join(folder, 'x.txt'), 'utf8')], [1, '', 'kept']);
  });

  it('that does not fit on disk causes an error on one line', { skip: process.platform !== 'linux' }, async () => {
    const folder = folderWith(files);
    const stdout = openSync('/dev/full', 'w');
    for (const words of [['check'], ['compose', 'a.skill.md'], ['--help']]) {
      const { status, stderr } = spawnSync(process.execPath, [CLI, ...words], {
        cwd: folder,
        stdio: ['ignore', stdout, 'pipe'],
        encoding: 'utf8',
      });
      assert.equal(stderr, 'skill-composer: The result cannot be written: the disk is full.\n');
      assert.equal(status, 2);
    }
    closeSync(stdout);
  });
});

describe('skill-composer explain', () => {
  const page = readFileSync('docs/rules/level-violation.md', 'utf8');

  it('prints the page of a rule, by name or by number', async () => {
    for (const word of ['level-violation', 'E010', 'e010']) {
      assert.deepEqual(await run('/', ['explain', word]), { status: 0, stdout: page, stderr: '' });
    }
  });

  it('highlights the page if colours are requested', async () => {
    const { stdout } = await run('/', ['explain', 'E010'], { env: { FORCE_COLOR: '1' } });
    assert.ok(stdout.startsWith('\u001b[1m# level-violation'));
    for (const how of [{ env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, {}]) {
      assert.equal((await run('/', ['explain', 'E010', '--no-color'], how)).stdout, page);
    }
  });

  it('lists the rules with severity and purpose', async () => {
    const { status, stdout } = await run('/', ['explain']);
    assert.equal(status, 0);
    assert.match(stdout, /^level-violation \(E010\) +error +\S.*\.$/m);
    assert.match(stdout, /^unknown-tool +error +\S.*\.$/m);
  });
});
