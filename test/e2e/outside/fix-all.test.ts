/** Applying all safe fixes, in a file and in the workspace, and the message about the remaining findings. */
import { test } from '../outside.ts';
import { lineEnd } from '../workbench.ts';

const description = 3;

test.extended('all safe fixes in a file are applied together, and a link lists the others', async (workbench) => {
  const { page, open, goTo, type, squiggle, palette, notification, shows, screenshot } = workbench;
  await open('unknown-tool.skill.md');
  await squiggle();
  await goTo(description, lineEnd);
  await type(' Note: only pages.');
  await page.locator('.squiggly-error').nth(0).waitFor({ state: 'attached' });
  await palette('Skill: Fix All in File');
  await page.locator('.view-line', { hasText: 'Note: only pages."' }).waitFor();
  const said = await notification('Fixed 1 finding. 1 finding remains: it needs a decision.');
  await screenshot('fix all in file');
  await said.getByRole('button', { name: 'Show in Problems' }).click();
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'unknown-tool' }).first().waitFor();
  await shows(/^description: "Summarizes [^"]*Note: only pages\."$/m);
});

test.extended(
  'one command applies all safe fixes in the workspace, and one undo reverts all fixes',
  async (workbench) => {
    const { page, open, goTo, type, squiggle, palette, notification, press, closeAll, screenshot } = workbench;
    for (const file of ['summarize-page.skill.md', 'write-notice.skill.md']) {
      await open(file);
      await goTo(description, lineEnd);
      await type(' Note: only this.');
      await squiggle();
    }
    await palette('Skill: Fix All in Workspace');
    // The fix of a misspelt tool is not safe, so it is not selected.
    await page.locator('.quick-input-list-separator', { hasText: 'Fixes to review' }).waitFor();
    await screenshot('fix all with a list');
    await press('Enter');
    await notification('Fixed 2 findings. 1 finding remains: it needs a decision.');
    await screenshot('fix all in workspace');
    const fixed = page.locator('.editor-group-container.active .view-line', { hasText: 'Note: only this."' });
    await fixed.waitFor();
    await open('summarize-page.skill.md');
    await fixed.waitFor();
    await page.locator('.editor-group-container.active .view-line').first().click();
    await press('Control+Z');
    await fixed.first().waitFor({ state: 'detached' });
    await open('write-notice.skill.md');
    await fixed.first().waitFor({ state: 'detached' });
    await closeAll();
  },
);
