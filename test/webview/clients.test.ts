/** The preview of a `SKILL.md`: the Chosen tab, and the cards with the text that a model reads at each stage. */
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

/** The same files with a target client about which much is not verified. */
const ofCursor = { ...tidyNotes, 'skills.config.yaml': 'agent_skills: {clients: [cursor]}\n' };

async function openClients(options: Parameters<typeof openPreview>[0] = {}): Promise<Preview> {
  const preview = await openPreview(options);
  await preview.send(shown);
  await preview.send(told);
  await preview.send({ type: 'focus', what: 'chosen' });
  return preview;
}

test('target clients come first, each cell contains a word, and the other clients are collapsed', async () => {
  const preview = await openClients();
  const { page } = preview;
  const targets = page.getByRole('table', { name: 'Target clients' });
  assert.deepEqual(await targets.getByRole('rowheader').allTextContents(), [
    'Claude Code',
    'VS Code (read)',
    'OpenAI Codex',
  ]);
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
  assert.ok(await page.getByText(/Cut by \d: .*Claude Code/).isVisible());
  assert.ok(await page.getByText('29 other clients').isVisible());
  assert.equal(await page.getByRole('rowheader', { name: 'Zed' }).isVisible(), false);
  await page.getByText('29 other clients').click();
  assert.equal(await page.getByRole('rowheader', { name: 'Zed' }).isVisible(), true);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('a button opens the choice of clients, also without target clients', async () => {
  for (const isTarget of [true, false]) {
    const preview = await openPreview({});
    await preview.send(shown);
    const clients = told.view.clients.map((one) => ({ ...one, isTarget: one.isTarget && isTarget }));
    await preview.send({ ...told, view: { ...told.view, clients } });
    await preview.send({ type: 'focus', what: 'chosen' });
    const button = preview.page.getByRole('button', { name: 'Choose clients…' });
    await button.focus();
    await button.press('Enter');
    assert.ok((await preview.sent()).some(({ type }) => type === 'chooseClients'));
    await preview.close();
  }
});

test('without target clients, all clients are shown, but not as other clients', async () => {
  const preview = await openPreview({});
  await preview.send(shown);
  await preview.send({
    ...told,
    view: { ...told.view, clients: told.view.clients.map((one) => ({ ...one, isTarget: false })) },
  });
  await preview.send({ type: 'focus', what: 'chosen' });
  await preview.page.getByText('32 clients', { exact: true }).waitFor();
  const loading = told.view.clients.filter(({ cells }) => cells.loaded.outcome === 'no').map(({ name }) => name);
  const sum = loading.length === 0 ? 'All of these clients load the skill.' : `: ${loading.join(', ')}.`;
  await preview.page.getByText(sum).waitFor();
  assert.equal(await preview.page.getByRole('rowheader', { name: 'Zed' }).isVisible(), true);
  await preview.close();
});

test('a cell with a cause in the file shows the reason, and links to the cause', async () => {
  const preview = await openClients();
  const row = preview.page.getByRole('row', { name: /Claude Code/ });
  const cell = row.locator('td').nth(4).getByRole('button');
  assert.match((await cell.getAttribute('title')) ?? '', /1,536[\s\S]*\d{4}-\d\d-\d\d/);
  await preview.sent();
  await cell.click();
  const [message] = await preview.sent();
  assert.ok(message?.type === 'reveal');
  assert.equal(message.place.uri, uriOf(SKILL));
  assert.equal(message.place.range.start.line, 2);
  await preview.close();
});

test('the reasons of a client can be opened with the keyboard, and show a date and unverified facts', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(show(ofCursor, SKILL));
  await preview.send(clientsOf(ofCursor, SKILL));
  await preview.send({ type: 'focus', what: 'chosen' });
  const opener = page.getByRole('button', { name: 'Cursor' });
  await opener.focus();
  await page.keyboard.press('Enter');
  assert.equal(await opener.getAttribute('aria-expanded'), 'true');
  const reasons = page.locator('.reasons-of');
  assert.match((await reasons.textContent()) ?? '', /\d{4}-\d\d-\d\d/);
  const unverified = reasons.locator('dd.unverified').first();
  assert.match((await unverified.textContent()) ?? '', /not verified/);
  assert.equal(await unverified.evaluate((one) => getComputedStyle(one).borderLeftStyle), 'dashed');
  await page.keyboard.press('Enter');
  assert.equal(await reasons.count(), 0);
  await preview.close();
});

test('a skill that is not a SKILL.md has no Chosen tab, and shows its prompt if this tab was open', async () => {
  const preview = await openClients();
  const { page } = preview;
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  assert.equal(await page.getByRole('tab', { name: 'Chosen' }).count(), 0);
  assert.equal(await page.getByRole('tab', { name: 'Prompt' }).getAttribute('aria-selected'), 'true');
  assert.ok(await page.locator('.blocks').isVisible());
  await preview.close();
});

test('a SKILL.md, with a name in any case, has the tabs of clients, and no tabs about steps and omitted parts', async () => {
  const preview = await openPreview();
  const small = SKILL.replace('SKILL.md', 'skill.md');
  const { [SKILL]: text = '', ...others }: Readonly<Record<string, string>> = ofCursor;
  const files = { ...others, [SKILL]: text, [small]: text };
  const expected = [
    [SKILL, ['Prompt', 'Chosen', 'Abilities']],
    [small, ['Prompt', 'Chosen', 'Abilities']],
  ] as const;
  for (const [file, tabs] of expected) {
    await preview.send(show(files, file));
    assert.deepEqual(await preview.page.getByRole('tab').allTextContents(), tabs);
  }
  await preview.close();
});

test('requests the clients once for several edits while the clients are shown', async () => {
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
  await preview.send({ type: 'focus', what: 'chosen' });
  await wait();
  assert.equal(await asked(), 1);
  await preview.close();
});

async function openCards(options: Parameters<typeof openPreview>[0] = {}): Promise<Preview> {
  const preview = await openPreview(options);
  await preview.send(shown);
  await preview.send(told);
  return preview;
}

test('the listed line is truncated as the chosen client truncates it', async () => {
  const preview = await openCards();
  const { page } = preview;
  const card = page.getByRole('region', { name: 'Always listed' });
  const claude = (await card.locator('.listing-line').textContent()) ?? '';
  assert.match(claude, /^- tidy-notes: Tidies .*…$/);
  assert.equal(await card.getByText('Exact form not known').count(), 0);
  assert.ok(await card.getByText('Cut here: the model of Claude Code does not see the rest.').isVisible());
  await preview.sent();
  await card.getByRole('button', { name: 'Go to the location' }).click();
  const [reveal] = await preview.sent();
  assert.ok(reveal?.type === 'reveal' && reveal.place.range.start.line === 2);
  await card.getByRole('combobox', { name: 'Show for client' }).selectOption({ label: 'VS Code' });
  const code = (await card.locator('.listing-line').textContent()) ?? '';
  assert.ok(code.length < claude.length, `${code.length} < ${claude.length}`);
  assert.match(code, /^<skill>\n<name>tidy-notes<\/name>\n/);
  assert.equal(await card.getByText('Exact form not known').count(), 0);
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: [], client: 'vscode' } }]);
  await card.getByRole('combobox').selectOption({ label: 'OpenAI Codex' });
  await card.getByText('The model of OpenAI Codex does not see this skill.').waitFor();
  await preview.close();
});

