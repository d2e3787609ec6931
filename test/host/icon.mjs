/** Draws the icon for stores from its SVG, because they accept only PNG. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const SIDE = 256;

/**
 * @param {string} root the checkout
 * @param {string} executablePath a Chromium
 */
export async function drawIcon(root, executablePath) {
  const icon = join(root, 'client', 'icons', 'skill-composer');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: SIDE, height: SIDE } });
    await page.setContent(`<body style="margin: 0">${readFileSync(`${icon}.svg`, 'utf8')}</body>`);
    writeFileSync(`${icon}.png`, await page.locator('svg').screenshot({ omitBackground: true }));
  } finally {
    await browser.close();
  }
}
