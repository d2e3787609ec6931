/** Finds a Chromium for the served VS Code: an installed browser, else Debian's package, else Playwright's build. */
import { join } from 'node:path';
import { cacheRoot, locked } from './cache.mjs';
import { installFromDebian } from './debian.mjs';
import { findOnPath, isExecutable, must } from './process.mjs';
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
  return (await installFromDebian(['chromium', 'fonts-dejavu-core'])) ? findOnPath(names) : undefined;
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
