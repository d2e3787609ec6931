/** The prompt tab: every character of the prompt, its looks, links to the source, problems, the find box, and long prompts. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { ShownFinding, ShownSegment } from '../../client/src/panels/preview/messages.ts';
import { manySegments, withBudget, withTexts } from './large.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { type Show, sampleFiles, show, showText, skill } from './reply.ts';

after(closeBrowser);

const greeting = (body: string): Show =>
  showText(
    skill(
      'input_schema:\n  who: {type: string, default: world}\nframing: main\n',
      `## PromptTemplate: main\n\n${body}\n## Description: manners\n\nBe **kind** to \`code\`.\n`,
    ),
  );

const BROKEN = 'Say hello to {{ who.\n';

const textOf = ({ page }: Preview): Promise<string> =>
  page.evaluate(() => [...document.querySelectorAll('.paragraph')].map((one) => one.textContent).join(''));

const promptOf = ({ reply }: Show): string => (reply.result.ok ? reply.result.composition.prompt : assert.fail());

const printedBy = ({ reply }: Show): ShownSegment => {
  const segments = reply.result.ok ? reply.result.composition.segments : [];
  return segments.find(({ kind, source }) => kind === 'value' && source) ?? assert.fail('it prints no value');
};

/** What a `::highlight` marks. */
const highlighted = ({ page }: Preview, name: string): Promise<readonly string[]> =>
  page.evaluate((wanted) => [...(CSS.highlights.get(wanted) ?? [])].map((range) => (range as Range).toString()), name);

test('the prompt shows every character, in parts with names of people and their tokens', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n\n\n  <b>Two</b> blank lines above.\n');
  await preview.send(show);
  assert.equal(await textOf(preview), promptOf(show));
  assert.deepEqual(await preview.page.locator('.block-name').allTextContents(), [
    'Instructions',
    'Context · manners',
    'Request',
  ]);
  const tokens = (await preview.page.locator('.block-tokens').allTextContents()).map(Number);
  const total = show.reply.result.ok ? show.reply.result.composition.tokens.total : 0;
  assert.equal(
    tokens.reduce((sum, one) => sum + one, 0),
    total,
  );
  await preview.close();
});

test('text looks as Markdown reads, with its marks dimmed, and copies as it is', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(greeting('### Title\n\n- one *em* `code`\n\n> quoted\n\n```sh\n# no heading\n```\n'));
  const kinds = await page.evaluate(() =>
    [...document.querySelectorAll('.block.framing .line')].map((one) => one.className.replace('line ', '')),
  );
  assert.deepEqual(
    kinds.filter((kind) => kind !== 'prose'),
    ['h3', 'list', 'quote', 'fence', 'code', 'fence'],
  );
  assert.deepEqual(await page.locator('.block.framing .em').allTextContents(), ['em']);
  assert.deepEqual(await page.locator('.block.framing .list .mark').allTextContents(), ['- ', '*', '*', '`', '`']);
  const copied = await page.evaluate(() => {
    document.getSelection()?.selectAllChildren(document.querySelector('.block.framing .text') as Node);
    return document.getSelection()?.toString();
  });
  assert.match(copied ?? '', /^### Title\n\n- one \*em\* `code`\n\n> quoted\n\n```sh\n# no heading\n```/);
  await preview.close();
});

test('prose that its author broke by width flows, and its breaks are marked', async () => {
  const preview = await openPreview({ width: 500 });
  const show = greeting(
    `${'A line of words that its author broke to fit eighty characters, as one does.\n'.repeat(3)}`,
  );
  await preview.send(show);
  assert.equal(await preview.page.locator('.block.framing .line.prose').first().locator('.soft-break').count(), 2);
  assert.equal(await textOf(preview), promptOf(show));
  await preview.close();
});

test('a change of the prompt keeps the nodes of other text, and a selection in them', async () => {
  const preview = await openPreview();
  await preview.send(greeting('First line.\n\nSay hello to {{ who }}.\n'));
  await preview.page.evaluate(() => {
    const first = document.querySelector('.line span') as Element;
    (window as unknown as { first: Element }).first = first;
    document.getSelection()?.setBaseAndExtent(first.firstChild as Node, 0, first.firstChild as Node, 5);
  });
  await preview.send(greeting('First line.\n\nSay good night to {{ who }}.\n'));
  assert.match(await textOf(preview), /Say good night to world/);
  const kept = await preview.page.evaluate(
    () => (window as unknown as { first: Element }).first === document.querySelector('.line span'),
  );
  assert.ok(kept);
  assert.equal(await preview.page.evaluate(() => document.getSelection()?.toString()), 'First');
  await preview.close();
});

