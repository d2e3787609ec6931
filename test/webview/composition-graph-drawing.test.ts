/**
 * The drawing of the composition graph: cards, edges and labels, and the nodes that keep their position after a change.
 */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { card, focusedName, opened, openedWhole, samples, WRONG, wrong } from './composition-graph-page.ts';
import { showGraph, skillFiles } from './composition-graph-reply.ts';
import { closeBrowser, crossings } from './page.ts';

after(closeBrowser);

test('cards and labels in the graph do not overlap, and composites are above their composed skills', async () => {
  const webview = await openedWhole({ width: 1600, height: 1600 });
  const { tops, rects } = await webview.page.evaluate(() => {
    const topOf = (name: string): number | undefined =>
      [...document.querySelectorAll('.node')]
        .find((one) => one.querySelector('title')?.textContent?.startsWith(`${name}\n`))
        ?.getBoundingClientRect().top;
    return {
      tops: ['prepare-scene', 'plan-scene', 'gather-scene-context'].map(topOf),
      rects: [...document.querySelectorAll('.node .outline, .label')].map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
      }),
    };
  });
  const [workflow = 0, composite = 0, atomic = 0] = tops;
  assert.ok(workflow < composite && composite < atomic);
  assert.ok(rects.length > 30);
  assert.deepEqual(await crossings(webview.page), []);
  const crossing = rects.filter((a, at) =>
    rects.slice(at + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  );
  assert.deepEqual(crossing, []);
  await webview.close();
});

test('text in a new graph is at least 12 pixels high, and a long name is shown in full', async () => {
  const long = `a-name-that-is-${'very-'.repeat(12)}long`;
  const webview = await opened(showGraph(skillFiles({ whole: ['composes: [part]'], part: [], [long]: [] })));
  const { page } = webview;
  const heights = await page.evaluate(() =>
    [...document.querySelectorAll('.canvas-frame text')].map((one) => {
      const scale = (one as SVGGraphicsElement).getScreenCTM()?.a ?? 0;
      return scale * Number.parseFloat(getComputedStyle(one).fontSize);
    }),
  );
  assert.ok(heights.length > 5 && Math.min(...heights) >= 12, String(heights));
  assert.equal((await card(webview, long).locator('.large').allTextContents()).join(''), long);
  assert.ok((await card(webview, long).locator('title').textContent())?.startsWith(`${long}\n`));
  await webview.close();
});

test('all edges have the same weight and colour until the slowest path is highlighted', async () => {
  const webview = await openedWhole();
  const { page } = webview;
  const styles = (): Promise<readonly string[]> =>
    page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll('.edge')].map((one) => {
          const { stroke, strokeWidth } = getComputedStyle(one);
          return `${one.closest('.legend') ? 'legend' : ''}${stroke} ${strokeWidth}`;
        }),
      ),
    ]);
  const drawn = async () => (await styles()).filter((one) => !one.startsWith('legend'));
  assert.equal((await drawn()).length, 1);
  await page.getByRole('button', { name: 'Slowest path', exact: true }).click();
  assert.equal((await drawn()).length, 2);
  await webview.close();
});

test('the legend of the graph explains its shapes', async () => {
  const webview = await opened(samples);
  await webview.page.getByRole('button', { name: 'Legend' }).click();
  const legend = webview.page.getByRole('dialog', { name: 'Legend' });
  await legend.getByText('Unknown skill').waitFor();
  const inside = await legend.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
  });
  assert.ok(inside);
  await webview.close();
});

test('the graph shows problems as text at the affected cards and edges', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const troubles = async (name: string): Promise<string | null> =>
    card(webview, name).locator('.trouble').textContent();
  assert.match((await troubles('a')) ?? '', /in a cycle/);
  assert.match((await troubles('above')) ?? '', /error/);
  assert.equal((await page.locator('.node.unknown .trouble').textContent())?.trim(), 'unknown skill');
  const labels = await page.locator('.label.bad').allTextContents();
  assert.ok(labels.includes('stage 1 · ^2.0.0, but found 1.0.0'), labels.join());
  assert.equal(await page.locator('.summary-line .problem').textContent(), 'Cycle: a → b → a');
  await page.getByRole('button', { name: 'b', exact: true }).click();
  assert.equal(await focusedName(webview), 'b');
  await webview.close();
});

