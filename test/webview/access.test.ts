/** Accessibility of the preview: axe in every theme, narrow panels, and the keyboard focus. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { ToPage } from '../../client/src/panels/preview/messages.ts';
import { closeBrowser, openPreview, THEMES } from './page.ts';
import { sampleFiles, show, showText, skill } from './reply.ts';

after(closeBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const files = sampleFiles();
const outline = 'skills/scenes/draft-scene-outline.skill.md';

const everyKind = skill(
  `input_schema:
  text: string, what it says
  yes: {type: boolean, default: true}
  list: {type: array, items: string}
  rows: {type: array, items: {type: object, properties: {name: {type: string}}}}
  any: {}
`,
  '## PromptTemplate: main\n\n{{ text }}\n',
);

/** The views to check, each reached from the previous one by its messages. */
const views: readonly (readonly [string, readonly ToPage[]])[] = [
  ['empty', [{ type: 'empty' }]],
  ['prompt', [show(files, outline, { sample: 'siege at dusk' })]],
  ['form', [{ type: 'focus', what: 'form' }]],
  ['why', [{ type: 'focus', what: 'why' }]],
  ['compare', [{ type: 'focus', what: 'compare' }]],
  ['graph', [{ type: 'focus', what: 'graph' }]],
  [
    'errors',
    [
      { type: 'focus', what: 'prompt' },
      show(files, outline, { invocation: { parameters: { cast: ['a'], tone: 'none', beats: 12 } } }),
      { type: 'fixes', serial: 1, fixes: [{ error: 0, title: 'Replace by `grim`' }] },
    ],
  ],
  ['a form of every kind', [showText(everyKind, { invocation: { parameters: { text: '', list: [], rows: [{}] } } })]],
  ['find', [{ type: 'focus', what: 'find' }]],
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

for (const theme of THEMES) {
  test(`axe finds nothing serious in ${theme}`, async () => {
    const preview = await openPreview({ theme });
    await preview.page.evaluate(axe);
    const found: string[] = [];
    // Themes differ only in colours; other rules are checked once.
    const rules = { resultTypes: ['violations'], ...(theme !== 'dark' && { runOnly: ['color-contrast'] }) };
    for (const [name, messages] of views) {
      for (const message of messages) await preview.send(message);
      const violations = (await preview.page.evaluate(
        `axe.run(document, ${JSON.stringify(rules)}).then(({ violations }) => violations)`,
      )) as readonly Violation[];
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        found.push(...nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html}\n${failureSummary}`));
      }
    }
    assert.deepEqual(found, []);
    await preview.close();
  });
}

test('at 400 pixels nothing of the preview but the graph scrolls horizontally', async () => {
  const preview = await openPreview({ width: 400 });
  for (const [name, messages] of views) {
    for (const message of messages) await preview.send(message);
    const wide = await preview.page.evaluate(() =>
      [...document.querySelectorAll('#root *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.closest('svg, .unseen, select'))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        // Text that is cut off with an ellipsis is allowed.
        .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis')
        .map((one) => one.className),
    );
    assert.deepEqual(wide, [], name);
  }
  await preview.close();
});

test('at 400 pixels the name of a skill that does not compose is complete, or in its tooltip', async () => {
  const preview = await openPreview({ width: 400 });
  const message = show(files, outline, {});
  await preview.send(message);
  await preview.page.locator('.dot.bad').waitFor();
  const name = preview.page.locator('h1 .link');
  assert.ok(await name.evaluate((one) => one.scrollWidth <= one.clientWidth));
  const header = preview.page.locator('header');
  const before = await header.boundingBox();
  await preview.send({ type: 'stale' });
  await preview.page.locator('.dot.stale').waitFor();
  assert.deepEqual(await header.boundingBox(), before, 'nothing moves while the next one is awaited');
  const long = 'a-name-that-is-far-too-long-for-any-panel-of-four-hundred-pixels';
  await preview.send({ ...message, serial: 2, reply: { ...message.reply, name: long } });
  assert.equal(await name.getAttribute('title'), `${long}\nGo to the skill`);
  await preview.close();
});

test('arrow keys move between the tabs, and the focus stays across updates', async () => {
  const preview = await openPreview();
  const message = show(files, outline, { sample: 'siege at dusk' });
  await preview.send(message);
  await preview.page.getByRole('tab', { name: 'Prompt' }).focus();
  await preview.page.keyboard.press('ArrowRight');
  await preview.send({ ...message, serial: 2 });
  const active = await preview.page.evaluate(() => document.activeElement?.textContent);
  assert.equal(active, 'Graph');
  await preview.close();
});

test('a link that is replaced keeps the focus', async () => {
  const preview = await openPreview();
  const message = show(files, outline, { sample: 'siege at dusk' });
  const { result } = message.reply;
  if (!result.ok) assert.fail();
  await preview.send(message);
  await preview.send({ type: 'focus', what: 'why' });
  const active = (): Promise<string | null | undefined> =>
    preview.page.evaluate(() => document.activeElement?.textContent);
  for (const link of ['house style', '5 of 8 artifacts']) {
    await preview.page.getByRole('button', { name: link }).focus();
    const decisions = result.composition.decisions.map((one) => ({ ...one, reason: `${one.reason}, said anew` }));
    const composition = { ...result.composition, decisions };
    const reply = { ...message.reply, milliseconds: 3, result: { ok: true as const, composition } };
    await preview.send({ ...message, serial: 2, reply });
    assert.equal(await active(), link);
    await preview.send(message);
    assert.equal(await active(), link);
  }
  await preview.close();
});

test('the headline is one line even with a long name', async () => {
  const preview = await openPreview({ width: 616 });
  const message = show(files, outline, { sample: 'siege at dusk' });
  const name = `${'a-very-long-name-of-a-skill-'.repeat(4)}end`;
  await preview.send({ ...message, reply: { ...message.reply, name } });
  const tops = await preview.page.evaluate(() =>
    [...document.querySelectorAll('.headline > h1, .headline .state, .headline .figures, .headline .tools')].map(
      (one) => {
        const { top, bottom, right } = one.getBoundingClientRect();
        return { middle: Math.round((top + bottom) / 2), right };
      },
    ),
  );
  const [first] = tops;
  assert.ok(
    tops.every(({ middle, right }) => Math.abs(middle - (first?.middle ?? 0)) <= 2 && right <= 616),
    JSON.stringify(tops),
  );
  await preview.close();
});
