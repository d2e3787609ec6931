/** The installed command line requires only Node. `test:all` also runs this with newer versions of Node. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../temporary.mjs';
import { answerOf, env, installed, NODE, program, runIn, TARBALL, workspace } from './installed.ts';

const asked = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('the installed command line', () => {
  it('has no dependencies, and contains the licences of bundled code', () => {
    const root = join(installed, 'node_modules', 'skill-composer');
    assert.deepEqual(
      readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['skill-composer'],
    );
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
    assert.match(readFileSync(join(root, 'dist', 'third-party-notices.txt'), 'utf8'), /immutable/);
  });

  it('has the size that its page states', () => {
    const [, said = ''] = /a tarball of about (\d+\.\d) MB/.exec(readFileSync('docs/ci.md', 'utf8')) ?? [];
    const size = statSync(TARBALL).size / 1e6;
    assert.ok(Math.abs(size - Number(said)) <= 0.15, `docs/ci.md says ${said} MB, and it is ${size.toFixed(2)} MB`);
  });

  it('runs check, compose, test and explain', () => {
    const cwd = workspace();
    const checked = runIn(cwd, 'check', '--format=json');
    assert.equal(checked.stderr, '');
    assert.ok(JSON.parse(checked.stdout).summary.errors > 0, 'the samples have mistakes');
    const composed = runIn(cwd, 'compose', 'skills/write-logline.md');
    assert.deepEqual([composed.status, composed.stderr], [0, '']);
    assert.notEqual(composed.stdout.trim(), '');
    const tested = runIn(cwd, 'test', 'skills');
    assert.match(tested.stdout, /passed/);
    assert.equal(tested.status, 0, tested.stdout);
    assert.match(runIn(cwd, 'explain', 'unknown-tool').stdout, /^# unknown-tool/);
  });

  it('runs the language server', async () => {
    const request = asked(1, 'initialize', { processId: null, rootUri: null, capabilities: {} });
    const input = `Content-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`;
    assert.match(await answerOf(['lsp', '--stdio'], input, /"capabilities"/), /"textDocumentSync"/);
  });

  it('runs the MCP server', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const hello = asked(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const input = `${[hello, ready, asked(2, 'tools/list', {})].join('\n')}\n`;
    assert.match(await answerOf(['mcp'], input, /"id":2/), /"get_skill"/);
  });

  it('starts in at most two and a half times the processor time of an empty Node.js script', () => {
    // Wall-clock time depends on other processes; processor time hardly does.
    const hook = join(temporaryFolder(), 'hook.cjs');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the hook.
    const end = 'const { user, system } = process.cpuUsage(); process.stderr.write(`took ${user + system}`);';
    writeFileSync(hook, `process.on('exit', () => { ${end} });\n`);
    const once = (file: string, words: readonly string[]): number => {
      const how = { env: { ...env, NODE_OPTIONS: `--require ${hook}` }, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(file, words, how);
      assert.equal(status, 0, stderr);
      return Number(/took (\d+)$/.exec(stderr)?.[1]);
    };
    let [own, nothing] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // Other programs can only make a run longer, so the shortest run counts. Runs are repeated while the shortest run
    // is too long.
    for (let runs = 0; runs < 5 || (runs < 20 && own >= 2.5 * nothing); runs++) {
      own = Math.min(own, once(program, ['--version']));
      nothing = Math.min(nothing, once(NODE, ['-e', '0']));
    }
    assert.ok(own > 0 && own < 2.5 * nothing, `${(own / nothing).toFixed(2)} times`);
  });
});
