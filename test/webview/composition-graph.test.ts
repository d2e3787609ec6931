/** The composition graph's page: drawing, keyboard, search, filters, list, and a thousand skills. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { GraphState, ToGraphPage, ToGraphPanel } from '../../client/src/panels/graph/messages.ts';
import { manySkills, type ShowGraph, showGraph, skillFiles } from './composition-graph-reply.ts';
import { closeBrowser, openWebview, THEMES, type Webview, type WebviewOptions } from './page.ts';
import { sampleFiles } from './reply.ts';

after(closeBrowser);

type GraphPage = Webview<ToGraphPage, ToGraphPanel, GraphState>;

const open = (options: WebviewOptions<GraphState> = {}): Promise<GraphPage> =>
  openWebview<ToGraphPage, ToGraphPanel, GraphState>('graph', options);

async function opened(message: ShowGraph, options: WebviewOptions<GraphState> = {}): Promise<GraphPage> {
  const webview = await open(options);
  await webview.send(message);
  await webview.page.locator('.card').first().waitFor();
  return webview;
}

const samples = showGraph(sampleFiles());

/** Skills with one of each kind of problem. */
const WRONG = skillFiles({
  above: ['level: 3', 'composes: [b, gone]', 'requires: [{skill: b, version: ^2.0.0}]'],
  a: ['level: 2', 'composes: [b]', 'effects: [Query]'],
  b: ['level: 2', 'composes: [{skill: leaf, as: look}, a]'],
  leaf: ['level: 1', 'policy: {budget: {p95_ms: 5, cost_usd: 1}}'],
  alone: ['level: 1'],
});
const wrong = showGraph(WRONG);

const uriOf = (name: string): string => `file:///skills-here/${name}.skill.yaml`;
const card = ({ page }: GraphPage, name: string) => page.locator(`.card[data-id="${uriOf(name)}"]`);
const focusedName = ({ page }: GraphPage): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.querySelector('title')?.textContent?.split('\n')[0]);

test('the levels of the graph are below one another, and neither cards nor labels overlap', async () => {
  const webview = await opened(samples);
  const { titles, tops, rects } = await webview.page.evaluate(() => {
    const all = [...document.querySelectorAll('.card')];
    const topOf = (level: number): number | undefined =>
      all
        .find((one) => one.classList.contains(`level-${level}`) && one.textContent?.match(/scene|claims/))
        ?.getBoundingClientRect().top;
    return {
      titles: [...document.querySelectorAll('.band-title')].map((one) => one.textContent),
      tops: [3, 2, 1].map(topOf),
      rects: [...document.querySelectorAll('.card .outline, .line-label rect')].map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
      }),
    };
  });
  const levels = ['Workflow · level 3', 'Composite · level 2', 'Atomic · level 1'];
  // Skills that are not connected to that workflow have levels of their own below.
  assert.deepEqual(titles.slice(0, 3), levels);
  assert.equal(titles.at(-1), 'On their own');
  const [workflow = 0, composite = 0, atomic = 0] = tops;
  assert.ok(workflow < composite && composite < atomic);
  assert.ok(rects.length > 30);
  const crossing = rects.filter((a, at) =>
    rects.slice(at + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  );
  assert.deepEqual(crossing, []);
  await webview.close();
});

test('edges are drawn below the titles of levels, which leave room for arrow tips', async () => {
  const webview = await opened(samples);
  const found = await webview.page.evaluate(() => {
    const cards = [...document.querySelectorAll('.card .outline')].map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll('.band-title')].map((title) => {
      const { bottom } = title.getBoundingClientRect();
      const scale = (title as SVGGraphicsElement).getScreenCTM()?.a ?? 0;
      const below = cards.map(({ top }) => (top - bottom) / scale).filter((room) => room > 0);
      const over = [...document.querySelectorAll('.line')].filter(
        (line) => title.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
      return { room: Math.min(...below), over: over.length };
    });
  });
  assert.ok(found.length > 3);
  for (const { room, over } of found) {
    assert.ok(room > 12, `${room}`);
    assert.equal(over, 0);
  }
  await webview.close();
});

test('the graph shows problems as text at their cards and edges', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const troubles = async (name: string): Promise<string | null> =>
    card(webview, name).locator('.trouble').textContent();
  assert.match((await troubles('a')) ?? '', /in a cycle/);
  assert.match((await troubles('above')) ?? '', /error/);
  assert.equal((await page.locator('.card.unknown .trouble').textContent())?.trim(), 'unknown skill');
  const labels = await page.locator('.line-label.bad').allTextContents();
  assert.ok(labels.includes('stage 1 · ^2.0.0, but 1.0.0 is there'), labels.join());
  assert.equal(await page.locator('.summary-line .problem').textContent(), 'Cycle: a → b → a');
  await page.getByRole('button', { name: 'b', exact: true }).click();
  assert.equal(await focusedName(webview), 'b');
  await webview.close();
});

