/** Prompt and editor scroll together: if the user scrolls one, the other follows and sends no message back. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { FileRange } from '../../client/src/panels/kit/file-range.ts';
import type { ToPanel } from '../../client/src/panels/preview/messages.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { type Show, showText, skill } from './reply.ts';

after(closeBrowser);

/**
 * The line of the file at which the template of `long` starts. Line n of this template is `Line n of the template.`.
 */
const FIRST = 8;
const long = (): Show =>
  showText(
    skill(
      'input_schema: {}\n',
      `## PromptTemplate: main\n\n${Array.from({ length: 200 }, (_, at) => `Line ${at} of the template.\n`).join('')}`,
    ),
  );

async function opened(): Promise<Preview> {
  const preview = await openPreview({ height: 500 });
  await preview.send(long());
  await preview.sent();
  return preview;
}

const visible = (line: number, last = line + 20): FileRange => ({
  uri: long().reply.uri,
  range: { start: { line, character: 0 }, end: { line: last, character: 0 } },
});

/** Waits until the given line, or else any line, is the first visible line of the prompt, and returns its text. */
async function atTop({ page }: Preview, text?: string): Promise<string | undefined> {
  const found = await page.waitForFunction((wanted) => {
    const panel = document.querySelector('#panel-prompt') as Element;
    const { top } = panel.getBoundingClientRect();
    const x = (document.querySelector('.text') as Element).getBoundingClientRect().left + 60;
    // The sticky heading covers the lines above.
    const at = document.elementFromPoint(x, top + 36);
    const line = at?.closest('.line')?.textContent?.replace(/\n$/, '');
    return wanted === undefined || wanted === line ? line : undefined;
  }, text);
  return found.jsonValue();
}

const scrolled = (sent: readonly ToPanel[]) => sent.flatMap((one) => (one.type === 'scrolled' ? [one.place] : []));

test('the prompt scrolls to the first visible line of the editor', async () => {
  const preview = await opened();
  await preview.send({ type: 'visible', place: visible(FIRST + 120) });
  await atTop(preview, 'Line 120 of the template.');
  await preview.send({ type: 'visible', place: visible(FIRST + 30) });
  await atTop(preview, 'Line 30 of the template.');
  await preview.send({ type: 'visible', place: visible(0) });
  assert.equal(await preview.page.locator('#panel-prompt').evaluate(({ scrollTop }) => scrollTop), 0);
  assert.deepEqual(await preview.sent(), [], 'following sends nothing back');
  await preview.close();
});

test('scrolling the prompt with the wheel sends the line at the top of the prompt', async () => {
  const preview = await opened();
  await preview.page.locator('.prompt').hover();
  await preview.page.mouse.wheel(0, 1200);
  await preview.page.waitForFunction(() => (document.querySelector('#panel-prompt')?.scrollTop ?? 0) >= 1200);
  await preview.send({ type: 'stale' });
  const line = Number(/\d+/.exec((await atTop(preview)) ?? '')?.[0]);
  const last = scrolled(await preview.sent()).at(-1);
  assert.equal(last?.uri, long().reply.uri);
  assert.ok(Math.abs((last?.range.start.line ?? 0) - FIRST - line) <= 1, `${last?.range.start.line} for line ${line}`);
  await preview.close();
});

test('the prompt does not follow the editor while the user scrolls the prompt', async () => {
  const preview = await opened();
  // All events are sent in one step, since later scroll events do not count as the user's.
  const moved = await preview.page.evaluate(
    (place) => {
      const panel = document.querySelector('#panel-prompt') as Element;
      panel.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'visible', place } }));
      return panel.scrollTop;
    },
    visible(FIRST + 150),
  );
  assert.equal(moved, 0);
  await preview.close();
});

test('the prompt does not follow an editor with another file', async () => {
  const preview = await opened();
  await preview.send({ type: 'visible', place: { ...visible(FIRST + 120), uri: 'file:///skills-here/other.md' } });
  assert.equal(await preview.page.locator('#panel-prompt').evaluate(({ scrollTop }) => scrollTop), 0);
  await preview.close();
});

test("the cursor's line stays visible while the prompt follows the editor", async () => {
  const preview = await openPreview({ height: 500 });
  const rows = 'rows: {type: array, items: string}';
  const loop = '{% for row in rows %}\nA row with {{ row }}.\n{% endfor %}\nThe end of it.\n';
  const parameters = { rows: Array.from({ length: 100 }, (_, at) => `item ${at}`) };
  const show = showText(skill(`input_schema:\n  ${rows}\n`, `## PromptTemplate: main\n\n${loop}`), {
    invocation: { parameters },
  });
  await preview.send(show);
  const result = show.reply.result.ok ? show.reply.result.composition : assert.fail();
  const at = result.prompt.indexOf('The end of it.');
  const source = result.segments.find(({ start, end }) => start <= at && at < end)?.source;
  assert.ok(source);
  const cursor = source.range.end;
  await preview.send({
    type: 'cursor',
    place: { uri: source.uri, range: { start: cursor, end: cursor } },
    scroll: true,
  });
  await preview.send({ type: 'visible', place: visible(cursor.line - 3, cursor.line + 10) });
  const bar = await preview.page.locator('.source-line').boundingBox();
  assert.ok(bar && bar.y > 0 && bar.y + bar.height <= 500, JSON.stringify(bar));
  await preview.close();
});
