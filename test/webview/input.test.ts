/** The input of a composition: its selection, generated values, the values as chips, and saved samples. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { asked, opened, parameters, scene } from './form-page.ts';
import { closeBrowser, openPreview } from './page.ts';

after(closeBrowser);

test('a sample is saved under a name, and a refusal is shown at the name', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.getByLabel('Save as sample').fill('other');
  await page.keyboard.press('Enter');
  const [saved] = await preview.sent();
  assert.deepEqual(saved?.type === 'saveSample' && [saved.name, saved.invocation.request], ['other', 'Do it.']);
  await preview.send({ type: 'saveRefused', problem: 'The frontmatter does not parse.' });
  assert.equal(await page.getByRole('alert').textContent(), 'The frontmatter does not parse.');
  await preview.close();
});

test('without a sample the values are generated and marked, and one button saves them', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({}));
  assert.equal(await page.locator('.state').textContent(), 'Generated values');
  assert.match((await page.locator('.line .madeUp').first().textContent()) ?? '', /«title»/);
  assert.match((await page.locator('.chip.made-up').first().textContent()) ?? '', /«title»/);
  assert.equal(await page.locator('.chip.made-up', { hasText: 'tone' }).count(), 0, 'a default is not made up');
  await preview.sent();
  await page.getByRole('button', { name: 'Save as sample' }).click();
  const [saved] = await preview.sent();
  assert.deepEqual(saved?.type === 'saveSample' && [saved.name, saved.invocation.parameters?.title], ['', '«title»']);
  await preview.close();
});

test("missing values in the user's input are generated, too", async () => {
  const preview = await openPreview();
  await preview.send(scene({ invocation: { parameters: { tone: 'grim' } } }));
  assert.match((await preview.page.locator('.block.framing').textContent()) ?? '', /«title» is grim\./);
  assert.equal(await preview.page.locator('.state').textContent(), 'Generated values');
  await preview.close();
});

test("a chosen sample is requested by its name, and the user's input begins with the shown values", async () => {
  const preview = await openPreview();
  const choice = preview.page.locator('select[aria-label="Input"]');
  await preview.send(scene({}));
  await choice.selectOption({ label: 'short' });
  assert.deepEqual(asked(await preview.sent()), { sample: 'short', without: [] });
  await preview.send(scene({ sample: 'short' }));
  await choice.selectOption({ label: 'Own input' });
  const own = asked(await preview.sent());
  assert.deepEqual([own?.sample, own?.invocation?.parameters?.title], [undefined, 'Dusk']);
  await preview.page.locator('.sheet').waitFor();
  await choice.selectOption({ label: 'Generated values' });
  assert.deepEqual(asked(await preview.sent()), { without: [] });
  await preview.close();
});

test('a click on a chip edits its value', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({ sample: 'short' }));
  await preview.sent();
  await page.locator('.chip', { hasText: 'tone' }).click();
  const popover = page.locator('.popover:popover-open');
  await popover.getByLabel('tone').selectOption('grim');
  assert.equal((await parameters(preview))?.tone, 'grim');
  assert.equal(await page.locator('.sheet').count(), 0);
  const box = await popover.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 900, 'it is within the page');
  await page.keyboard.press('Escape');
  assert.equal(await popover.count(), 0);
  assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /tone/, 'the focus returns');
  await preview.close();
});

test('the chips show given values, including an empty string', async () => {
  const preview = await openPreview();
  await preview.send(scene({ invocation: { request: 'Go.', profile: 'ann', parameters: { title: '', cast: [] } } }));
  const chips = await preview.page.locator('.chip').allTextContents();
  for (const chip of ['title empty', 'cast []', 'request Go.', 'profile ann']) assert.ok(chips.includes(chip), chip);
  await preview.close();
});
