/** The tab of clients in the preview of a `SKILL.md`. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { clientsOf, SKILL, tidyNotes } from './clients.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { sampleFiles, show, uriOf } from './reply.ts';

after(closeBrowser);

interface Sent {
  readonly sentTypes: () => readonly string[];
}

const shown = show(tidyNotes, SKILL);
const told = clientsOf(tidyNotes, SKILL);

async function openClients(options: Parameters<typeof openPreview>[0] = {}): Promise<Preview> {
  const preview = await openPreview(options);
  await preview.send(shown);
  await preview.send(told);
  await preview.send({ type: 'focus', what: 'clients' });
  return preview;
}

test('the targets stand first, each cell with a word, and the other clients are folded', async () => {
  const preview = await openClients();
  const { page } = preview;
  const targets = page.getByRole('table', { name: 'Target clients' });
  assert.deepEqual(await targets.getByRole('rowheader').allTextContents(), ['Claude Code', 'VS Code', 'OpenAI Codex']);
  assert.deepEqual(await targets.getByRole('columnheader').allTextContents(), [
    'client',
    'found',
    'loaded',
    'listed',
    'chosen',
    'cut',
    'ignored',
  ]);
  const claude = targets.getByRole('row', { name: /Claude Code/ });
  assert.equal(await claude.locator('td').nth(4).textContent(), 'yes');
  assert.equal(await claude.locator('td').nth(4).locator('svg').count(), 1);
  assert.ok(await page.getByText('21 other clients').isVisible());
  assert.equal(await page.getByRole('rowheader', { name: 'Zed' }).isVisible(), false);
  await page.getByText('21 other clients').click();
  assert.equal(await page.getByRole('rowheader', { name: 'Zed' }).isVisible(), true);
  assert.deepEqual(preview.complaints, []);
  await preview.close();
});

test('a cell that something in the file causes says why, and leads there', async () => {
  const preview = await openClients();
  const row = preview.page.getByRole('row', { name: /Claude Code/ });
  const cell = row.locator('td').nth(4).getByRole('button');
  assert.match((await cell.getAttribute('title')) ?? '', /1,536[\s\S]*2026-11-23/);
  await preview.sent();
  await cell.click();
  const [message] = await preview.sent();
  assert.ok(message?.type === 'reveal');
  assert.equal(message.place.uri, uriOf(SKILL));
  assert.equal(message.place.range.start.line, 2);
  await preview.close();
});

test('the reasons of a client open by the keyboard, with source and day, and what nobody verified looks so', async () => {
  const preview = await openClients();
  const { page } = preview;
  const opener = page.getByRole('button', { name: 'Claude Code' });
  await opener.focus();
  await page.keyboard.press('Enter');
  assert.equal(await opener.getAttribute('aria-expanded'), 'true');
  const reasons = page.locator('.reasons-of');
  assert.match((await reasons.textContent()) ?? '', /2026-11-23/);
  const unverified = reasons.locator('dd.unverified').first();
  assert.match((await unverified.textContent()) ?? '', /not verified/);
  assert.equal(await unverified.evaluate((one) => getComputedStyle(one).borderLeftStyle), 'dashed');
  await page.keyboard.press('Enter');
  assert.equal(await reasons.count(), 0);
  await preview.close();
});

test('a skill that is no SKILL.md has no tab of clients, and shows its prompt where that tab was open', async () => {
  const preview = await openClients();
  const { page } = preview;
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  assert.equal(await page.getByRole('tab', { name: 'Clients' }).count(), 0);
  assert.equal(await page.getByRole('tab', { name: 'Prompt' }).getAttribute('aria-selected'), 'true');
  assert.ok(await page.locator('.blocks').isVisible());
  await preview.close();
});

test('clients are asked for while something tells of them, and once for several edits', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const asked = async () => (await preview.sent()).filter(({ type }) => type === 'askClients').length;
  const wait = () => page.waitForFunction(() => (window as unknown as Sent).sentTypes().includes('askClients'));
  await preview.send(shown);
  await wait();
  await preview.send(told);
  assert.equal(await asked(), 1);
  for (const serial of [2, 3, 4]) await preview.send({ ...shown, serial });
  await wait();
  assert.equal(await asked(), 1);
  await preview.send({ type: 'focus', what: 'why' });
  await preview.send({ ...shown, serial: 5 });
  await preview.send({ type: 'focus', what: 'clients' });
  await wait();
  assert.equal(await asked(), 1);
  await preview.close();
});
