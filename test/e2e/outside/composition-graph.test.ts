/** The panel of the composition graph, and the view of composed skills: both are updated while the user types. */
import type { FrameLocator, Page } from 'playwright-core';
import { test } from '../outside.ts';
import { editorOf } from '../preview.ts';
import { lineEnd, type Workbench } from '../workbench.ts';

const whole = 'digest-news.skill.yaml';
const part = 'collect-news.skill.yaml';
/** The line of the second entry in `composes`. */
const entry = 11;
const versionLine = 3;

const graphOf = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
const card = (graph: FrameLocator, name: string) =>
  graph.locator('.node').filter({ has: graph.getByText(name, { exact: true }) });

/** Opens the composite, and waits until the extension has read it, so that commands for a skill are available. */
async function openWhole({ page, open }: Workbench): Promise<void> {
  await open(whole);
  const actions = page.locator('.editor-group-container.active .editor-actions');
  await actions.getByRole('button', { name: 'Open Skill Preview' }).waitFor();
}

test('the composition graph shows the workspace, and a click on a card opens the skill at its name', async (workbench) => {
  const { page, open, palette, screenshot } = workbench;
  await open(whole);
  await palette('Skill: Show Composition Graph');
  const graph = graphOf(page);
  await card(graph, 'digest-news').waitFor();
  await graph.locator('.summary-line', { hasText: /\d+ skills · \d+ compositions/ }).waitFor();
  await screenshot('composition graph');
  await card(graph, 'collect-news').click();
  await editorOf(page, part).locator('.selected-text').first().waitFor();
});

test.extended(
  'the composition graph counts the errors of a skill like the Problems view, while typing',
  async (workbench) => {
    const { page, open, palette, goTo, type, press } = workbench;
    await open(whole);
    await palette('Skill: Show Composition Graph');
    const graph = graphOf(page);
    await card(graph, 'digest-news').waitFor();
    await card(graph, 'digest-news').press('Enter');
    await editorOf(page, whole).and(page.locator('.focused')).waitFor();
    await goTo(versionLine, lineEnd);
    await type('.x');
    await card(graph, 'digest-news')
      .filter({ hasText: /\d error/ })
      .waitFor();
    await press('Control+Z');
    await card(graph, 'digest-news')
      .filter({ hasNotText: /\d error/ })
      .waitFor();
  },
);

test.extended('the composition graph of one skill updates while typing, and keeps its zoom', async (workbench) => {
  const { page, palette, goTo, type, press } = workbench;
  await openWhole(workbench);
  await palette('Skill: Show Composition Graph of This Skill');
  const graph = graphOf(page);
  await page.locator('.tab.active', { hasText: 'Composition of digest-news' }).waitFor();
  await card(graph, 'sort-news').waitFor();
  await graph.getByLabel('Zoom in (+)').click();
  // The skill opens beside the panel, which then has half of the width.
  await card(graph, 'digest-news').press('Enter');
  await editorOf(page, whole).and(page.locator('.focused')).waitFor();
  const view = await graph.locator('.canvas-frame > g').getAttribute('transform');
  await goTo(entry, lineEnd);
  await type('-again');
  await card(graph, 'sort-news-again').filter({ hasText: 'unknown skill' }).waitFor();
  await press('Control+Z');
  await card(graph, 'sort-news').waitFor();
  await graph.locator(`.canvas-frame > g[transform="${view}"]`).waitFor({ state: 'attached' });
});

test.extended('a reload of the window brings the composition graph back', async (workbench) => {
  const { page, palette } = workbench;
  await openWhole(workbench);
  await palette('Skill: Show Composition Graph of This Skill');
  await card(graphOf(page), 'sort-news').waitFor();
  const loaded = page.waitForEvent('load');
  await palette('Developer: Reload Window');
  await loaded;
  await page.locator('.tab.active', { hasText: 'Composition of digest-news' }).waitFor();
  await card(graphOf(page), 'sort-news').waitFor();
});

test.extended('a view shows the skills that the active skill composes, and its composites', async (workbench) => {
  const { page, open, palette, screenshot } = workbench;
  await open(whole);
  await palette('View: Show Skills');
  const header = page.locator('.pane-header', { hasText: 'Skill Composition' });
  await header.waitFor();
  const rows = page.locator('.pane', { has: header }).locator('.monaco-list-row');
  await rows.filter({ hasText: 'Composes' }).waitFor();
  await rows.filter({ hasText: 'sort-news' }).waitFor();
  await screenshot('composition view');
  await rows.filter({ hasText: 'collect-news' }).click();
  await editorOf(page, part).waitFor();
  await rows.filter({ hasText: 'Composed by' }).waitFor();
  await rows.filter({ hasText: 'digest-news' }).waitFor();
  await palette('View: Show Explorer');
});
