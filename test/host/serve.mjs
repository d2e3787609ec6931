/** Serves a VS Code on loopback with separate user settings, and ends it with its child processes. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';
import { must } from './process.mjs';
import { Plain } from './say.mjs';

/** The settings of every session: no welcome pages, telemetry or animations. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
  'editor.cursorBlinking': 'solid',
  'chat.commandCenter.enabled': false,
};

/**
 * @typedef {object} Served
 * @property {number} port
 * @property {(folder: string, payload?: readonly (readonly [string, string])[]) => string} address
 *   the page of a folder; each payload entry is a start option of the workbench
 * @property {(path: string) => string} remote a path on this machine as the workbench names it
 * @property {() => string} log the output of the server
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{node: string, main: string}} host
 * @param {{settings?: object, keys?: readonly object[], env?: NodeJS.ProcessEnv, install?: string, beside?: readonly string[]}} [options]
 *   `install` is a .vsix, `beside` are folders of preinstalled extensions
 * @returns {Promise<Served>}
 */
export async function serve(host, options = {}) {
  const data = temporaryFolder({
    'data/User/settings.json': JSON.stringify({ ...quietSettings, ...options.settings }),
    'data/User/keybindings.json': JSON.stringify(options.keys ?? []),
  });
  const places = ['--server-data-dir', data, '--extensions-dir', join(data, 'extensions'), '--telemetry-level', 'off'];
  // A server that starts for the first time installs the extensions in this folder.
  for (const folder of options.beside ?? [])
    cpSync(folder, join(data, 'extensions', basename(folder)), { recursive: true });
  if (options.install !== undefined) {
    await must(host.node, [host.main, ...places, '--install-extension', options.install, '--force']);
  }
  const listen = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'];
  const behave = ['--disable-workspace-trust', '--enable-smoke-test-driver'];
  const child = spawn(host.node, [host.main, ...listen, ...behave, ...places], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The server has its own process group, so that the extension hosts end with the server.
    detached: process.platform !== 'win32',
  });
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // The server has already ended.
    }
  };
  // Before the listener that removes the folder.
  process.prependListener('exit', end);
  const stop = async () => {
    process.off('exit', end);
    end();
  };

  let log = '';
  const port = await new Promise((resolve, reject) => {
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      log = (log + chunk.toString()).slice(-100_000);
      const listening = /agent listening on (\d+)/.exec(log);
      if (listening) resolve(Number(listening[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', (code) => reject(new Plain(`VS Code's server ended with status ${code}.\n${log.slice(-3000)}`)));
  });
  await ready(port);

  /** @param {string} path */
  const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
  return {
    port,
    remote,
    log: () => log,
    stop,
    address: (folder, payload = []) => {
      const query = new URLSearchParams({ folder, payload: JSON.stringify([['skipWelcome', 'true'], ...payload]) });
      return `http://127.0.0.1:${port}/?${query}`;
    },
  };
}

/** @param {number} port */
async function ready(port) {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Plain(`VS Code's server on port ${port} did not answer within 30 s.`);
}
