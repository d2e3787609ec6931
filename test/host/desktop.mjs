/** Runs the suite in a desktop VS Code, if one can be downloaded. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';
import { cacheRoot } from './cache.mjs';
import { Plain } from './say.mjs';
import { bundleTests, testFiles } from './suite.mjs';

/**
 * @param {string} root the checkout
 * @param {string | undefined} filter
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runDesktop(root, filter) {
  const how = { format: /** @type {const} */ ('cjs'), external: ['vscode'], packages: /** @type {const} */ ('bundle') };
  const entry = "export { run } from './test/e2e/index.ts';";
  await bundleTests(root, 'out/e2e/index.js', testFiles(root, 'test/e2e/inside'), how, entry);
  const { downloadAndUnzipVSCode, runTests, SilentReporter } = await import('@vscode/test-electron');
  const vscodeExecutablePath = await downloadAndUnzipVSCode({
    cachePath: join(cacheRoot, 'desktop'),
    reporter: new SilentReporter(),
  }).catch((error) => {
    throw new Plain(`A desktop VS Code could not be downloaded: ${error.message}. \`npm run test:e2e\` needs none.`);
  });
  const temporary = temporaryFolder();
  const workspace = join(temporary, 'workspace');
  const results = join(temporary, 'results.json');
  cpSync(join(root, 'test', 'e2e', 'workspace'), workspace, { recursive: true });
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, 'out', 'e2e', 'index.js'),
    extensionTestsEnv: { SKILL_COMPOSER_E2E: JSON.stringify({ results, filter }) },
    launchArgs: [workspace, '--disable-extensions', '--user-data-dir', join(temporary, 'user')],
  }).catch(() => undefined);
  /** @type {{name: string, error?: string}[]} */
  const ran = JSON.parse(readFileSync(results, 'utf8'));
  const failed = ran.filter(({ error }) => error !== undefined);
  for (const { name, error } of failed) console.log(`  ✗ ${name}\n${error}`);
  return { passed: ran.length - failed.length, failed: failed.length };
}
