/** Packages the extension as the marketplace wants it. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './process.mjs';
import { Plain, say } from './say.mjs';

/** Whoever installs the extension loads all of it. */
const MOST_BYTES = 6 * 1024 * 1024;

/**
 * @param {string} root the checkout
 * @param {() => Promise<void>} build
 * @returns {Promise<string>} the path of the .vsix
 */
export async function packageExtension(root, build) {
  await build();
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const vsix = join(root, 'out', `${name}-${version}.vsix`);
  mkdirSync(dirname(vsix), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, so the dependencies stay at home.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsix];
  await must(process.execPath, [vsce, 'package', ...flags], { cwd: root });
  const { size } = statSync(vsix);
  say(`  ${name}-${version}.vsix, ${(size / 1024).toFixed(0)} KiB`);
  if (size > MOST_BYTES) {
    throw new Plain(`The package has more than ${MOST_BYTES / 1024} KiB: \`unzip -v ${vsix}\` says what is big.`);
  }
  return vsix;
}
