/**
 * The Testing view: a failed test shows both prompts, and saving the current prompt as expected makes the test pass.
 */
import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { test } from '../outside.ts';
import { openPreview } from '../preview.ts';
import type { Workbench } from '../workbench.ts';

const FILE = 'welcome-guest.skill.md';
/** The line of the sample `ada`. */
const ADA = 8;
/** The line of the sample `eve`. */
const EVE = 15;
/** The line whose text in the prompt differs from the saved prompt. */
const DECIDED = 24;

const glyph = (page: Page, state: 'failed' | 'passed' | 'skipped'): Locator =>
  page.locator(`.editor-instance .testing-run-glyph.codicon-testing-${state}-icon`).first();
const rows = (page: Page): Locator => page.locator('.test-explorer .monaco-list-row');
const row = (page: Page, name: string): Locator =>
  rows(page)
    .filter({ has: page.locator('.label', { hasText: new RegExp(`^${name}$`) }) })
    .first();

async function close({ closeAll, palette }: Workbench): Promise<void> {
  await palette('Test: Clear All Results');
  await closeAll();
}

test.extended(
  'a failed test shows both prompts, and passes after the prompt is saved with a quick fix',
  async (workbench) => {
    const { page, open, goTo, palette, press, quickFix, screenshot } = workbench;
    await open(`tested/${FILE}`);
    await goTo(ADA, 4);
    await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
    await screenshot('testing gutter');
    await palette('Test: Run Test at Cursor');
    await glyph(page, 'failed').waitFor();
    await screenshot('testing red');
    // The message is shown on the line of the failed expectation.
    await goTo(DECIDED);
    await page
      .locator('.test-error-content-widget', {
        hasText: 'From here on, the prompt of ada differs from the saved prompt.',
      })
      .waitFor();
    await screenshot('testing source');
    await goTo(ADA, 4);
    await palette('Test: Peek Output');
    const shown = page.locator('.monaco-diff-editor');
    await shown.filter({ hasText: 'Welcome Ada coldly.' }).filter({ hasText: 'Welcome Ada warmly.' }).waitFor();
    await page.locator('.floating-click-widget', { hasText: 'Save the Current Prompt' }).waitFor();
    await screenshot('testing peek');
    await press('Escape');
    await shown.waitFor({ state: 'hidden' });
    await goTo(ADA, 4);
    await quickFix(/Save the current prompt of ada/);
    await glyph(page, 'passed').waitFor();
    await glyph(page, 'failed').waitFor({ state: 'detached' });
    await screenshot('testing green');
    await close(workbench);
  },
);

/** Adds an expectation to the sample `eve`, runs the sample, and waits for a message at the line of the expectation. */
async function failWith({ page, open, goTo, palette, press, type }: Workbench, expect: string, message: string) {
  await open(`tested/${FILE}`);
  await goTo(EVE + 1);
  await press('End');
  await press('Enter');
  await type(expect);
  await goTo(EVE, 4);
  await palette('Test: Run Test at Cursor');
  await glyph(page, 'failed').waitFor();
  await page.locator('.test-error-content-widget', { hasText: message }).waitFor();
}

test.extended('a run that ends differently fails at its expectation', async (workbench) => {
  await failWith(workbench, 'expect: {exit: interrupt}', 'instead of ‘interrupt’.');
  await workbench.screenshot('testing exit');
  await close(workbench);
});

test.extended('a test with a misspelt expectation fails with the message of the finding', async (workbench) => {
  await failWith(workbench, 'expect: {snapsot: true}', 'Unknown key ‘snapsot’. Did you mean ‘snapshot’?');
  await workbench.screenshot('testing misspelt');
  await close(workbench);
});

test('the Testing view shows a folder, its skill and its samples, and a command runs all tests', async (workbench) => {
  const { page, palette, press, screenshot } = workbench;
  await palette('Testing: Focus on Test Explorer View');
  await row(page, 'tested').waitFor();
  await row(page, 'tested').click();
  await press('ArrowRight');
  await row(page, 'welcome-guest').click();
  await press('ArrowRight');
  await row(page, 'ada').waitFor();
  await screenshot('testing view');
  await palette('Test: Run All Tests');
  await row(page, 'eve').locator('.codicon-testing-passed-icon').waitFor();
  await screenshot('testing view after a run');
  assert.equal(await rows(page).locator('.codicon-testing-errored-icon').count(), 0);
  await palette('View: Show Explorer');
  await close(workbench);
});

