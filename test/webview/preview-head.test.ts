/** The header of the prompt: copying, the font, the menu, the tokens, the record, and the saved state. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { greeting } from './greeting.ts';
import { closeBrowser, openPreview } from './page.ts';

after(closeBrowser);

test('keeps parts folded after a reload', async () => {
  const first = await openPreview();
  await first.send(greeting('Hello.\n'));
  await first.page.getByRole('button', { name: /^Instructions/ }).press('Enter');
  const state = await first.state();
  await first.close();
  const second = await openPreview({ ...(state && { state }) });
  await second.send(greeting('Hello.\n'));
  const head = second.page.getByRole('button', { name: /^Instructions/ });
  assert.equal(await head.getAttribute('aria-expanded'), 'false');
  await second.close();
});

test('the copy button confirms that the prompt was copied', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.sent();
  await preview.page.getByRole('button', { name: 'Copy the prompt' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'copyPrompt' }]);
  await preview.send({ type: 'copied' });
  await preview.page.getByRole('button', { name: 'Copied' }).waitFor();
  await preview.close();
});

test('the prompt can be shown in the editor’s font, and the choice is saved', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.page.getByRole('button', { name: 'Aa' }).click();
  const family = await preview.page
    .locator('.text')
    .first()
    .evaluate((one) => getComputedStyle(one).fontFamily);
  assert.match(family, /mono/i);
  assert.equal((await preview.state())?.mono, true);
  await preview.close();
});

test('the menu offers comparisons, and states why a comparison is disabled', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.send({ type: 'comparable', head: 'The file belongs to no git repository.' });
  await preview.sent();
  await preview.page.getByRole('button', { name: 'More' }).click();
  const head = preview.page.getByRole('menuitem', { name: /HEAD/ });
  assert.equal(await head.getAttribute('title'), 'The file belongs to no git repository.');
  await head.press('Enter');
  assert.deepEqual(await preview.sent(), [{ type: 'menuOpened' }], 'the panel answers with what is possible by now');
  await preview.page.getByRole('menuitem', { name: 'Compare with the last save' }).press('Enter');
  assert.deepEqual(await preview.sent(), [{ type: 'compare', with: { kind: 'saved' } }]);
  await preview.close();
});

test('the reason for a disabled comparison is completely visible', async () => {
  for (const width of [300, 900]) {
    const preview = await openPreview({ width });
    await preview.send(greeting('Hello.\n'));
    const reason =
      'The file belongs to no git repository that the editor knows of, so nothing is there to compare with.';
    await preview.send({ type: 'comparable', head: reason });
    await preview.page.getByRole('button', { name: 'More' }).click();
    const menu = preview.page.getByRole('menu', { name: 'More' });
    await menu.getByText(reason).waitFor();
    const { hidden, right } = await menu.evaluate((one) => ({
      hidden: one.scrollWidth - one.clientWidth,
      right: one.getBoundingClientRect().right,
    }));
    assert.ok(hidden <= 0 && right <= width, `${hidden}, ${right} at ${width}`);
    await preview.close();
  }
});

test('in a narrow preview, a short name and its state are shown in full, side by side', async () => {
  const preview = await openPreview({ width: 300 });
  const message = greeting(`${'Many words. '.repeat(400)}\n`);
  await preview.send({ ...message, reply: { ...message.reply, name: 'pdf' } });
  const word = preview.page.locator('header .word');
  assert.ok(await word.evaluate((one) => one.scrollWidth <= one.clientWidth));
  const textEnd = await preview.page.locator('header h1').evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one.querySelector('.link') ?? one);
    return range.getBoundingClientRect().right;
  });
  const state = await preview.page.locator('header .state').boundingBox();
  assert.ok((state?.x ?? 0) - textEnd <= 9, 'no hole between them');
  await preview.close();
});

test('the tokens of all parts of the prompt are aligned, even for a part without a source', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  const ends = await preview.page
    .locator('.block-head .block-tokens')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  assert.ok(ends.length > 1 && new Set(ends).size === 1, `${ends}`);
  await preview.close();
});

test('the token count expands to the sizes of all parts, with the largest part first', async () => {
  const preview = await openPreview();
  await preview.send(greeting(`${'Many words. '.repeat(40)}\n`));
  await preview.page.locator('.pill').click();
  const names = await preview.page.locator('.weights .link').allTextContents();
  assert.equal(names[0], 'Instructions');
  assert.equal(names.length, 3);
  await preview.close();
});

test('the Why tab ends with the invocation record, even for a skill that does not compose', async () => {
  const preview = await openPreview();
  const record = async () => JSON.parse((await preview.page.locator('.record pre').textContent()) ?? '');
  await preview.send(greeting('Say hello to {{ who }}.\n'));
  await preview.send({ type: 'focus', what: 'why' });
  await preview.page.getByText('Invocation record').click();
  assert.deepEqual([(await record()).succeeded, (await record()).usedArtifacts[0].name], [true, 'main']);
  await preview.send(greeting('Say hello to {{ who.\n'));
  assert.deepEqual([(await record()).succeeded, (await record()).error], [false, 'MalformedTemplate']);
  assert.equal(await preview.page.locator('.record[open]').count(), 1, 'it stays open');
  await preview.close();
});
