/** The built documentation site in a browser: sizes, themes, search, accessibility. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../host/chromium.mjs';
import { loadAxe } from '../webview/axe.ts';
import { BASE, html, serve } from './site.ts';

let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;

before(async () => {
  served = await serve();
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  browser = await chromium.launch({ executablePath: await ensureChromium('.'), args });
});

after(async () => {
  await browser.close();
  served.stop();
});

/** Runs `body` with a page. Fails if the page requests something that the site does not contain. */
async function withPage(options: BrowserContextOptions, body: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const failed: string[] = [];
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(served.origin)) return route.continue();
    failed.push(url);
    return route.abort();
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !response.url().endsWith('favicon.ico')) failed.push(response.url());
  });
  page.on('pageerror', ({ message }) => failed.push(message));
  try {
    await body(page);
  } finally {
    await context.close();
  }
  assert.deepEqual(failed, []);
}

/** Opens a page, and waits until its script runs. */
async function open(page: Page, file = ''): Promise<void> {
  await page.goto(`${served.origin}${BASE}${file}`);
  await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
}

const PHONE = { width: 360, height: 740 };

test('no page is wider than a phone: wide tables and code scroll in their own box', async () => {
  await withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
    const wide: string[] = [];
    for (const file of html.keys()) {
      await page.goto(`${served.origin}${BASE}${file}`, { waitUntil: 'load' });
      const [width, hidden] = (await page.evaluate(`[
        document.documentElement.scrollWidth,
        [...document.querySelectorAll('.vp-doc *')].filter((element) =>
          element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'hidden').length,
      ]`)) as readonly [number, number];
      if (width > PHONE.width || hidden > 0) wide.push(`${file}: ${width}, ${hidden} hidden`);
    }
    assert.deepEqual(wide, []);
  });
});

/** The name of the generator's button is "Search", and its text also has the keys that open the search. */
const SEARCH_BUTTON = /: label-content-name-mismatch: <button type="button" class="DocSearch/;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages are accessible in the ${colorScheme} theme, which follows the system`, async () => {
    for (const viewport of [PHONE, { width: 1280, height: 900 }]) {
      await withPage({ viewport, colorScheme }, async (page) => {
        for (const file of ['', 'rules/unknown-tool.html', 'rules/', 'clients.html', 'format.html', 'editors.html']) {
          await open(page, file);
          const isDark = await page.evaluate("document.documentElement.classList.contains('dark')");
          assert.equal(isDark, colorScheme === 'dark');
          const found = await (await loadAxe(page))(`${file}, ${viewport.width}`);
          assert.deepEqual(
            found.filter((one) => !SEARCH_BUTTON.test(one)),
            [],
          );
        }
      });
    }
  });
}

test('the switch changes the theme, and the next page keeps it', async () => {
  await withPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' }, async (page) => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await open(page);
    const light = await background();
    await page.getByRole('switch').click();
    await page.waitForSelector('html.dark');
    const dark = await background();
    assert.notEqual(dark, light);
    await open(page, 'format.html');
    assert.equal(await background(), dark);
  });
});

test('the keyboard reaches the search, which finds the page of a rule and opens it', async () => {
  await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await open(page);
    const search = await page.getByRole('button', { name: 'Search' }).elementHandle();
    const isFocused = () => page.evaluate((button) => document.activeElement === button, search);
    for (let tabs = 0; tabs < 6 && !(await isFocused()); tabs++) await page.keyboard.press('Tab');
    assert.ok(await isFocused());
    await page.keyboard.press('Enter');
    await page.waitForSelector('.VPLocalSearchBox input:focus');
    for (const [words, file] of [
      ['unknown-tool', 'rules/unknown-tool.html'],
      ['argument numbers', 'rules/argument-numbers.html'],
      ['neovim', 'editors.html'],
    ] as const) {
      await page.locator('.VPLocalSearchBox input').fill(words);
      await page.waitForSelector(`.VPLocalSearchBox .result.selected[href^="${BASE}${file}"]`);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${BASE}editors.html**`);
    await page.waitForSelector('.VPLocalSearchBox', { state: 'detached' });
  });
});

test('the sidebar shows the current rule in the list of rules', async () => {
  await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await open(page, 'rules/unused-tool.html');
    const item = page.locator('.VPSidebar').getByRole('link', { name: 'unused-tool', exact: true });
    await page.waitForFunction(
      (element) => (element?.getBoundingClientRect().bottom ?? 1e6) <= innerHeight,
      await item.elementHandle(),
    );
    assert.equal(await page.evaluate('scrollY'), 0);
  });
});

test('a phone has the same search, menu and switch', async () => {
  await withPage({ viewport: PHONE }, async (page) => {
    await open(page, 'rules/unknown-tool.html');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.VPLocalSearchBox input').fill('unknown-tool');
    await page.waitForSelector('.VPLocalSearchBox .result.selected');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Clients of SKILL.md' }).click();
    await page.waitForURL(`**${BASE}clients.html`);
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.getByRole('switch').click();
    await page.waitForSelector('html.dark');
  });
});
