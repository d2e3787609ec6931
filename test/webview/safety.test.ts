/** Text of files never becomes HTML, and the page restores only its own state. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { PageState, ToPanel } from '../../client/src/panels/preview/messages.ts';
import { ABLE_SKILL, abilitiesOf, ableNotes } from './abilities.ts';
import { chosenOf, clientsOf, SKILL, tidyNotes } from './clients.ts';
import { closeBrowser, openPreview, openWebview } from './page.ts';
import { type Show, sampleFiles, show, showText, skill } from './reply.ts';

after(closeBrowser);

const HOSTILE = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';

/** Puts HTML into every string of a message, and into keys that are names chosen by authors. */
function hostile(message: Show): Show {
  const unchanged = new Set([
    'type',
    'kind',
    'part',
    'subject',
    'gate',
    'on',
    'id',
    'from',
    'to',
    'node',
    'uri',
    'artifact',
    'unit',
    'entryOutcome',
    'certainty',
  ]);
  const visit = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return unchanged.has(key) || key === 'source' ? value : `${HOSTILE}${value}`;
    if (Array.isArray(value)) return value.map((one) => visit(one, key));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, one]) => {
      const renamed = key === 'properties' || key === 'parameters' ? `${HOSTILE}${name}` : name;
      return [renamed, name === 'type' || name === 'asked' ? one : visit(one, name)];
    });
    return Object.fromEntries(entries);
  };
  return visit(message, '') as Show;
}