test('in the graph, arrow keys follow edges, Enter opens the skill, and a click keeps the focus', async () => {
  const webview = await opened(samples);
  const { page } = webview;
  const uri = 'file:///skills-here/skills/scenes/prepare-scene.skill.md';
  await page.locator(`.card[data-id="${uri}"]`).focus();
  await page.keyboard.press('ArrowDown');
  const part = await focusedName(webview);
  assert.equal(part, 'check-scene-against-canon');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focusedName(webview), 'plan-scene');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal' && sent.focus);
  const line = readFileSync('samples/skills/scenes/prepare-scene.skill.md', 'utf8')
    .split('\n')
    .findIndex((text) => text.startsWith('name:'));
  assert.equal(sent.place.range.start.line, line);
  await page.locator(`.card[data-id="${uri}"]`).click();
  const [clicked] = await webview.sent();
  assert.ok(clicked?.type === 'reveal' && !clicked.focus && clicked.place.uri === uri);
  await webview.close();
});

test('the card of an unknown skill opens the entry that names it', async () => {
  const webview = await opened(wrong);
  await webview.page.locator('.card.unknown').click();
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal');
  assert.equal(sent.place.uri, uriOf('above'));
  await webview.close();
});

test('a search in the graph dims other cards, and Enter goes from hit to hit', async () => {
  const webview = await opened(samples);
  const { page } = webview;
  await page.keyboard.press('Control+f');
  await page.keyboard.type('canon');
  const count = page.locator('.find-count');
  const hits = await page.locator('.card.hit').count();
  assert.ok(hits > 2);
  assert.equal(await page.locator('.card:not(.dim)').count(), hits);
  await page.keyboard.press('Enter');
  assert.equal(await count.textContent(), `1 of ${hits}`);
  const first = await page.locator('.card.selected').getAttribute('data-id');
  await page.keyboard.press('Enter');
  assert.equal(await count.textContent(), `2 of ${hits}`);
  assert.notEqual(await page.locator('.card.selected').getAttribute('data-id'), first);
  await page.keyboard.press('Shift+Enter');
  assert.equal(await page.locator('.card.selected').getAttribute('data-id'), first);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.card.dim').count(), 0);
  await webview.close();
});

test('the graph filters skills by level and by errors', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const names = async (): Promise<readonly (string | undefined)[]> =>
    (
      await page
        .locator('.card')
        .evaluateAll((all) => all.map((one) => one.querySelector('title')?.textContent?.split('\n')[0]))
    )
      .slice()
      .sort();
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'Composite · level 2' });
  assert.deepEqual(await names(), ['a', 'b']);
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'All levels' });
  await page.getByRole('button', { name: 'With errors' }).click();
  assert.deepEqual(await names(), ['a', 'above', 'b', 'gone']);
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'Atomic · level 1' });
  assert.match((await page.locator('.summary-line').textContent()) ?? '', /No skill passes the filters/);
  await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal((await names()).length, 6);
  await webview.close();
});

test('a change of the graph keeps zoom, selection and focus, and redraws only what differs', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await card(webview, 'leaf').focus();
  await page.keyboard.press('+');
  const before = await page.locator('.graph-frame > g').getAttribute('transform');
  const kept = await card(webview, 'leaf').elementHandle();
  const { 'alone.skill.yaml': _, ...rest } = WRONG;
  await webview.send(showGraph(rest));
  await card(webview, 'alone').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.graph-frame > g').getAttribute('transform'), before);
  assert.equal(await focusedName(webview), 'leaf');
  assert.ok(await page.evaluate((one) => one === document.activeElement, kept));
  await webview.close();
});

test('the list of the graph has all texts of cards and edges', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  const sentences = await page.locator('.card title').allTextContents();
  const titles = await page.locator('.line title').allTextContents();
  await page.getByLabel('Show as a list').click();
  const text = (await page.locator('.skill-list').textContent()) ?? '';
  const missing = [
    ...sentences.flatMap((one) => one.split('\n').filter((line) => line !== 'What it is.')),
    ...titles,
  ].filter((one) => !text.includes(one));
  assert.deepEqual(missing, []);
  assert.match(text, /composed by above, a/);
  await page.getByRole('button', { name: /composes gone/ }).click();
  const [sent] = await webview.sent();
  assert.ok(sent?.type === 'reveal' && sent.place.uri === uriOf('above'));
  await webview.close();
});

