/** Accessibility of the preview: axe in every theme, narrow panels, and the keyboard focus. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ToPage } from '../../client/src/panels/preview/messages.ts';
import { ABLE_SKILL, abilitiesOf, ableNotes } from './abilities.ts';
import { loadAxe } from './axe.ts';
import { chosenOf, clientsOf, SKILL, tidyNotes } from './clients.ts';
import { withBudget } from './large.ts';
import { closeBrowser, inTheme, openPreview, type Preview, THEMES } from './page.ts';
import { finding, type Show, sampleFiles, show, showText, skill } from './reply.ts';

after(closeBrowser);

const files = sampleFiles();
const outline = 'skills/scenes/draft-scene-outline.skill.md';

const everyKind = skill(
  `input_schema:
  text: string, what it says
  yes: {type: boolean, default: true}
  list: {type: array, items: string}
  rows: {type: array, items: {type: object, properties: {name: {type: string}}}}
  any: {}
`,
  '## PromptTemplate: main\n\n{{ text }}\n',
);

const madeUp = show(files, outline);
const broken = showText(everyKind.replace('{{ text }}', '{{ text }}, {{ topci | upper }}'));
const refused = show(files, outline, { invocation: { parameters: { cast: ['a'], tone: 'none', beats: 12 } } });
const closed = showText(skill('allowed_contexts: [channel]\ninput_schema: {}\n', 'Do it.\n'));

/** A run of `outline` that waits for an answer with a schema. */
const askingRun: ToPage = {
  type: 'run',
  run: {
    uri: madeUp.reply.uri,
    events: [],
    end: {
      kind: 'waiting',
      question: {
        name: 'on_missing_input',
        path: 'validate_input',
        schema: { type: 'object' },
        problem: 'It is missing.',
      },
    },
  },
};

interface View {
  readonly name: string;
  readonly messages: readonly ToPage[];
  /** The actions to perform after the messages are sent. */
  readonly act?: (page: Page) => Promise<void>;
}

/** The views to check, each reached from the previous view. */
const views: readonly View[] = [
  { name: 'empty', messages: [{ type: 'empty' }] },
  {
    name: 'the cards of a SKILL.md',
    messages: [show(tidyNotes, SKILL, { arguments: 'Mara dusk' }), clientsOf(tidyNotes, SKILL)],
  },
  {
    name: 'chosen',
    messages: [
      show(tidyNotes, SKILL),
      clientsOf(tidyNotes, SKILL),
      { type: 'focus', what: 'chosen' },
      chosenOf(tidyNotes, SKILL, { client: 'claude-code', request: 'sort scenes', cases: { 'tidy notes': true } }),
    ],
    act: async (page) => {
      await page.getByText('29 other clients').click();
      await page.getByRole('button', { name: 'OpenAI Codex' }).click();
    },
  },
  {
    name: 'abilities',
    messages: [show(ableNotes, ABLE_SKILL), abilitiesOf(ableNotes, ABLE_SKILL), { type: 'focus', what: 'abilities' }],
    act: (page) => page.getByText('1 file was not scanned').click(),
  },
  { name: 'prompt', messages: [{ type: 'focus', what: 'prompt' }, show(files, outline, { sample: 'siege at dusk' })] },
  { name: 'out of date', messages: [{ type: 'stale' }] },
  { name: 'the form', messages: [{ type: 'focus', what: 'input' }] },
  {
    name: 'the form closed',
    messages: [],
    act: (page) => page.getByRole('button', { name: 'Close (Escape)' }).click(),
  },
  {
    name: 'a run that asks',
    messages: [{ type: 'focus', what: 'run' }, askingRun],
    act: (page) => page.getByRole('button', { name: 'Step', exact: true }).press('Enter'),
  },
  {
    name: 'tokens',
    messages: [{ type: 'focus', what: 'prompt' }],
    act: (page) => page.locator('.pill').press('Enter'),
  },
  { name: 'why', messages: [{ type: 'focus', what: 'why' }] },
  { name: 'the planner refuses', messages: [closed] },
  { name: 'made-up values', messages: [{ type: 'focus', what: 'prompt' }, madeUp] },
  { name: 'over the budget', messages: [withBudget(madeUp, 20)] },
  { name: 'wrong input', messages: [refused] },
  {
    name: 'broken, with the last good prompt',
    messages: [show(files, outline), { ...broken, lastGood: lastGoodOf(madeUp) }],
  },
  { name: 'broken from the start', messages: [madeUp, broken] },
  { name: 'findings', messages: [{ type: 'findings', uri: broken.reply.uri, findings: [finding, finding] }] },
  {
    name: 'all findings',
    messages: [],
    act: async (page) => {
      await page.getByText('3 problems').waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Show all problems' }).click();
    },
  },
  {
    name: 'all findings closed',
    messages: [],
    act: (page) => page.getByRole('button', { name: 'Hide the problems' }).click(),
  },
  { name: 'the menu', messages: [], act: (page) => page.getByRole('button', { name: 'More' }).click() },
  {
    name: 'a form of every kind',
    messages: [
      showText(everyKind, { invocation: { parameters: { text: '', list: ['a'], rows: [{}] } } }),
      { type: 'focus', what: 'input' },
    ],
  },
  { name: 'find', messages: [{ type: 'focus', what: 'find' }], act: (page) => page.keyboard.press('Escape') },
];

