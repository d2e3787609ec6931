/** The server ends after its client has ended. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { frame } from './server.ts';

for (const [name, command] of [
  ['the server', ['dist/server.js', '--stdio']],
  ['`skill-composer lsp`', ['dist/cli.cjs', 'lsp', '--stdio']],
] as const) {
  test(`${name} exits with an error when its input ends before \`exit\``, async () => {
    const server = spawn(process.execPath, command, { stdio: 'pipe' });
    const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
    server.stdin.write(
      frame({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } }),
    );
    await new Promise((resolve) => server.stdout.once('data', resolve));
    server.stdin.end();
    assert.equal(await ended, 1);
  });
}