test('a line whose exact form is not known is marked', async () => {
  const preview = await openPreview();
  await preview.send(show(ofCursor, SKILL));
  await preview.send(clientsOf(ofCursor, SKILL));
  const card = preview.page.getByRole('region', { name: 'Always listed' });
  await card.getByText('Exact form not known').waitFor();
  await preview.close();
});

test('shows the sizes of the lists in target clients that have a budget', async () => {
  const preview = await openCards();
  const list = preview.page.getByRole('list', { name: 'Budgets for the skill lists' });
  const [claude, code] = await list.getByRole('listitem').allTextContents();
  assert.match(
    claude ?? '',
    /^Claude CodeClaude Code lists skills in 30,000 characters for its default model \(1,000,000 tokens of context\); its 13 own skills take 6,076, which leaves 23,924\. The 2 skills here need [\d,]+ characters$/,
  );
  assert.match(
    code ?? '',
    /^VS CodeVS Code lists skills in 15,000 characters, only with .+\. The 2 skills here need [\d,]+ characters$/,
  );
  await preview.close();
});

test('names the entries that a list over its budget does not show in full', async () => {
  const long = (name: string) =>
    `---\nname: ${name}\ndescription: ${'Words and more words. '.repeat(40).trim()}\n---\n\nDo it.\n`;
  const names = Array.from({ length: 70 }, (_, at) => `skill-${String(at).padStart(2, '0')}`);
  const files = {
    'skills.config.yaml': 'agent_skills: {clients: [zed]}\n',
    ...Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, long(name)])),
  };
  const path = '.agents/skills/skill-00/SKILL.md';
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(show(files, path));
  await preview.send(clientsOf(files, path));
  await page.getByText('Entries not listed in full').click();
  const entry = page.locator('.touched li').last();
  assert.match((await entry.textContent()) ?? '', /^skill-\d\dleft out$/);
  await preview.sent();
  await entry.getByRole('button').click();
  const [reveal] = await preview.sent();
  assert.ok(reveal?.type === 'reveal' && /skill-\d\d\/SKILL\.md$/.test(reveal.place.uri));
  await preview.close();
});

