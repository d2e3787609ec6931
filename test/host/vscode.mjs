/**
 * A real VS Code from the package registry alone: code-server's tarball carries VS Code's own web server, which starts
 * without the wrapper. 4.100.3 (VS Code 1.100.3) is both the oldest that we promise and the newest that runs on Node 20;
 * the newest needs a newer Node, which comes from the registry too.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { isExecutable, must, npm } from './process.mjs';
import { Plain, say } from './say.mjs';

const ripgrep = '@vscode/ripgrep-universal@1.18.0';

/** @type {Readonly<Record<'oldest' | 'latest', {codeServer: string, node?: string}>>} */
const versions = {
  oldest: { codeServer: '4.100.3' },
  latest: { codeServer: '4.139.1', node: '24.21.0' },
};

/**
 * @param {'oldest' | 'latest'} which
 * @returns {Promise<{node: string, main: string}>} the Node to run `server-main.js` with, and its path
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
  // The wrapper's peer dependencies disagree with its lock file, which only npm's older resolution overlooks.
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

/** @param {string} version */
async function ensureNode(version) {
  if (process.versions.node.split('.')[0] === version.split('.')[0]) return process.execPath;
  const folder = await cached(`node-${version}-${platform()}`, async (target) => {
    say(`Installing Node ${version} into the cache, once`);
    await unpack(`node-${platform()}@${version}`, 'package', target);
  });
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Unpacks the folder `part` of a package so that its contents stand in `target`.
 *
 * @param {string} spec
 * @param {string} part
 * @param {string} target
 */
async function unpack(spec, part, target) {
  const temporary = mkdtempSync(join(target, '.unpack-'));
  try {
    await npm(['pack', spec, '--pack-destination', temporary], { cwd: temporary });
    const archive = readdirSync(temporary).find((name) => name.endsWith('.tgz'));
    if (archive === undefined) throw new Plain(`npm pack ${spec} made no archive.`);
    await must('tar', ['-xzf', archive, part], { cwd: temporary });
    for (const name of readdirSync(join(temporary, part))) {
      renameSync(join(temporary, part, name), join(target, name));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function platform() {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  return `${os}-${process.arch}`;
}
