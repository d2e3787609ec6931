/** `npm start`: the samples in a VS Code that runs the extension from this checkout. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findOnPath } from './process.mjs';
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
    spawn(desktop, args, { stdio: 'ignore', detached: true, shell: process.platform === 'win32' }).unref();
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
