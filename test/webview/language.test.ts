/** The pages in another language: all labels and numbers are translated, and no text is cut off. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { GraphState, ToGraphPage, ToGraphPanel } from '../../client/src/panels/graph/messages.ts';

import { showGraph } from './composition-graph-reply.ts';
import { closeBrowser, openPreview, openWebview, type WebviewOptions } from './page.ts';
import { sampleFiles, show } from './reply.ts';

after(closeBrowser);

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Readonly<Record<string, string>>;
const files = sampleFiles();
const outline = show(files, 'skills/scenes/draft-scene-outline.skill.md', { sample: 'siege at dusk' });
const broken = show(files, 'skills/scenes/draft-scene-outline.skill.md');

const openGraph = (options: WebviewOptions<GraphState>) =>
  openWebview<ToGraphPage, ToGraphPanel, GraphState>('graph', options);

/** The page's visible and accessible text, except text from files. */
const wordsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const own = [...document.querySelectorAll('#root *')].filter((one) => !one.closest('.blocks .text, .chips'));
    return own.flatMap((one) => {
      const texts = [...one.childNodes].filter((node) => node instanceof Text).map((node) => node.textContent);
      const spoken = ['aria-label', 'title', 'placeholder', 'label'].map((name) => one.getAttribute(name));
      return [...texts, ...spoken].map((text) => text?.trim()).filter((text) => !!text) as string[];
    });
  });

/** Strings that have a German translation but are shown in English. */
const untranslated = (words: readonly string[]): readonly string[] =>
  words.filter((word) => Object.hasOwn(german, word) && german[word] !== word);

/** Elements whose content is cut off without an ellipsis or scrolling. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('#root *')]
      .filter(
        (one) => one.scrollWidth > one.clientWidth + 1 && !one.closest('svg, .unseen, select, .prompt .text, .chips'),
      )
      .filter((one) => one.clientWidth > 0 && getComputedStyle(one).textOverflow !== 'ellipsis')
      .map((one) => `${one.tagName} ${one.className}: ${one.textContent}`),
  );

/** Labels with a word broken in the middle: such a label has more lines than words. */
const brokenWords = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(wanted)].flatMap((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const text = one.textContent ?? '';
        return range.getClientRects().length > text.split(' ').length ? [text] : [];
      }),
    selector,
  );

test('the preview is German if its HTML has German strings, and no text is truncated', async () => {
  for (const width of [400, 900]) {
    const preview = await openPreview({ language: 'de', width });
    await preview.send(outline);
    await preview.send({ type: 'focus', what: 'input' });
    assert.deepEqual(untranslated(await wordsOf(preview.page)), []);
    assert.deepEqual(await cutOff(preview.page), [], `the form, ${width}`);
    await preview.page.keyboard.press('Escape');
    for (const what of ['prompt', 'run', 'why', 'chosen', 'abilities', 'find'] as const) {
      await preview.send({ type: 'focus', what });
      assert.deepEqual(untranslated(await wordsOf(preview.page)), [], what);
      assert.deepEqual(await cutOff(preview.page), [], `${what}, ${width}`);
      assert.deepEqual(
        await brokenWords(preview.page, '.block-name, .state .word, .tab, .button'),
        [],
        `${what}, ${width}`,
      );
    }
    const tabs = await preview.page.getByRole('tab').allTextContents();
    assert.deepEqual(tabs, ['Prompt', 'Ablauf', 'Warum']);
    assert.match((await preview.page.locator('.pill').getAttribute('title')) ?? '', /^Prompt: \d+ Tokens$/);
    await preview.page.getByRole('button', { name: 'Mehr' }).click();
    assert.match((await preview.page.locator('.facts').textContent()) ?? '', /2,1 ms$/);
    assert.deepEqual(untranslated(await wordsOf(preview.page)), []);
    await preview.page.keyboard.press('Escape');
    await preview.send({ ...broken, serial: 2 });
    assert.deepEqual(untranslated(await wordsOf(preview.page)), []);
    assert.equal(await preview.page.locator('.state').textContent(), 'Erzeugte Werte');
    assert.deepEqual(preview.consoleErrors, []);
    await preview.close();
  }
});

test('the composition graph is German as a drawing and as a list', async () => {
  for (const width of [400, 900]) {
    const webview = await openGraph({ language: 'de', width });
    await webview.send(showGraph(files));
    await webview.page.locator('.node').first().waitFor();
    assert.deepEqual(untranslated(await wordsOf(webview.page)), []);
    await webview.page.locator('.graph-bar button[popovertarget]').last().click();
    assert.equal(await webview.page.locator('.legend span').first().textContent(), 'Workflow · Ebene 3');
    await webview.page.keyboard.press('Escape');
    await webview.page.getByRole('button', { name: 'Als Liste zeigen' }).click();
    assert.deepEqual(untranslated(await wordsOf(webview.page)), []);
    assert.deepEqual(await cutOff(webview.page), [], `${width}`);
    assert.deepEqual(webview.consoleErrors, []);
    await webview.close();
  }
});

test('a page without strings in its HTML is English', async () => {
  const preview = await openPreview();
  await preview.send(outline);
  const tabs = await preview.page.getByRole('tab').allTextContents();
  assert.deepEqual(tabs, ['Prompt', 'Run', 'Why']);
  assert.match((await preview.page.locator('.pill').getAttribute('title')) ?? '', /^Prompt: \d+ tokens$/);
  assert.match((await preview.page.locator('.pill').textContent()) ?? '', /^Prompt ?\d+ \/ 8K$/);
  await preview.page.getByRole('button', { name: 'More' }).click();
  assert.match((await preview.page.locator('.facts').textContent()) ?? '', /2\.1 ms$/);
  assert.ok(untranslated(await wordsOf(preview.page)).length > 20);
  await preview.close();
});
