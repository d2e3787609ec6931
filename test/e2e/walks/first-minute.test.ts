/** The first minute of a new user: a folder with skills that a client does not list, and an empty folder. */
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../protocol/until.ts';
import { appears } from '../waits.ts';
import { walk } from '../walk.ts';
import type { Workbench } from '../workbench.ts';

/** The entry of the status bar about all skills. */
const entryOf = ({ page }: Workbench) => page.locator('.statusbar-item[id$="skillComposer.lists"]');

/** Opens the list of notifications until it is shown without a notification. It closes when the extension starts. */
async function noNotifications({ page, palette }: Workbench): Promise<void> {
  const list = page.locator('.notifications-center.visible', { hasText: 'No new notifications' });
  await until('an empty list of notifications', async () => {
    if (await appears(list, 2_000)) return true;
    await palette('Notifications: Show Notifications');
    return false;
  });
}

/** A skill with errors. */
const WRONG = '---\nname: Wave\n---\n\nWave.\n';

/** Writes a file into the folder of the workbench. */
function write({ page }: Workbench, path: string, text: string): void {
  const file = join(new URL(page.url()).searchParams.get('folder') ?? '', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const firstStep = ({ page }: Workbench) => page.locator('.getting-started-step').first();

walk.extended(
  'a new user sees all skills and one notification about those that are not listed, and the steps begin with them',
  async (openFolder) => {
    const workbench = await openFolder('listed', 'new user');
    const { page, notification, press, screenshot } = workbench;
    const entry = entryOf(workbench);
    await entry.filter({ hasText: '3 skills, 1 not listed' }).waitFor();
    // The findings are in the tooltip once all files have been checked.
    await entry.locator('a[aria-label*="Findings: "]').waitFor();
    await page.locator('.sidebar .pane', { hasText: 'All Skills' }).locator('.monaco-list-row').first().waitFor();
    await screenshot('first minute');
    const message = await notification('Skill Composer checked this workspace: 3 skills, 1 not listed by VS Code');
    assert.equal(await page.locator('.notifications-center .notification-list-item').count(), 1);
    await message.getByRole('button', { name: 'Get Started' }).click();
    await firstStep(workbench).filter({ hasText: 'Check the skills you have' }).waitFor();
    await screenshot('first minute, walkthrough');
    await firstStep(workbench).getByRole('button', { name: 'Check Skills…' }).click();
    const rows = page.locator('.quick-input-widget .monaco-list-row', { hasText: 'draft-reply' });
    await rows.filter({ hasText: 'Not listed' }).waitFor();
    await rows.filter({ hasText: 'Errors' }).waitFor();
    await screenshot('first minute, skills to check');
    await press('Escape');
    await firstStep(workbench).locator('.complete').waitFor();

    await page.reload();
    await entry.locator('a[aria-label*="Findings: "]').waitFor();
    await noNotifications(workbench);
  },
);

walk.extended(
  'a new user sees nothing in an empty folder, and the steps begin with a new skill',
  async (openFolder) => {
    const workbench = await openFolder(undefined, 'new user');
    const { palette, screenshot } = workbench;
    await palette('Skill: Get Started');
    await firstStep(workbench).filter({ hasText: 'Create a skill' }).waitFor();
    await screenshot('first minute, empty folder');
    await noNotifications(workbench);
    assert.equal(await entryOf(workbench).count(), 0);

    // A user who has run a command sees no notification later.
    write(workbench, '.claude/skills/wave/SKILL.md', WRONG);
    await entryOf(workbench).locator('a[aria-label*="Findings: "]').waitFor();
    await workbench.page.reload();
    await entryOf(workbench).locator('a[aria-label*="Findings: "]').waitFor();
    await noNotifications(workbench);
  },
);

walk.extended('a new user sees no second notification if settings are invalid', async (openFolder) => {
  const workbench = await openFolder(undefined, 'new user');
  const { page, notification } = workbench;
  write(workbench, '.claude/skills/wave/SKILL.md', WRONG);
  write(workbench, '.vscode/settings.json', '{"skillComposer.agentSkills.clients": ["nobody"]}');
  await page.reload();
  await entryOf(workbench).locator('a[aria-label*="Findings: "]').waitFor();
  await notification('Invalid settings; using the defaults.');
  assert.equal(await page.locator('.notifications-center .notification-list-item').count(), 1);
});

walk.extended('lists each error of the workspace, also of skills that are cut', async (openFolder) => {
  const workbench = await openFolder(undefined);
  const { page, palette, screenshot } = workbench;
  write(workbench, 'skills.config.yaml', 'agent_skills: {clients: [claude-code]}\n');
  const description = `Waves. ${'Use it for a wave. '.repeat(90)}`;
  write(
    workbench,
    '.claude/skills/wave/SKILL.md',
    `---\nname: wave\nname: wave\ndescription: ${description}\n---\n\nWave.\n`,
  );
  await entryOf(workbench)
    .filter({ hasText: /1 skill, \d errors?/ })
    .waitFor();
  await palette('Skill: Check Skills…');
  const rows = page.locator('.quick-input-widget .monaco-list-row');
  await rows
    .filter({ hasText: 'Errors' })
    .filter({ hasText: 'wave' })
    .filter({ hasText: 'cut by Claude Code' })
    .waitFor();
  assert.equal(await rows.filter({ hasText: 'wave' }).count(), 1);
  assert.equal(await rows.filter({ hasText: 'Warnings' }).count(), 0);
  await screenshot('first minute, errors of a skill that is cut');
});
