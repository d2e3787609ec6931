/** Acts between the steps in which code changes the disk. */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

const STEPS = ['mkdir', 'rename', 'rmdir', 'unlink', 'link', 'writeFile', 'rm', 'open'] as const;

/** Calls `act` before each step that changes the disk, with its number. A step fails if `act` throws an error. */
export function beforeEachStep(act: (step: number) => void): void {
  let step = 0;
  for (const name of STEPS) {
    const original = files[name] as (...args: unknown[]) => Promise<unknown>;
    mock.method(files, name, async (...args: unknown[]) => {
      if (name !== 'open' || args[1] === 'wx') act(step++);
      const result = await original(...args);
      // Waiting for the disk would make the tests slow.
      if (name === 'open') (result as files.FileHandle).sync = async () => {};
      return result;
    });
  }
  syncBuiltinESMExports();
}

/** Ends `beforeEachStep`. */
export function restoreSteps(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}
