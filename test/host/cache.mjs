/**
 * A cache outside the checkout for large files that every clone shares: the VS Code host, Node, a browser. Several runs
 * may use the cache at the same time: a lock lets only one run create an entry, and a rename publishes the complete
 * entry.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Plain, say } from './say.mjs';

export const cacheRoot =
  process.env.SKILL_COMPOSER_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'skill-composer');

/**
 * Returns the folder `name` of the cache. If it does not exist, `make` fills a temporary folder, which is renamed after
 * it is complete.
 *
 * @param {string} name
 * @param {(folder: string) => Promise<void>} make
 */
export async function cached(name, make) {
  const target = join(cacheRoot, name);
  if (isFolder(target)) return target;
  return locked(name, async () => {
    if (isFolder(target)) return target;
    const partial = join(cacheRoot, `${name}.partial-${process.pid}`);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    try {
      await make(partial);
      renameSync(partial, target);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return target;
  });
}

/** The time in milliseconds after which the owner of a lock that was not renewed is considered dead. */
const staleAfter = 60_000;

/**
 * Runs `work` while no other process on this machine runs work with the same name.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function locked(name, work) {
  const lock = join(cacheRoot, 'locks', name);
  mkdirSync(join(cacheRoot, 'locks'), { recursive: true });
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) say(`  waiting for another run that prepares ${name}`);
    await sleep(250);
  }
  const renew = setInterval(() => utimesSync(lock, new Date(), new Date()), staleAfter / 6);
  try {
    return await work();
  } finally {
    clearInterval(renew);
    rmSync(lock, { recursive: true, force: true });
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    // If several processes create this folder, exactly one of them succeeds.
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
      throw new Plain(
        `The cache ${cacheRoot} cannot be written (${error}). Set SKILL_COMPOSER_CACHE to a folder that can.`,
      );
    }
  }
  if (isAbandoned(lock)) {
    // The rename lets only one of several waiting processes remove the lock.
    const grave = `${lock}.stale-${process.pid}`;
    try {
      renameSync(lock, grave);
      rmSync(grave, { recursive: true, force: true });
    } catch {
      // Another process was faster.
    }
  }
  return false;
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleAfter) return true;
    const owner = Number(readFileSync(join(lock, 'pid'), 'utf8'));
    return owner > 0 && !isRunning(owner);
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
