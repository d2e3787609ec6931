/** Links between the prompt and its source: clicks and keys that open the source, and highlights at the cursor. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { greeting, highlighted, printedBy } from './greeting.ts';
import { closeBrowser, openPreview } from './page.ts';
import { sampleFiles, show } from './reply.ts';

after(closeBrowser);

test('a click on a rendered value opens its expression, but selecting text opens nothing', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  await preview.sent();
  await preview.page.locator('.line .value').first().click();
  assert.deepEqual(await preview.sent(), [{ type: 'reveal', place: printedBy(show).source, focus: true }]);
  await preview.page.locator('.line .authored').first().click({ clickCount: 2 });
  assert.equal((await preview.sent()).length, 1, 'the first click of the two reveals, the second selects a word');
  await preview.close();
});

test('the output of an expression at the cursor is highlighted, and a line of prose is marked with a bar', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  const { uri, range } = printedBy(show).source ?? assert.fail();
  const cursor = async (character: number): Promise<void> => {
    const at = { line: range.start.line, character };
    await preview.send({ type: 'cursor', place: { uri, range: { start: at, end: at } }, scroll: true });
  };
  await cursor(range.start.character + 3);
  assert.deepEqual(await highlighted(preview, 'lit'), ['world']);
  assert.equal(await preview.page.locator('.source-line').count(), 0);
  await cursor(1);
  assert.deepEqual(await highlighted(preview, 'lit'), []);
  const bar = await preview.page.locator('.source-line').boundingBox();
  const line = await preview.page.locator('.line', { hasText: 'Say hello' }).first().boundingBox();
  assert.ok(bar && line && Math.abs(bar.y - line.y) <= 4, JSON.stringify([bar, line]));
  await preview.send({ type: 'cursor', place: null, scroll: true });
  assert.equal(await preview.page.locator('.source-line').count(), 0);
  await preview.close();
});

test('prose never has a background colour, for any position of the cursor', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n\nAnd then leave.\n');
  await preview.send(show);
  const { uri, range } = printedBy(show).source ?? assert.fail();
  for (const line of [range.start.line, range.start.line + 2]) {
    const at = { line, character: 1 };
    await preview.send({ type: 'cursor', place: { uri, range: { start: at, end: at } }, scroll: true });
    const filled = await preview.page.evaluate(() =>
      [...document.querySelectorAll('.block.framing .text, .block.framing .text *')]
        .filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
        .map((one) => one.textContent),
    );
    assert.deepEqual(filled, []);
    assert.equal(await preview.page.locator('.source-line').evaluate((one) => getComputedStyle(one).width), '2px');
  }
  await preview.close();
});

test('the heading of a part opens its source from the keyboard', async () => {
  const preview = await openPreview();
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  await preview.page.locator('.block-head .toggle').first().focus();
  await preview.page.keyboard.press('Tab');
  await preview.page.keyboard.press('Enter');
  const sent = await preview.sent();
  const reveal = sent.find(({ type }) => type === 'reveal');
  assert.ok(reveal?.type === 'reveal' && reveal.focus && reveal.place.uri.endsWith('draft-scene-outline.skill.md'));
  await preview.close();
});