test('the graph shows the versions that an adapter serves, and does not count it as composed', async () => {
  const webview = await opened(
    showGraph(
      skillFiles({
        above: ['level: 2', 'composes: [list]', 'requires: [{skill: list, version: ^0.9.0}]'],
        list: ['output_schema: {graph: object}', 'adapts: {from: "0.9", with: flatten}'],
        flatten: ['input_schema: {graph: object}'],
      }),
    ),
  );
  const labels = await webview.page.locator('.label').allTextContents();
  assert.deepEqual(labels.toSorted(), ['^0.9.0 · through flatten', 'adapter for 0.9']);
  await webview.page.getByLabel('Show as a list').click();
  assert.deepEqual(await webview.page.getByText(/^serves|composed by/).allTextContents(), [
    'serves 0.9 through flatten',
    'composed by above',
  ]);
  await webview.close();
});

test('a change to the graph keeps zoom, selection and focus, and redraws only differences', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await card(webview, 'leaf').focus();
  await page.keyboard.press('+');
  const before = await page.locator('.canvas-frame > g').getAttribute('transform');
  const kept = await card(webview, 'leaf').elementHandle();
  const { 'alone.skill.yaml': _, ...rest } = WRONG;
  await webview.send(showGraph(rest));
  await card(webview, 'alone').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.canvas-frame > g').getAttribute('transform'), before);
  assert.equal(await focusedName(webview), 'leaf');
  assert.ok(await page.evaluate((one) => one === document.activeElement, kept));
  await webview.close();
});

test('an edit without a visible change keeps the layout, and a click opens the moved location', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await page.evaluate(() => {
    const here = window as unknown as { measured: number };
    const { measureText } = CanvasRenderingContext2D.prototype;
    here.measured = 0;
    CanvasRenderingContext2D.prototype.measureText = function (text) {
      here.measured++;
      return measureText.call(this, text);
    };
  });
  const measured = (): Promise<number> => page.evaluate('window.measured') as Promise<number>;
  const moved = Object.fromEntries(Object.entries(WRONG).map(([path, text]) => [path, `\n${text}`]));
  await webview.send(showGraph(moved));
  assert.equal(await measured(), 0);
  await card(webview, 'leaf').click();
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal' && sent.place.range.start.line === 1, JSON.stringify(sent));
  await webview.send(showGraph({ ...moved, ...skillFiles({ further: ['level: 1'] }) }));
  assert.ok((await measured()) > 0);
  await webview.close();
});

test('a click on a card keeps the position of a graph that is larger than the panel when an editor opens beside it', async () => {
  const webview = await opened(samples, { width: 1000 });
  const { page } = webview;
  const placeOf = () => page.locator('.node.selected').boundingBox();
  // A graph that fits into the panel is centred in it, and so moves with its width.
  await page.getByLabel('Zoom in (+)').click();
  await page.locator('.minimap').waitFor();
  await page.locator('.node', { hasText: 'estimate-journey' }).click();
  const before = await placeOf();
  await page.setViewportSize({ width: 900, height: 800 });
  await page.waitForFunction(() => document.querySelector('.canvas')?.clientWidth === 900);
  assert.ok(before);
  assert.deepEqual(await placeOf(), before);
  await webview.close();
});

test('skill names that contain HTML and script are shown as text in the graph', async () => {
  const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const files = { 'evil.skill.yaml': `name: '${evil}'\ncomposes: ['${evil}2']\ndescription: '${evil}'\n` };
  const webview = await opened(showGraph(files));
  await webview.page.getByLabel('Show as a list').click();
  const marks = await webview.page.evaluate(() => [
    'hacked' in window,
    document.querySelectorAll('main :is(script, img, iframe)').length,
  ]);
  assert.deepEqual(marks, [false, 0]);
  assert.deepEqual(webview.consoleErrors, []);
  await webview.close();
});
