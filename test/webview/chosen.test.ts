/** The tab *Chosen* of a `SKILL.md`: the chain of five steps, the ranking for a request, and the routing cases. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ShownChoice } from '../../client/src/panels/preview/messages.ts';
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

test('keeps the request as a routing case, and says when it is one', async () => {
  const preview = await openChosen({ request: 'sort the scenes', cases });
  const { page } = preview;
  const should = page.getByRole('button', { name: 'It should choose this skill' });
  assert.equal(await should.count(), 0);
  await page.getByLabel('Request').fill('sort  the scenes ');
  await preview.sent();
  await should.click();
  await page.getByRole('button', { name: 'It should not', exact: true }).click();
  const kept = (await preview.sent()).filter(({ type }) => type === 'keepCase');
  assert.deepEqual(kept, [
    { type: 'keepCase', request: 'sort the scenes', should: true },
    { type: 'keepCase', request: 'sort the scenes', should: false },
  ]);
  await page.getByLabel('Request').fill('tidy my notes');
  await page.getByText('This request is a routing case that should choose this skill.').waitFor();
  assert.equal(await should.count(), 0);
  await preview.close();
});

test('the sentence about a kept case has the focus of its button, and takes it from no field', async () => {
  const preview = await openChosen({ request: 'sort the scenes', cases });
  const { page } = preview;
  const known = page.getByText('This request is a routing case that should choose this skill.');
  await page.getByLabel('Request').fill('sort the scenes');
  await preview.sent();
  await page.getByRole('button', { name: 'It should choose this skill' }).press('Enter');
  const kept = { client: 'claude-code', request: 'sort the scenes', cases: { ...cases, 'sort the scenes': true } };
  await preview.send(chosenOf(tidyNotes, SKILL, kept));
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('This request is a routing case'));
  await page.getByLabel('Request').fill('another request');
  await page.getByLabel('Request').fill('sort the scenes');
  await known.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
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

test('shows the text of the client around the body, and who must allow a call', async () => {
  const preview = await openChosen();
  const { page } = preview;
  const frame = page.getByRole('figure');
  assert.equal(await frame.count(), 1);
  assert.match(
    (await frame.textContent()) ?? '',
    /^Text of every callBase directory for this skill: \/.*\/tidy-notes\n\n\[the body\]$/,
  );
  await preview.send(chosenOf(tidyNotes, SKILL, { client: 'zed' }));
  assert.equal(await frame.count(), 0);
  await preview.close();
});

const choice: ShownChoice = {
  ...{ uri: uriOf(SKILL), client: { id: 'claude-code', name: 'Claude Code' }, request: 'sort the scenes' },
  ...{ model: 'GPT-x', trials: 3, counted: [], isRunning: true, time: 0, isExact: true, isOlder: false },
};
const ownChoice = { kind: 'skill', name: 'tidy-notes', uris: [uriOf(SKILL)] } as const;
const rivalChoice = { kind: 'skill', name: 'sort-scenes', uris: [uriOf(RIVAL)] } as const;

test('asks a model for the typed request, and not without a request or for a skill that it does not see', async () => {
  const preview = await openChosen();
  const { page } = preview;
  const ask = page.getByRole('button', { name: 'Ask a model…' });
  await preview.sent();
  await ask.click({ force: true });
  assert.deepEqual(await preview.sent(), []);
  assert.equal(await ask.getAttribute('title'), 'Enter a request first.');
  await page.getByLabel('Request').fill(' sort the scenes ');
  await page.getByLabel('Number of trials').selectOption('5');
  await ask.click();
  assert.deepEqual(
    (await preview.sent()).filter(({ type }) => type === 'askModel'),
    [{ type: 'askModel', client: 'claude-code', request: 'sort the scenes', trials: 5 }],
  );
  await preview.send(chosenOf(tidyNotes, SKILL, { client: 'zed' }));
  assert.equal(await ask.getAttribute('title'), 'The model of Zed does not see this skill in its list.');
  await preview.close();
});

test('shows the progress of a model with a button to stop it, and then its choices', async () => {
  const preview = await openChosen({ request: 'sort the scenes' });
  const { page } = preview;
  await preview.send({ type: 'choice', choice: { ...choice, counted: [{ choice: rivalChoice, count: 1 }] } });
  await page.getByText('Asking GPT-x: 1 of 3 answers').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Ask a model…' }).count(), 0);
  await preview.sent();
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'stopModel' }]);
  const hostile = '<img src=x onerror="document.title=1"> I will not.';
  const counted = [
    { choice: rivalChoice, count: 4 },
    { choice: ownChoice, count: 3 },
    { choice: { kind: 'none' } as const, count: 1 },
    { choice: { kind: 'unclear', said: hostile } as const, count: 1 },
  ];
  await preview.send({ type: 'choice', choice: { ...choice, trials: 10, counted, isRunning: false } });
  await page.getByRole('status').filter({ hasText: 'GPT-x chose: sort-scenes 4 of 9, tidy-notes 3 of 9' }).waitFor();
  const section = page.getByRole('region', { name: 'Choice of a model' });
  assert.match((await section.textContent()) ?? '', /GPT-x chose for “sort the scenes”/);
  assert.deepEqual(await section.getByRole('listitem').allTextContents(), [
    'sort-scenes4 of 9',
    'tidy-notes3 of 9',
    'no skill1 of 9',
    `an unclear answer1 of 9${hostile}`,
  ]);
  await section.getByText(/^Claude Code, .* · ended after 9 of 10 trials$/).waitFor();
  await section.getByRole('button', { name: 'sort-scenes' }).click();
  const [rival] = await preview.sent();
  assert.ok(rival?.type === 'reveal');
  assert.equal(rival.place.uri, uriOf(RIVAL));
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('shows why a model gave no more answers, and that its choice is older', async () => {
  const preview = await openChosen({ request: 'sort the scenes' });
  const { page } = preview;
  const problem = 'GPT-x is not accepting requests at the moment.';
  const ended = { ...choice, isRunning: false, isExact: false, isOlder: true, problem };
  await preview.send({ type: 'choice', choice: ended });
  const section = page.getByRole('region', { name: 'Choice of a model' });
  await section.getByText(problem).waitFor();
  await section
    .getByText(/older: for another request.*ended after 0 of 3 trials.*exact list .* is not known/)
    .waitFor();
  await preview.send({
    type: 'choice',
    choice: { ...ended, uri: uriOf(RIVAL), problem: 'Only the rival has this problem.' },
  });
  assert.equal(await page.getByText('Only the rival has this problem.').count(), 0);
  await preview.close();
});
