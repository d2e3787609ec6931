/** The input of a composition: its selection, generated values, the values as chips, and saved samples. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { asked, control, opened, parameters, scene } from './form-page.ts';
import { closeBrowser, openPreview } from './page.ts';
import { showText, skill } from './reply.ts';

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
  await page.locator('.chip', { hasText: 'title' }).click();
  const popover = page.locator('.popover:popover-open');
  const focused = popover.locator(':is(input, textarea):focus');
  await focused.waitFor();
  await page.keyboard.type('Dawn');
  assert.equal((await parameters(preview))?.title, 'Dawn', 'the old text was selected');
  assert.equal(await page.locator('.sheet').count(), 0);
  const box = await popover.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 900, 'it is within the page');
  await popover.getByRole('button', { name: 'Clear title' }).click();
  await focused.waitFor();
  await page.keyboard.type('Eve');
  assert.equal((await parameters(preview))?.title, 'Eve', 'the focus moves to the cleared field');
  await page.keyboard.press('Escape');
  assert.deepEqual(asked(await preview.sent()), { sample: 'short', without: [] });
  await page.keyboard.press('Escape');
  assert.equal(await popover.count(), 0);
  assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /title/, 'the focus returns');
  await preview.close();
});

test('Enter confirms the value of a chip, and Shift+Enter breaks the line', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({ sample: 'short' }));
  const popover = page.locator('.popover:popover-open');
  const chip = page.locator('.chip', { hasText: 'title' });
  await chip.press('Enter');
  await popover.locator('textarea:focus').waitFor();
  await page.keyboard.type('Late');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('dusk');
  await page.keyboard.press('Enter');
  await popover.waitFor({ state: 'detached' });
  assert.equal((await parameters(preview))?.title, 'Late\ndusk');
  assert.ok(await chip.evaluate((one) => one === document.activeElement));
  await page.locator('.chip', { hasText: 'day' }).press('Enter');
  await popover.locator('input:focus').waitFor();
  await page.keyboard.press('Enter');
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual(await preview.sent(), [], 'a value without a change is kept');
  await preview.close();
});

test('Enter confirms a chosen value and an item that it adds, so that Escape keeps both', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({ invocation: { parameters: { tone: 'grim', cast: ['Ann'] } } }));
  const popover = page.locator('.popover:popover-open');
  await page.locator('.chip', { hasText: 'tone' }).press('Enter');
  await popover.locator('select:focus').waitFor();
  await page.keyboard.type('w');
  await page.keyboard.press('Enter');
  await popover.waitFor({ state: 'detached' });
  await page.locator('.chip', { hasText: 'cast' }).press('Enter');
  await popover.getByLabel('Add to cast').fill('Bo');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  const { tone, cast } = (await parameters(preview)) ?? {};
  assert.deepEqual([tone, cast], ['wry', ['Ann', 'Bo']]);
  await preview.close();
});

test('a list begins with its default items, which the first change copies', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(
    showText(skill('input_schema: {ports: {type: array, items: string, default: [Vey, Sund]}}\n', 'Go.\n'), {}),
  );
  const popover = page.locator('.popover:popover-open');
  await page.locator('.chip', { hasText: 'ports' }).press('Enter');
  assert.deepEqual(
    await popover.locator('textarea').evaluateAll((all) => all.map((one) => one.getAttribute('placeholder'))),
    ['Vey', 'Sund'],
  );
  assert.equal(await popover.locator('.not-given').first().textContent(), 'default');
  await popover.getByLabel('Add to ports').fill('Kiel');
  await page.keyboard.press('Enter');
  assert.deepEqual((await parameters(preview))?.ports, ['Vey', 'Sund', 'Kiel']);
  await preview.close();
});

test('Enter does not confirm JSON that is not complete', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(
    showText(skill('input_schema: {data: json}\nsamples: {one: {parameters: {data: [1]}}}\n', 'Go.\n'), {
      sample: 'one',
    }),
  );
  const popover = page.locator('.popover:popover-open');
  await page.locator('.chip', { hasText: 'data' }).press('Enter');
  await popover.locator('textarea:focus').fill('[1, ');
  await page.keyboard.press('Enter');
  assert.equal(await popover.locator('textarea').inputValue(), '[1, ');
  await page.keyboard.type('2]');
  await page.keyboard.press('Enter');
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual((await parameters(preview))?.data, [1, 2]);
  await preview.close();
});

test('Enter in the form goes to the next field', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.locator('#request').focus();
  await page.keyboard.press('Enter');
  assert.ok(await control(preview, 'title').evaluate((one) => one === document.activeElement));
  assert.equal(asked(await preview.sent()), undefined);
  await preview.close();
});

test('a chip opens with the focus on its control, and Escape restores every kind of value', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const given = {
    ...{ title: 'Dusk', tone: 'grim', beats: 4, sure: true, day: '2025-04-01', cast: ['Ann'], any: [1] },
    place: { name: 'Vey', far: false },
  };
  await preview.send(scene({ invocation: { parameters: given } }));
  for (const [name, keys, value, selected] of [
    ['title', 'Dawn', 'Dawn', 'Dusk'],
    ['tone', 'w', 'wry', ''],
    ['beats', '7', 7, '4'],
    ['sure', ' ', false, ''],
    ['day', '05', '2025-05-01', ''],
    ['cast', 'Bo', ['Bo'], 'Ann'],
    ['any', '[2, 3]', [2, 3], '[\n 1\n]'],
    ['place', 'Sea', { name: 'Sea', far: false }, 'Vey'],
  ] as const) {
    const chip = page.locator('.chip', { hasText: name });
    await chip.press('Enter');
    const popover = page.locator('.popover:popover-open');
    await popover.locator('input:focus, select:focus, textarea:focus').waitFor();
    assert.equal(await page.evaluate(() => document.getSelection()?.toString()), selected, name);
    await preview.sent();
    await page.keyboard.type(keys);
    assert.deepEqual(await parameters(preview), { ...given, [name]: value });
    await page.keyboard.press('Escape');
    assert.deepEqual(await parameters(preview), given, name);
    await page.keyboard.press('Escape');
    assert.equal(await popover.count(), 0, name);
    await chip.and(page.locator(':focus')).waitFor();
  }
  await preview.close();
});

test('Escape discards text that is not a value yet, before it closes the field', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({ invocation: { parameters: { beats: 4, cast: [], any: [1] } } }));
  for (const [name, keys, before] of [
    ['beats', '-', '4'],
    ['cast', 'Bo', ''],
    ['any', '[', '[\n 1\n]'],
  ] as const) {
    await page.locator('.chip', { hasText: name }).press('Enter');
    const popover = page.locator('.popover:popover-open');
    const control = popover.locator('input:focus, textarea:focus');
    await control.waitFor();
    await page.keyboard.type(keys);
    await page.keyboard.press('Escape');
    assert.equal(await control.inputValue(), before);
    assert.equal(await popover.getByText('This is not JSON').count(), 0);
    await page.keyboard.press('Escape');
    assert.equal(await popover.count(), 0, name);
  }
  await preview.close();
});

test('a chip of the caller opens the form at its field, and gets the focus back', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(scene({ invocation: { request: 'Go.', channel: 'book' } }));
  await preview.sent();
  for (const name of ['request', 'channel']) {
    const chip = page.locator('.chip', { hasText: name });
    await chip.press('Enter');
    await page.locator(`#${name}:focus`).waitFor();
    await page.keyboard.type('new');
    assert.match(JSON.stringify(asked(await preview.sent())), new RegExp(`"${name}":"new"`));
    await page.keyboard.press('Escape');
    assert.deepEqual(asked(await preview.sent())?.invocation, { request: 'Go.', channel: 'book' });
    await page.locator(`#${name}:focus`).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.sheet').count(), 0);
    await chip.and(page.locator(':focus')).waitFor();
  }
  await preview.close();
});

test('the chips show given values, including an empty string', async () => {
  const preview = await openPreview();
  await preview.send(scene({ invocation: { request: 'Go.', profile: 'ann', parameters: { title: '', cast: [] } } }));
  const chips = await preview.page.locator('.chip').allTextContents();
  for (const chip of ['title empty', 'cast []', 'request Go.', 'profile ann']) assert.ok(chips.includes(chip), chip);
  await preview.close();
});

test('all values can be read in a narrow panel: the names are whole, the chips wrap, and tooltips have the values', async () => {
  const parameters = Object.fromEntries([
    ...Array.from({ length: 13 }, (_, at) => [`parameter_${at}`, 'word '.repeat(at * 4).trim()]),
    ['cast', ['ysolde-marr', { from: 'the toll-house', of: [1, 2, 3] }]],
    ['a_name_that_is_longer_than_most_panels_in_an_editor_are', 7],
  ]);
  const text = skill(`input_schema: {${Object.keys(parameters).join(': any, ')}: any}\n`, 'Do it.');
  for (const width of [300, 400, 900]) {
    const preview = await openPreview({ width });
    await preview.send(showText(text, { invocation: { parameters } }));
    const chips = preview.page.locator('.chip');
    const shown = await chips.evaluateAll((all) =>
      all.map((one) => {
        const [name, value] = ['.name', '.value'].map((part) => one.querySelector(part) as HTMLElement);
        const [inner, outer] = [one.getBoundingClientRect(), (one.parentElement as Element).getBoundingClientRect()];
        return {
          title: (one as HTMLElement).title,
          isNameWhole: name !== undefined && name.scrollWidth <= name.clientWidth,
          valueWidth: value?.clientWidth ?? 0,
          isInside: inner.left >= outer.left && inner.right <= outer.right,
        };
      }),
    );
    assert.equal(shown.length, 15);
    for (const [at, [name, value]] of Object.entries(parameters).entries()) {
      const one = shown[at];
      assert.equal(one?.title, `${name}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 1)}`);
      assert.ok(one.isInside && one.valueWidth > 0, `${width} ${name}`);
      assert.equal(one.isNameWhole, name.length < 20, `${width} ${name}`);
    }
    // Scrolls to the last chip, which opens with the keyboard.
    await chips.last().press('Enter');
    assert.ok(
      await chips
        .last()
        .evaluate(
          (one) => one.getBoundingClientRect().bottom <= (one.parentElement as Element).getBoundingClientRect().bottom,
        ),
    );
    await preview.page.locator('.popover:popover-open').waitFor();
    await preview.close();
  }
});