test('a SKILL.md with HTML and script in every field is shown as text in its cards and the Chosen tab', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const message = hostile(show(tidyNotes, SKILL, { arguments: HOSTILE }));
  const told = clientsOf(tidyNotes, SKILL);
  const { clients, files, ...rest } = told.view;
  const view = hostile({ clients, files } as unknown as Show) as unknown as Pick<typeof told.view, 'clients' | 'files'>;
  await preview.send(message);
  await preview.send({ type: 'clients', view: { ...rest, ...view } });
  const { view: plain } = chosenOf(tidyNotes, SKILL, { client: 'claude-code', request: 'sort', cases: { tidy: true } });
  const chain = hostile(plain as unknown as Show) as unknown as typeof plain;
  await preview.send({
    type: 'chosen',
    view: {
      ...chain,
      steps: plain.steps.map((step, at) => ({ ...chain.steps[at], ...step, text: `${HOSTILE}${step.text}` })),
      parts: plain.parts.map((part) => ({ ...part, written: `${HOSTILE}${part.written}` })),
    },
  });
  await page.getByRole('region', { name: 'On demand' }).waitFor();
  for (const what of ['prompt', 'chosen'] as const) {
    await preview.send({ type: 'focus', what });
    assert.match((await page.locator(`.panel-${what}`).textContent()) ?? '', /<img src=x onerror/);
  }
  assert.equal(await page.locator('#root img, #root script').count(), 0);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('abilities with HTML and script in every field are shown as text', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const told = abilitiesOf(ableNotes, ABLE_SKILL);
  const { uri, ...fields } = told.view;
  const own = { ...fields, deniesNetwork: '' };
  const view = { uri, ...(hostile(own as unknown as Show) as unknown as Omit<typeof told.view, 'uri'>) };
  await preview.send(show(ableNotes, ABLE_SKILL));
  await preview.send({ type: 'abilities', view });
  await preview.send({ type: 'focus', what: 'abilities' });
  assert.match((await page.locator('.panel-abilities').textContent()) ?? '', /<img src=x onerror[\s\S]*git log/);
  assert.equal(await page.locator('#root img, #root script').count(), 0);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('a skill with HTML and script in every field is shown as text in every tab', async () => {
  const preview = await openPreview();
  const files = sampleFiles();
  for (const [path, sample] of [
    ['skills/scenes/prepare-scene.skill.md', 'tollhouse seven'],
    ['skills/scenes/draft-scene-outline.skill.md', 'siege at dusk'],
  ] as const) {
    const message = hostile(show(files, path, { sample }));
    const { result } = message.reply;
    if (result.ok) {
      const { prompt } = result.composition;
      const [first] = result.composition.segments;
      const segments = first ? [{ ...first, start: 0, end: prompt.length }] : [];
      Object.assign(result.composition, { segments });
    }
    await preview.send(message);
    for (const what of ['input', 'prompt', 'run', 'why'] as const) {
      await preview.send({ type: 'focus', what });
      assert.match((await preview.page.locator('body').textContent()) ?? '', /<img src=x onerror/);
    }
    for (const chip of await preview.page.locator('.chip').all())
      await chip.evaluate((one) => (one as HTMLElement).click());
    await preview.page.locator('.pill').click();
  }
  const errors = hostile(showText(skill('input_schema: {a: string}\n', '{% if %}\n')));
  await preview.send(errors);
  const { uri } = errors.reply;
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const finding = { range, severity: 'error' as const, message: HOSTILE, rule: HOSTILE, fix: HOSTILE };
  await preview.send({ type: 'findings', uri, findings: [finding] });
  await preview.send({ type: 'comparable', saved: HOSTILE, head: HOSTILE });
  await preview.send({ type: 'problem', text: HOSTILE });
  await preview.send({ type: 'notSkill', name: HOSTILE });
  await preview.send({ type: 'saveRefused', problem: HOSTILE });
  assert.equal(await preview.page.evaluate('window.hurt'), undefined);
  assert.equal(await preview.page.locator('img, #root script').count(), 0);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('the content security policy of a page blocks images, frames, media, styles and network requests', async () => {
  const preview = await openPreview();
  const kinds = ['connect-src', 'frame-src', 'img-src', 'media-src', 'style-src-attr', 'style-src-elem'];
  await preview.page.evaluate(async (expected) => {
    const left = new Set(expected);
    const allBlocked = new Promise<void>((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        left.delete(effectiveDirective);
        if (left.size === 0) resolve();
      }),
    );
    const add = (html: string) => document.body.insertAdjacentHTML('beforeend', html);
    add('<img src="https://e.example/x.png"><iframe src="https://e.example"></iframe><p style="color: red">a</p>');
    add('<link rel="stylesheet" href="https://e.example/x.css"><video src="https://e.example/x.mp4"></video>');
    await fetch('https://e.example').catch(() => {});
    await allBlocked;
  }, kinds);
  await preview.close();
});

test('the pages ignore messages of other origins', async () => {
  const message = { type: 'problem', text: 'Not from the panel.' };
  for (const name of ['preview', 'graph', 'import'] as const) {
    const { page } = await openWebview<object, ToPanel, PageState>(name, {});
    await page.evaluate((data) => {
      for (const origin of ['https://e.example', 'null', ''])
        dispatchEvent(new MessageEvent('message', { data, origin }));
      for (const data of [null, undefined, 5, 'text', {}, { type: '__proto__' }, { type: 'constructor' }])
        dispatchEvent(new MessageEvent('message', { data, origin: 'https://e.example' }));
    }, message);
    assert.ok(!(await page.locator('body').textContent())?.includes(message.text), name);
  }
});

test('the preview restores its saved state, but not the state of another version', async () => {
  const first = await openPreview();
  const good = showText(skill('input_schema: {}\n', '## PromptTemplate: main\n\nHello.\n'));
  await first.send(good);
  await first.send({ type: 'focus', what: 'why' });
  const state = await first.state();
  await first.close();
  assert.equal(state?.tab, 'why');
  const second = await openPreview({ ...(state && { state }) });
  await second.send(good);
  assert.equal(await second.page.getByRole('tab', { selected: true }).textContent(), 'Why');
  await second.close();
  const third = await openPreview({ state: { ...state, version: 0, tab: 'gone' } as never });
  await third.send(good);
  assert.equal(await third.page.getByRole('tab', { selected: true }).textContent(), 'Prompt');
  await third.close();
});

test('a preview without a skill explains what a skill is and offers to create one', async () => {
  const preview = await openPreview();
  await preview.send({ type: 'empty' });
  await preview.page.getByRole('button', { name: 'New Skill…' }).click();
  assert.deepEqual(await preview.sent(), [{ type: 'newSkill' }]);
  await preview.close();
});
