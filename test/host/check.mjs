/** `npm run check -- PATH`: runs the command `check` of this checkout. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildAll, isBuilt } from '../../client/build.mjs';

/**
 * Builds if a source has changed since the newest build, and returns the exit status of the command.
 *
 * @param {string} root the checkout
 * @param {readonly string[]} args the paths and options of `skill-composer check`. Paths are relative to the folder in
 *   which npm was called.
 * @returns {Promise<number>}
 */
export async function check(root, args) {
  if (!isBuilt()) {
    // Standard output contains only the findings.
    console.error('Building');
    await buildAll();
  }
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), 'check', ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
