/** Runs the suites in real editors, and takes the pictures of the documentation. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';
import { ensureChromium } from './chromium.mjs';
import { Plain } from './say.mjs';
import { bundleTests, testFiles } from './suite.mjs';
import { ensureHost } from './vscode.mjs';
import { unpackExtension } from './vsix.mjs';

/**
 * @typedef {object} How
 * @property {string} command the npm script that runs the suite
 * @property {boolean} extended whether the tests run that `npm test` leaves out
 * @property {string} [filter]
 * @property {string} [theme]
 * @property {string} [screenshots]
 * @property {import('./jobs.mjs').Print} print
 */

/**
 * @param {string} root the checkout
 * @param {'oldest' | 'latest'} which
 * @param {How} how
 * @param {string} [vsix] the packaged extension, to test it instead of the checkout's
 */
export async function endToEnd(root, which, how, vsix) {
  const inside = testFiles(root, 'test/e2e/inside');
  const outside = [...testFiles(root, 'test/e2e/outside'), ...testFiles(root, 'test/e2e/walks')];
  const extensionHost = {
    format: /** @type {const} */ ('cjs'),
    external: ['vscode'],
    packages: /** @type {const} */ ('bundle'),
  };
  await bundleTests(
    root,
    'out/e2e/index.js',
    inside,
    extensionHost,
    "export { run, runAll } from './test/e2e/index.ts';",
  );
  const runner = "export { runInServedHost } from './test/e2e/served.ts';";
  await bundleTests(root, 'out/e2e/outside.mjs', outside, {}, runner);
  const [chromium, host] = await Promise.all([ensureChromium(root), ensureHost(which)]);
  const { runInServedHost } = await import(new URL('../../out/e2e/outside.mjs', import.meta.url).href);
  return runInServedHost({ root, which, host, chromium, vsix, ...how });
}

/**
 * Tests the packaged extension in a browser, without Node.
 *
 * @param {string} root
 * @param {How} how
 * @param {string} vsix
 */
export async function inBrowser(root, how, vsix) {
  const files = testFiles(root, 'test/e2e/browser');
  const runner = "export { runInBrowser } from './test/e2e/run-in-browser.ts';";
  await bundleTests(root, 'out/e2e/browser.mjs', files, {}, runner);
  const [chromium, host] = await Promise.all([ensureChromium(root), ensureHost('oldest')]);
  const extension = temporaryFolder();
  await unpackExtension(vsix, extension);
  const { runInBrowser } = await import(new URL('../../out/e2e/browser.mjs', import.meta.url).href);
  return runInBrowser({ root, host, chromium, extension, ...how });
}

/**
 * Creates the pictures of the documentation and the icon. A store shows the same picture with every theme.
 *
 * @param {string} root
 * @param {import('./jobs.mjs').Print} print
 */
export async function pictures(root, print) {
  const screenshots = temporaryFolder();
  const counts = await endToEnd(root, 'oldest', {
    filter: '(pictures)',
    theme: 'light',
    screenshots,
    extended: true,
    command: 'pictures',
    print,
  });
  const images = join(root, 'docs', 'images');
  const taken = readdirSync(screenshots).flatMap((file) => /^picture-(.+\.png)$/.exec(file)?.[1] ?? []);
  for (const name of taken) cpSync(join(screenshots, `picture-${name}`), join(images, name));
  const missing = readdirSync(images).filter((name) => !taken.includes(name));
  if (missing.length > 0) throw new Plain(`No test takes these pictures: ${missing.join(', ')}.`);
  const { drawIcon } = await import('./icon.mjs');
  await drawIcon(root, await ensureChromium(root));
  return counts;
}