test('another scope of the graph is requested, and shown from its beginning', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'b, all it reaches' });
  assert.deepEqual(await webview.sent(), [{ type: 'scope', scope: uriOf('b') }]);
  await webview.send(showGraph(WRONG, 'b.skill.yaml'));
  await card(webview, 'alone').waitFor({ state: 'detached' });
  assert.equal((await webview.state())?.scope, uriOf('b'));
  await webview.close();
});

test('the graph restores its kept state', async () => {
  const first = await opened(wrong);
  await first.page.getByLabel('Zoom in (+)').click();
  await card(first, 'leaf').focus();
  // The view is kept after a moment without movement.
  await first.page.waitForFunction((selected) => {
    const { keptState } = window as unknown as { keptState?: GraphState };
    const { x, y, scale } = keptState?.view ?? { x: 0, y: 0, scale: 0 };
    const kept = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`;
    const shown = document.querySelector('.graph-frame > g')?.getAttribute('transform');
    return keptState?.selected === selected && kept === shown;
  }, uriOf('leaf'));
  const state = await first.state();
  const view = await first.page.locator('.graph-frame > g').getAttribute('transform');
  await first.close();
  assert.ok(state?.view && state.selected === uriOf('leaf'));
  const second = await opened(wrong, { state });
  assert.equal(await second.page.locator('.graph-frame > g').getAttribute('transform'), view);
  assert.equal(await card(second, 'leaf').getAttribute('tabindex'), '0');
  await second.close();
});

test('names of skills with HTML and script are shown as text in the graph', async () => {
  const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const files = { 'evil.skill.yaml': `name: '${evil}'\ncomposes: ['${evil}2']\ndescription: '${evil}'\n` };
  const webview = await opened(showGraph(files));
  await webview.page.getByLabel('Show as a list').click();
  const marks = await webview.page.evaluate(() => [
    'hacked' in window,
    document.querySelectorAll('main :is(script, img, iframe)').length,
  ]);
  assert.deepEqual(marks, [false, 0]);
  assert.deepEqual(webview.complaints, []);
  await webview.close();
});

test('a graph of a thousand skills renders soon, and panning renders only the visible part', async () => {
  const webview = await opened(manySkills(1000), { width: 1200 });
  const { page } = webview;
  const devtools = await page.context().newCDPSession(page);
  // In CPU time, which other work on the machine affects less.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const settled = (): Promise<void> =>
    page.waitForFunction(() => document.querySelectorAll('.card').length >= 1000).then(() => {});
  await settled();
  const began = await spent();
  const again = manySkills(1000);
  await webview.send({ ...again, graph: { ...again.graph, nodes: again.graph.nodes.slice(1) } });
  await page.waitForFunction(() => document.querySelectorAll('.card').length === 999);
  const shown = (await spent()) - began;
  for (let zoom = 0; zoom < 9; zoom++) await page.getByLabel('Zoom in (+)').click();
  await page.waitForFunction(() => document.querySelectorAll('.card').length < 200);
  const before = await page.locator('.card').count();
  const start = await spent();
  const frames = 60;
  await page.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        const frame = document.querySelector('.graph-frame');
        let left = count;
        const step = (): void => {
          frame?.dispatchEvent(new WheelEvent('wheel', { deltaX: 20, deltaY: 10, cancelable: true }));
          if (left-- > 0) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      }),
    frames,
  );
  const pan = ((await spent()) - start) / frames;
  console.log(`    a change of 1,000 skills ${shown.toFixed(0)} ms of CPU, a frame of a pan ${pan.toFixed(1)} ms`);
  assert.ok(before < 200, `${before} cards`);
  assert.ok(shown < 1000 && pan < 25, `${shown} ms, ${pan} ms`);
  await webview.close();
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

for (const theme of THEMES) {
  test(`axe finds nothing serious in the composition graph in ${theme}`, async () => {
    const webview = await opened(wrong, { theme });
    const { page } = webview;
    await page.evaluate(axe);
    const found: string[] = [];
    for (const view of ['graph', 'list']) {
      if (view === 'list') await page.getByLabel('Show as a list').click();
      const violations = (await page.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
      )) as readonly Violation[];
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        found.push(...nodes.map(({ html, failureSummary }) => `${view}: ${id}: ${html}\n${failureSummary}`));
      }
    }
    assert.deepEqual(found, []);
    await webview.close();
  });
}

test('at 400 pixels nothing but the drawing of the graph exceeds the page', async () => {
  const webview = await opened(wrong, { width: 400 });
  for (const view of ['graph', 'list']) {
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
