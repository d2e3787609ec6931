/** The watchdog detects a server that does not answer, and ignores an idle one. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RestartLimit, Watchdog } from '../../../client/src/language-server/watchdog.ts';

const PATIENCE = 3;

function watched() {
  const pings: { answer: () => void; fail: () => void }[] = [];
  let silences = 0;
  const dog = new Watchdog({
    ping: () =>
      new Promise((answer, fail) => pings.push({ answer: () => answer(null), fail: () => fail(new Error('no')) })),
    maxTicks: PATIENCE,
    onUnresponsive: () => silences++,
  });
  const ticks = (count: number) => {
    for (let at = 0; at < count; at++) dog.tick();
  };
  return { dog, pings, ticks, silences: () => silences };
}

describe('the watchdog', () => {
  it('does not ping a server without pending messages', () => {
    const { pings, ticks } = watched();
    ticks(100);
    assert.equal(pings.length, 0);
  });

  it('reports a missing response only once', () => {
    const { dog, pings, ticks, silences } = watched();
    dog.sent();
    ticks(PATIENCE);
    assert.deepEqual([pings.length, silences()], [1, 0]);
    ticks(100);
    assert.deepEqual([pings.length, silences()], [1, 1]);
  });

  for (const how of ['answer', 'fail'] as const) {
    it(`accepts \`${how}\` as the outcome of a ping, and pings again only after the next message`, async () => {
      const { dog, pings, ticks, silences } = watched();
      dog.sent();
      ticks(PATIENCE);
      pings[0]?.[how]();
      await turn();
      ticks(100);
      assert.deepEqual([pings.length, silences()], [1, 0]);
      dog.sent();
      ticks(1);
      assert.equal(pings.length, 2);
    });
  }

  it('ignores responses from an earlier server', async () => {
    const { dog, pings, ticks, silences } = watched();
    dog.sent();
    ticks(1);
    dog.reset();
    dog.sent();
    ticks(1);
    pings[0]?.answer();
    await turn();
    ticks(PATIENCE);
    assert.equal(silences(), 1);
  });

  it('reports a process that hangs, but not one that responds', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { stdio: 'pipe' });
    try {
      assert.equal(await silenceOf(child, 'SIGCONT'), false);
      assert.equal(await silenceOf(child, 'SIGSTOP'), true);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

/** Sends a signal to an echoing process, and returns whether the watchdog then reports the process as silent. */
async function silenceOf(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  child.kill(signal);
  return new Promise((resolve) => {
    const timer = setInterval(() => dog.tick(), 10);
    const end = (isSilent: boolean): void => {
      clearInterval(timer);
      resolve(isSilent);
    };
    const ping = async (): Promise<void> => {
      child.stdin?.write('ping');
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      end(false);
    };
    const dog = new Watchdog({ ping, maxTicks: signal === 'SIGSTOP' ? 30 : 5000, onUnresponsive: () => end(true) });
    dog.sent();
  });
}

it('restarts a server only a few times within a period', () => {
  const limit = new RestartLimit(2, 1000);
  assert.deepEqual(
    [0, 10, 20, 999, 1001, 1005, 1011].map((time) => limit.allows(time)),
    [true, true, false, false, true, false, true],
  );
});
