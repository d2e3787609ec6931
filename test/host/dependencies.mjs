/** Runs `npm ci` only if the installed packages differ from the lock file. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locked } from './cache.mjs';
import { npm } from './process.mjs';
import { Plain, say } from './say.mjs';

/** @param {string} root the checkout */
export async function ensureDependencies(root) {
  if (isInstalled(root)) return;
  const name = `dependencies-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  await locked(name, async () => {
    if (isInstalled(root)) return;
    // If the folder is a link, npm would empty the folder of another checkout.
    if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Plain('`node_modules` is a link to packages that the lock file does not want: remove the link.');
    }
    say('Installing the dependencies (npm ci)');
    await npm(['ci', '--ignore-scripts'], { cwd: root });
  });
}

/**
 * Compares versions, not dates, because a checkout of another branch changes dates and often nothing else.
 *
 * @param {string} root
 */
function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  const missing = Object.entries(wanted).some(
    ([path, entry]) => path !== '' && !entry.optional && present[path]?.version !== entry.version,
  );
  return !missing && Object.entries(present).every(([path, entry]) => wanted[path]?.version === entry.version);
}

/**
 * @param {string} path
 * @returns {Record<string, {version?: string, optional?: boolean}> | undefined}
 */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
