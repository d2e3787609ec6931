/** `npm start`: opens the samples in a VS Code that runs the extension from this checkout. */
import { join } from 'node:path';
import { findOnPath, start as startProgram } from './process.mjs';
import { say } from './say.mjs';
import { serve } from './serve.mjs';
import { ensureHost } from './vscode.mjs';

/** @param {string} root the checkout */
export async function start(root) {
  const samples = join(root, 'samples');
  const desktop = findOnPath(['code']);
  if (desktop !== undefined) {
    say('Opening samples/ in VS Code');
    const args = ['--new-window', `--extensionDevelopmentPath=${root}`, samples];
    (await startProgram(desktop, args, { stdio: 'ignore', detached: true })).unref();
    return;
  }
  const served = await serve(await ensureHost('oldest'));
  const development = /** @type {const} */ (['extensionDevelopmentPath', served.remote(root)]);
  say('\nNo `code` on the PATH, so VS Code is served here; open this address in a browser, end it with Ctrl-C:\n');
  say(`  ${served.address(samples, [development])}\n`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
  await served.stop();
}
