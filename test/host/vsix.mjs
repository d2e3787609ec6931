/** Packages the extension as the marketplace wants it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './process.mjs';
import { say } from './say.mjs';

/**
 * @param {string} root the checkout
 * @param {() => Promise<void>} build
 * @returns {Promise<string>} the path of the .vsix
 */
export async function packageExtension(root, build) {
  await build();
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const vsix = join(root, 'out', `${name}-${version}.vsix`);
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, so the dependencies stay at home.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsix];
  await must(process.execPath, [vsce, 'package', ...flags], { cwd: root });
  say(`  ${name}-${version}.vsix, ${(statSync(vsix).size / 1024).toFixed(0)} KiB`);
  return vsix;
}
