/** Runs the commands of the README with the installed command line, which replaces the registry of npm. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { extended } from '../extended.ts';
import { temporaryFolder } from '../temporary.mjs';
import { answerOf, env, installed, TARBALL } from './installed.ts';
import { blocksOf, blockWith } from './page.ts';

const README = 'README.md';
const text = readFileSync(README, 'utf8');
const { name, version, publisher } = manifest;

/** All commands: the lines of the blocks, and the code spans that begin with the name of a program. */
const commands = new Set([
  // A comment explains some commands.
  ...blocksOf('sh', README).flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +# .*/, '')),
  ),
  ...[...text.matchAll(/`((?:npm run|npm install|npx|code|claude) [^`]+)`/g)].map(([, command = '']) => command),
]);

const offline = { ...env, npm_config_offline: 'true', npm_config_cache: temporaryFolder() };
const shell = (cwd: string, line: string, more: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> =>
  spawnSync('sh', ['-c', line], { cwd, env: { ...offline, ...more }, encoding: 'utf8' });

/** The skills of the README, in a folder in which npx finds the installed package. */
const team = join(installed, 'team');
cpSync('test/e2e/walks/team', team, { recursive: true });

/** Runs commands in a new home folder, into which npm installs packages for all folders. Returns this folder. */
function homeAfter(...lines: readonly string[]): string {
  const home = temporaryFolder();
  copyFileSync(TARBALL, join(home, basename(TARBALL)));
  for (const line of lines) {
    const { status, stderr } = shell(home, line, { HOME: home, npm_config_prefix: join(home, 'global') });
    assert.equal(status, 0, stderr);
  }
  return home;
}

function versionAfter(install: string): string {
  const home = homeAfter(install);
  return shell(home, `${join(home, 'global', 'bin', name)} --version`).stdout.trim();
}

/** The command that installs the package from the registry. The tarball stands for the package with this name. */
const withTarball = (line: string): string => (line === install ? installFile : line);

const HELLO = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`;

/** The commands for a checkout: `npm test` runs these tests, and other tests open the samples. */
const ofCheckout = ['npm start', 'npm test', 'npm run check -- PATH'];
const ofDevelopers = ['npm run package', 'npm run build && npm link'];
const check = `npx ${name} check .`;
const fix = `${check} --fix`;
const clients = `npx ${name} clients . --client goose`;
const explain = `npx ${name} explain invalid-yaml`;
const serve = `npx --yes ${name} mcp`;
const addServer = `claude mcp add ${name} -- ${serve}`;
const install = `npm install --global ${name}`;
const installFile = `npm install --global ./${name}-${version}.tgz`;
const ofEditor = [
  `code --install-extension ${publisher}.${name}`,
  // The test of the `.vsix` installs this file.
  `code --install-extension ${name}-${version}.vsix`,
];

describe('the README', () => {
  it('has only commands that these tests run, or whose names they compare', () => {
    assert.deepEqual(
      [...commands].sort(),
      [
        ...[...ofCheckout, ...ofDevelopers, check, fix, clients, explain, serve, addServer, install, installFile],
        ...ofEditor,
      ].sort(),
    );
    assert.equal(basename(TARBALL), `${name}-${version}.tgz`);
    for (const [, script = ''] of [...commands].join('\n').matchAll(/^npm (?:run )?(?!install)(\S+)/gm)) {
      assert.ok(script in manifest.scripts, script);
    }
  });

  it('has a command that checks a folder from a checkout', () => {
    const { status, stdout } = shell('.', `npm run --silent check -- ${team}`);
    assert.equal(status, 1);
    const shown = `${relative('.', team).replaceAll('\\', '/')}/`;
    assert.equal(stdout.replaceAll(shown, ''), blockWith('text', 'SKILL.md', README));
  });

  it('shows the findings that its first command prints', () => {
    const { status, stdout, stderr } = shell(team, check);
    assert.deepEqual([status, stderr], [1, '']);
    assert.equal(stdout, blockWith('text', 'SKILL.md', README));
  });

  it('has commands that show what an agent does, explain a rule, and fix what is safe', extended, () => {
    const folder = join(installed, 'fixed');
    cpSync('test/e2e/walks/team', folder, { recursive: true });
    assert.match(
      shell(folder, clients).stdout,
      /^\* +yes +no .* Goose\n {4}Goose, loaded: A value without quotes contains a colon/m,
    );
    assert.match(shell(folder, explain).stdout, /^# invalid-yaml/);
    assert.match(shell(folder, fix).stdout, /\nFixed 1 file\. 1 warning in 1 of 2 files\.\n$/);
  });

  it('installs the command line with one command', extended, () => {
    assert.equal(versionAfter(installFile), version);
    assert.equal(versionAfter(withTarball(install)), version);
  });

  it('links to files for other editors, which the package contains', extended, () => {
    const home = homeAfter(...blocksOf('sh', 'docs/editors.md').join('').trim().split('\n').map(withTarball));
    const plugin = '.local/share/nvim/site/pack/skill-composer/start/skill-composer/plugin/skill-composer.lua';
    for (const file of [plugin, '.emacs.d/skill-composer/skill-composer.el']) assert.ok(existsSync(join(home, file)));
    assert.ok(existsSync(join(home, 'global/lib/node_modules', name, 'client/editors/zed/extension.toml')));
  });

  it('gives agents a command that starts the server', extended, async () => {
    const [run = '', ...words] = serve.split(' ');
    assert.match(await answerOf(words, HELLO, /"id":1/, { run, env: offline, cwd: team }), /"serverInfo"/);
  });

  it('has a workflow that marks the lines with findings and fails', extended, () => {
    const { jobs } = parse(blockWith('yaml', 'actions/checkout', README));
    const [{ run }] = jobs.check.steps.filter((step: { readonly run?: string }) => step.run !== undefined);
    const { status, stdout, stderr } = shell(team, run, { GITHUB_ACTIONS: 'true' });
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^::error file=\.agents\/skills\/review-changes\/SKILL\.md,line=3,/m);
  });

  it('names figures that the measured pages contain', () => {
    const [, section = ''] = /^## Measured\n(.*?)^## /ms.exec(text) ?? [];
    const lines = [...section.matchAll(/^- (.*): \[.*\]\((.*)\)\.$/gm)];
    assert.equal(lines.length, 2);
    for (const [, words = '', page = ''] of lines) {
      const measured = readFileSync(page, 'utf8').toLowerCase();
      const figures = words.match(/\d[\d.,]*\d(?: m?s\b)?|\d+ of \d+/g) ?? [];
      assert.ok(figures.length >= 2, words);
      for (const figure of figures) assert.ok(measured.includes(figure.replace('3 of', 'three of')), figure);
    }
  });
});
