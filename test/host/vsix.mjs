/** Packages the extension for a store. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linksOfManifest } from './addresses.mjs';
import { must } from './process.mjs';
import { Plain } from './say.mjs';

/**
 * The maximum size of the extension, which users download as a whole. RELEASING.md states the same limit. Two fifths of
 * the package are the tokenizer and the template engine; the language server and the command line share a script of 1.2 MB.
 */
const MOST_BYTES = 4.5 * 1024 * 1024;

/**
 * Returns the path of the package.
 *
 * @param {string} root the checkout
 * @param {string} [output] the folder of the package
 */
export function vsixOf(root, output = join(root, 'out')) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(output, `${name}-${version}.vsix`);
}

/**
 * Packages the built files from a copy, whose manifest contains the addresses. A store shows the links in the manifest,
 * and resolves pictures and links on its page only with the address of the repository.
 *
 * @param {string} root the checkout
 * @param {{output: string, addresses: import('./addresses.mjs').Addresses | undefined}} place `output`: the folder of the package
 * @param {import('./jobs.mjs').Print} print
 */
export async function packageExtension(root, { output, addresses }, print) {
  const { listFiles, PackageManager } = await import('@vscode/vsce');
  const staged = join(output, 'extension');
  rmSync(staged, { recursive: true, force: true });
  const vsix = vsixOf(root, output);
  try {
    // Everything is bundled, so the package has no dependencies.
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    for (const file of [...files, '.vscodeignore']) {
      mkdirSync(dirname(join(staged, file)), { recursive: true });
      copyFileSync(join(root, file), join(staged, file));
    }
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const linked = { ...manifest, ...linksOfManifest(addresses) };
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(linked, undefined, 2)}\n`);
    const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    const links = addresses
      ? ['--baseContentUrl', addresses.files, '--baseImagesUrl', addresses.pictures]
      : ['--allow-missing-repository', '--no-rewrite-relative-links'];
    await must(process.execPath, [vsce, 'package', '--no-dependencies', ...links, '--out', vsix], { cwd: staged });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  const { size } = statSync(vsix);
  print(`  ${vsix}, ${(size / 1024).toFixed(0)} KiB\n`);
  if (addresses === undefined) print('  Links and pictures on its page do not work: pass `--repository https://…`.\n');
  if (size > MOST_BYTES) {
    throw new Plain(
      `The package has more than ${Math.floor(MOST_BYTES / 1024)} KiB: \`unzip -v ${vsix}\` says what is big.`,
    );
  }
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
