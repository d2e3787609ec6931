/** The form of an input: its controls and errors, and its position beside the prompt. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { extended } from '../extended.ts';
import { asked, control, opened, parameters, scene } from './form-page.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { showText, skill } from './reply.ts';

after(closeBrowser);

/** The field with this name, including its label and errors. */
const field = ({ page }: Preview, name: string) =>
  page.locator('.sheet .field', {
    has: page.locator(`:scope > .field-head .label:text-matches("^${name}( \\\\*)?$")`),
  });

test('the form has a native control for each kind of parameter, with its value', async () => {
  const preview = await opened({});
  const { page } = preview;
  const sheet = page.locator('.sheet');
  assert.deepEqual(await control(preview, 'tone').locator('option').allTextContents(), [
    'wry (default)',
    'grim',
    'wry',
  ]);
  const beats = control(preview, 'beats');
  assert.deepEqual(
    [await beats.getAttribute('type'), await beats.getAttribute('placeholder'), await beats.getAttribute('max')],
    ['number', '5', '9'],
  );
  assert.equal(await control(preview, 'day').getAttribute('type'), 'date');
  assert.ok(await sheet.getByRole('switch', { name: 'quick' }).isChecked(), 'as its default says');
  assert.ok(!(await sheet.getByRole('switch', { name: 'sure' }).isChecked()), 'what nobody switched on is off');
  assert.equal(await sheet.getByText('what it is called').count(), 1);
  await preview.close();
});

test('a long parameter name wraps, and the note beside it does not', async () => {
  const preview = await openPreview({ width: 300 });
  const long = 'aNameOfAParameterThatIsTooLongForANarrowPanel';
  await preview.send(showText(skill(`input_schema:\n  ${long}: string\n  to: string\n`, 'Go.\n')));
  await preview.send({ type: 'focus', what: 'input' });
  const heights = await preview.page
    .locator('.sheet .not-given')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(heights.length > 1 && new Set(heights).size === 1, `${heights}`);
  const gap = await field(preview, long).evaluate((one) => {
    const [label, given] = ['.label', '.not-given'].map((part) => one.querySelector(part)?.getBoundingClientRect());
    return (given?.left ?? 0) - (label?.right ?? 0);
  });
  assert.ok(gap >= 8, `${gap}`);
  await preview.close();
});

test('every label is above its control, and each level is indented by 12 pixels', async () => {
  for (const width of [400, 900]) {
    const preview = await openPreview({ width });
    await preview.send(scene({ sample: 'short' }));
    await preview.send({ type: 'focus', what: 'input' });
    const found = await preview.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.sheet .field')].map((one) => {
        const label = one.querySelector('.label') as HTMLElement;
        const control = one.querySelector('input, select, textarea') as HTMLElement;
        let depth = 0;
        for (let up = one.closest('.nested'); up; up = up.parentElement?.closest('.nested') ?? null) depth++;
        const [above, below] = [label.getBoundingClientRect(), control.getBoundingClientRect()];
        return {
          name: label.textContent,
          depth,
          left: one.getBoundingClientRect().left,
          gap: below.top - above.bottom,
        };
      }),
    );
    const [first] = found;
    assert.ok(found.some(({ depth }) => depth === 2));
    for (const { name, depth, left, gap } of found) {
      assert.ok(gap >= 0, `${name} at ${width}`);
      if (depth > 0) assert.ok(Math.abs(left - (first?.left ?? 0) - 13 * depth) <= 1, `${name} at ${width}: ${left}`);
    }
    await preview.close();
  }
});

test('a change in the form requests the whole invocation, and remembers its sample and its thread', async () => {
  const preview = await opened({ sample: 'short' });
  await control(preview, 'tone').selectOption('grim');
  const question = asked(await preview.sent());
  assert.deepEqual([question?.origin, question?.invocation?.request], ['short', 'Do it.']);
  assert.equal(question?.invocation?.thread_id, 't-1');
  assert.equal(question?.invocation?.parameters?.tone, 'grim');
  assert.equal(question?.invocation?.parameters?.title, 'Dusk');
  assert.equal(await preview.page.locator('.input-line > select option:checked').textContent(), 'short (edited)');
  await preview.close();
});

