/** The tab *Chosen* of a `SKILL.md`: the chain of five steps, the ranking for a request, and the routing cases. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { chosenOf, clientsOf, SKILL, tidyNotes } from './clients.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { show, uriOf } from './reply.ts';

after(closeBrowser);

const RIVAL = '.claude/skills/sort-scenes/SKILL.md';
const cases = { 'tidy my notes': true, 'order scenes by day': true };

async function openChosen(asked: Parameters<typeof chosenOf>[2] = {}): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(show(tidyNotes, SKILL));
  await preview.send(clientsOf(tidyNotes, SKILL));
  await preview.send({ type: 'focus', what: 'chosen' });
  await preview.send(chosenOf(tidyNotes, SKILL, { client: 'claude-code', ...asked }));
  return preview;
}

test('shows the five steps in order, each with a word, and the answer above them', async () => {
  const preview = await openChosen({ request: 'sort the scenes', cases });
  const { page } = preview;
  const chain = page.getByRole('list', { name: 'Will this skill be chosen?' });
  const heads = await chain.locator('h3').allTextContents();
  assert.deepEqual(heads, ['Found yes', 'Loaded yes', 'Listed in part', 'Chosen no', 'Delivered depends']);
  assert.match(
    (await page.getByRole('status').filter({ hasText: 'Chosen:' }).textContent()) ?? '',
    /sort-scenes ranks first/,
  );
  assert.ok(await chain.getByText('Cut here: the model of Claude Code does not see the rest.').isVisible());
  const sources = chain.locator('details').first();
  await sources.locator('summary').click();
  assert.match((await sources.textContent()) ?? '', /\d{4}-\d\d-\d\d/);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('a rival in the ranking opens its file, and a case selects its text', async () => {
  const preview = await openChosen({ request: 'sort the scenes', cases });
  const { page } = preview;
  await preview.sent();
  await page.getByRole('list', { name: 'Ranking' }).getByRole('button', { name: 'sort-scenes' }).click();
  const [rival] = await preview.sent();
  assert.ok(rival?.type === 'reveal');
  assert.equal(rival.place.uri, uriOf(RIVAL));
  await page.getByRole('button', { name: 'order scenes by day' }).click();
  const [place] = await preview.sent();
  assert.ok(place?.type === 'reveal');
  assert.equal(place.place.uri, uriOf(SKILL));
  await preview.close();
});

test('asks again for a typed request and for another client', async () => {
  const preview = await openChosen();
  const { page } = preview;
  await preview.sent();
  await page.getByLabel('Request').fill('sort the scenes');
  await page.waitForFunction(() =>
    (window as unknown as { sentTypes: () => readonly string[] }).sentTypes().includes('askChosen'),
  );
  const asked = (await preview.sent()).find((one) => one.type === 'askChosen');
  assert.deepEqual(asked, { type: 'askChosen', request: 'sort the scenes' });
  await page.getByLabel('Client', { exact: true }).selectOption('zed');
  const compose = (await preview.sent()).find((one) => one.type === 'compose');
  assert.equal(compose?.asked.client, 'zed');
  await preview.close();
});

test('says which steps are not reached', async () => {
  const preview = await openChosen({ client: 'zed' });
  const chain = preview.page.getByRole('list', { name: 'Will this skill be chosen?' });
  assert.deepEqual((await chain.locator('h3').allTextContents()).slice(0, 2), ['Found no', 'Loaded not reached']);
  assert.equal(await chain.getByText('Not reached, because').count(), 0);
  await preview.close();
});

test('shows the delivered body in the tab Prompt', async () => {
  const preview = await openChosen();
  const { page } = preview;
  await page.getByRole('button', { name: 'Show the body as Claude Code delivers it' }).click();
  assert.equal(await page.getByRole('tab', { name: 'Prompt' }).getAttribute('aria-selected'), 'true');
  await preview.close();
});
