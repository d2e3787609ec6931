/** A command as a model: every run ends within its limits and with a reason. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type RunLimits, runCommand } from '../../server/src/io/processes.ts';
import { until } from './until.ts';

const input = { prompt: 'Greet Ada.', tools: ['read_page'], model: null, output_schema: null };

const script = (code: string, limits?: RunLimits) =>
  runCommand([process.execPath, '-e', code], process.cwd(), input, limits);

describe('a command that is used as a model', { concurrency: 4 }, () => {
  it('receives the prompt as JSON, and prints the output', async () => {
    const echo =
      'process.stdin.on("data", (d) => process.stdout.write(JSON.parse(d).prompt + " " + JSON.parse(d).tools))';
    assert.deepEqual(await script(echo), { output: 'Greet Ada. read_page' });
  });

  it('is stopped with its child processes when it hangs', async () => {
    const hang =
      'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], {stdio: "inherit"}); setInterval(() => 0, 1000)';
    const outcome = await script(hang, { milliseconds: 500, bytes: 1000 });
    assert.deepEqual(outcome, { problem: 'The command ran longer than 0.5 s and was stopped.' });
  });

  it('is stopped by a signal', async () => {
    const hang = [process.execPath, '-e', 'setInterval(() => 0, 1000)'];
    const stopping = new AbortController();
    const outcome = runCommand(hang, process.cwd(), input, undefined, stopping.signal);
    stopping.abort();
    assert.deepEqual(await outcome, { problem: 'The command was stopped.' });
  });

  it('is stopped when it prints too much', async () => {
    const flood = 'const write = () => process.stdout.write("x".repeat(65536), write); write()';
    const outcome = await script(flood, { milliseconds: 60_000, bytes: 1024 * 1024 });
    assert.deepEqual(outcome, { problem: 'The command printed more than 1 MB and was stopped.' });
  });

  it('is reported with its exit status and its error output if it fails', async () => {
    assert.deepEqual(await script('console.error("no key"); process.exit(3)'), {
      problem: 'The command ended with status 3. Error output: no key',
    });
  });

  it('may end without reading its input', async () => {
    assert.deepEqual(
      await runCommand([process.execPath, '-e', ''], process.cwd(), { ...input, prompt: 'x'.repeat(1 << 20) }),
      { output: '' },
    );
  });

  it('is reported if it does not exist', async () => {
    const outcome = await runCommand(['no-such-command'], process.cwd(), input);
    assert.match('problem' in outcome ? outcome.problem : '', /^`no-such-command` cannot be run: /);
  });

  const lasting = 'setInterval(() => 0, 1000)';
  const spawning = (options: string) =>
    `const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(lasting)}], ${options}); child.unref();`;

  it('ends together with the processes that it leaves in the background', async () => {
    const code = `${spawning('{stdio: "inherit"}')} process.stdout.write(String(child.pid)); setTimeout(() => process.exit(0), 50)`;
    const outcome = await script(code);
    const pid = Number('output' in outcome ? outcome.output : Number.NaN);
    await until('the end of the background process', () => !isRunning(pid));
  });

  it('ends although a process that left its group holds the output', {
    skip: process.platform === 'win32',
  }, async () => {
    const code = `${spawning('{stdio: "inherit", detached: true}')} process.stdout.write(String(child.pid)); setTimeout(() => process.exit(0), 50)`;
    const outcome = await script(code);
    const pid = Number('output' in outcome ? outcome.output : Number.NaN);
    assert.ok(isRunning(pid), 'the other process is not ended');
    process.kill(pid, 'SIGKILL');
  });

  it('may print a character in two pieces', async () => {
    const pieces =
      'process.stdout.write(Buffer.from([0xc3])); setTimeout(() => process.stdout.write(Buffer.from([0xa9])), 20)';
    assert.deepEqual(await script(pieces), { output: 'é' });
  });

  it('fails if its output is not UTF-8', async () => {
    assert.deepEqual(await script('process.stdout.write(Buffer.from("caf\\xe9", "latin1"))'), {
      problem: 'The output of the command is not valid UTF-8. Change the command so that it prints UTF-8.',
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // On Linux, a process that has ended keeps its number, as state Z, until its parent asks for its status.
    return !existsSync('/proc/self/stat') || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