test('Enter adds an item to a list, and a button removes an item', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.getByLabel('Add to cast').fill('Bo');
  await page.keyboard.press('Enter');
  assert.deepEqual((await parameters(preview))?.cast, ['Ann', 'Bo']);
  await page.keyboard.type('Cy');
  await page.keyboard.press('Enter');
  assert.deepEqual((await parameters(preview))?.cast, ['Ann', 'Bo', 'Cy'], 'the focus stays for the next');
  await page.getByRole('button', { name: 'Remove cast, item 1' }).click();
  assert.deepEqual((await parameters(preview))?.cast, ['Bo', 'Cy']);
  await control(preview, 'cast, item 1').fill('Di');
  assert.deepEqual((await parameters(preview))?.cast, ['Di', 'Cy']);
  await preview.close();
});

test('the fields of an object are shown below the object, and can be folded', async () => {
  const preview = await opened({ sample: 'short' });
  const sheet = preview.page.locator('.sheet');
  await sheet.getByRole('switch', { name: 'far' }).click();
  assert.deepEqual((await parameters(preview))?.place, { name: 'Vey', far: true, near: { street: 'Low' } });
  await control(preview, 'street').fill('High');
  assert.deepEqual((await parameters(preview))?.place, { name: 'Vey', far: true, near: { street: 'High' } });
  const head = sheet.getByRole('button', { name: 'place' }).first();
  await head.press('Enter');
  assert.equal(await head.getAttribute('aria-expanded'), 'false');
  assert.equal(await control(preview, 'street').count(), 0);
  await preview.close();
});

test('a response to an older request does not overwrite newer input in the form', async () => {
  const preview = await opened({ sample: 'short' });
  const title = control(preview, 'title');
  await title.fill('Dusk falls');
  await preview.send(scene({ sample: 'short' }));
  assert.equal(await title.inputValue(), 'Dusk falls');
  // A compose request of the panel, for example from a code lens of a sample, overwrites the input.
  await preview.send(scene({}));
  assert.equal(await title.inputValue(), '');
  await preview.close();
});

