/** The graph tab: layout, keyboard, sub-skills, list, and export as an image. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ShownSubgraph } from '../../client/src/panels/preview/messages.ts';
import { chain, manyNodes } from './large.ts';
import { closeBrowser, crossings, openPreview, type Preview } from './page.ts';
import { type Show, sampleFiles, show, showText, skill } from './reply.ts';

after(closeBrowser);

const files = sampleFiles();
const prepare = (): Show => show(files, 'skills/scenes/prepare-scene.skill.md', { sample: 'tollhouse seven' });

async function opened(): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(prepare());
  await preview.send({ type: 'focus', what: 'run' });
  return preview;
}

const focused = ({ page }: Preview): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.split(/;| \d/)[0] ?? null);

test('boxes and labels in the graph do not overlap', async () => {
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

test('edges in the graph cross no box and no label of another edge, also in expanded sub-skills', async () => {
  const preview = await opened();
  assert.deepEqual(await crossings(preview.page), []);
  for (const sign of await preview.page.locator('.node .sign').all()) await sign.dispatchEvent('click');
  assert.ok((await preview.page.locator('.node.open').count()) > 1);
  assert.deepEqual(await crossings(preview.page), []);
  await preview.close();
});

const approval = (interrupts: string): Show =>
  show(
    {
      'test.skill.md': skill(
        `level: 2\ninput_schema: {urgent: boolean}\noutput_schema: {}\ntools: [send]\ncomposes: [read-one, read-all]\n${interrupts}
execution: [{when: [{condition: "$input.urgent == true and $input.urgent != false or $input.urgent == true", steps: [{step: read-one}]}], else: [{step: read-all}]}]\n`,
        'Do it.',
      ),
      'read-one.skill.md': skill('input_schema: {}\noutput_schema: {}\n', 'One.').replace('test-skill', 'read-one'),
      'read-all.skill.md': skill('input_schema: {}\noutput_schema: {}\n', 'All.').replace('test-skill', 'read-all'),
    },
    'test.skill.md',
  );

test('an interrupt is a node with its name and question, before the node that it precedes', async () => {
  const preview = await openPreview();
  const interrupts =
    'interrupts: [{name: before_exit, message: Is it ready?}, {name: on_missing_input, message: Which?}]';
  await preview.send(approval(interrupts));
  await preview.send({ type: 'focus', what: 'run' });
  const { page } = preview;
  const names = await page.locator('.node.interrupt').evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(names, ['on_missing_input Which?; asks a person', 'before_exit Is it ready?; asks a person']);
  const edges = await page.locator('.canvas-frame .edge').allTextContents();
  assert.ok(edges.includes('may ask on_missing_input'), edges.join('\n'));
  assert.ok(edges.includes('then before_exit'), edges.join('\n'));
  assert.ok(edges.includes('then Done when the output matches its schema'), edges.join('\n'));
  await page.locator('.node.interrupt').last().click();
  const [sent] = await preview.sent();
  assert.ok(sent?.type === 'reveal' && sent.place.uri.endsWith('test.skill.md'));
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await page.locator('.shape-list li', { hasText: 'before_exit Is it ready?' }).waitFor();
  await preview.close();
});

test('nodes and edges that the sample rules out look different and say so, unless values were made up', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const files = approval('interrupts: []');
  await preview.send({ ...files, reply: { ...files.reply, madeUp: [] } });
  await preview.send({ type: 'focus', what: 'run' });
  const untaken = (kind: string) =>
    page.locator(`.node.untaken.${kind}`).evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(await untaken('skill'), ['read-one 1.0.0; skill; not taken with this sample']);
  assert.equal(await page.locator('.edge.untaken').count(), 2);
  assert.match(
    (await page.locator('.edge.untaken title').allTextContents()).join('\n'),
    /^if \$input.urgent == true.*: read-one; not taken with this sample$/m,
  );
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await page.getByText('1.0.0 · not taken with this sample').waitFor();
  await preview.send({ ...files, reply: { ...files.reply, madeUp: ['urgent'] } });
  await page.getByRole('button', { name: 'Show as a list' }).click();
  assert.equal(await page.locator('.untaken').count(), 0);
  await preview.close();
});

test('the label of a condition is not cut', async () => {
  const preview = await openPreview();
  await preview.send(approval(''));
  await preview.send({ type: 'focus', what: 'run' });
  const label = preview.page.locator('.label', { hasText: 'urgent' }).locator('text');
  assert.equal(
    (await label.allTextContents()).join('').trim(),
    '$input.urgent == true and $input.urgent != false or $input.urgent == true',
  );
  await preview.close();
});

test('in the graph tab, arrow keys follow edges and Enter opens the source', async () => {
  const preview = await opened();
  await preview.page.locator('.node[tabindex="0"]').focus();
  assert.equal(await focused(preview), 'Validate input');
  await preview.page.keyboard.press('ArrowDown');
  assert.equal(await focused(preview), 'plan-scene');
  await preview.page.keyboard.press('ArrowDown');
  await preview.page.keyboard.press('ArrowDown');
  const first = await focused(preview);
  // The nearest parallel node has the focus, and the other parallel node is to its right.
  await preview.page.keyboard.press('ArrowRight');
  assert.notEqual(await focused(preview), first);
  await preview.page.keyboard.press('ArrowLeft');
  assert.equal(await focused(preview), first);
  await preview.page.keyboard.press('Enter');
  const [sent] = await preview.sent();
  assert.ok(sent?.type === 'reveal' && sent.focus);
  await preview.close();
});

test('a sub-skill expands in place, stays expanded after a reload, and keeps the focus', async () => {
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

test('an edge goes from the deciding step of a speculation to each step that it may cancel', async () => {
  const part = (name: string): string =>
    skill('input_schema: {}\noutput_schema: {hits: integer}\n', 'Do it.').replace('test-skill', name);
  const execution =
    'execution: [{speculate: [{step: early, keep_when: $decide.output.hits > 1}], until: decide}]\ncomposes: [early, decide]\n';
  const whole = skill(`level: 2\ninput_schema: {}\n${execution}`, 'Do all.');
  const texts = { 'test.skill.md': whole, 'early.skill.md': part('early'), 'decide.skill.md': part('decide') };
  const preview = await openPreview();
  await preview.send(show(texts, 'test.skill.md'));
  await preview.send({ type: 'focus', what: 'run' });
  const edge = preview.page.locator('.edge.cancel');
  assert.equal(await edge.locator('title').textContent(), 'cancels early unless $decide.output.hits > 1');
  const tops = await preview.page.evaluate(() =>
    [...document.querySelectorAll('.node.skill')].map((node) => node.getBoundingClientRect().top),
  );
  assert.equal(tops.length, 2);
  assert.equal(tops[0], tops[1]);
  await preview.close();
});

test('the list view of the graph tab contains the nodes of all sub-skills', async () => {
  const preview = await opened();
  await preview.page.getByRole('button', { name: 'Show as a list' }).click();
  const { result } = prepare().reply;
  const count = ({ nodes, interrupts }: ShownSubgraph): number =>
    nodes.reduce((sum, { subgraph }) => sum + 1 + (subgraph ? count(subgraph) : 0), interrupts.length);
  assert.equal(await preview.page.locator('.shape-list li').count(), result.ok && count(result.composition.subgraph));
  await preview.close();
});

test('exported images use the colours of the theme, and need no styles from the page', async () => {
  const preview = await opened();
  await preview.page.getByRole('button', { name: 'SVG' }).click();
  await preview.page.getByRole('button', { name: 'PNG' }).click();
  // The PNG is rendered before it is sent.
  await preview.page.waitForFunction("sentTypes().filter((type) => type === 'exportImage').length === 2");
  const [svg, png] = await preview.sent();
  assert.ok(svg?.type === 'exportImage' && png?.type === 'exportImage');
  assert.match(svg.data, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(svg.data, /stroke="(rgb|color)\(/);
  assert.doesNotMatch(svg.data, /class=|var\(--/);
  assert.equal(Buffer.from(png.data, 'base64').toString('latin1', 1, 4), 'PNG');
  await preview.close();
});

const boundsOf = ({ page }: Preview, which: 'first' | 'last') =>
  page.evaluate((end) => {
    const frame = document.querySelector('.canvas-frame') as Element;
    const node = [...document.querySelectorAll('.node')].at(end === 'first' ? 0 : -1) as Element;
    const [outer, inner] = [frame.getBoundingClientRect(), node.getBoundingClientRect()];
    return { above: outer.top - inner.top, below: inner.bottom - outer.bottom };
  }, which);

const scaleOf = async ({ page }: Preview): Promise<number> =>
  page.evaluate(() => (document.querySelector('.canvas-frame > g') as SVGGElement).getCTM()?.a ?? 0);

test('a graph opens fitted to the panel, also after the panel was resized', async () => {
  const preview = await openPreview({ width: 500, height: 900 });
  await preview.send(manyNodes(15));
  await preview.send({ type: 'focus', what: 'run' });
  const isFitted = () =>
    preview.page.waitForFunction(() => {
      const frame = (document.querySelector('.canvas-frame') as Element).getBoundingClientRect();
      return [...document.querySelectorAll('.node')].every((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
      });
    });
  await isFitted();
  assert.ok(await preview.page.locator('.minimap').isHidden());
  await preview.page.setViewportSize({ width: 440, height: 800 });
  await isFitted();
  await preview.close();
});

test('a graph that would be too small to read opens at the top, with a map beside it', async () => {
  const preview = await openPreview({ height: 600 });
  await preview.send(chain(40));
  await preview.send({ type: 'focus', what: 'run' });
  assert.equal(await scaleOf(preview), 1);
  assert.ok((await boundsOf(preview, 'first')).above < 0);
  assert.ok((await boundsOf(preview, 'last')).below > 0);
  const [map, frame] = await Promise.all(
    ['.minimap', '.canvas-frame'].map((one) => preview.page.locator(one).boundingBox()),
  );
  assert.ok(map && frame && map.y >= frame.y + frame.height);
  await preview.page.getByRole('button', { name: 'Fit' }).click();
  assert.ok((await boundsOf(preview, 'last')).below < 0);
  assert.ok(await preview.page.locator('.minimap').isHidden());
  await preview.close();
});

test('panning with the wheel stops at the edges of the graph, and a click on the map moves the view', async () => {
  const preview = await openPreview({ height: 600 });
  await preview.send(chain(40));
  await preview.send({ type: 'focus', what: 'run' });
  await preview.page.locator('.canvas-frame').hover();
  await preview.page.mouse.wheel(0, 100_000);
  await preview.page.waitForFunction(() => {
    const nodes = [...document.querySelectorAll('.node')];
    const frame = document.querySelector('.canvas-frame') as Element;
    return (nodes.at(-1) as Element).getBoundingClientRect().bottom < frame.getBoundingClientRect().bottom;
  });
  assert.ok((await boundsOf(preview, 'last')).below > -100);
  await preview.page.locator('.minimap').click({ position: { x: 4, y: 2 } });
  assert.ok((await boundsOf(preview, 'first')).above < 0);
  await preview.close();
});

test('expanding a sub-skill keeps the zoom and the position of the sub-skill', async () => {
  const preview = await opened();
  await preview.page.keyboard.press('Tab');
  await preview.page.locator('.node[tabindex="0"]').focus();
  const fitted = await scaleOf(preview);
  await preview.page.keyboard.press('+');
  await preview.page.keyboard.press('ArrowDown');
  const place = () =>
    preview.page.evaluate(() => {
      const { left, top } = (document.activeElement as Element).querySelector('.sign')?.getBoundingClientRect() ?? {};
      return [Math.round(left ?? 0), Math.round(top ?? 0)];
    });
  const before = await place();
  await preview.page.keyboard.press('Space');
  assert.ok(Math.abs((await scaleOf(preview)) - fitted * 1.25) < 0.001);
  const after = await place();
  assert.equal(after[1], before[1]);
  await preview.close();
});

test('the legend names each shape of the graph', async () => {
  const preview = await opened();
  await preview.page.getByRole('button', { name: 'Legend' }).click();
  await preview.page.getByText('Asks a person').waitFor();
  assert.equal(await preview.page.locator('.legend svg').count(), await preview.page.locator('.legend span').count());
  await preview.close();
});

test('the run begins with a check of the input if the skill has an input schema', async () => {
  const preview = await openPreview();
  const titles = (): Promise<readonly string[]> =>
    preview.page
      .locator('.node')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.split(';')[0] ?? ''));
  await preview.send(showText(skill('input_schema:\n  topic: string\n', 'Write.\n')));
  await preview.send({ type: 'focus', what: 'run' });
  const shown = await titles();
  assert.equal(shown[0], 'Validate input');
  await preview.page.getByRole('button', { name: 'Show as a list' }).click();
  assert.equal(await preview.page.locator('.shape-list > li').count(), shown.length);
  await preview.page.getByRole('button', { name: 'Show as a list' }).click();
  await preview.close();
});

test('draws every node in a graph of 300 nodes once', async () => {
  const preview = await openPreview();
  await preview.send(manyNodes(300));
  await preview.send({ type: 'focus', what: 'run' });
  assert.equal(await preview.page.locator('.node').count(), 300);
  await preview.close();
});

test('an exported SVG is valid XML without variables, with names as text', async () => {
  const preview = await openPreview();
  const show = manyNodes(2);
  const { result } = show.reply;
  if (!result.ok) assert.fail();
  const { subgraph } = result.composition;
  const nodes = subgraph.nodes.map((node) => ({ ...node, label: `</text><script>&"'${'\u0007'}]]>` }));
  const composition = { ...result.composition, subgraph: { ...subgraph, nodes } };
  await preview.send({ ...show, reply: { ...show.reply, result: { ok: true, composition } } });
  await preview.send({ type: 'focus', what: 'run' });
  await preview.page.getByRole('button', { name: 'SVG' }).click();
  const [sent] = await preview.sent();
  if (sent?.type !== 'exportImage') assert.fail();
  assert.doesNotMatch(sent.data, /var\(--|class=|url\((?!["']?#)|https?:(?!\/\/www\.w3\.org\/)/);
  const read = await preview.page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const names = [...parsed.querySelectorAll('*')].map(({ localName }) => localName);
    return { names: [...new Set(names)].sort(), text: parsed.documentElement.textContent };
  }, sent.data);
  assert.deepEqual(
    read.names,
    ['circle', 'defs', 'g', 'marker', 'path', 'rect', 'svg', 'text', 'title'].filter((name) =>
      read.names.includes(name),
    ),
  );
  assert.ok(!read.names.includes('parsererror') && read.text?.includes('<script>'));
  await preview.close();
});

test('a step that needs a tool that the profile may not use is drawn as one that cannot run', async () => {
  const catalog = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, operation: READ, scope: read:pages}
scopes: [read:pages]
profiles:
  - {name: guest, tools: []}
`;
  const shown = {
    'skills.config.yaml': catalog,
    'a.skill.md': skill('input_schema: {}\ntools: [read_page]\n', 'Read the page.\n'),
  };
  const preview = await openPreview();
  await preview.send(show(shown, 'a.skill.md'));
  await preview.send({ type: 'focus', what: 'run' });
  assert.equal(await preview.page.locator('.node.blocked').count(), 0);
  await preview.send(show(shown, 'a.skill.md', { invocation: { profile: 'guest' } }));
  await preview.page.locator('.node.call_tools.blocked', { hasText: 'not allowed: read_page' }).waitFor();
  await preview.page.getByRole('button', { name: 'Choose another profile' }).click();
  await preview.page.locator('#profile:focus').waitFor();
  await preview.close();
});
