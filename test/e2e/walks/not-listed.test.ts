/**
 * The number of skills that the target clients list: it is shown in a folder whose skills are all in hidden folders, and
 * leads to the cause.
 */
import { walk } from '../walk.ts';

walk.extended(
  'the status bar counts the skills that a client does not list, and a click leads to the cause',
  async (openFolder) => {
    const { page, press, palette, shows, screenshot } = await openFolder('listed');
    const entry = page.locator('.statusbar-item[id$="skillComposer.lists"]');
    await entry.filter({ hasText: '3 skills, 1 not listed' }).waitFor();
    await entry.and(page.locator('.warning-kind')).waitFor();
    await entry.locator('a[aria-label*="VS Code: 1 of 3 not listed"]').waitFor();
    await palette('View: Show Skills');
    const row = page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row', { hasText: 'draft-reply' });
    await row.filter({ hasText: 'not listed by VS Code' }).waitFor();
    await row.locator('.codicon-error, .codicon-warning').waitFor();
    await page.locator('.tree-explorer-viewlet-tree-view .message', { hasText: '3 skills, 1 not listed' }).waitFor();
    await screenshot('not listed, view');
    await entry.locator('a').click();
    const picks = page.locator('.quick-input-widget .monaco-list-row');
    await picks.filter({ hasText: /draft-reply.*VS Code.*The description is missing/ }).waitFor();
    await screenshot('not listed, list');
    await press('Enter');
    await page.locator('.tab.active[data-resource-name="SKILL.md"]').waitFor();
    await shows(/^name: draft-reply$/m);
    await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type('\ndescription: Drafts a reply. Use when a message waits.');
    await entry.filter({ hasText: /^\s*3 skills\s*$/ }).waitFor();
    await row.filter({ hasNotText: 'not listed' }).waitFor();
    await screenshot('not listed, fixed');
  },
);
