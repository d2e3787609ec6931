/** The command line as people install it: the tarball in an empty folder, and the pages that tell how to use it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const tarball = process.env.SKILL_COMPOSER_TARBALL ?? '';

let folder = '';
let bin = '';

before(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'skill-composer-installed-'));
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball];
  execFileSync('npm', words, { cwd: folder, shell: process.platform === 'win32' });
  bin = join(folder, 'node_modules', '.bin');
});

after(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, GITHUB_STEP_SUMMARY: '' });

/** A copy of the skills of the sample workspace in a repository of its own, with one commit on `main`. */
function workspace(): string {
  const copy = join(folder, `workspace-${Math.random().toString(36).slice(2)}`);
  for (const path of ['skills', 'contracts', 'skills.config.yaml', 'mistakes/unknown-tool.skill.md']) {
    cpSync(join('samples', path), join(copy, path), { recursive: true });
  }
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', copy, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return copy;
}

const runIn = (cwd: string, ...words: readonly string[]) =>
  spawnSync(join(bin, 'skill-composer'), words, { cwd, env: env(), encoding: 'utf8' });

describe('the installed command line', () => {
  it('has no dependencies, and brings the licences of what is in it', () => {
    const root = join(folder, 'node_modules', 'skill-composer');
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
    assert.match(readFileSync(join(root, 'dist', 'third-party-notices.txt'), 'utf8'), /immutable/);
  });

  it('checks, composes, tests and explains', () => {
    const cwd = workspace();
    const checked = runIn(cwd, 'check', '--format=json');
    assert.equal(checked.stderr, '');
    assert.ok(JSON.parse(checked.stdout).summary.errors > 0, 'the samples have mistakes');
    const composed = runIn(cwd, 'compose', 'skills/write-logline.md');
    assert.deepEqual([composed.status, composed.stderr], [0, '']);
    assert.notEqual(composed.stdout.trim(), '');
    assert.match(runIn(cwd, 'test', 'skills').stdout, /passed/);
    assert.match(runIn(cwd, 'explain', 'unknown-tool').stdout, /^# unknown-tool/);
  });

  it('serves editors', async () => {
    const server = spawn(join(bin, 'skill-composer'), ['lsp', '--stdio'], { cwd: folder, env: env() });
    const params = { processId: null, rootUri: null, capabilities: {} };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`);
    let answer = '';
    for await (const chunk of server.stdout) {
      answer += chunk;
      if (answer.includes('"capabilities"')) break;
    }
    server.kill();
    assert.match(answer, /"textDocumentSync"/);
  });
});

describe('the pages about pipelines', () => {
  const page = readFileSync('docs/ci.md', 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

  it('have commands that work when they are copied', () => {
    assert.ok(blocks.length > 4);
    const cwd = workspace();
    for (const block of blocks) {
      for (const line of block.trim().split('\n')) {
        const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, env: env(), encoding: 'utf8' });
        assert.ok(status === 0 || status === 1, `\`${line}\` ends with ${status}: ${stderr}`);
      }
    }
  });

  it('have an action whose step does what its inputs say, and no more', () => {
    const cwd = workspace();
    const output = join(cwd, 'output');
    writeFileSync(output, '');
    const inputs = { INPUT_PATHS: 'skills\n\ncontracts\n', INPUT_FAIL_ON: 'error', INPUT_SARIF: 'a b.sarif' };
    const action = { ...env(), ...inputs, INPUT_CHANGED: '', GITHUB_OUTPUT: output };
    const script = resolve('client/pipelines/action.mjs');
    const ran = spawnSync(process.execPath, [script], { cwd, env: action, encoding: 'utf8' });
    assert.equal(ran.stderr, '');
    assert.equal(ran.status, 0);
    assert.equal(readFileSync(output, 'utf8'), 'sarif=a b.sarif\n');
    assert.equal(JSON.parse(readFileSync(join(cwd, 'a b.sarif'), 'utf8')).version, '2.1.0');
    const hostile = { ...action, INPUT_PATHS: '--fix\n$(touch ran)' };
    assert.equal(spawnSync(process.execPath, [script], { cwd, env: hostile }).status, 2);
  });

  it('have hooks that take the files of skills, however deep they lie', () => {
    const [, pattern = ''] = /files: (.+)/.exec(readFileSync('.pre-commit-hooks.yaml', 'utf8')) ?? [];
    const files = new RegExp(pattern);
    for (const path of [
      'a.skill.md',
      'deep/a.skill.yaml',
      '.claude/skills/x/SKILL.md',
      'skills/a.md',
      'a/skills.config.yaml',
    ])
      assert.ok(files.test(path), path);
    for (const path of ['README.md', 'skill.md', 'SKILL.md.txt']) assert.ok(!files.test(path), path);
  });
});
