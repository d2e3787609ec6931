/** The Testing view of a folder with routing cases, and of a SKILL.md with evals. */
import type { Locator, Page } from 'playwright-core';
import { walk } from '../walk.ts';

const row = (page: Page, label: string): Locator =>
  page
    .locator('.test-explorer .monaco-list-row')
    .filter({ has: page.locator('.label', { hasText: new RegExp(`^${label}`) }) })
    .first();

walk.extended('routing cases and evals are tests in the view and at their lines', async (openFolder) => {
  const { page, open, palette, press, screenshot } = await openFolder('asked');
  const unfold = async (label: string): Promise<void> => {
    await row(page, label).click();
    await press('ArrowRight');
  };
  await open('skills/read-gate.skill.md');
  await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
  await palette('Testing: Focus on Test Explorer View');
  for (const label of ['skills$', 'read-gate$', 'greet-people$']) await unfold(label);
  await row(page, 'Eval: case 1').waitFor();
  await palette('Test: Run All Tests');
  await row(page, 'should: did the gate').locator('.codicon-testing-passed-icon').waitFor();
  await row(page, 'should: write a letter').locator('.codicon-testing-failed-icon').waitFor();
  await row(page, 'Eval: case 1').locator('.codicon-testing-passed-icon').waitFor();
  await row(page, 'Eval: case 2').locator('.codicon-testing-failed-icon').waitFor();
  // The accessible label also contains the name of the test.
  await page.locator('.test-explorer .monaco-list-row[aria-label^="Eval: case 2"]').waitFor();
  await screenshot('testing-view-requests');

  await open('skills/read-gate.skill.md');
  const told = page.locator('.test-error-content-widget');
  await told.filter({ hasText: 'chooses ‘write-letter’ because of the words' }).waitFor();
  await screenshot('testing-view-routed');
  await open('evals/evals.json');
  await told.filter({ hasText: '‘evals/list.txt’ does not exist' }).waitFor();
  await screenshot('testing-view-evals');
});

walk.extended('a folder without tests explains how to add one', async (openFolder) => {
  const { page, open, palette, squiggle, screenshot } = await openFolder('stranger');
  await open('pdf-forms/SKILL.md');
  await squiggle('warning');
  await palette('Testing: Focus on Test Explorer View');
  await page.locator('.pane-body .welcome-view-content', { hasText: 'Your skills have no tests yet.' }).waitFor();
  await screenshot('testing-view-none');
});
