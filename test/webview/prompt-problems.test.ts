/** A skill with errors: its last valid prompt, the strip of problems, and their fixes. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ShownFinding } from '../../client/src/panels/preview/messages.ts';
import { BROKEN, greeting, textOf } from './greeting.ts';
import { closeBrowser, openPreview } from './page.ts';
import { finding, showText, skill } from './reply.ts';

after(closeBrowser);

test('if the budget is exceeded, a button requests a prompt without the suggested artifacts', async () => {
  const preview = await openPreview();
  const show = greeting(BROKEN);
  const { result } = show.reply;
  if (result.ok) assert.fail();
  const errors = result.errors.map((error) => ({ ...error, trimming: { without: ['Example:long'], tokens: 7000 } }));
  await preview.send({ ...show, reply: { ...show.reply, result: { ...result, errors } } });
  await preview.page.getByRole('button', { name: 'Leave out of the preview' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: ['Example:long'] } }]);
  await preview.close();
});

test('a skill that does not compose keeps its last valid prompt, and links to the location of the error', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Say hello to {{ who }}.\n'));
  const top = (): Promise<number | undefined> =>
    preview.page.evaluate(() => document.querySelector('.paragraph')?.getBoundingClientRect().top);
  const before = await top();
  const broken = greeting(BROKEN);
  await preview.send(broken);
  assert.match(await textOf(preview), /Say hello to world/);
  await preview.page.getByText('1 problem', { exact: true }).waitFor();
  assert.equal(await top(), before, 'the prompt does not move');
  assert.equal(await preview.page.locator('.state').textContent(), 'Broken');
  await preview.sent();
  await preview.page.locator('.strip > .link').click();
  const [error] = broken.reply.result.ok ? [] : broken.reply.result.errors;
  assert.deepEqual(await preview.sent(), [
    { type: 'reveal', place: { uri: error?.uri, range: error?.range }, focus: true },
  ]);
  await preview.send(greeting('Say hello to {{ who }}!\n'));
  await preview.page.getByText('No problems').waitFor();
  await preview.close();
});

test('a problem that is fixed before a pause in typing is never shown', async () => {
  const preview = await openPreview();
  await preview.page.clock.install();
  await preview.send(greeting('Say hello to {{ who }}.\n'));
  await preview.send(greeting(BROKEN));
  await preview.page.clock.runFor(300);
  await preview.send(greeting('Say hello to {{ who }}!\n'));
  await preview.page.clock.runFor(1000);
  assert.equal(await preview.page.locator('.strip').textContent(), 'No problems');
  await preview.close();
});

test('a sample whose test fails is not ready, and a test that was not run is said to be so', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const show = greeting('Hello.\n');
  const { uri } = show.reply;
  const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 9 } };
  const failing = (isSoft: boolean) => ({
    failed: [{ uri, range, isSoft, message: 'Test `ada › contains Bob` fails. The text does not contain `Bob`.' }],
    isPartial: false,
  });
  const send = (serial: number, expected: NonNullable<typeof show.reply.expected>) =>
    preview.send({ ...show, serial, reply: { ...show.reply, madeUp: [], version: serial, expected } });
  await send(2, failing(false));
  await page.locator('.strip.error', { hasText: 'Test ada › contains Bob fails.' }).waitFor();
  assert.equal(await page.locator('.state').textContent(), 'Test fails');
  await send(3, failing(true));
  await page.locator('.strip.warning', { hasText: 'Test ada › contains Bob fails.' }).waitFor();
  assert.equal(await page.locator('.state').textContent(), 'Ready');
  await send(4, { failed: [], isPartial: true });
  await page.locator('.strip', { hasText: 'What the sample expects of a run or an output was not tested' }).waitFor();
  await send(5, { failed: [], isPartial: false });
  await page.getByText('No problems', { exact: true }).waitFor();
  await preview.close();
});

test('the strip shows the findings in the file, each with its fix', async () => {
  const preview = await openPreview();
  const show = greeting('Hello.\n');
  await preview.send(show);
  const warning: ShownFinding = { ...finding, severity: 'warning', message: 'Nobody uses it.', rule: 'unused' };
  const { uri } = show.reply;
  await preview.send({ type: 'findings', uri, findings: [{ ...warning, fix: 'Remove it' }, finding] });
  await preview.page.getByText('2 problems').waitFor();
  assert.match((await preview.page.locator('.strip .first').textContent()) ?? '', /topci/, 'errors first');
  await preview.page.getByRole('button', { name: 'Replace with topic' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'fix', finding }]);
  await preview.page.getByRole('button', { name: 'Show all problems' }).click();
  await preview.page.getByRole('button', { name: 'Remove it' }).waitFor();
  await preview.send({ type: 'findings', uri: 'file:///skills-here/other.md', findings: [] });
  assert.equal(await preview.page.getByText('2 problems').count(), 1, 'those of another file change nothing');
  await preview.close();
});

test('a skill that is invalid from the start shows its valid parts, and names its missing parts', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Say hello to {{ who }} about {{ topci }}.\n'));
  assert.match(await textOf(preview), /Say hello to world about \{\{ topci \}\}\./);
  const gap = preview.page.getByRole('group', { name: /^Missing: ‘topci’ is undefined/ });
  assert.equal(await gap.textContent(), '{{ topci }}');
  assert.match((await gap.getAttribute('title')) ?? '', /^Missing/);
  await preview.sent();
  await gap.click();
  const [revealed] = await preview.sent();
  assert.equal(revealed?.type, 'reveal', 'a click on it opens its source');
  await preview.close();
});

test('the strip is always one line with the same height, and its list covers the prompt', async () => {
  const preview = await openPreview({ width: 400 });
  const { page } = preview;
  const show = greeting('Hello.\n');
  await preview.send(show);
  const places = () =>
    page.evaluate(() =>
      ['.strip', '.paragraph'].map((one) => {
        const { top, height } = document.querySelector(one)?.getBoundingClientRect() ?? {};
        return one === '.strip' ? [top, height] : [top];
      }),
    );
  const before = await places();
  const long = { ...finding, message: 'A very long message. '.repeat(30), fix: 'A long fix, too. '.repeat(10) };
  await preview.send({ type: 'findings', uri: show.reply.uri, findings: [long, finding, finding] });
  await page.getByText('3 problems').waitFor({ state: 'attached' });
  assert.deepEqual(await places(), before);
  await page.getByRole('button', { name: 'Show all problems' }).click();
  assert.equal(await page.locator('.problem-list li').count(), 3);
  assert.deepEqual(await places(), before);
  await preview.send({ type: 'notSkill', name: 'README.md' });
  await preview.send({ type: 'findings', uri: show.reply.uri, findings: [] });
  await page.getByText('README.md is not a skill. Still showing test.skill.md.').waitFor();
  assert.deepEqual(await places(), before);
  await preview.close();
});

test('in a narrow panel, the message has most of the strip, and its fix keeps its name', async () => {
  for (const width of [400, 520]) {
    const preview = await openPreview({ width });
    const { page } = preview;
    const show = greeting('Hello.\n');
    await preview.send(show);
    const message = 'Unknown key `user_invocable_by_all`.';
    const fix = 'Replace with `user_invocable` and keep its value';
    await preview.send({ type: 'findings', uri: show.reply.uri, findings: [{ ...finding, message, fix }] });
    const text = page.locator('.strip .first');
    const button = page.getByRole('button', { name: 'Replace with ‘user_invocable’' });
    assert.equal(await button.getAttribute('title'), 'Replace with ‘user_invocable’ and keep its value');
    const [shown = 0, whole = 0] = await text.evaluate((one) => [one.clientWidth, one.scrollWidth]);
    assert.ok(shown >= (width === 520 ? whole : width / 2), `${width}: ${shown} of ${whole}`);
    await button.click();
    await preview.close();
  }
});

test('a page that was hidden receives the last valid prompt from the panel', async () => {
  const preview = await openPreview();
  const good = greeting('Say hello to {{ who }}.\n');
  const lastGood = good.reply.result.ok ? good.reply.result.composition : assert.fail();
  await preview.send({ ...greeting(BROKEN), lastGood });
  assert.match(await textOf(preview), /Say hello to world/);
  await preview.close();
});

const SCENE = skill(
  'input_schema:\n  title: string\n  beats: {type: integer, maximum: 9}\nframing: main\n',
  '## PromptTemplate: main\n\n{{ title }} has {{ beats }} beats.\n',
);

test('input that does not match keeps the last valid prompt, and links to its field', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(showText(SCENE, { invocation: { parameters: { title: 'Dusk', beats: 3 } } }));
  const shown = await textOf(preview);
  await preview.send(showText(SCENE, { invocation: { parameters: { title: 'Dusk', beats: 12 } } }));
  assert.equal(await textOf(preview), shown);
  await page.locator('.prompt.last-good').waitFor();
  const strip = page.locator('.strip.warning', { hasText: /beats/ });
  await strip.getByRole('button', { name: 'Edit the input' }).click();
  await page.locator('[data-path="beats"] input:focus').waitFor();
  await preview.close();
});

test('a deleted file keeps its prompt, and offers to close the preview', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const show = greeting('Hello.\n');
  await preview.send(show);
  await preview.send({ type: 'findings', uri: show.reply.uri, findings: [finding] });
  await preview.send({ type: 'gone', isDeleted: true });
  assert.equal(await page.locator('.state').textContent(), 'Deleted');
  await page.locator('.prompt.last-good').waitFor();
  await page.getByText('test.skill.md was deleted.').waitFor();
  await preview.sent();
  await page.getByRole('button', { name: 'Close the preview' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'close' }]);
  await preview.close();
});

test('a server that does not respond leaves the prompt, and the reason is shown above it', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(greeting('Hello.\n'));
  await preview.send({ type: 'stale', reason: 'The server is not running.' });
  assert.equal(await page.locator('.state').textContent(), 'Out of date');
  await page.locator('.strip', { hasText: 'The server is not running.' }).waitFor();
  assert.match(await textOf(preview), /Hello/);
  await preview.send(greeting('Hello!\n'));
  assert.equal(await page.locator('.strip').textContent(), 'No problems');
  await preview.close();
});

test('a missing sample is named while another input is shown', async () => {
  const preview = await openPreview();
  await preview.send({ ...greeting('Hello.\n'), missingSample: 'supper' });
  await preview.page.locator('.strip', { hasText: 'The sample supper does not exist.' }).waitFor();
  await preview.close();
});