function lastGoodOf({ reply }: Show) {
  return reply.result.ok ? reply.result.composition : assert.fail('it does not compose');
}

async function reach(preview: Preview, { messages, act }: View): Promise<void> {
  for (const message of messages) await preview.send(message);
  await act?.(preview.page);
}

for (const theme of THEMES) {
  test(`axe reports no serious problem in ${theme}`, inTheme(theme), async () => {
    const preview = await openPreview({ theme });
    // Themes differ only in colours; other rules are checked once.
    const seriousIn = await loadAxe(preview.page, theme === 'dark' ? {} : { runOnly: ['color-contrast'] });
    const found: string[] = [];
    for (const view of views) {
      await reach(preview, view);
      found.push(...(await seriousIn(view.name)));
    }
    assert.deepEqual(found, []);
    await preview.close();
  });
}

test('at 400 pixels, only the graph in the preview scrolls horizontally', async () => {
  const preview = await openPreview({ width: 400 });
  for (const view of views) {
    await reach(preview, view);
    const wide = await preview.page.evaluate(() =>
      [...document.querySelectorAll('#root *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.closest('svg, .unseen, select, .chips'))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        // Text that is cut off with an ellipsis is allowed.
        .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis')
        .map((one) => one.className),
    );
    assert.deepEqual(wide, [], view.name);
  }
  await preview.close();
});

test('every button in the header, the tabs and the problems is visible in the narrowest editor', async () => {
  for (const width of [220, 285]) {
    const preview = await openPreview({ width });
    for (const view of views) {
      await reach(preview, view);
      const cut = await preview.page.evaluate(
        (most) =>
          [
            ...document.querySelectorAll(
              'header button, header > h1, .tab-bar button, .strip > button, .input-line > *',
            ),
          ]
            .filter((one) => one.getBoundingClientRect().right > most)
            .map((one) => one.textContent || one.getAttribute('title')),
        width,
      );
      assert.deepEqual(cut, [], `${view.name} at ${width}`);
    }
    await preview.close();
  }
});

test('the header is one line, even with a long name and during a request', async () => {
  for (const width of [400, 900]) {
    const preview = await openPreview({ width });
    const { page } = preview;
    const message = show(files, outline, { sample: 'siege at dusk' });
    const long = `${'a-very-long-name-of-a-skill-'.repeat(6)}end`;
    await preview.send({ ...message, reply: { ...message.reply, name: long } });
    const boxes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('header > h1, header > .state, header .controls > :not([popover])')].map(
          (one) => {
            const { top, bottom, left, right } = one.getBoundingClientRect();
            return { middle: Math.round((top + bottom) / 2), left, right };
          },
        ),
      );
    const before = await boxes();
    const [first] = before;
    for (const { middle, right } of before) {
      assert.ok(Math.abs(middle - (first?.middle ?? 0)) <= 2 && right <= width, JSON.stringify(before));
    }
    assert.equal(await page.locator('h1 .link').getAttribute('title'), `${long}\nGo to the skill`);
    await preview.send({ type: 'stale' });
    await page.getByRole('button', { name: 'Updating…' }).waitFor();
    assert.deepEqual(
      (await boxes()).map(({ middle }) => middle),
      before.map(({ middle }) => middle),
    );
    await preview.close();
  }
});

