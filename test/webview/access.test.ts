/** Nothing serious for axe in any theme, and nothing that scrolls sideways in a narrow panel. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import type { ToPage } from '../../client/src/preview/messages.ts';
import { closeBrowser, openPreview, THEMES } from './page.ts';
import { sampleFiles, show } from './reply.ts';

after(closeBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const files = sampleFiles();
const outline = 'skills/scenes/draft-scene-outline.skill.md';

/** What there is to see, each after the one before it. */
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
    ],
  ],
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
    // Themes differ in colours alone: what else axe looks at is the same page.
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

test('at 400 pixels nothing but the graph scrolls sideways', async () => {
  const preview = await openPreview({ width: 400 });
  for (const [name, messages] of views) {
    for (const message of messages) await preview.send(message);
    const wide = await preview.page.evaluate(() =>
      [...document.querySelectorAll('#root *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.closest('svg, .unseen, select, .summary'))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        .map((one) => one.className),
    );
    assert.deepEqual(wide, [], name);
  }
  await preview.close();
});

test('the tabs are walked with the arrows, and the keyboard stays where it was across updates', async () => {
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
