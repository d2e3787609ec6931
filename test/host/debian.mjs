/** Installs Debian packages as root, or with a `sudo` that does not ask for a password. */
import { findOnPath, must, run } from './process.mjs';
import { say } from './say.mjs';

/**
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} false if this machine has no `apt-get`, or this process may not use it
 */
export async function installFromDebian(packages) {
  const aptGet = findOnPath(['apt-get']);
  if (aptGet === undefined) return false;
  const asRoot = process.getuid?.() === 0 ? [] : await sudo();
  if (asRoot === undefined) return false;
  say(`Installing from Debian: apt-get install ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const [command = '', ...before] = [...asRoot, aptGet];
  // Some package lists may be unreachable; the installation may still succeed.
  await run(command, [...before, 'update', '-q'], { env });
  const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  await must(command, [...before, ...install], { env, tries: 2 });
  return true;
}

async function sudo() {
  const path = findOnPath(['sudo']);
  if (path === undefined) return undefined;
  return (await run(path, ['-n', 'true'])).code === 0 ? [path, '-n'] : undefined;
}