test('each state is shown with a word, a shape and a reason', async () => {
  const preview = await openPreview();
  const shapes = new Set<string>();
  for (const [message, word, why] of [
    [show(files, outline, { sample: 'siege at dusk' }), 'Ready', /what the model will read/],
    [madeUp, 'Generated values', /scene_context/],
    [closed, 'Not allowed here', /the planner does not offer/i],
    [refused, 'Check input', /beats/],
    [broken, 'Broken', /topci/],
  ] as const) {
    await preview.send({ type: 'empty' });
    await preview.send(message);
    const state = preview.page.locator('.state');
    assert.equal(await state.textContent(), word);
    assert.match((await state.getAttribute('title')) ?? '', why);
    assert.match((await preview.page.locator('header [role="status"]').textContent()) ?? '', new RegExp(`: ${word}$`));
    shapes.add(
      await preview.page.locator('.dot').evaluate((one) => {
        const { borderRadius, borderStyle, backgroundColor, transform } = getComputedStyle(one);
        return [borderRadius, borderStyle, backgroundColor === 'rgba(0, 0, 0, 0)', transform].join();
      }),
    );
  }
  assert.equal(shapes.size, 5);
  await preview.close();
});

test('arrow keys move between the tabs, and updates keep the focus', async () => {
  const preview = await openPreview();
  const message = show(files, outline, { sample: 'siege at dusk' });
  await preview.send(message);
  await preview.page.getByRole('tab', { name: 'Prompt' }).focus();
  await preview.page.keyboard.press('ArrowRight');
  await preview.send({ ...message, serial: 2 });
  assert.equal(await preview.page.evaluate(() => document.activeElement?.textContent), 'Run');
  await preview.page.keyboard.press('ArrowRight');
  await preview.page.keyboard.press('ArrowRight');
  assert.equal(await preview.page.evaluate(() => document.activeElement?.textContent), 'Prompt', 'they go round');
  await preview.close();
});

test('the menu can be opened, used and closed from the keyboard', async () => {
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(show(files, outline, { sample: 'siege at dusk' }));
  await page.getByRole('button', { name: 'More' }).press('Enter');
  const active = () => page.evaluate(() => document.activeElement?.textContent);
  await page.waitForFunction(() => document.activeElement?.textContent === 'Save as expected prompt');
  await page.keyboard.press('ArrowUp');
  assert.equal(await active(), 'Open the composition as JSON');
  await page.keyboard.press('Enter');
  assert.deepEqual((await preview.sent()).at(-1), { type: 'openJson' });
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.menu:popover-open').count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('title')), 'More');
  await preview.close();
});

test('a link keeps the focus when its row is updated', async () => {
  const preview = await openPreview();
  const message = show(files, outline, { sample: 'siege at dusk' });
  const { result } = message.reply;
  if (!result.ok) assert.fail();
  await preview.send(message);
  await preview.send({ type: 'focus', what: 'why' });
  await preview.page.getByRole('button', { name: 'house style' }).focus();
  const decisions = result.composition.decisions.map((one) => ({ ...one, reason: `${one.reason}, said anew` }));
  const composition = { ...result.composition, decisions };
  const reply = { ...message.reply, milliseconds: 3, result: { ok: true as const, composition } };
  await preview.send({ ...message, serial: 2, reply });
  assert.equal(await preview.page.evaluate(() => document.activeElement?.textContent), 'house style');
  await preview.close();
});
