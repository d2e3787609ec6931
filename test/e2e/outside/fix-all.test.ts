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

test.extended(
  'a fix that is not safe is in a list with checkboxes, and is applied if it is selected',
  async (workbench) => {
    const { open, goTo, press, squiggle, paletteList, notification, shows, closeAll, screenshot } = workbench;
    await open('write-notice.skill.md');
    await goTo(4, 'version'.length + 1);
    await press('Backspace');
    await squiggle();
    const rows = await paletteList('Skill: Fix All in Workspace', 'Rename to ‘version’');
    await rows.getByRole('checkbox', { checked: false }).first().waitFor();
    await screenshot('fix all with a list');
    await rows.first().click();
    await press('Enter');
    await notification('Fixed 1 finding.');
    await shows(/^version: 1.0.0$/m);
    await closeAll();
  },
);
