/** The graph: drawn, walked, opened in place, told in words, and saved as a picture. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { type Show, sampleFiles, show } from './reply.ts';

after(closeBrowser);

const files = sampleFiles();
const prepare = (): Show => show(files, 'skills/scenes/prepare-scene.skill.md', { sample: 'tollhouse seven' });

async function opened(): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(prepare());
  await preview.send({ type: 'focus', what: 'graph' });
  return preview;
}

const focused = ({ page }: Preview): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.split(/;| \d/)[0] ?? null);

test('no two boxes and no two labels lie upon one another', async () => {
  const preview = await opened();
  const rects = await preview.page.evaluate(() =>
    [...document.querySelectorAll('.node .outline, .label')].map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
  assert.ok(rects.length > 8);
  const crossing = rects.filter((a, at) =>
    rects.slice(at + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  );
  assert.deepEqual(crossing, []);
  await preview.close();
});

test('arrows walk along the edges, Enter goes to the source', async () => {
  const preview = await opened();
  await preview.page.locator('.node[tabindex="0"]').focus();
  assert.equal(await focused(preview), 'Validate input');
  await preview.page.keyboard.press('ArrowDown');
  assert.equal(await focused(preview), 'plan-scene');
  await preview.page.keyboard.press('ArrowDown');
  await preview.page.keyboard.press('ArrowDown');
  const first = await focused(preview);
  await preview.page.keyboard.press('ArrowLeft');
  assert.notEqual(await focused(preview), first);
  await preview.page.keyboard.press('ArrowRight');
  assert.equal(await focused(preview), first);
  await preview.page.keyboard.press('Enter');
  const [sent] = await preview.sent();
  assert.ok(sent?.type === 'reveal' && sent.focus);
  await preview.close();
});

test('a sub-skill opens in place, is remembered, and keeps the keyboard', async () => {
  const preview = await opened();
  const before = await preview.page.locator('.node').count();
  await preview.page.locator('.node[tabindex="0"]').focus();
  await preview.page.keyboard.press('ArrowDown');
  await preview.page.keyboard.press('Space');
  assert.ok((await preview.page.locator('.node').count()) > before);
  assert.equal(await focused(preview), 'plan-scene');
  assert.equal((await preview.state())?.open.length, 1);
  await preview.page.keyboard.press('Space');
  assert.equal(await preview.page.locator('.node').count(), before);
  await preview.close();
});

test('the list names every node of every depth', async () => {
  const preview = await opened();
  await preview.page.getByRole('button', { name: 'Show as a list' }).click();
  const { result } = prepare().reply;
  const count = (shape: { nodes: readonly { subgraph?: unknown }[] }): number =>
    shape.nodes.reduce((sum, { subgraph }) => sum + 1 + (subgraph ? count(subgraph as typeof shape) : 0), 0);
  assert.equal(await preview.page.locator('.shape-list li').count(), result.ok && count(result.composition.subgraph));
  await preview.close();
});

test('pictures carry the colours of the theme and nothing of the page', async () => {
  const preview = await opened();
  await preview.page.getByRole('button', { name: 'SVG' }).click();
  await preview.page.getByRole('button', { name: 'PNG' }).click();
  await preview.page.waitForFunction('document.readyState');
  await preview.page.waitForTimeout(200);
  const [svg, png] = await preview.sent();
  assert.ok(svg?.type === 'exportImage' && png?.type === 'exportImage');
  assert.match(svg.data, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(svg.data, /stroke="(rgb|color)\(/);
  assert.doesNotMatch(svg.data, /class=|var\(--/);
  assert.equal(Buffer.from(png.data, 'base64').toString('latin1', 1, 4), 'PNG');
  await preview.close();
});

test('a graph of 300 nodes is laid out while one waits', async () => {
  const preview = await opened();
  const show = prepare();
  const { result } = show.reply;
  if (!result.ok) assert.fail();
  const [node] = result.composition.subgraph.nodes;
  if (!node) assert.fail();
  const nodes = Array.from({ length: 300 }, (_, at) => ({
    ...node,
    id: `n${at}`,
    label: `Node ${at}`,
    interrupts: [],
  }));
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: `n${Math.floor(at / 2)}`, to: id, kind: 'next' as const }));
  const subgraph = { ...result.composition.subgraph, nodes, edges, interrupts: [] };
  const composition = { ...result.composition, subgraph };
  const time = await preview.page.evaluate(
    (text) => {
      const message = JSON.parse(text);
      const began = performance.now();
      window.dispatchEvent(new MessageEvent('message', { data: message }));
      return performance.now() - began;
    },
    JSON.stringify({ ...show, reply: { ...show.reply, result: { ok: true, composition } } }),
  );
  assert.equal(await preview.page.locator('.node').count(), 300);
  assert.ok(time < 2000, `${time.toFixed(0)} ms`);
  if (process.env.SHOW_TIMES) console.log(`300 nodes: ${time.toFixed(0)} ms`);
  await preview.close();
});
