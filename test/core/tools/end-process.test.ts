/** Ending a process with all its children, on different systems. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { endProcess, type System } from '../../../server/src/io/processes.ts';

test('terminates a process with its children', { skip: process.platform === 'win32' }, async () => {
  const loop = 'setInterval(() => undefined, 1000)';
  const script = `console.log(require('node:child_process').spawn(process.execPath, ['-e', '${loop}'], { stdio: ['ignore', 1, 'ignore'] }).pid); ${loop}`;
  const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = await once(child.stdout, 'data');
  const grandchild = Number(String(said));
  process.kill(grandchild, 0);
  endProcess(child.pid ?? 0, 'SIGKILL');
  // The output closes when no process keeps it open.
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL');
  // A second call must not fail, although no process is left.
  endProcess(child.pid ?? 0, 'SIGKILL');
});

test("on Windows, runs the system's `taskkill`, not one on PATH", () => {
  const ran: string[] = [];
  const windows: System = {
    platform: 'win32',
    kill: () => assert.fail('it would end the first of them alone'),
    run: (program, args) => ran.push([program, ...args].join(' ')),
  };
  endProcess(42, 'SIGTERM', windows);
  assert.match(ran.join(), /^[A-Z]:\\Windows\\System32\\taskkill\.exe \/PID 42 \/T \/F$/i);
});
