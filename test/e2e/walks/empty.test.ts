/** Commands in an empty folder and in a window without a folder say what is missing. */
import type { Locator } from 'playwright-core';
import { until } from '../../protocol/until.ts';
import { appears } from '../waits.ts';
import { walk } from '../walk.ts';
import type { Workbench } from '../workbench.ts';

walk.extended('commands say that a folder or a skill is missing, and offer to create it', async (openFolder) => {
  const workbench = await openFolder();
  const { page, palette, press, screenshot } = workbench;
  await palette('Skill: Pack…');
  const noSkills = await laterNotification(workbench, 'has no skills to pack. Create or import a skill first.');
  await screenshot('empty folder pack');
  await noSkills.getByRole('button', { name: 'New Skill…' }).click();
  await page.locator('.quick-input-widget', { hasText: 'Prompt template' }).waitFor();
  await press('Escape');

  const window = new URL(page.url());
  window.searchParams.delete('folder');
  window.searchParams.set('ew', 'true');
  await page.goto(window.href);
  await page.locator('.activitybar .action-label[aria-label^="Skills"]').waitFor();
  for (const command of ['Pack…', 'Import…', 'Add Tools from the Editor…', 'Pull Tools from Servers…']) {
    await palette(`Skill: ${command}`);
    const noFolder = await laterNotification(workbench, 'This command needs a folder. Open a folder first.');
    await noFolder.getByRole('button', { name: 'Open Folder…' }).waitFor();
    await screenshot(`empty window ${command}`);
    await palette('Notifications: Clear All Notifications');
    await noFolder.waitFor({ state: 'hidden' });
  }
});

/** Opens the list of notifications until it has this text. The list closes after the extension has started. */
async function laterNotification({ page, palette }: Workbench, text: string): Promise<Locator> {
  const message = page.locator('.notification-list-item', { hasText: text }).first();
  await until(`the notification “${text}”`, async () => {
    if (await appears(message, 2_000)) return true;
    await palette('Notifications: Show Notifications');
    return false;
  });
  return message;
}