test.extended('a prompt that is tested on change fails after a pause in typing', async (workbench) => {
  const { page, open, goTo, palette, type, screenshot } = workbench;
  await open(`tested/${FILE}`);
  await goTo(ADA, 4);
  await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
  await palette('Test: Start Continuous Run');
  await glyph(page, 'passed').waitFor();
  await goTo(DECIDED, 27);
  await type(' Quickly.');
  await goTo(ADA, 4);
  await glyph(page, 'failed').waitFor();
  await screenshot('testing on change');
  await palette('Test: Stop Continuous Run');
  await close(workbench);
});

test.extended('a prompt is saved as the expected prompt from the preview menu', async (workbench) => {
  const { page, open, screenshot } = workbench;
  await open(`tested/${FILE}`);
  const preview = await openPreview(workbench);
  await preview.prompt('Welcome Ada warmly.');
  await preview.openForm();
  await preview.frame.locator('.sheet').getByRole('textbox', { name: 'guest' }).fill('Eva');
  await preview.closeForm();
  await preview.frame.getByRole('button', { name: 'More' }).click();
  await preview.frame.getByRole('menuitem', { name: 'Save as expected prompt' }).click();
  // An expected prompt belongs to a sample, so the values in the form must be saved as a sample first.
  await workbench.notification('Save these values as a sample first');
  await workbench.press('Escape');
  await preview.frame.getByRole('combobox').first().selectOption('eve');
  await preview.prompt('Welcome Eve warmly.');
  await preview.frame.getByRole('button', { name: 'More' }).click();
  await preview.frame.getByRole('menuitem', { name: 'Save as expected prompt' }).click();
  await page.locator('.view-line', { hasText: 'expect: {snapshot: true}' }).waitFor();
  await screenshot('preview prompt saved');
  await glyph(page, 'passed').waitFor();
  await close(workbench);
});

test.extended('a changed prompt is saved with the button in the peek view', async (workbench) => {
  const { page, open, goTo, palette, type, screenshot } = workbench;
  await open(`tested/${FILE}`);
  await goTo(DECIDED, 1);
  await type('Kindly. ');
  await goTo(ADA, 4);
  await palette('Test: Run Test at Cursor');
  await glyph(page, 'failed').waitFor();
  await palette('Test: Peek Output');
  await page.locator('.floating-click-widget', { hasText: 'Save the Current Prompt' }).click();
  await glyph(page, 'passed').waitFor();
  await screenshot('testing kept in the peek');
  await close(workbench);
});

test.extended(
  'tests of a skill stay visible while its frontmatter is invalid, and their prompts cannot be tested',
  async (workbench) => {
    const { page, open, goTo, palette, type, screenshot } = workbench;
    await open(`tested/${FILE}`);
    await goTo(6, 10);
    await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
    await type('{');
    await workbench.squiggle();
    await goTo(ADA, 4);
    await palette('Test: Run Test at Cursor');
    await page.locator('.editor-instance .codicon-testing-error-icon').first().waitFor();
    await screenshot('testing broken frontmatter');
    await close(workbench);
  },
);

test.extended('without a preview, the palette asks for the sample, and saves its prompt', async (workbench) => {
  const { page, open, palette, press } = workbench;
  await open(`tested/${FILE}`);
  await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
  await palette('Skill: Save as Expected Prompt');
  await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'ada' }).waitFor();
  await press('ArrowDown');
  await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'eve' }).waitFor();
  await press('Enter');
  await page.locator('.view-line', { hasText: 'expect: {snapshot: true}' }).waitFor();
  await close(workbench);
});

test.extended('a change to a saved prompt on disk runs its test again, and shows both prompts', async (workbench) => {
  const { page, open, goTo, palette, press, type, screenshot } = workbench;
  await open(`tested/${FILE}`);
  await goTo(ADA, 4);
  await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
  await palette('Skill: Save as Expected Prompt');
  await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'ada' }).waitFor();
  await press('Enter');
  await glyph(page, 'passed').waitFor();
  await palette('Test: Start Continuous Run');
  await open('__prompts__/welcome-guest.ada.txt');
  await goTo(1, 1);
  await type('Kindly. ');
  await press('Control+s');
  await open(`tested/${FILE}`);
  await glyph(page, 'failed').waitFor();
  await goTo(ADA, 4);
  await palette('Test: Peek Output');
  await page.locator('.monaco-diff-editor').filter({ hasText: 'Kindly. Welcome Ada' }).waitFor();
  await screenshot('testing kept file changed');
  await press('Escape');
  await palette('Test: Stop Continuous Run');
  await close(workbench);
});
