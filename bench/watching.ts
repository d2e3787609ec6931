/** Measures the time that `test --watch` needs from an edit on disk to the test results. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, median } from './process.ts';

/** Measures the median time from writing an edit to a skill's prose until its test results are printed. */
export async function measureWatching(
  command: readonly string[],
  folder: string,
  path: string,
  edits: number,
): Promise<{ readonly wall: number; readonly cpu: number }> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const waitForTests = async (): Promise<void> => {
    while (!/\d+ passed\.\n$/.test(printed)) await sleep(2);
    printed = '';
  };
  const pid = child.pid ?? 0;
  const times: { readonly wall: number; readonly cpu: number }[] = [];
  try {
    await waitForTests();
    for (let number = 0; number < edits; number++) {
      await sleep(300);
      const text = readFileSync(join(folder, path), 'utf8');
      const [begun, used] = [performance.now(), cpuOf(pid)];
      writeFileSync(join(folder, path), `${text}\nAnd then, number ${number}.\n`);
      await waitForTests();
      times.push({ wall: performance.now() - begun, cpu: cpuOf(pid) - used });
    }
  } finally {
    child.kill();
  }
  return { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) };
}
