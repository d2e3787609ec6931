/** Temporary folders of tests, scripts and benchmarks. Only this file creates them (`test/core/house.test.ts`). */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @type {Set<string>} */
const made = new Set();

/**
 * The sockets of an editor that a suite ended, the folder of its extension for TypeScript, and the caches that Node.js and
 * tsx leave in any temporary folder.
 */
const OF_OTHERS = /^(?:vscode-(?:git|ipc)-[\da-f-]+\.sock|vscode-typescript\d*|node-compile-cache|tsx-\d+)$/;

/**
 * Creates a folder with these files, which is removed when this process ends.
 *
 * @param {Readonly<Record<string, string | Uint8Array>>} [files] texts or bytes, by relative path
 * @returns {string} a path without symbolic links
 */
export function temporaryFolder(files = {}) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'skill-composer-'));
  if (made.size === 0) process.once('exit', () => made.forEach(remove));
  made.add(folder);
  writeFiles(folder, files);
  return folder;
}

/**
 * Writes files, and creates their folders.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string | Uint8Array>>} files texts or bytes, by relative path
 */
export function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Gives this process and its child processes their own temporary folder, which is removed when this process ends, also
 * by a signal.
 *
 * @returns {{reportLeftovers: () => void}} `reportLeftovers` lets the process fail if its folder is not empty when it
 *   ends; call it last, because it runs after the listeners for `exit` that exist then
 */
export function useOwnTemporaryFolder() {
  // The name of a socket has a limited length, and the temporary folder of a user of macOS has a long path.
  const folder = mkdtempSync(join(process.platform === 'darwin' ? '/tmp' : tmpdir(), 'skill-composer-run-'));
  // Some tests run commands as another user.
  chmodSync(folder, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  const end = () => remove(folder);
  process.once('exit', end);
  // Without a listener, a signal ends the process without the event `exit`.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return {
    reportLeftovers: () => {
      process.off('exit', end);
      process.once('exit', () => {
        const names = readdirSync(folder).filter((name) => !OF_OTHERS.test(name));
        const left = names.map((name) => describe(folder, name));
        end();
        if (left.length === 0) return;
        process.exitCode = 1;
        console.error(`This run left temporary files:\n${left.join('\n')}`);
      });
    },
  };
}

/**
 * Returns a line with the name of an entry and the first names in it, because the name of a temporary folder is random.
 *
 * @param {string} folder
 * @param {string} name
 */
function describe(folder, name) {
  try {
    const names = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' });
    return `  ${name}: ${names.slice(0, 5).join(', ') || 'empty'}${names.length > 5 ? ', …' : ''}`;
  } catch {
    return `  ${name}`;
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    // A process that was killed may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    console.error(`${folder} cannot be removed: ${error}`);
  }
}
