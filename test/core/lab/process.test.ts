/** The end of a client and its output (services/observing/process.ts). */
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runClient } from '../../../server/src/services/observing/process.ts';
import { temporaryFolder } from '../../temporary.mjs';

/** Runs a program in an empty home. */
function run(program: string) {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  const place = { workspace: home, start: home, home };
  const asked = { program: process.execPath, path: [], model: '', context: 0, prompt: '', isApproved: true };
  return runClient({ ...place, ...asked }, { args: ['-e', program] });
}

describe('the output of a client', () => {
  it('is whole, even if the client ends at once', async () => {
    const { status, output } = await run(`process.stdout.write('x'.repeat(400_000)); process.exit(3)`);
    assert.equal(status, 3);
    assert.equal(output.length, 400_000);
  });

  it('ends with the client, although a process that it started keeps it open', async () => {
    const { output } = await run(
      `require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' }).unref(); console.log('done')`,
    );
    assert.equal(output, 'done\n');
  });
});

it('a process in a session of its own ends with the client, and is named', {
  skip: process.platform !== 'linux',
}, async () => {
  const { leftBehind } = await run(
    `require('node:child_process').spawn('sleep', ['61'], { detached: true, stdio: 'ignore' }).unref()`,
  );
  assert.deepEqual(leftBehind, ['sleep 61']);
});