test('a linked file is listed with its tokens, and a missing file links to the reference', async () => {
  const preview = await openCards();
  const { page } = preview;
  const card = page.getByRole('region', { name: 'On demand' });
  assert.deepEqual(await card.getByRole('listitem').allTextContents(), [
    'references/forms.md≈ 10',
    'references/names.mddoes not exist',
  ]);
  await preview.sent();
  await card.getByRole('button', { name: 'references/forms.md' }).click();
  await card.getByRole('button', { name: 'references/names.md' }).click();
  const places = (await preview.sent()).flatMap((message) => (message.type === 'reveal' ? [message.place.uri] : []));
  assert.deepEqual(places, [uriOf('.claude/skills/tidy-notes/references/forms.md'), uriOf(SKILL)]);
  await preview.close();
});

test('shows a field for each named argument, and the commands in the body', async () => {
  const preview = await openCards();
  const { page } = preview;
  const card = page.getByRole('region', { name: 'When chosen' });
  assert.match((await page.locator('.blocks').textContent()) ?? '', /notes about \$person, as of \$day: \$ARGUMENTS/);
  assert.equal(await card.locator('.commands code').textContent(), 'git log -3');
  assert.equal(
    await card.locator('.commands p').textContent(),
    '1 command in the body. Claude Code runs commands before the model reads the text. The preview shows commands but never runs them.',
  );
  await preview.sent();
  await card.getByLabel('person', { exact: true }).fill('old Mara');
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: [], arguments: '"old Mara"' } }]);
  await preview.send(show(tidyNotes, SKILL, { arguments: '"old Mara" dusk' }));
  assert.match(
    (await page.locator('.blocks').textContent()) ?? '',
    /notes about old Mara, as of dusk: "old Mara" dusk\./,
  );
  assert.equal(await card.getByLabel('day', { exact: true }).inputValue(), 'dusk');
  await card.getByRole('button', { name: 'Show the body as written' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: [] } }]);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('keeps the client and the arguments when the input changes', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const call = { client: 'goose', arguments: 'dusk' };
  await preview.send(show(tidyNotes, SKILL, call));
  await preview.sent();
  await page.getByRole('combobox', { name: 'Input' }).selectOption({ label: 'Own input' });
  await page.getByLabel('Request').fill('Tidy up.');
  const asked = (await preview.sent()).flatMap((message) => (message.type === 'compose' ? [message.asked] : []));
  assert.deepEqual(asked, [
    { ...call, invocation: { parameters: {} }, without: [] },
    { ...call, invocation: { parameters: {}, request: 'Tidy up.' }, without: [] },
  ]);
  await preview.close();
});

test('does not offer to save a sample of a SKILL.md', async () => {
  const preview = await openCards();
  await preview.send({ type: 'focus', what: 'input' });
  await preview.page.getByLabel('Request').waitFor();
  assert.equal(await preview.page.getByLabel('Save as sample').count(), 0);
  await preview.close();
});

test("typing keeps the arguments visible for any position of the editor's cursor", async () => {
  const preview = await openPreview({ height: 300 });
  const { page } = preview;
  const lines = Array.from({ length: 80 }, (_, at) => `Line ${at} of $ARGUMENTS.\n`).join('\n');
  const files = { [SKILL]: `---\nname: tidy-notes\ndescription: Tidies notes.\n---\n\n${lines}` };
  await preview.send(show(files, SKILL, { client: 'claude-code' }));
  await preview.send(clientsOf(files, SKILL));
  const at = { line: 150, character: 0 };
  const field = page.getByLabel('Arguments', { exact: true });
  await preview.send({ type: 'cursor', place: { uri: uriOf(SKILL), range: { start: at, end: at } }, scroll: true });
  const panel = page.locator('#panel-prompt');
  assert.ok((await panel.evaluate(({ scrollTop }) => scrollTop)) > 0, 'the prompt scrolls to the cursor');
  await field.focus();
  const before = await panel.evaluate(({ scrollTop }) => scrollTop);
  await page.keyboard.insertText('dusk');
  await preview.send(show(files, SKILL, { client: 'claude-code', arguments: 'dusk' }));
  assert.equal(await panel.evaluate(({ scrollTop }) => scrollTop), before);
  await preview.close();
});

