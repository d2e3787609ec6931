/** The choice of target clients, and the skills that only some of them read. */
import { walk } from '../walk.ts';

walk(
  '“Skill: Choose Clients…” ticks clients, and a folder that one of them does not read has a fix',
  async (openFolder) => {
    const { page, paletteList, open, goTo, press, quickFix, quickFixes, notification, screenshot, shows } =
      await openFolder('two-clients');
    const entry = page.locator('.statusbar-item[id$="skillComposer.lists"]');
    const rows = await paletteList('Skill: Choose Clients…', '2 skills in .claude/skills');
    await screenshot('choose clients, list');
    for (const name of [/^Claude Code$/, /^OpenAI Codex$/]) {
      const row = rows.filter({ has: page.locator('.label-name', { hasText: name }) });
      await row.getByRole('checkbox').first().check();
    }
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await entry.filter({ hasText: '3 skills, each for one client' }).waitFor();
    await open('draft-reply/SKILL.md');
    await shows(/^name: draft-reply$/m);
    await goTo(2);
    await quickFixes(/^Make the 2 skills in ‘\.claude\/skills’ available/);
    await screenshot('choose clients, fixes');
    await press('Escape');
    await quickFix(/^Make the 2 skills in ‘\.claude\/skills’ available/);
    await notification('Made available: .agents/skills/');
    // The editor shows no progress while the message waits for the user.
    await page.locator('.part.editor .monaco-progress-container.active').waitFor({ state: 'detached' });
    await screenshot('choose clients, available');
  },
);