test('a click on a rendered value opens its expression, selecting text opens nothing', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  await preview.sent();
  await preview.page.locator('.line .value').first().click();
  assert.deepEqual(await preview.sent(), [{ type: 'reveal', place: printedBy(show).source, focus: true }]);
  await preview.page.locator('.line .authored').first().click({ clickCount: 2 });
  assert.equal((await preview.sent()).length, 1, 'the first click of the two reveals, the second selects a word');
  await preview.close();
});

test('the cursor in an expression lights what it printed; in prose a bar stands at its line', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n');
  await preview.send(show);
  const { uri, range } = printedBy(show).source ?? assert.fail();
  const cursor = async (character: number): Promise<void> => {
    const at = { line: range.start.line, character };
    await preview.send({ type: 'cursor', place: { uri, range: { start: at, end: at } }, scroll: true });
  };
  await cursor(range.start.character + 3);
  assert.deepEqual(await highlighted(preview, 'lit'), ['world']);
  assert.equal(await preview.page.locator('.source-line').count(), 0);
  await cursor(1);
  assert.deepEqual(await highlighted(preview, 'lit'), []);
  const bar = await preview.page.locator('.source-line').boundingBox();
  const line = await preview.page.locator('.line', { hasText: 'Say hello' }).first().boundingBox();
  assert.ok(bar && line && Math.abs(bar.y - line.y) <= 4, JSON.stringify([bar, line]));
  await preview.send({ type: 'cursor', place: null, scroll: true });
  assert.equal(await preview.page.locator('.source-line').count(), 0);
  await preview.close();
});

test('a part folds, stays folded while the prompt changes, and unfolds', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Say hello to {{ who }}.\n'));
  const head = preview.page.getByRole('button', { name: /^Instructions/ });
  await head.press('Enter');
  await preview.send(greeting('Say good night to {{ who }}.\n'));
  assert.equal(await head.getAttribute('aria-expanded'), 'false');
  assert.doesNotMatch(await textOf(preview), /good night/);
  await head.press('Enter');
  assert.match(await textOf(preview), /good night/);
  await preview.close();
});

test('what is over the budget is there in full, below a line that says so', async () => {
  const preview = await openPreview();
  const show = withBudget(greeting('One two three four.\n\nFive six seven eight.\n'), 6);
  await preview.send(show);
  assert.equal(await textOf(preview), promptOf(show));
  assert.equal(await preview.page.getByText('The budget ends here').count(), 1);
  assert.ok((await preview.page.locator('.paragraph.over').count()) > 0);
  assert.match((await preview.page.locator('.pill').getAttribute('class')) ?? '', /over/);
  await preview.close();
});

test('if the budget is exceeded, a button composes without the suggested artifacts', async () => {
  const preview = await openPreview();
  const show = greeting(BROKEN);
  const { result } = show.reply;
  if (result.ok) assert.fail();
  const errors = result.errors.map((error) => ({ ...error, trimming: { without: ['Example:long'], tokens: 7000 } }));
  await preview.send({ ...show, reply: { ...show.reply, result: { ...result, errors } } });
  await preview.page.getByRole('button', { name: 'Leave them out here' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'compose', asked: { without: ['Example:long'] } }]);
  await preview.close();
});

