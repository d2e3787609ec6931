/** A command as a model: every run ends within its limits and with a reason. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RunLimits, runCommand } from '../../server/src/hosts/testing/run-command.ts';

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
});
