/** The placeholder of a fix is selected and reported until the author replaces it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { walk } from '../walk.ts';

walk.extended(
  'the placeholder of a fix is selected, and a warning until the author types over it',
  async (openFolder) => {
    const { page, open, type, squiggle, noSquiggle, quickFix, goTo, shows, screenshot } = await openFolder('stranger');
    const folder = join(new URL(page.url()).searchParams.get('folder') ?? '', '.claude/skills/fill-form');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), '# Fill the form\n\nCopy the values.\n');
    await open('fill-form/SKILL.md');
    await squiggle('error');
    await goTo(1);
    await quickFix('Add the frontmatter');
    await page.locator('.statusbar-item', { hasText: '(41 selected)' }).waitFor();
    await squiggle('warning');
    await screenshot('placeholder, selected');
    await type('Fills in the form. Use it for a cargo.');
    await shows(/^description: Fills in the form\. Use it for a cargo\.$/m);
    await noSquiggle('warning');
  },
);