test('a skill that does not compose keeps its last good prompt in its place, and says where it is broken', async () => {
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

test('a problem that is typed away again before the typing rests is never shown', async () => {
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

const finding: ShownFinding = {
  range: { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } },
  severity: 'error',
  message: 'No parameter is called `topci`.',
  rule: 'undefined-variable',
  fix: 'Replace with `topic`',
};

test('the findings of the file stand in the strip, each with its fix', async () => {
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

test('a skill that is broken from the start shows what there is of it, and says what is missing', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Say hello to {{ who }} about {{ topci }}.\n'));
  assert.match(await textOf(preview), /Say hello to world about \{\{ topci \}\}\./);
  const gap = preview.page.getByRole('group', { name: /^Missing: “topci” is undefined/ });
  assert.equal(await gap.textContent(), '{{ topci }}');
  assert.match((await gap.getAttribute('title')) ?? '', /^Missing/);
  await preview.sent();
  await gap.click();
  const [revealed] = await preview.sent();
  assert.equal(revealed?.type, 'reveal', 'a click on it opens its source');
  await preview.close();
});

test('the file without words alone shows no prompt', async () => {
  const preview = await openPreview();
  await preview.send(showText(skill('', '')));
  assert.equal(await preview.page.locator('.block').count(), 0);
  await preview.page.getByText('There is nothing to send yet').waitFor();
  await preview.close();
});

test('what is folded, the tab and the font are kept', async () => {
  const first = await openPreview();
  await first.send(greeting('Hello.\n'));
  await first.page.getByRole('button', { name: /^Instructions/ }).press('Enter');
  const state = await first.state();
  await first.close();
  const second = await openPreview({ ...(state && { state }) });
  await second.send(greeting('Hello.\n'));
  const head = second.page.getByRole('button', { name: /^Instructions/ });
  assert.equal(await head.getAttribute('aria-expanded'), 'false');
  await second.close();
});

test('nothing of prose is filled, wherever the cursor is', async () => {
  const preview = await openPreview();
  const show = greeting('Say hello to {{ who }}.\n\nAnd then leave.\n');
  await preview.send(show);
  const { uri, range } = printedBy(show).source ?? assert.fail();
  for (const line of [range.start.line, range.start.line + 2]) {
    const at = { line, character: 1 };
    await preview.send({ type: 'cursor', place: { uri, range: { start: at, end: at } }, scroll: true });
    const filled = await preview.page.evaluate(() =>
      [...document.querySelectorAll('.block.framing .text, .block.framing .text *')]
        .filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
        .map((one) => one.textContent),
    );
    assert.deepEqual(filled, []);
    assert.equal(await preview.page.locator('.source-line').evaluate((one) => getComputedStyle(one).width), '2px');
  }
  await preview.close();
});

test('the strip is one line of one height, whatever stands in it, and its list lies over the prompt', async () => {
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
  await page.getByText('README.md is no skill; this is still test.skill.md.').waitFor();
  assert.deepEqual(await places(), before);
  await preview.close();
});

test('a SKILL.md of 10,000 tokens is there as a whole, with nothing over a budget', async () => {
  const preview = await openPreview();
  const words = 'A paragraph of a long skill that somebody wrote with care.\n\n'.repeat(900);
  const text = `---\nname: long\ndescription: Does one long thing. Use it for tests.\n---\n# Long\n\n${words}The end.\n`;
  const message = show({ 'long/SKILL.md': text }, 'long/SKILL.md');
  assert.ok(message.reply.result.ok && message.reply.result.composition.tokens.total > 9_000);
  await preview.send(message);
  assert.equal(await textOf(preview), promptOf(message));
  assert.match((await preview.page.locator('.pill').textContent()) ?? '', /^[\d,]+ tokens$/);
  assert.equal(await preview.page.getByText('The budget ends here').count(), 0);
  await preview.close();
});

test('a page that was hidden gets the last good prompt from the panel', async () => {
  const preview = await openPreview();
  const good = greeting('Say hello to {{ who }}.\n');
  const lastGood = good.reply.result.ok ? good.reply.result.composition : assert.fail();
  await preview.send({ ...greeting(BROKEN), lastGood });
  assert.match(await textOf(preview), /Say hello to world/);
  await preview.close();
});

test('the find box counts matches, wraps around, and returns the focus', async () => {
  const preview = await openPreview();
  await preview.send(greeting('One fish, two fish, {{ who }} FISH.\n'));
  await preview.page.keyboard.press('Control+f');
  await preview.page.keyboard.type('fish');
  const count = preview.page.locator('.find-count');
  assert.equal(await count.textContent(), '1 of 3');
  assert.deepEqual(await highlighted(preview, 'find'), ['fish', 'fish', 'FISH']);
  await preview.page.keyboard.press('Shift+Enter');
  assert.equal(await count.textContent(), '3 of 3');
  assert.deepEqual(await highlighted(preview, 'find-current'), ['FISH']);
  await preview.page.keyboard.press('Escape');
  assert.equal(await preview.page.locator('.find').count(), 0);
  assert.deepEqual(await highlighted(preview, 'find'), []);
  await preview.close();
});

test('a long prompt is shown in part, with a button for all of it', async () => {
  const preview = await openPreview();
  await preview.send(withTexts(['A line of the long prompt that nobody reads to its end.\n'.repeat(40_000)]));
  assert.ok((await textOf(preview)).length < 2_010_000);
  // By keyboard, since layout during scrolling moves the button.
  await preview.page.getByRole('button', { name: /^Show all 2/ }).press('Enter');
  assert.ok((await textOf(preview)).length > 2_200_000);
  await preview.close();
});

test('in a prompt of 5,000 segments only the paragraph that changed is touched', async () => {
  const preview = await openPreview();
  await preview.send(manySegments(0));
  await preview.page.evaluate(() => {
    const here = window as unknown as { touched: MutationRecord[] };
    here.touched = [];
    new MutationObserver((all) => here.touched.push(...all)).observe(document.querySelector('.blocks') as Node, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await preview.send(manySegments(1));
  assert.match(await textOf(preview), /changed 1 /);
  const touched = await preview.page.evaluate(() =>
    (window as unknown as { touched: MutationRecord[] }).touched.flatMap((one) => [
      ...[...one.addedNodes].map((node) => node.textContent?.length ?? 0),
    ]),
  );
  assert.ok(
    touched.reduce((sum, length) => sum + length, 0) < 500,
    `${touched.length} nodes with ${touched.reduce((sum, length) => sum + length, 0)} characters`,
  );
  await preview.close();
});

test('the tabs say when the prompt was copied', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.sent();
  await preview.page.getByRole('button', { name: 'Copy the prompt' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'copyPrompt' }]);
  await preview.send({ type: 'copied' });
  await preview.page.getByRole('button', { name: 'Copied' }).waitFor();
  await preview.close();
});

test('the prompt is set in the editor’s font where that is wanted, which is kept', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.page.getByRole('button', { name: 'Aa' }).click();
  const family = await preview.page
    .locator('.text')
    .first()
    .evaluate((one) => getComputedStyle(one).fontFamily);
  assert.match(family, /mono/i);
  assert.equal((await preview.state())?.mono, true);
  await preview.close();
});

test('the menu compares, and says why what cannot be compared cannot', async () => {
  const preview = await openPreview();
  await preview.send(greeting('Hello.\n'));
  await preview.send({ type: 'comparable', head: 'The file belongs to no git repository.' });
  await preview.sent();
  await preview.page.getByRole('button', { name: 'More' }).click();
  const head = preview.page.getByRole('menuitem', { name: /HEAD/ });
  assert.equal(await head.getAttribute('title'), 'The file belongs to no git repository.');
  await head.press('Enter');
  assert.deepEqual(await preview.sent(), [{ type: 'menuOpened' }], 'the panel answers with what is possible by now');
  await preview.page.getByRole('menuitem', { name: 'Compare with the last save' }).press('Enter');
  assert.deepEqual(await preview.sent(), [{ type: 'compare', with: { kind: 'saved' } }]);
  await preview.close();
});

test('the tokens open into the weights of all parts, the heaviest first', async () => {
  const preview = await openPreview();
  await preview.send(greeting(`${'Many words. '.repeat(40)}\n`));
  await preview.page.locator('.pill').click();
  const names = await preview.page.locator('.weights .link').allTextContents();
  assert.equal(names[0], 'Instructions');
  assert.equal(names.length, 3);
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

test('by key alone, the heading of a part leads to its source', async () => {
  const preview = await openPreview();
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  await preview.page.locator('.block-head .toggle').first().focus();
  await preview.page.keyboard.press('Tab');
  await preview.page.keyboard.press('Enter');
  const sent = await preview.sent();
  const reveal = sent.find(({ type }) => type === 'reveal');
  assert.ok(reveal?.type === 'reveal' && reveal.focus && reveal.place.uri.endsWith('draft-scene-outline.skill.md'));
  await preview.close();
});
