/** Downloads Node and programs for tests from the package registry. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { must, npm } from './process.mjs';
import { Plain, say } from './say.mjs';

/** The versions of Node that are tested in addition to the running one. */
export const NODES = { 22: '22.23.3', 24: '24.21.0' };

/**
 * @param {string} version
 * @returns {Promise<string>} the path of the `node` executable
 */
export async function ensureNode(version) {
  if (process.versions.node.split('.')[0] === version.split('.')[0]) return process.execPath;
  const folder = await cached(`node-${version}-${platform()}`, async (target) => {
    say(`Installing Node ${version} into the cache, once`);
    await unpack(`node-${platform()}@${version}`, 'package', target);
  });
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Unpacks the contents of a package's folder `part` into `target`.
 *
 * @param {string} spec
 * @param {string} part
 * @param {string} target
 */
export async function unpack(spec, part, target) {
  const temporary = join(target, '.unpack');
  mkdirSync(temporary);
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

export function platform() {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  return `${os}-${process.arch}`;
}

/**
 * Returns a folder with packages and their dependencies in `node_modules`, installed without install scripts.
 *
 * @param {string} name the name of the folder in the cache
 * @param {readonly string[]} specs
 */
export function ensurePackages(name, specs) {
  return cached(name, async (target) => {
    say(`Installing ${specs.join(', ')} into the cache, once`);
    writeFileSync(join(target, 'package.json'), '{"private": true}\n');
    await npm(['install', '--ignore-scripts', ...specs], { cwd: target });
  });
}
