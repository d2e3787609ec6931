/** The prompt tab: every character of the prompt, its appearance, its parts, and long prompts. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { shortened } from '../../client/src/panels/preview/shown-prompt.ts';
import { SkillRows } from '../../server/src/features/skill-list.ts';
import { greeting, highlighted, promptOf, textOf } from './greeting.ts';
import { manySegments, withBudget, withTexts } from './large.ts';
import { closeBrowser, openPreview } from './page.ts';
import { analysisOf, sampleFiles, show, showText, skill, uriOf } from './reply.ts';

after(closeBrowser);

test('Ctrl+A selects only the prompt, which is copied exactly, and in a field only its text', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const message = show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md', { sample: 'siege at dusk' });
  await preview.send(message);
  await page.evaluate(() => {
    addEventListener('copy', ({ clipboardData }) => {
      document.body.dataset.copied = clipboardData?.getData('text/plain') ?? '';
    });
  });
  const { result } = message.reply;
  const prompt = result.ok ? result.composition.prompt : '';
  const selected = () => page.evaluate(() => String(document.getSelection()).trim());
  for (const focus of ['.prompt', '#tab-prompt', '.block-head .toggle >> nth=0']) {
    await page.locator(focus).press('Control+a');
    assert.equal((await selected()).replace(/\s+/g, ''), prompt.replace(/\s+/g, ''));
    await page.keyboard.press('Control+c');
    assert.equal(await page.evaluate(() => document.body.dataset.copied), prompt);
    await page.evaluate(() => document.getSelection()?.empty());
  }
  await page.locator('.chip', { hasText: 'scene_context' }).click();
  await page.locator('textarea:focus').press('Control+a');
  assert.match(await selected(), /^The chain across the Vey/);
  await page.keyboard.press('Escape');
  await preview.send({ type: 'focus', what: 'why' });
  await page.locator('#tab-why').press('Control+a');
  assert.doesNotMatch(await selected(), /^You outline scenes/);
  await preview.close();
});

test('the prompt shows every character, in parts with readable names and their tokens', async () => {
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

test('text is rendered as Markdown with dimmed marks, and copied unchanged', async () => {
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

test('prose that its author wrapped at a fixed width is reflowed, and its line breaks are marked', async () => {
  const preview = await openPreview({ width: 500 });
  const show = greeting(
    `${'A line of words that its author broke to fit eighty characters, as one does.\n'.repeat(3)}`,
  );
  await preview.send(show);
  assert.equal(await preview.page.locator('.block.framing .line.prose').first().locator('.soft-break').count(), 2);
  assert.equal(await textOf(preview), promptOf(show));
  await preview.close();
});

test('in a template that could not be rendered, each tag is shown on a separate line', async () => {
  const preview = await openPreview({ width: 900 });
  const long = 'A line of words that its author broke to fit eighty characters, as one does.';
  await preview.send(greeting(`${long}\n{% for one in nobody %}\n{{ one }}\n{% endfor %}\n`));
  const lines = await preview.page.locator('.block.framing .line').allTextContents();
  assert.ok(lines[0] === `${long}\n` && lines[1]?.startsWith('{% for'), lines.join('|'));
  await preview.close();
});

test('a change to the prompt keeps the DOM nodes of other text, and a selection in these nodes', async () => {
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

test('text over the budget is shown completely, below a note', async () => {
  const preview = await openPreview();
  const show = withBudget(greeting('One two three four.\n\nFive six seven eight.\n'), 6);
  await preview.send(show);
  assert.equal(await textOf(preview), promptOf(show));
  assert.equal(await preview.page.getByText('The budget ends here').count(), 1);
  assert.ok((await preview.page.locator('.paragraph.over').count()) > 0);
  assert.match((await preview.page.locator('.pill').getAttribute('class')) ?? '', /over/);
  await preview.close();
});

test('an empty skill shows a note instead of a prompt', async () => {
  const preview = await openPreview();
  await preview.send(showText(skill('', '')));
  assert.equal(await preview.page.locator('.block').count(), 0);
  await preview.page.getByText('The prompt is empty').waitFor();
  await preview.close();
});

test('a SKILL.md of 10,000 tokens is shown completely, without a budget', async () => {
  const preview = await openPreview();
  const words = 'A paragraph of a long skill that somebody wrote with care.\n\n'.repeat(900);
  const text = `---\nname: long\ndescription: Does one long thing. Use it for tests.\n---\n# Long\n\n${words}The end.\n`;
  const files = { 'long/SKILL.md': text };
  const message = show(files, 'long/SKILL.md');
  assert.ok(message.reply.result.ok && message.reply.result.composition.tokens.total > 9_000);
  await preview.send(message);
  assert.equal(await textOf(preview), promptOf(message));
  // The view *All Skills* has the same number, and only the popover the exact one.
  const { page } = preview;
  const rounded = new SkillRows().find(analysisOf(files), uriOf('long/SKILL.md'))?.tokens?.toLocaleString('en');
  assert.equal(await page.locator('.pill').textContent(), `Prompt≈ ${rounded} tokens`);
  assert.equal(await page.locator('.level-chosen .block-tokens').textContent(), `≈ ${rounded}`);
  await page.locator('.pill').click();
  await page.getByText(/^[\d,]+ tokens with o200k_base; each client has its own tokenizer$/).waitFor();
  assert.equal(await preview.page.getByText('The budget ends here').count(), 0);
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

test('a long prompt is shown in part, with a button that shows the whole prompt', async () => {
  const preview = await openPreview();
  await preview.send(withTexts(['A line of the long prompt that nobody reads to its end.\n'.repeat(40_000)]));
  assert.ok((await textOf(preview)).length < 2_010_000);
  // The key is used instead of a click, since layout during scrolling moves the button.
  await preview.page.getByRole('button', { name: /^Show all 2/ }).press('Enter');
  assert.ok((await textOf(preview)).length > 2_200_000);
  await preview.close();
});

test('in a prompt of 5,000 segments, only the changed paragraph is updated', async () => {
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
  const changed = shortened({ ...manySegments(1), serial: 2 }, manySegments(0));
  assert.ok(changed.type === 'showEdit' && changed.text.length < 10);
  await preview.send(changed);
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

test('a message that does not change the prompt does not divide it into paragraphs again', async () => {
  const preview = await openPreview();
  const show = manySegments(0);
  await preview.send(show);
  await preview.page.evaluate(() => {
    const here = window as unknown as { searched: number };
    const { matchAll } = String.prototype;
    here.searched = 0;
    String.prototype.matchAll = function (pattern) {
      here.searched += this.length;
      return matchAll.call(this, pattern);
    };
  });
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } };
  await preview.send({ type: 'cursor', place: { uri: show.reply.uri, range }, scroll: true });
  await preview.send({ type: 'stale' });
  await preview.send({ type: 'findings', uri: show.reply.uri, findings: [] });
  assert.ok(Number(await preview.page.evaluate('window.searched')) < 1_000);
  await preview.send({ ...show, serial: 2 });
  assert.ok(Number(await preview.page.evaluate('window.searched')) > 50_000);
  await preview.close();
});

test('a page without the prompt that an edit changes requests the whole message, and keeps its prompt', async () => {
  const preview = await openPreview();
  const types = () => preview.page.evaluate('window.sentTypes()') as Promise<readonly string[]>;
  await preview.send(withTexts(['first']));
  await preview.send(shortened({ ...withTexts(['third']), serial: 3 }, { ...withTexts(['second']), serial: 2 }));
  assert.equal(await textOf(preview), 'first');
  assert.deepEqual((await types()).slice(-1), ['ready']);
  await preview.close();
});
