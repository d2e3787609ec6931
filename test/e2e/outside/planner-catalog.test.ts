/** The planner catalog as a document that is updated while the user types. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';

test.extended('the planner catalog opens beside the skill, and shows edits to a description', async (workbench) => {
  const { page, open, palette, goTo, type, press, screenshot } = workbench;
  await open('collect-news.skill.yaml');
  await palette('Skill: Show Planner Catalog');
  const document = page.locator('.monaco-editor[data-uri^="skill-catalog:"]');
  await document.locator('.view-line', { hasText: '## collect-news' }).waitFor();
  await screenshot('planner catalog');
  assert.equal(await document.locator('.view-line', { hasText: '## collect-news' }).count(), 1);
  await press('Control+1');
  await goTo(2, 14);
  await type('Quickly ');
  await document.locator('.view-line', { hasText: 'Quickly' }).waitFor();
});

test.extended('the planner catalog fills an empty window', async ({ page, palette, closeAll }) => {
  await closeAll();
  await palette('Skill: Show Planner Catalog');
  const document = page.locator('.monaco-editor[data-uri^="skill-catalog:"]');
  await document.locator('.view-line', { hasText: '## collect-news' }).waitFor();
  assert.equal(await page.locator('.editor-group-container').count(), 1);
  await closeAll();
});

test.extended(
  'the planner catalog is shown for a caller, as data and as a table, and updates automatically',
  async (workbench) => {
    const { page, open, palette, goTo, type, press, screenshot } = workbench;
    await open('skills.config.yaml');
    await goTo(1, 1);
    await page.keyboard.insertText('profiles: [{name: reader, scopes: []}]\n');
    await open('collect-news.skill.yaml');
    await palette('Skill: Show Planner Catalog');
    const active = page.locator('.editor-group-container.active');
    const lines = active.locator('.monaco-editor[data-uri^="skill-catalog:"] .view-line');
    await lines.filter({ hasText: '## collect-news' }).waitFor();
    const pick = page.locator('.quick-input-widget');
    const choose = async (label: string): Promise<void> => {
      await active
        .locator('.editor-actions')
        .getByRole('button', { name: /Choose Format and Caller/ })
        .click();
      const row = pick.locator('.monaco-list-row', {
        has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }),
      });
      await row.click();
    };
    await choose('JSON');
    await lines.filter({ hasText: '"name": "collect-news"' }).waitFor();
    await screenshot('planner catalog as JSON');
    await choose('reader');
    await page.locator('.tab.active', { hasText: 'Planner catalog (reader).json' }).waitFor();
    await choose('Prompt');
    await page.locator('.tab.active', { hasText: 'Planner catalog (reader).md' }).waitFor();
    await lines.filter({ hasText: '## collect-news' }).waitFor();
    assert.equal(await lines.filter({ hasText: '## summarize-page' }).count(), 0);
    await press('Control+1');
    await goTo(2, 14);
    await type('Quickly ');
    await page.locator('.monaco-editor[data-uri^="skill-catalog:"] .view-line', { hasText: 'Quickly' }).waitFor();

    await palette('Skill: Choose Format and Caller for the Planner Catalog…');
    await pick.locator('.monaco-list-row', { hasText: 'Table' }).click();
    const table = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('table');
    await table.getByRole('cell', { name: 'collect-news' }).waitFor();
    await screenshot('planner catalog as a table');
  },
);
