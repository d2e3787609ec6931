/** Packages the extension for a store. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './process.mjs';
import { Plain } from './say.mjs';

/**
 * The maximum size of the extension, which users download as a whole. CONTRIBUTING.md, "Publish", states the same
 * limit.
 */
const MOST_BYTES = 5 * 1024 * 1024;

/**
 * Returns the path of the package.
 *
 * @param {string} root the checkout
 */
export function vsixOf(root) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(root, 'out', `${name}-${version}.vsix`);
}

/**
 * Packages the built files.
 *
 * @param {string} root the checkout
 * @param {string | undefined} repository the address of the repository: a store resolves pictures and links only with it
 * @param {import('./jobs.mjs').Print} print
 */
export async function packageExtension(root, repository, print) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const vsix = vsixOf(root);
  mkdirSync(dirname(vsix), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, so the package has no dependencies.
  const flags = ['--no-dependencies', '--allow-missing-repository', ...linkFlags(manifest, repository), '--out', vsix];
  await must(process.execPath, [vsce, 'package', ...flags], { cwd: root });
  const { size } = statSync(vsix);
  print(`  ${vsix}, ${(size / 1024).toFixed(0)} KiB\n`);
  if (size > MOST_BYTES) {
    throw new Plain(`The package has more than ${MOST_BYTES / 1024} KiB: \`unzip -v ${vsix}\` says what is big.`);
  }
}

/**
 * @param {{repository?: unknown}} manifest
 * @param {string | undefined} repository
 * @returns {readonly string[]} the `vsce` options for relative links in the README and the change log
 */
function linkFlags(manifest, repository) {
  if (repository !== undefined) {
    const base = repository.replace(/\/+$/, '');
    return ['--baseContentUrl', `${base}/blob/HEAD`, '--baseImagesUrl', `${base}/raw/HEAD`];
  }
  return manifest.repository === undefined ? ['--no-rewrite-relative-links'] : [];
}

/**
 * Unpacks the extension into a folder, like an editor that installs it.
 *
 * @param {string} vsix
 * @param {string} folder
 */
export async function unpackExtension(vsix, folder) {
  const { unzipSync } = await import('fflate');
  const inside = 'extension/';
  const files = unzipSync(readFileSync(vsix), { filter: ({ name }) => name.startsWith(inside) });
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(folder, name.slice(inside.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
