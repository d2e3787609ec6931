/**
 * Everything in the composition graph is accessible: by keyboard, search and list, in every theme, and in a small
 * panel.
 */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { loadAxe } from './axe.ts';
import { focusedName, listed, opened, openedWhole, show, uriOf, wrong } from './composition-graph-page.ts';
import { manySkills } from './composition-graph-reply.ts';
import { closeBrowser, inTheme, THEMES } from './page.ts';

after(closeBrowser);

test('in the graph, arrow keys follow edges, Enter opens the skill, and a click keeps the focus', async () => {
  const webview = await openedWhole();
  const { page } = webview;
  const uri = 'file:///skills-here/skills/scenes/prepare-scene.skill.md';
  await page.locator(`.node[data-id="${uri}"]`).focus();
  await page.keyboard.press('ArrowDown');
  // The nearest composed skill has the focus.
  assert.equal(await focusedName(webview), 'estimate-journey');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focusedName(webview), 'check-scene-against-canon');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal' && sent.focus);
  const line = readFileSync('samples/skills/scenes/prepare-scene.skill.md', 'utf8')
    .split('\n')
    .findIndex((text) => text.startsWith('name:'));
  assert.equal(sent.place.range.start.line, line);
  await page.locator(`.node[data-id="${uri}"]`).click();
  const [clicked] = await webview.sent();
  assert.ok(clicked?.type === 'reveal' && !clicked.focus && clicked.place.uri === uri);
  await webview.close();
});

test('a click on the card of an unknown skill opens the entry that names the skill', async () => {
  const webview = await opened(wrong);
  await webview.page.locator('.node.unknown').click();
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal');
  assert.equal(sent.place.uri, uriOf('above'));
  await webview.close();
});

test('a search in the graph dims other cards, and Enter goes to the next hit', async () => {
  const webview = await openedWhole({ width: 1600, height: 1600 });
  const { page } = webview;
  await page.keyboard.press('Control+f');
  await page.keyboard.type('canon');
  const count = page.locator('.find-count');
  const hits = await page.locator('.node.hit').count();
  assert.ok(hits > 2);
  assert.equal(await page.locator('.node:not(.dim)').count(), hits);
  await page.keyboard.press('Enter');
  assert.equal(await count.textContent(), `1 of ${hits}`);
  const first = await page.locator('.node.selected').getAttribute('data-id');
  await page.keyboard.press('Enter');
  assert.equal(await count.textContent(), `2 of ${hits}`);
  assert.notEqual(await page.locator('.node.selected').getAttribute('data-id'), first);
  await page.keyboard.press('Shift+Enter');
  assert.equal(await page.locator('.node.selected').getAttribute('data-id'), first);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.node.dim').count(), 0);
  await webview.close();
});

test('the drawing of the graph is a single tab stop, on a card', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const stops: string[] = [];
  while (stops.length < 30) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const { activeElement: on } = document;
      if (!on || on === document.body) return undefined;
      return `${on.closest('svg.canvas-frame') ? 'drawn ' : ''}${on.getAttribute('role') ?? on.localName}`;
    });
    if (stop === undefined) break;
    stops.push(stop);
  }
  assert.deepEqual(
    stops.filter((stop) => stop.startsWith('drawn')),
    ['drawn button'],
  );
  await webview.close();
});

test('the list view of the graph contains all labels of cards and edges', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const sentences = await page.locator('.node title').allTextContents();
  const titles = await page.locator('.edge title').allTextContents();
  await page.getByLabel('Show as a list').click();
  const text = (await page.locator('.skill-list').textContent()) ?? '';
  const missing = [
    ...sentences.flatMap((one) => one.split('\n').filter((line) => line !== 'What it is.')),
    ...titles.map((one) => one.slice(one.indexOf('composes'))),
  ].filter((one) => !text.includes(one));
  assert.deepEqual(missing, []);
  assert.match(text, /composed by above, a/);
  await page.getByRole('button', { name: /composes gone/ }).click();
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal' && sent.place.uri === uriOf('above'));
  await webview.close();
});

test('a search finds the group that contains a skill', async () => {
  const webview = await opened(manySkills(200, 20));
  const { page } = webview;
  await show(webview, 'Workspace');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('check-199');
  assert.deepEqual(await page.locator('.node.hit .large').allTextContents(), ['part-9']);
  await webview.close();
});

for (const theme of THEMES) {
  test(`axe reports no serious problem in the composition graph in ${theme}`, inTheme(theme), async () => {
    const webview = await opened(wrong, { theme });
    const { page } = webview;
    const seriousIn = await loadAxe(page);
    const found: string[] = [];
    for (const view of ['graph', 'legend', 'search', 'list', 'lists of clients']) {
      if (view === 'lists of clients') {
        await webview.send(listed);
        await page.getByText('Entries not listed in full').click();
      }
      if (view === 'legend') await page.getByRole('button', { name: 'Legend' }).click();
      if (view === 'search') await page.getByLabel('Search skills').fill('a');
      if (view === 'list') await page.getByLabel('Show as a list').click();
      found.push(...(await seriousIn(view)));
    }
    assert.deepEqual(found, []);
    await webview.close();
  });
}

test('at 400 pixels, only the drawing of the graph is wider than the page', async () => {
  const webview = await opened(wrong, { width: 400 });
  for (const view of ['graph', 'list', 'lists of clients']) {
    if (view === 'lists of clients') await webview.send(listed);
    if (view === 'list') await webview.page.getByLabel('Show as a list').click();
    const wide = await webview.page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => !one.closest('svg') && one.getBoundingClientRect().right > window.innerWidth + 1)
        .map((one) => one.className),
    );
    assert.deepEqual(wide, [], view);
  }
  await webview.close();
});
