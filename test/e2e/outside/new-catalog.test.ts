/** The status bar, its menu, and the command that creates the catalog. */
import type { Locator } from 'playwright-core';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

const statusOf = ({ page }: Workbench): Locator => page.locator('.statusbar-item[id$="skillComposer.status"]');

test.extended(
  'the status bar shows the dialect of a file, and the status menu works from the keyboard',
  async (workbench) => {
    const { open, paletteList, pick, screenshot, closeAll } = workbench;
    const status = statusOf(workbench);
    await open('summarize-page.skill.md');
    await status.filter({ hasText: /^\s*1 tool$/ }).waitFor();
    await status.locator('a[aria-label*="Catalog: skills.config.yaml, 1 tool"]').waitFor();
    await open('fetch-page.skill.yaml');
    await status.filter({ hasText: 'Skill Contract' }).waitFor();
    await open('agent/greet-people/SKILL.md');
    await status.filter({ hasText: 'Agent Skill' }).waitFor();
    await paletteList('Skill: Show Menu', 'Restart Language Server');
    await screenshot('status menu');
    await pick('Open the Catalog');
    await status.filter({ hasText: 'Skill Catalog' }).waitFor();
    await closeAll();
    await status.waitFor({ state: 'hidden' });
  },
);

test.extended('an existing catalog is opened and not changed', async (workbench) => {
  const { page, palette, notification, shows, noSquiggle, screenshot, closeAll } = workbench;
  await palette('Skill: New Catalog…');
  // The catalog exists already: it is opened, and nothing is written.
  await page.locator('.tab.active[data-resource-name="skills.config.yaml"]').waitFor();
  await notification('already exists and was not changed');
  await shows(/Reads one page of the wiki/);
  await noSquiggle();
  await screenshot('catalog that was there');
  await closeAll();
});
