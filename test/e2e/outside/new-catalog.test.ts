/** The status bar, its menu, and the catalog that both lead to. */
import type { Locator } from 'playwright-core';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

const statusOf = ({ page }: Workbench): Locator => page.locator('.statusbar-item[id$="skillComposer.status"]');

/** The palette gives way to the menu without closing in between. */
async function showMenu({ page, press }: Workbench): Promise<void> {
  await press('F1');
  await page.locator('.quick-input-widget input.input').waitFor();
  await page.keyboard.insertText('Skill: Show Menu');
  await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'Show Menu' }).waitFor();
  await press('Enter');
}

test('the status bar says what a file is, and its menu leads on by the keyboard', async (workbench) => {
  const { page, open, press, screenshot, closeAll } = workbench;
  const status = statusOf(workbench);
  await open('summarize-page.skill.md');
  await status.filter({ hasText: /^\s*1 tool$/ }).waitFor();
  await status.locator('a[aria-label*="Catalog: skills.config.yaml, 1 tool"]').waitFor();
  await open('fetch-page.skill.yaml');
  await status.filter({ hasText: 'Skill Contract' }).waitFor();
  await open('agent/greet-people/SKILL.md');
  await status.filter({ hasText: 'Agent Skill' }).waitFor();
  await showMenu(workbench);
  const rows = page.locator('.quick-input-widget .monaco-list-row');
  await rows.filter({ hasText: 'Restart Language Server' }).waitFor();
  await screenshot('status menu');
  await page.keyboard.insertText('Open the Catalog');
  await rows.and(page.locator('.focused')).filter({ hasText: 'Open the Catalog' }).waitFor();
  await press('Enter');
  await status.filter({ hasText: 'Skill Catalog' }).waitFor();
  await closeAll();
  await status.waitFor({ state: 'hidden' });
});

test.extended('a catalog that is there is shown and stays as it is', async (workbench) => {
  const { page, palette, notification, shows, noSquiggle, screenshot, closeAll } = workbench;
  await palette('Skill: New Catalog…');
  // There is one already: it is shown, and nothing is written.
  await page.locator('.tab.active[data-resource-name="skills.config.yaml"]').waitFor();
  await notification('is there already');
  await shows(/Reads one page of the wiki/);
  await noSquiggle();
  await screenshot('catalog that was there');
  await closeAll();
});
