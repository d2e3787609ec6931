/** The form of an invocation: its controls, its requests at each change, and errors at their fields. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ToPanel } from '../../client/src/panels/preview/messages.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { type Ask, type Show, showText, skill } from './reply.ts';

after(closeBrowser);

const schema = `input_schema:
  title: string, what it is called
  tone: {type: string, enum: [grim, wry], default: wry}
  beats: {type: integer, min: 3, max: 9, default: 5}
  quick: {type: boolean, default: true}
  cast: {type: array, items: string}
  place:
    type: object
    properties:
      name: {type: string}
      far: {type: boolean}
samples:
  short:
    request: Do it.
    parameters:
      title: Dusk
      cast: [Ann]
      place: {name: Vey}
`;

const scene = (ask: Ask = {}): Show =>
  showText(skill(schema, '## PromptTemplate: main\n\n{{ title }} is {{ tone }}.\n'), ask);

async function opened(ask: Ask): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(scene(ask));
  await preview.send({ type: 'focus', what: 'form' });
  await preview.sent();
  return preview;
}

/** The last request of the page. */
const asked = (sent: readonly ToPanel[]) => sent.findLast((one) => one.type === 'compose')?.asked;

test('the form has a control for each kind of parameter, with defaults as placeholders', async () => {
  const preview = await opened({});
  const { page } = preview;
  assert.equal(
    await page.getByLabel('tone').evaluate((one) => (one as HTMLSelectElement).options[0]?.text),
    'wry (default)',
  );
  assert.equal(await page.getByLabel('beats').getAttribute('placeholder'), '5');
  assert.equal(await page.getByLabel('beats').getAttribute('max'), '9');
  assert.ok(await page.getByLabel('quick').isChecked());
  assert.equal(await page.getByText('what it is called').count(), 1);
  await preview.close();
});

test('a change in the form requests the whole invocation, and remembers its sample', async () => {
  const preview = await opened({ sample: 'short' });
  await preview.page.getByLabel('tone').selectOption('grim');
  assert.deepEqual(asked(await preview.sent()), {
    invocation: {
      request: 'Do it.',
      parameters: { title: 'Dusk', tone: 'grim', cast: ['Ann'], place: { name: 'Vey' } },
    },
    origin: 'short',
    without: [],
  });
  assert.equal(await preview.page.locator('.fold select option:checked').textContent(), 'short (edited)');
  await preview.close();
});

test('the form adds and removes list items and nests objects', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.getByRole('button', { name: 'Add' }).click();
  await page.keyboard.type('Bo');
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters?.cast, ['Ann', 'Bo']);
  await page.getByRole('button', { name: 'Remove this item' }).first().click();
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters?.cast, ['Bo']);
  await page.getByLabel('far').check();
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters?.place, { name: 'Vey', far: true });
  await preview.close();
});

test('an answer to an older question does not overwrite newer input of the form', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.getByLabel('title').fill('Dusk falls');
  await preview.send(scene({ sample: 'short' }));
  assert.equal(await page.getByLabel('title').inputValue(), 'Dusk falls');
  // A question of the panel itself, as for a code lens of a sample, does overwrite it.
  await preview.send(scene({}));
  assert.equal(await page.getByLabel('title').inputValue(), '');
  await preview.close();
});

test('the form shows an error of a parameter at its field', async () => {
  const preview = await opened({ invocation: { parameters: { title: 'Dusk', beats: 12, cast: [], place: {} } } });
  const field = preview.page.getByLabel('beats');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const said = await Promise.all(ids.map((id) => preview.page.locator(`#${id}`).textContent()));
  assert.match(said.join(' '), /at most `?9/);
  await preview.close();
});

test('a sample is saved with a name, and a refusal is shown at the name', async () => {
  const preview = await opened({ sample: 'short' });
  const { page } = preview;
  await page.getByRole('button', { name: 'Save as sample…' }).click();
  await page.keyboard.type('other');
  await page.keyboard.press('Enter');
  const [saved] = await preview.sent();
  assert.deepEqual(saved?.type === 'saveSample' && [saved.name, saved.invocation.request], ['other', 'Do it.']);
  await preview.send({ type: 'saveRefused', problem: 'The frontmatter does not parse.' });
  assert.equal(await page.getByRole('alert').textContent(), 'The frontmatter does not parse.');
  await preview.close();
});

test('a sample that is picked is requested by its name', async () => {
  const preview = await opened({});
  await preview.page.getByLabel('Sample', { exact: true }).selectOption({ label: 'short' });
  assert.deepEqual(asked(await preview.sent()), { sample: 'short', without: [] });
  await preview.close();
});

test('a button beside an empty field switches between no value and an empty value', async () => {
  const preview = await opened({});
  const { page } = preview;
  const give = async (name: string, button: string) => {
    await page
      .getByRole('group', { name, exact: true })
      .or(page.locator('.member', { has: page.getByLabel(name) }))
      .first()
      .getByRole('button', { name: button })
      .first()
      .click();
    return asked(await preview.sent())?.invocation?.parameters;
  };
  assert.deepEqual(await give('title', 'Give an empty text'), { title: '' });
  assert.deepEqual(await give('cast', 'Give an empty list'), { title: '', cast: [] });
  assert.deepEqual(await give('place', 'Give an empty object'), { title: '', cast: [], place: {} });
  assert.deepEqual(await give('cast', 'Give an empty list'), { title: '', place: {} }, 'a second time takes it back');
  await page.getByLabel('title').fill('Dusk');
  await page.getByLabel('title').fill('');
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters, { place: {} }, 'what was emptied is not given');
  await preview.close();
});

test('an empty value of a sample is shown as given', async () => {
  const preview = await opened({ invocation: { parameters: { title: '', cast: [], place: {} } } });
  const pressed = preview.page.locator('.empty-value[aria-pressed="true"]:visible');
  assert.deepEqual(await pressed.allTextContents(), ['""', '[]', '{}']);
  await preview.close();
});

test('a new empty item of a list stays until something is written in it', async () => {
  const preview = await opened({});
  const { page } = preview;
  await page.getByRole('button', { name: 'Add' }).click();
  await preview.send(scene({}));
  await page.keyboard.type('Ann');
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters?.cast, ['Ann']);
  await preview.close();
});

test('a checkbox can be reset to not given', async () => {
  const preview = await opened({});
  const { page } = preview;
  await page.getByLabel('quick').uncheck();
  assert.deepEqual(asked(await preview.sent())?.invocation?.parameters, { quick: false });
  await page.getByRole('button', { name: 'Do not give it' }).first().click();
  assert.deepEqual(asked(await preview.sent())?.invocation, {});
  assert.ok(await page.getByLabel('quick').isChecked(), 'as its default says');
  await preview.close();
});

test('a parameter of a megabyte is shown in part, sent as a whole, and shown as a whole on request', async () => {
  const title = 'A word of a long text. '.repeat(45_000);
  const preview = await openPreview();
  const show = scene({ invocation: { parameters: { title } } });
  await preview.send(show);
  await preview.send({ type: 'focus', what: 'form' });
  const { page } = preview;
  const field = page.getByLabel('title');
  assert.ok((await field.inputValue()).length < 21_000);
  await page.getByLabel('beats').fill('4');
  assert.equal(asked(await preview.sent())?.invocation?.parameters?.title, title);
  await page.getByRole('button', { name: 'Show all 1,035,000 characters' }).click();
  assert.equal((await field.inputValue()).length, title.length);
  await preview.close();
});
