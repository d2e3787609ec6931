/** Debugging a skill at the keyboard: F5, a breakpoint, steps, a changed value, and the answer to an interrupt. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../protocol/until.ts';
import { test } from '../outside.ts';
import { appears } from '../waits.ts';

const skills: Readonly<Record<string, string>> = {
  'visit-mill.skill.md': `---
name: visit-mill
description: Plans a visit to the mill. Use it before a scene is set there.
version: 1.0.0
input_schema: {house: string}
output_schema: {doors: string}
interrupts: [{name: before_exit, message: Is the visit planned?}]
level: 2
composes: [count-mill-doors]
execution:
  - step: count-mill-doors
samples:
  mill: {parameters: {house: The Mill}}
---

Plan the visit.
`,
  'count-mill-doors.skill.md': `---
name: count-mill-doors
description: Counts the doors of a house. Use it when a scene needs an exit.
version: 1.0.0
input_schema: {house: string}
output_schema: {doors: string}
---

Count the doors of {{ house }}.
`,
};

test.extended(
  'a skill stops at a breakpoint, at each step forwards and backwards, and at an interrupt',
  async (workbench) => {
    const { page, open, goTo, press, palette, screenshot, closeAll } = workbench;
    const folder = new URL(page.url()).searchParams.get('folder') ?? '';
    const paths = Object.keys(skills).map((name) => join(folder, name));
    for (const [name, text] of Object.entries(skills)) writeFileSync(join(folder, name), text);
    /** Waits until the innermost frame, which is the first one, has this name. */
    const stoppedAt = (frame: string) =>
      page.locator('.debug-call-stack .monaco-list-row').first().filter({ hasText: frame }).waitFor();
    const variable = (name: string, value: string) =>
      page.locator('.debug-variables .monaco-list-row').filter({ hasText: name }).filter({ hasText: value }).first();
    try {
      await open('visit-mill.skill.md');
      await goTo(11, 5);
      await press('F9');
      await page.locator('.editor-instance .codicon-debug-breakpoint').first().waitFor();
      await press('F5');
      await stoppedAt('visit-mill: count-mill-doors');
      await screenshot('debugging at a breakpoint');
      await press('F11');
      await stoppedAt('count-mill-doors: Validate input');
      await page.locator('.debug-toolbar .codicon-debug-step-back').click();
      await stoppedAt('visit-mill: count-mill-doors');
      const input = page.locator('.debug-variables .monaco-inputbox input');
      // The view may replace its rows after the call stack is shown, also while a value is edited.
      await until('the value to be edited', async () => {
        await variable('house', 'The Mill').dblclick();
        if (!(await appears(input, 2_000))) return false;
        await input.fill('"The Inn"');
        await press('Enter');
        return appears(variable('house', 'The Inn'), 2_000);
      });
      await press('F11');
      await stoppedAt('count-mill-doors: Validate input');
      await variable('house', 'The Inn').waitFor();
      await screenshot('debugging a changed value');
      await press('F5');
      await page.locator('.quick-input-widget', { hasText: 'Is the visit planned?' }).waitFor();
      await screenshot('debugging an interrupt');
      await press('Enter');
      await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
      await goTo(11, 5);
      await press('F9');
      await page.locator('.editor-instance .codicon-debug-breakpoint').waitFor({ state: 'detached' });
    } finally {
      for (const path of paths) rmSync(path, { force: true });
    }
    await palette('View: Show Explorer');
    await closeAll();
  },
);

test.extended('a debug session ends when the language server restarts, and another one begins', async (workbench) => {
  const { page, open, goTo, press, palette, notification, screenshot, closeAll } = workbench;
  const stopped = page.locator('.debug-call-stack .monaco-list-row').first().filter({ hasText: 'write-notice:' });
  const breakpoint = page.locator('.editor-instance .codicon-debug-breakpoint');
  const toolbar = page.locator('.debug-toolbar');
  await open('write-notice.skill.md');
  await goTo(5, 10);
  await press('F9');
  await breakpoint.first().waitFor();
  await press('F5');
  await stopped.waitFor();
  await palette('Skill: Restart Language Server');
  await toolbar.waitFor({ state: 'hidden' });
  await notification(/The debug session of .*write-notice.* has ended/);
  await screenshot('debugging after a restart of the server');
  await open('write-notice.skill.md');
  await press('F5');
  await stopped.waitFor();
  await press('Shift+F5');
  await toolbar.waitFor({ state: 'hidden' });
  await goTo(5, 10);
  await press('F9');
  await breakpoint.waitFor({ state: 'detached' });
  await palette('View: Show Explorer');
  await closeAll();
});
