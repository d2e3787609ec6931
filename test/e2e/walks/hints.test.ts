/** Findings that are easy to overlook: hints, and links to a skill whose folder was renamed outside the editor. */
import { strict as assert } from 'node:assert';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { walk } from '../walk.ts';

walk.extended('hints are in the status bar, in the view and in a list, and nothing is coloured', async (openFolder) => {
  const { page, palette, press, screenshot } = await openFolder('moved');
  const entry = page.locator('.statusbar-item', { hasText: /3 skills, \d/ });
  await entry.filter({ hasText: '3 skills, 3 warnings' }).waitFor();
  await palette('View: Show Skills');
  const row = page.locator('.pane-body .monaco-list-row', { hasText: 'release-notes' });
  await row.filter({ hasText: '1 hint' }).waitFor();
  assert.equal(await row.locator('.codicon-error, .codicon-warning, .codicon-info').count(), 0);
  await screenshot('hints, view of skills');
  await entry.hover();
  await screenshot('hints, tooltip');
  await palette('Skill: Check Skills…');
  const rows = page.locator('.quick-input-widget .monaco-list-row');
  await rows.filter({ hasText: 'Hints' }).filter({ hasText: 'release-notes' }).waitFor();
  await screenshot('hints, list');
  await press('Escape');
});

walk.extended(
  'a link to a skill whose folder was renamed gets a fix that leads to the new folder',
  async (openFolder) => {
    const { open, goTo, squiggle, quickFix, shows, noSquiggle, screenshot } = await openFolder('moved');
    await open('crash-report/SKILL.md');
    await squiggle('warning');
    await goTo(6, 40);
    await screenshot('moved skill');
    await quickFix('Replace with ‘../log-detective/SKILL.md’');
    await shows(/\(\.\.\/log-detective\/SKILL\.md\)/);
    await goTo(7, 45);
    await quickFix('Replace with ‘../log-detective/references/formats.md’');
    await shows(/\(\.\.\/log-detective\/references\/formats\.md\)/);
    await noSquiggle('warning');
  },
);

walk.extended('a folder that another program renames while its callers are open is found, too', async (openFolder) => {
  const { page, open, goTo, quickFix, shows, squiggle } = await openFolder('renamed');
  await open('crash-report/SKILL.md');
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
  const skills = join(new URL(page.url()).searchParams.get('folder') ?? '', '.claude', 'skills');
  renameSync(join(skills, 'log-reader'), join(skills, 'log-detective'));
  await squiggle('warning');
  await goTo(8, 105);
  await quickFix('Replace with ‘../log-detective/SKILL.md’');
  await shows(/\(\.\.\/log-detective\/SKILL\.md\)/);
});
