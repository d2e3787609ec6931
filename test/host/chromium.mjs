/** Finds a Chromium for the served VS Code: an installed browser, else Debian's package, else Playwright's build. */
import { join } from 'node:path';
import { cacheRoot, locked } from './cache.mjs';
import { findOnPath, isExecutable, must, run } from './process.mjs';
import { Plain, say } from './say.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/**
 * @param {string} root the checkout, for Playwright's installer
 * @returns {Promise<string>} the path of an executable
 */
export async function ensureChromium(root) {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Plain(`$CHROMIUM is ${named}, which is not an executable file.`);
  }
  return findOnPath(names) ?? locked('chromium', async () => findOnPath(names) ?? (await install(root)));
}

/** @param {string} root */
async function install(root) {
  const reasons = [];
  for (const way of [fromDebian, fromPlaywright]) {
    try {
      const path = await way(root);
      if (path !== undefined) return path;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message.split('\n')[0] : String(error));
    }
  }
  throw new Plain(
    `No Chromium: install one and set $CHROMIUM to its path, or put it on the PATH.${reasons.map((r) => ` (${r})`).join('')}`,
  );
}

async function fromDebian() {
  const aptGet = findOnPath(['apt-get']);
  if (aptGet === undefined) return undefined;
  const asRoot = process.getuid?.() === 0 ? [] : await sudo();
  if (asRoot === undefined) return undefined;
  say('Installing Chromium (apt-get install chromium fonts-dejavu-core)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const command = [...asRoot, aptGet];
  // Some package lists may be unreachable; the installation may still succeed.
  await run(/** @type {string} */ (command[0]), [...command.slice(1), 'update', '-q'], { env });
  const install = ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
  await must(/** @type {string} */ (command[0]), [...command.slice(1), ...install], { env, tries: 2 });
  return findOnPath(names);
}

async function sudo() {
  const path = findOnPath(['sudo']);
  if (path === undefined) return undefined;
  return (await run(path, ['-n', 'true'])).code === 0 ? [path, '-n'] : undefined;
}

/** @param {string} root */
async function fromPlaywright(root) {
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: join(cacheRoot, 'browsers') };
  process.env.PLAYWRIGHT_BROWSERS_PATH = env.PLAYWRIGHT_BROWSERS_PATH;
  const { chromium } = await import('playwright-core');
  if (isExecutable(chromium.executablePath())) return chromium.executablePath();
  say("Installing Chromium (Playwright's own)");
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  await must(process.execPath, [cli, 'install', 'chromium'], { env, tries: 2 });
  return chromium.executablePath();
}
