/** Creating a skill from the palette. The cursor is then at the description of the new skill. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

const asksForName = ({ page }: Workbench): Promise<void> =>
  page.locator('.quick-input-widget .quick-input-message', { hasText: 'Name, for example' }).waitFor();

test('a new skill is named, created, and opened with its description selected', async (workbench) => {
  const { page, open, paletteList, pick, press, type, shows, noSquiggle, screenshot } = workbench;
  await open('summarize-page.skill.md');
  await paletteList('Skill: New Skill…', 'Stages');
  await screenshot('new skill kinds');
  await pick('Stages');
  await asksForName(workbench);
  const message = page.locator('.quick-input-widget .quick-input-message');
  await page.keyboard.insertText('Describe Harbour');
  await message.filter({ hasText: /Creates \S+\/describe-harbour\.skill\.md$/ }).waitFor();
  await screenshot('new skill name');
  await press('Control+A');
  await page.keyboard.insertText('summarize-page');
  await message.filter({ hasText: 'summarize-page.skill.md already exists' }).waitFor();
  await press('Control+A');
  await page.keyboard.insertText('Describe Harbour');
  await message.filter({ hasText: /Creates \S+\/describe-harbour\.skill\.md$/ }).waitFor();
  await press('Enter');
  const tab = page.locator('.tab.active[data-resource-name="describe-harbour.skill.md"]');
  await tab.waitFor();
  // The label of a preview tab, which the next file would replace, is in italics.
  assert.equal(await tab.locator('.monaco-icon-label.italic').count(), 0);
  await page.locator('.editor-instance .view-line', { hasText: 'description:' }).first().waitFor();
  // The text is short enough for one line in a narrow editor.
  await type('Describes a harbour.');
  await page.locator('.view-line', { hasText: 'Describes a harbour.' }).first().waitFor();
  await shows(/^name: describe-harbour\ndescription: Describes a harbour\.\nversion:/m);
  await noSquiggle();
  await noSquiggle('hint');
  await screenshot('new skill');
});

test.extended('a SKILL.md that is created from the explorer gets a new folder', async (workbench) => {
  const { page, pick, press, palette, closeAll, screenshot } = workbench;
  // The explorer reveals the active editor, so its first rows may be scrolled out of view.
  await closeAll();
  await palette('View: Show Explorer');
  await page.locator('.explorer-folders-view').hover();
  await page.mouse.wheel(0, -100_000);
  const folder = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'agent' }).first();
  const entries = page.locator('.monaco-menu .action-item');
  const entry = entries.filter({ hasText: 'New Skill…' });
  const openMenu = async (): Promise<void> => {
    await folder.click({ button: 'right' });
    await entries.first().waitFor();
  };
  // A workbench that has just loaded may not yet have read the contributions of extensions, so the menu is opened
  // again. The open menu must be closed first, because it consumes every click.
  for (await openMenu(); !(await entry.isVisible()); await openMenu()) {
    await press('Escape');
    await entries.first().waitFor({ state: 'hidden' });
  }
  await screenshot('new skill in the explorer');
  // A menu that has just opened may ignore a click, but never a key.
  await entry.hover();
  await entry.and(page.locator('.focused')).waitFor();
  await press('Enter');
  await pick('Agent Skill');
  await asksForName(workbench);
  await page.keyboard.insertText('greet-people');
  const message = page.locator('.quick-input-widget .quick-input-message');
  await message.filter({ hasText: 'greet-people/SKILL.md already exists' }).waitFor();
  await press('Control+A');
  await page.keyboard.insertText('greet-animals');
  await message.filter({ hasText: /Creates \S+\/agent\/greet-animals\/SKILL\.md$/ }).waitFor();
  await press('Enter');
  await page.locator('.tab.active[data-resource-name="SKILL.md"]').waitFor();
  await page.locator('.editor-instance .view-line', { hasText: 'greet-animals' }).first().waitFor();
});

test.extended('a new composite composes the chosen skills, and has no findings', async (workbench) => {
  const { page, choose, open, press, shows, noSquiggle, screenshot } = workbench;
  await open('summarize-page.skill.md');
  const rows = await choose('Skill: New Skill…', 'Composite');
  await rows.filter({ hasText: 'fetch-page' }).waitFor();
  await screenshot('new composite parts');
  const accept = page.locator('.quick-input-widget').getByRole('button', { name: 'OK' });
  await accept.click();
  await page.getByPlaceholder('Select at least one skill to compose').waitFor();
  for (const name of ['collect-news', 'sort-news'])
    await rows.filter({ hasText: name }).locator('.label-name').first().click();
  await page.locator('.quick-input-widget .quick-input-count', { hasText: '2 Selected' }).waitFor();
  await accept.click();
  await page.locator('.quick-input-widget .quick-input-message', { hasText: 'Name, for example' }).waitFor();
  await page.keyboard.insertText('News of the Day');
  await page.locator('.quick-input-widget .quick-input-message', { hasText: /news-of-the-day\.skill\.md$/ }).waitFor();
  await press('Enter');
  await page.locator('.tab.active[data-resource-name="news-of-the-day.skill.md"]').waitFor();
  await page.locator('.editor-instance .view-line', { hasText: 'composes:' }).waitFor();
  await shows(/^composes:.*\n {2}- collect-news\n {2}- sort-news$/m);
  await noSquiggle();
  await screenshot('new composite');
});