test('a folded level hides its content, and stays folded after a reload', async () => {
  const preview = await openCards();
  const { page } = preview;
  await page.getByRole('button', { name: 'When chosen' }).click();
  await page.getByText('Merge notes about').waitFor({ state: 'hidden' });
  assert.deepEqual((await preview.state())?.folded, ['level:chosen']);
  await preview.close();
});

test('a skill that is not a SKILL.md has no cards', async () => {
  const preview = await openCards();
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  assert.equal(await preview.page.locator('.card').count(), 0);
  await preview.close();
});

test('an empty SKILL.md shows a note instead of its body', async () => {
  const files = { [SKILL]: '' };
  const preview = await openPreview();
  await preview.send(show(files, SKILL));
  await preview.send(clientsOf(files, SKILL));
  const topOf = async (text: string): Promise<number> =>
    (await preview.page.getByText(text).first().boundingBox())?.y ?? assert.fail(text);
  const nothing = await topOf('The prompt is empty');
  assert.ok((await topOf('When chosen')) < nothing && nothing < (await topOf('On demand')));
  await preview.close();
});

test('the symbol of a cell agrees with its word and its column, and the clients need little room at each width', async () => {
  const symbols: Record<string, string> = {
    'found yes': 'good',
    'found no': 'bad',
    'chosen model, name': 'good',
    'chosen model only': 'part',
    'chosen name only': 'part',
    'chosen none': 'bad',
    'cut yes': 'part',
    'cut no': 'none',
  };
  const expected = (column: string, word: string): string | undefined => {
    if (word === 'unknown') return 'open';
    const like = column === 'ignored' ? 'cut' : column === 'chosen' ? column : column === 'cut' ? column : 'found';
    return symbols[`${like} ${word}`];
  };
  for (const width of [400, 499, 500, 641, 800]) {
    const preview = await openClients({ width });
    const { page } = preview;
    await page.getByText('29 other clients').click();
    // From 500 pixels on, the clients are rows below the names of the columns.
    const header = page.getByRole('table', { name: 'Other clients' }).getByRole('columnheader', { name: 'found' });
    assert.equal(await header.isVisible(), width >= 500, `${width}`);
    const cells = await page.locator('.client td').evaluateAll((all) =>
      all.map((one) => ({
        column: (one as HTMLElement).dataset.column ?? '',
        word: one.querySelector('.outcome span')?.textContent ?? '',
        tone: one.querySelector('.outcome')?.classList[1] ?? '',
        right: one.querySelector('.outcome')?.getBoundingClientRect().right ?? Infinity,
        end: one.getBoundingClientRect().right,
      })),
    );
    assert.equal(cells.length, 32 * 6);
    const heights = await page.locator('tr.client').evaluateAll((all) => all.map((one) => one.clientHeight));
    const total = heights.reduce((sum, height) => sum + height, 0);
    assert.ok(total <= (width < 500 ? 2_600 : 1_900), `${width}: ${total}`);
    for (const { column, word, tone, right, end } of cells) {
      assert.equal(tone, expected(column, word), `${column} ${word}`);
      assert.ok(right <= Math.min(width, end), `${width}: ${column} ${word}`);
    }
    await preview.close();
  }
});

test('the header counts a client that finds a copy of the skill as one that loads it', async () => {
  const path = '.agents/skills/tidy-notes/SKILL.md';
  const text = tidyNotes[SKILL] ?? assert.fail();
  const files = { [path]: text, 'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex]}\n' };
  const preview = await openPreview();
  await preview.send(show(files, path));
  await preview.send(clientsOf(files, path));
  await preview.page.getByText('Not loaded by 1 of 2').first().waitFor();
  await preview.send(clientsOf({ ...files, '.claude/skills/tidy-notes/SKILL.md': text }, path));
  await preview.page.getByText('Not loaded by 1 of 2').first().waitFor({ state: 'detached' });
  await preview.send({ type: 'focus', what: 'chosen' });
  await preview.page.getByText('All of these clients load the skill.').first().waitFor();
  await preview.close();
});
