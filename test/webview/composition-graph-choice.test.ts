/** The selection of skills in the composition graph: a folder or the workspace, groups, filters, and the way back. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type { GraphState } from '../../client/src/panels/graph/messages.ts';
import {
  card,
  filesIn,
  focusedName,
  names,
  open,
  opened,
  show,
  shownPart,
  uriOf,
  WRONG,
  wrong,
} from './composition-graph-page.ts';
import { manySkills, showGraph } from './composition-graph-reply.ts';
import { closeBrowser } from './page.ts';

after(closeBrowser);

const FOLDERS = {
  ...filesIn('good', { whole: ['level: 2', 'composes: [one, two]'], one: ['level: 1'], two: ['level: 1'] }),
  ...filesIn('small', { three: ['level: 1'], four: ['level: 1'] }),
  ...filesIn('bad', {
    outer: ['level: 3', 'composes: [whole, gone]'],
    five: ['level: 1'],
    six: ['level: 1'],
    seven: ['level: 1'],
  }),
};

test('the graph opens with the folder of the active file', async () => {
  const webview = await open();
  await webview.send({ type: 'active', uri: 'file:///skills-here/bad/five.skill.yaml' });
  await webview.send(showGraph(FOLDERS));
  assert.equal(await shownPart(webview), 'bad');
  assert.deepEqual(await names(webview), ['five', 'gone', 'outer', 'seven', 'six', 'whole']);
  await webview.close();
});

test('without an active file, the graph keeps showing the largest folder without errors', async () => {
  const webview = await opened(showGraph(FOLDERS));
  assert.equal(await shownPart(webview), 'good');
  assert.deepEqual(await names(webview), ['one', 'outer', 'two', 'whole']);
  await webview.send({ type: 'active', uri: 'file:///skills-here/bad/five.skill.yaml' });
  assert.equal(await shownPart(webview), 'good');
  assert.equal((await webview.state())?.folder, 'file:///skills-here/good');
  await webview.close();
});

test('the whole workspace can be chosen in one step, and Back returns to the previous folder', async () => {
  const webview = await opened(showGraph(FOLDERS));
  await show(webview, 'Workspace');
  assert.equal((await names(webview)).length, 10);
  await webview.page.getByLabel('Back (Backspace)').click();
  assert.equal(await shownPart(webview), 'good');
  assert.equal(await webview.page.getByLabel('Back (Backspace)').count(), 0);
  await webview.close();
});

test('the graph of a workspace without skills offers to create a skill', async () => {
  const webview = await open();
  await webview.send(showGraph({}));
  await webview.page.getByRole('button', { name: 'New Skill…' }).click();
  assert.deepEqual(await webview.sent(), [{ type: 'newSkill' }]);
  await webview.close();
});

test('the graph filters skills by level and by errors', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'Composite · level 2' });
  assert.deepEqual(await names(webview), ['a', 'b']);
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'All levels' });
  await page.getByRole('button', { name: 'Only with errors' }).click();
  assert.deepEqual(await names(webview), ['a', 'above', 'b', 'gone']);
  await page.getByLabel('Level', { exact: true }).selectOption({ label: 'Atomic · level 1' });
  const summary = (): Promise<string | null> => page.locator('.summary-line').textContent();
  assert.match((await summary()) ?? '', /none of the chosen level has errors/);
  await page.getByRole('button', { name: 'Show all skills' }).click();
  assert.equal((await names(webview)).length, 6);
  await page.getByRole('button', { name: 'Only with errors' }).click();
  assert.match((await summary()) ?? '', /skills without errors are hidden Show all skills/);
  await page.getByRole('button', { name: 'Show all skills' }).click();
  assert.equal((await names(webview)).length, 6);
  await webview.close();
});

test('the graph requests a chosen scope, and Back requests the previous scope', async () => {
  const webview = await opened(wrong);
  const { page } = webview;
  await show(webview, 'b');
  assert.deepEqual(await webview.sent(), [{ type: 'scope', scope: uriOf('b') }]);
  await webview.send(showGraph(WRONG, 'b.skill.yaml'));
  await card(webview, 'alone').waitFor({ state: 'detached' });
  assert.equal((await webview.state())?.scope, uriOf('b'));
  await page.getByLabel('Back (Backspace)').click();
  assert.deepEqual(await webview.sent(), [{ type: 'scope', scope: null }]);
  await webview.send(wrong);
  await card(webview, 'alone').waitFor();
  await webview.close();
});

test('the graph restores its saved state', async () => {
  const first = await opened(wrong);
  await first.page.getByLabel('Zoom in (+)').click();
  await card(first, 'leaf').focus();
  // The view is saved after a moment without movement.
  await first.page.waitForFunction((selected) => {
    const { keptState } = window as unknown as { keptState?: GraphState };
    const { x, y, scale } = keptState?.view ?? { x: 0, y: 0, scale: 0 };
    const kept = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`;
    const shown = document.querySelector('.canvas-frame > g')?.getAttribute('transform');
    return keptState?.selected === selected && kept === shown;
  }, uriOf('leaf'));
  const state = await first.state();
  const view = await first.page.locator('.canvas-frame > g').getAttribute('transform');
  await first.close();
  assert.ok(state?.view && state.selected === uriOf('leaf'));
  const second = await opened(wrong, { state });
  assert.equal(await second.page.locator('.canvas-frame > g').getAttribute('transform'), view);
  assert.equal(await card(second, 'leaf').getAttribute('tabindex'), '0');
  await second.close();
});

test('many skills are grouped by folder, and Backspace returns from a group to all groups', async () => {
  const webview = await opened(manySkills(200, 20), { width: 2400 });
  const { page } = webview;
  await show(webview, 'Workspace');
  const counts = await page.locator('.node.group').allTextContents();
  assert.deepEqual(
    counts.map((text) => Number(/(\d+) skills/.exec(text)?.[1])),
    counts.map(() => 20),
  );
  assert.equal(counts.length, 10);
  const links = page.locator('.canvas-frame .edge');
  const merged = await links.locator('title').allTextContents();
  assert.ok(merged.length < 90 && merged.some((title) => title.split('\n').length > 1));
  await page.locator('.node.group', { hasText: 'part-9' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await shownPart(webview), 'part-9');
  await page.keyboard.press('0');
  assert.equal(await page.locator('.node.skill:not(.outside)').count(), 20);
  assert.ok(await page.evaluate(() => document.activeElement?.classList.contains('node')));
  assert.deepEqual(await webview.sent(), []);
  await page.keyboard.press('Backspace');
  assert.equal(await page.locator('.node.group').count(), 10);
  assert.equal(await focusedName(webview), 'part-9');
  await page.getByRole('button', { name: 'Grouped' }).click();
  await page.locator('.node.skill').first().waitFor();
  await webview.close();
});

test('a disabled skill has a different colour, and the title of its card states that it is disabled', async () => {
  const files = filesIn('some', { whole: ['level: 2', 'composes: [one, two]'], one: ['level: 1'], two: ['level: 1'] });
  const webview = await opened(showGraph({ ...files, 'skills.config.yaml': 'permissions: {one: {enabled: false}}\n' }));
  assert.match((await card(webview, 'some/one').getAttribute('class')) ?? '', /\bdisabled\b/);
  assert.match((await card(webview, 'some/one').locator('title').textContent()) ?? '', /disabled in this workspace/);
  assert.doesNotMatch((await card(webview, 'some/two').getAttribute('class')) ?? '', /\bdisabled\b/);
  const colours = await Promise.all(
    ['some/one', 'some/two'].map((name) =>
      card(webview, name)
        .locator('text')
        .first()
        .evaluate((text) => getComputedStyle(text).fill),
    ),
  );
  assert.notEqual(colours[0], colours[1]);
  await webview.close();
});