test('an invalid value is marked in its field, its chip, the state and the problems', async () => {
  const preview = await opened({ invocation: { parameters: { title: 'Dusk', beats: 12 } } });
  const { page } = preview;
  const beats = control(preview, 'beats');
  assert.equal(await beats.getAttribute('aria-invalid'), 'true');
  const ids = (await beats.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const said = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  assert.match(said.join(' '), /at most `?9/);
  assert.equal(await page.locator('.state').textContent(), 'Check input');
  assert.match((await page.locator('.chip.refused').textContent()) ?? '', /beats/);
  await page.locator('.strip.warning', { hasText: /beats.*Edit the input/ }).waitFor();
  assert.match((await page.locator('.block.framing').textContent()) ?? '', /Dusk is wry\./, 'the prompt is there');
  await preview.close();
});

test('no field is marked as invalid before it has changed', async () => {
  const lacking = skill(
    'input_schema: {title: string, sure: boolean}\nsamples:\n  empty: {request: Go.}\n',
    '## PromptTemplate: main\n\n{{ title }}\n',
  );
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(showText(lacking, { sample: 'empty' }));
  await preview.send({ type: 'focus', what: 'input' });
  assert.equal(await page.locator('.sheet .field-error:visible').count(), 0);
  assert.equal(await page.locator('.sheet [aria-invalid]').count(), 0);
  const sheet = page.locator('.sheet');
  await control(preview, 'title').fill('a');
  await sheet.getByRole('button', { name: 'Clear title' }).click();
  const ask = asked(await preview.sent());
  const answer = showText(lacking, { sample: 'empty' });
  await preview.send({ ...answer, asked: ask ?? assert.fail() });
  assert.equal(await control(preview, 'title').getAttribute('aria-invalid'), 'true', 'now it was');
  await preview.close();
});

test('a field without a value says whether one is generated, a default, or not given', async () => {
  const origin = (preview: Preview, name: string) =>
    field(preview, name).locator('> .field-head .not-given').first().textContent();
  const preview = await opened({});
  assert.deepEqual(await Promise.all(['title', 'tone', 'cast', 'place', 'far'].map((name) => origin(preview, name))), [
    'generated',
    'default',
    'generated',
    'generated',
    'generated',
  ]);
  await preview.close();
  // Nothing is generated for a sample.
  const text = skill(
    'input_schema: {title: string, tone: {type: string, default: wry}}\nsamples:\n  empty: {}\n',
    'Do it.\n',
  );
  const ofSample = await openPreview();
  await ofSample.send(showText(text, { sample: 'empty' }));
  await ofSample.send({ type: 'focus', what: 'input' });
  assert.deepEqual([await origin(ofSample, 'title'), await origin(ofSample, 'tone')], ['not given', 'default']);
  await ofSample.close();
});

test('a missing value differs from an empty value', async () => {
  const preview = await opened({});
  const { page } = preview;
  const sheet = page.locator('.sheet');
  await control(preview, 'title').fill('a');
  await control(preview, 'title').fill('');
  assert.deepEqual(await parameters(preview), { title: '' }, 'what was emptied is given, and empty');
  assert.equal(await field(preview, 'title').locator('> .field-head .not-given').count(), 0);
  await sheet.getByRole('button', { name: 'Clear title' }).click();
  assert.deepEqual(await parameters(preview), {});
  await sheet.getByRole('switch', { name: 'quick' }).click();
  assert.deepEqual(await parameters(preview), { quick: false });
  await sheet.getByRole('button', { name: 'Clear quick' }).click();
  assert.deepEqual(await parameters(preview), {});
  assert.ok(await sheet.getByRole('switch', { name: 'quick' }).isChecked(), 'as its default says');
  await preview.close();
});

test('the form and the prompt are visible together, in every width, and the form closes with Escape', async () => {
  for (const [width, height] of [
    [267, 420],
    [400, 800],
    [900, 800],
  ] as const) {
    const preview = await openPreview({ width, height });
    const { page } = preview;
    await preview.send(scene({ sample: 'short' }));
    await page.getByRole('button', { name: 'Edit…' }).click();
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? assert.fail(selector);
    const [input, form, prompt] = [await boxOf('.input-line'), await boxOf('.sheet'), await boxOf('.panel-prompt')];
    assert.ok(form.y >= input.y + input.height, 'it covers neither header nor input');
    if (width < 700) assert.ok(form.height >= 100 && form.y + form.height <= prompt.y, 'it is above');
    else assert.ok(prompt.x + prompt.width <= form.x, 'it is beside');
    assert.ok(prompt.height >= 80 && prompt.y + prompt.height <= height, `${width}: ${JSON.stringify(prompt)}`);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.sheet').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Edit…');
    await preview.close();
  }
});

test('the form is a named region before the prompt, and scrolls within itself', async () => {
  const preview = await openPreview({ width: 400 });
  const { page } = preview;
  await preview.send(scene({ sample: 'short' }));
  await page.getByRole('button', { name: 'Edit…' }).click();
  const form = page.getByRole('region', { name: 'Input' });
  assert.ok(await form.locator('.sheet-body').evaluate((body) => body.scrollHeight > body.clientHeight));
  await form.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.getByRole('separator', { name: 'Size of the form' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('tab', { name: 'Prompt' }).and(page.locator(':focus')).waitFor();
  await preview.close();
});

test('the keyboard and the mouse resize the form, and the size is kept', async () => {
  for (const [width, larger, smaller, x, y] of [
    [400, 'ArrowDown', 'ArrowUp', 200, 600],
    [900, 'ArrowLeft', 'ArrowRight', 450, 400],
  ] as const) {
    const preview = await openPreview({ width });
    const { page } = preview;
    await preview.send(scene({ sample: 'short' }));
    await page.getByRole('button', { name: 'Edit…' }).click();
    const separator = page.getByRole('separator');
    const size = () => separator.getAttribute('aria-valuenow');
    await separator.press(larger);
    assert.equal(await size(), '45');
    await separator.press(smaller);
    await separator.press('End');
    assert.equal(await size(), '85');
    await separator.press('Home');
    assert.equal(await size(), '15');
    await separator.hover();
    await page.mouse.down();
    await page.mouse.move(x, y);
    await page.mouse.up();
    const dragged = Number(await size());
    assert.ok(dragged >= 50 && dragged < 85, `${dragged}`);
    const state = await preview.state();
    assert.equal(state?.formShare, dragged);
    const again = await openPreview({ width, ...(state && { state }) });
    await again.send(scene({ sample: 'short' }));
    assert.equal(await again.page.getByRole('separator').getAttribute('aria-valuenow'), String(dragged));
    await again.close();
  }
});

test('the prompt keeps its place while the form opens, changes and closes', async () => {
  const text = skill('input_schema: {title: string}\n', `{{ title }}\n\n${'A line.\n\n'.repeat(200)}`);
  for (const width of [400, 1300]) {
    const preview = await openPreview({ width });
    const { page } = preview;
    await preview.send(showText(text));
    const panel = page.locator('.panel-prompt');
    await panel.evaluate((one) => one.scrollTo(0, 900));
    const top = () => panel.evaluate((one) => one.scrollTop);
    await page.getByRole('button', { name: 'Edit…' }).click();
    await control(preview, 'title').fill('Dusk');
    await preview.send(showText(text, { invocation: { parameters: { title: 'Dusk' } } }));
    assert.match((await page.locator('.blocks').textContent()) ?? '', /Dusk/);
    assert.equal(await top(), 900);
    await page.getByRole('button', { name: 'Close (Escape)' }).click();
    assert.equal(await top(), 900);
    await preview.close();
  }
});

test('the caller is collapsed, and expands if the planner would refuse the invocation', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const text = skill('allowed_contexts: [channel]\ninput_schema: {}\n', 'Do it.\n');
  await preview.send(showText(text));
  assert.equal(await page.locator('.state').textContent(), 'Not allowed here');
  assert.match((await page.locator('.state').getAttribute('title')) ?? '', /context is ‘workspace’/);
  await page.locator('.state').click();
  await page.getByRole('button', { name: 'Choose another source' }).click();
  await page.locator('#source').and(page.locator(':focus')).waitFor();
  await preview.sent();
  await page.locator('#channel').fill('book');
  assert.deepEqual(asked(await preview.sent())?.invocation, { channel: 'book' });
  await preview.close();
});

test(
  'a value of a megabyte is shown in part, but sent completely, and shown completely on request',
  extended,
  async () => {
    const title = 'A word of a long text. '.repeat(45_000);
    const preview = await openPreview();
    await preview.send(scene({ invocation: { parameters: { title } } }));
    await preview.send({ type: 'focus', what: 'input' });
    const sheet = preview.page.locator('.sheet');
    const text = control(preview, 'title');
    assert.ok((await text.inputValue()).length < 21_000);
    await control(preview, 'beats').fill('4');
    assert.equal((await parameters(preview))?.title, title);
    await sheet.getByRole('button', { name: 'Show all 1,035,000 characters' }).click();
    assert.equal((await text.inputValue()).length, title.length);
    await preview.close();
  },
);

test('an optional parameter can be left out, so that no value is generated for it', async () => {
  const optional = skill('input_schema: {title: string, mood: string?}\n', '## PromptTemplate: main\n\n{{ title }}\n');
  const preview = await openPreview();
  await preview.send(showText(optional));
  await preview.send({ type: 'focus', what: 'input' });
  const sheet = preview.page.locator('.sheet');
  await sheet.waitFor();
  await preview.sent();
  assert.equal(await sheet.getByRole('button', { name: 'Leave out title' }).count(), 0, 'it is required');
  const ask = async (name: string) => {
    await sheet.getByRole('button', { name }).click();
    const sent = asked(await preview.sent()) ?? assert.fail();
    await preview.send({ ...showText(optional), asked: sent });
    return sent.omitted;
  };
  assert.deepEqual(await ask('Leave out mood'), ['mood']);
  assert.equal(await field(preview, 'mood').locator('> .field-head .not-given').textContent(), 'left out');
  assert.equal(await ask('Generate mood'), undefined);
  assert.deepEqual(await ask('Leave out mood'), ['mood']);
  await control(preview, 'mood').fill('calm');
  const given = asked(await preview.sent());
  assert.deepEqual([given?.omitted, given?.invocation?.parameters], [undefined, { mood: 'calm' }]);
  await preview.close();
});
