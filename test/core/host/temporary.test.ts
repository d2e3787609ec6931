/** Temporary folders: they are removed however a process ends, and a run reports those that stay. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../temporary.mjs';

/** Runs a module that imports the helper, with an empty folder as its temporary folder. */
async function run(body: string, whenPrinted: (kill: (signal: NodeJS.Signals) => void) => void = () => {}) {
  const place = temporaryFolder();
  const from = pathToFileURL(resolve('test/temporary.mjs')).href;
  const names = ['temporaryFolder', 'useOwnTemporaryFolder', 'writeFiles'];
  const text = `import { ${names} } from '${from}';\n${body}`;
  const env = { ...process.env, TMPDIR: place, TEMP: place, TMP: place };
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
    whenPrinted((signal) => child.kill(signal));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, stdout: stdout.trim(), stderr, left: readdirSync(place) };
}

describe('a temporary folder', () => {
  it('contains the given files, and has a path without links', () => {
    const folder = temporaryFolder({ 'a/b.md': 'text', 'c.bin': Uint8Array.of(1, 2) });
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), ['a', 'a/b.md', 'c.bin']);
    assert.equal(realpathSync(folder), folder);
  });

  for (const [how, end] of [
    ['ends', ''],
    ['throws an error', "throw new Error('wrong');"],
    ['exits', 'process.exit(3);'],
  ] as const) {
    it(`is removed when its process ${how}`, async () => {
      const { stdout, left } = await run(`console.log(temporaryFolder({ 'a.md': '' }), temporaryFolder());${end}`);
      assert.equal(stdout.split(' ').length, 2);
      assert.deepEqual(left, []);
    });
  }
});

describe('the temporary folder of a run', () => {
  it('contains the folders of its processes, and is removed with them', async () => {
    const { status, stdout, stderr, left } = await run(
      'const own = useOwnTemporaryFolder(); console.log(temporaryFolder()); own.reportLeftovers(); process.exit(0);',
    );
    assert.match(basename(dirname(stdout)), /^skill-composer-run-/);
    assert.deepEqual([status, stderr, left], [0, '', []]);
  });

  it('is removed if something is left in it, and the run fails with the names', async () => {
    const { status, stderr, left } = await run(
      "const own = useOwnTemporaryFolder(); writeFiles(process.env.TMPDIR, { 'pack-1/a.zip': '', 'b.txt': '', 'vscode-ipc-0ca6-4f.sock': '' }); own.reportLeftovers(); process.exit(0);",
    );
    assert.equal(stderr, 'This run left temporary files:\n  b.txt\n  pack-1: a.zip\n');
    assert.deepEqual([status, left], [1, []]);
  });

  it('is removed without a report if a signal ends the run', { skip: process.platform === 'win32' }, async () => {
    const { status, stdout, stderr, left } = await run(
      'useOwnTemporaryFolder(); console.log(temporaryFolder()); setInterval(() => {}, 1000);',
      (kill) => kill('SIGTERM'),
    );
    assert.ok(stdout !== '' && !existsSync(stdout));
    assert.deepEqual([status, stderr, left], [1, '', []]);
  });
});
