/** Packages the command line: one folder with bundles, rule pages and licences, without dependencies. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './process.mjs';

/** The files that only an editor's extension loads. */
const OF_EDITORS = /^(client|preview|graph|import)\b|\.map$/;

/** The files that turn a repository with the unpacked tarball into a GitHub action and into hooks for pre-commit. */
const FOR_PIPELINES = ['action.yml', '.pre-commit-hooks.yaml'];

/**
 * Returns the path of the tarball.
 *
 * @param {string} root the checkout
 */
export function tarballOf(root) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(root, 'out', `${name}-${version}.tgz`);
}

/**
 * Packages the built files.
 *
 * @param {string} root the checkout
 * @param {import('./jobs.mjs').Print} print
 */
export async function packageCommandLine(root, print) {
  const { name, version, license, engines, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'out', 'cli-package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const file of readdirSync(join(root, 'dist'))) {
    if (!OF_EDITORS.test(file)) copyFileSync(join(root, 'dist', file), join(folder, 'dist', file));
  }
  cpSync(join(root, 'docs', 'rules'), join(folder, 'docs', 'rules'), { recursive: true });
  cpSync(join(root, 'client', 'pipelines'), join(folder, 'client', 'pipelines'), { recursive: true });
  for (const file of ['LICENSE', ...FOR_PIPELINES]) copyFileSync(join(root, file), join(folder, file));
  copyFileSync(join(root, 'docs', 'ci.md'), join(folder, 'README.md'));
  const manifest = {
    ...{ name, version, description, license },
    engines: { node: engines.node ?? '>=20' },
    bin: { 'skill-composer': 'dist/cli.cjs' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await npm(['pack', '--ignore-scripts', '--pack-destination', join(root, 'out')], { cwd: folder });
  const tarball = tarballOf(root);
  print(`  ${tarball}, ${(statSync(tarball).size / 1024).toFixed(0)} KiB\n`);
}
