/** The walkthrough for new users: VS Code marks a step as completed after the user performs its action. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

async function openWalkthrough({ page, choose }: Workbench): Promise<void> {
  await choose('Welcome: Open Walkthrough', 'First Steps with Skills');
  await page.locator('.getting-started-step', { hasText: 'Create a skill' }).waitFor();
}

test.extended('the walkthrough shows its pictures, and completes a step after its action', async (workbench) => {
  const { page, screenshot, quickFix, goTo, closeAll, squiggle } = workbench;
  await openWalkthrough(workbench);
  const step = page.locator('.getting-started-step', { hasText: 'See mistakes as you type' });
  await step.click();
  const shown = page
    .locator('iframe.webview.ready')
    .last()
    .contentFrame()
    .locator('iframe#active-frame')
    .contentFrame();
  // In a small window, the picture is in the page but not visible.
  await shown.getByText('Replace with').waitFor({ state: 'attached' });
  await screenshot('walkthrough');
  await step.getByRole('button', { name: 'Open an Example with Mistakes' }).click();
  await page.locator('.view-line', { hasText: 'answer-letter' }).first().waitFor();
  await squiggle();
  await screenshot('walkthrough example');
  // Opening the example does not complete the step of fixing it.
  assert.equal(await step.locator('.complete').count(), 0);
  // Puts the cursor on the unknown filter in the template.
  await goTo(21, 20);
  await quickFix('Replace with ‘trim’');
  await page.locator('.view-line', { hasText: 'user_request | trim }}' }).waitFor();
  await closeAll();
  await openWalkthrough(workbench);
  await page.locator('.getting-started-step', { hasText: 'See mistakes as you type' }).locator('.complete').waitFor();
  await page.locator('.getting-started-step', { hasText: 'Run a skill step by step' }).click();
  await shown.getByText('Follows the debugger').waitFor({ state: 'attached' });
  await screenshot('walkthrough run');
  const last = page.locator('.getting-started-step', { hasText: 'See how skills work together' });
  await last.click();
  await last.getByRole('button', { name: 'Show Composition Graph' }).click();
  await shown.locator('.summary-line', { hasText: /\d+ skills/ }).waitFor();
  await openWalkthrough(workbench);
  await last.locator('.complete').waitFor();
  await closeAll();
});
