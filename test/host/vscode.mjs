/**
 * Installs a real VS Code from the package registry: the tarball of code-server contains the web server of VS Code,
 * which starts without the wrapper. 4.100.3 (VS Code 1.100.3) is the oldest supported version and the newest for
 * Node 20. The latest version requires a newer Node, which is also downloaded from the registry.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { isExecutable, npm } from './process.mjs';
import { ensureNode, NODES, platform, unpack } from './registry.mjs';
import { say } from './say.mjs';

const ripgrep = '@vscode/ripgrep-universal@1.18.0';

/** @type {Readonly<Record<'oldest' | 'latest', {codeServer: string, node?: string}>>} */
const versions = {
  oldest: { codeServer: '4.100.3' },
  latest: { codeServer: '4.139.1', node: NODES[24] },
};

/**
 * @param {'oldest' | 'latest'} which
 * @returns {Promise<{node: string, main: string}>} the Node that runs `main`, and the path of `server-main.js`
 */
export async function ensureHost(which) {
  const { codeServer, node: nodeVersion } = versions[which];
  const node = nodeVersion === undefined ? process.execPath : await ensureNode(nodeVersion);
  const folder = await cached(`code-server-${codeServer}-${platform()}`, (target) => installHost(codeServer, target));
  return { node, main: join(folder, 'out', 'server-main.js') };
}

/**
 * @param {string} version
 * @param {string} target
 */
async function installHost(version, target) {
  say(`Installing VS Code's server (code-server@${version}) into the cache, once`);
  await unpack(`code-server@${version}`, 'package/lib/vscode', target);
  const install = ['ci', '--omit=dev', '--ignore-scripts'];
  // The wrapper's peer dependencies contradict its lock file, which only npm's legacy resolution accepts.
  await npm([...install, '--legacy-peer-deps'], { cwd: target });
  await npm(install, { cwd: join(target, 'extensions') });
  const rg = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const place = join(target, 'node_modules', '@vscode', 'ripgrep', 'bin');
  if (isExecutable(join(place, rg))) return;
  // Without ripgrep's install script its program is missing, and `findFiles` fails.
  const universal = join(target, '.ripgrep');
  mkdirSync(universal);
  await unpack(ripgrep, `package/bin/${platform()}`, universal);
  mkdirSync(place, { recursive: true });
  copyFileSync(join(universal, rg), join(place, rg));
  rmSync(universal, { recursive: true, force: true });
}
