/** The prompt tab: patches of its text, links to the source, errors, the find box, and long prompts. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ShownSegment } from '../../client/src/panels/preview/messages.ts';
import { manySegments, withTexts } from './large.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { type Show, showText, skill } from './reply.ts';

after(closeBrowser);

const greeting = (body: string): Show =>
  showText(skill('input_schema:\n  who: {type: string, default: world}\n', `## PromptTemplate: main\n\n${body}`));

const textOf = ({ page }: Preview): Promise<string | null> => page.locator('.prompt-text .text').first().textContent();

const segmentsOf = ({ reply }: Show): readonly ShownSegment[] =>
  reply.result.ok ? reply.result.composition.segments : assert.fail('it does not compose');

test('the prompt shows every part exactly, with its name and its tokens', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  const all = await preview.page.locator('.prompt-text .text').allTextContents();
  assert.equal(all.join(''), show.reply.result.ok && show.reply.result.composition.prompt);
  assert.deepEqual(await preview.page.locator('.gutter').allTextContents(), ['framing', 'request']);
  const tokens = (await preview.page.locator('.tokens').allTextContents()).map(Number);
  const total = show.reply.result.ok ? show.reply.result.composition.tokens.total : 0;
  assert.equal(
    tokens.reduce((sum, one) => sum + one, 0),
    total,
  );
  await preview.close();
});

test('a change of the prompt keeps the nodes of other text, and a selection in them', async () => {
  const preview = await openPreview();
  await preview.send(greeting('First line.\n\nSay hello to {{ who }}.\n'));
  await preview.page.evaluate(() => {
    const first = document.querySelector('.piece') as Element;
    (window as unknown as { first: Element }).first = first;
    document.getSelection()?.setBaseAndExtent(first.firstChild as Node, 0, first.firstChild as Node, 5);
  });
  await preview.send(greeting('First line.\n\nSay good night to {{ who }}.\n'));
  assert.match((await textOf(preview)) ?? '', /Say good night to world/);
  const kept = await preview.page.evaluate(
    () => (window as unknown as { first: Element }).first === document.querySelector('.piece'),
  );
  assert.ok(kept);
  assert.equal(await preview.page.evaluate(() => document.getSelection()?.toString()), 'First');
  await preview.close();
});

test('a click on a rendered value opens its expression, selecting text opens nothing', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  await preview.page.locator('.piece.value.sourced').first().click();
  const value = segmentsOf(show).find(({ kind, source }) => kind === 'value' && source);
  assert.deepEqual(await preview.sent(), [{ type: 'reveal', place: value?.source, focus: true }]);
  await preview.page.locator('.piece.authored').first().click({ clickCount: 2 });
  assert.equal((await preview.sent()).length, 1, 'the first click of the two reveals, the second selects a word');
  await preview.close();
});

test('the cursor in the source highlights its output in the prompt', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  const value = segmentsOf(show).find(({ kind, source }) => kind === 'value' && source);
  assert.ok(value?.source);
  const { uri, range } = value.source;
  const inside = { line: range.start.line, character: range.start.character + 3 };
  await preview.send({ type: 'cursor', place: { uri, range: { start: inside, end: inside } }, scroll: true });
  assert.deepEqual(await preview.page.locator('.lit').allTextContents(), ['world']);
  await preview.send({ type: 'cursor', place: null, scroll: true });
  assert.equal(await preview.page.locator('.lit').count(), 0);
  await preview.close();
});

test('arrow keys move between pieces of the prompt, and Enter opens the source', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  await preview.page.getByRole('group', { name: 'Prompt', exact: true }).focus();
  await preview.page.keyboard.press('ArrowDown');
  await preview.page.keyboard.press('ArrowDown');
  await preview.page.keyboard.press('Enter');
  const value = segmentsOf(show).find(({ kind, source }) => kind === 'value' && source);
  assert.deepEqual(await preview.sent(), [{ type: 'reveal', place: value?.source, focus: true }]);
  await preview.close();
});

test('if the budget is exceeded, a button composes without the suggested artifacts', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who.\n');
  const { result } = show.reply;
  if (result.ok) assert.fail();
  const errors = result.errors.map((error) => ({ ...error, trimming: { without: ['Example:long'], tokens: 7000 } }));
  await preview.send({ ...show, reply: { ...show.reply, result: { ...result, errors } } });
  await preview.page.getByRole('button', { name: 'Leave them out here' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: ['Example:long'] } }]);
  await preview.close();
});

test('a skill that does not compose keeps its last good prompt below the errors', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Say hello to {{ who }}.\n'));
  const broken = greeting('Say hello to {{ who.\n');
  await preview.send(broken);
  assert.match((await textOf(preview)) ?? '', /Say hello to world/);
  assert.equal(await preview.page.locator('.prompt.dimmed').count(), 1);
  assert.equal(await preview.page.locator('.state').textContent(), 'does not compose: 1 error');
  await preview.page.locator('.errors .link').click();
  const [error] = broken.reply.result.ok ? [] : broken.reply.result.errors;
  assert.deepEqual(await preview.sent(), [
    { type: 'reveal', place: { uri: error?.uri, range: error?.range }, focus: true },
  ]);
  await preview.send(greeting('Say hello to {{ who }}!\n'));
  assert.equal(await preview.page.locator('.errors li, .dimmed').count(), 0);
  await preview.close();
});

test('a page that was hidden gets the last good prompt from the panel', async () => {
  const preview = await openPreview();
  const good = greeting('Say hello to {{ who }}.\n');
  const lastGood = good.reply.result.ok ? good.reply.result.composition : assert.fail();
  await preview.send({ ...greeting('Say hello to {{ who.\n'), lastGood });
  assert.match((await textOf(preview)) ?? '', /Say hello to world/);
  await preview.close();
});

test('the find box counts matches, wraps around, and returns the focus', async () => {
  const preview = await openPreview();
  await preview.send(greeting('One fish, two fish, {{ who }} FISH.\n'));
  await preview.page.keyboard.press('Control+f');
  await preview.page.keyboard.type('fish');
  const count = preview.page.locator('.find-count');
  assert.equal(await count.textContent(), '1 of 3');
  await preview.page.keyboard.press('Shift+Enter');
  assert.equal(await count.textContent(), '3 of 3');
  await preview.page.keyboard.press('Escape');
  assert.ok(await preview.page.locator('.find').isHidden());
  await preview.close();
});

test('a long prompt is shown in part, with a button for all of it', async () => {
  const preview = await openPreview();
  await preview.send(withTexts(Array(5000).fill('A line of the long prompt that nobody reads to its end.\n')));
  const length = async () => (await preview.page.locator('.prompt-text').textContent())?.length ?? 0;
  assert.ok((await length()) < 210_000);
  // By keyboard, since layout during scrolling moves the button.
  await preview.page.getByRole('button', { name: /^Show all/ }).press('Enter');
  assert.ok((await length()) > 270_000);
  await preview.close();
});

test('in a prompt of 5,000 segments only the nodes of the changed one are touched', async () => {
  const preview = await openPreview();
  await preview.send(manySegments(0));
  await preview.page.evaluate(() => {
    const here = window as unknown as { touched: MutationRecord[] };
    here.touched = [];
    new MutationObserver((all) => here.touched.push(...all)).observe(document.querySelector('.prompt-text') as Node, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await preview.send(manySegments(1));
  assert.match((await textOf(preview)) ?? '', /changed 1 /);
  assert.equal(await preview.page.evaluate('window.touched.length'), 1);
  await preview.close();
});

test('the tabs say when the prompt was copied', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.page.getByRole('button', { name: 'Copy the prompt' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'copyPrompt' }]);
  await preview.send({ type: 'copied' });
  await preview.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await preview.close();
});

test('an error with a quick fix has a button with the title of the fix', async () => {
  const preview = await openPreview();
  const broken = greeting('Say hello to {{ who.\n');
  await preview.send(broken);
  await preview.send({ type: 'fixes', serial: broken.serial, fixes: [{ error: 0, title: 'Close the tag' }] });
  await preview.page.getByRole('button', { name: 'Close the tag' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'fix', serial: broken.serial, error: 0 }]);
  await preview.send({ ...broken, serial: 2 });
  assert.equal(await preview.page.getByRole('button', { name: 'Close the tag' }).count(), 0, 'fixes are of one answer');
  await preview.close();
});

test('lines of the prompt wrap unless turned off, which is kept', async () => {
  const preview = await openPreview({ width: 500 });
  await preview.send(greeting(`${'A long line that does not end. '.repeat(20)}\n`));
  const chunk = preview.page.locator('.chunk').first();
  const lines = (): Promise<number> => chunk.evaluate((one) => Math.round(one.getBoundingClientRect().height / 19));
  const wrapped = await lines();
  await preview.page.getByRole('button', { name: 'Wrap lines' }).click();
  assert.ok((await lines()) < wrapped);
  assert.equal((await preview.state())?.wrap, false);
  await preview.close();
});

test('the tab of decisions ends with the invocation record, also of a skill that does not compose', async () => {
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
