/** Tests and debugging with a model: consent, tools, results, and cancellation. The model is in `test/e2e/helper`. */
import type { Locator, Page } from 'playwright-core';
import { shownPreview } from '../preview.ts';
import { walk } from '../walk.ts';
import type { Workbench } from '../workbench.ts';

const FILE = 'skills/read-gate.skill.md';
const SAMPLES = 7;

type Sample = 'north' | 'rude' | 'unanswered' | 'notes' | 'slow' | 'crowded' | 'long';

const glyph = (page: Page, state: 'failed' | 'passed' | 'error'): Locator =>
  page.locator(`.editor-instance .testing-run-glyph.codicon-testing-${state}-icon`);
const dialog = (page: Page, text: string | RegExp): Locator =>
  page.locator('.monaco-dialog-box').filter({ hasText: text });

async function answer(page: Page, question: string | RegExp, button: string): Promise<void> {
  const asked = dialog(page, question);
  await asked.getByRole('button', { name: button, exact: true }).click();
  await asked.waitFor({ state: 'hidden' });
}

/** Runs the test at a line with a model, from the menu of its icon, until the consent question. */
async function begin({ page, press }: Workbench, sample: Sample): Promise<void> {
  // Waits for all code lenses, because they move the lines below them.
  await page
    .locator('.codelens-decoration', { hasText: 'Preview this sample' })
    .nth(SAMPLES - 1)
    .waitFor();
  const icons = page.locator('.editor-instance .testing-run-glyph');
  await icons.nth(SAMPLES).waitFor();
  const line = page.locator('.editor-instance .view-line').filter({ hasText: new RegExp(`^\\s*${sample}:`) });
  const entry = page.locator('.monaco-menu .action-item', { hasText: 'Run Tests with a Model' });
  for (const end = Date.now() + 30_000; ; ) {
    const [row, icon] = await Promise.all([line.boundingBox(), icons.first().boundingBox()]);
    if (row && icon) await page.mouse.click(icon.x + 5, row.y + 8, { button: 'right' });
    const isOpen = await entry.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (isOpen || Date.now() > end) break;
    await press('Escape');
  }
  // A menu that has just opened may treat a click as the end of the click that opened it.
  for (const end = Date.now() + 30_000; (await entry.isVisible()) && Date.now() < end; ) {
    await entry.click();
    await entry.waitFor({ state: 'hidden', timeout: 1_000 }).catch(() => undefined);
  }
}

/** Confirms the run. VS Code's own question appears at the first request. */
const agree = ({ page }: Workbench): Promise<void> => answer(page, 'Run these tests with Scripted?', 'Run');
const consent = ({ page }: Workbench, button: 'Allow' | 'Cancel'): Promise<void> =>
  answer(page, /wants to access the language models|language models? provided/, button);

const row = (page: Page, label: string): Locator =>
  page
    .locator('.test-explorer .monaco-list-row')
    .filter({ has: page.locator('.label', { hasText: new RegExp(`^${label}`) }) })
    .first();

const told = (page: Page, text: string): Promise<void> =>
  page.locator('.test-error-content-widget', { hasText: text }).first().waitFor();

walk.extended(
  'no prompt is sent to a model without a yes to both questions, nor one that is too long',
  async (openFolder) => {
    const workbench = await openFolder('asked', 'with dialogs');
    const { page, open, palette, screenshot } = workbench;
    await open(FILE);

    await begin(workbench, 'long');
    await workbench.notification(/have \d+ tokens; the limit is 450 \(skillComposer\.test\.maxTokens\)/);
    await screenshot('model-1-too-long');
    await palette('Notifications: Clear All Notifications');

    await begin(workbench, 'north');
    await dialog(page, '1 prompt with').waitFor();
    await screenshot('model-2-question');
    await answer(page, 'Run these tests with Scripted?', 'Cancel');

    await begin(workbench, 'north');
    await agree(workbench);
    await dialog(page, 'language models').waitFor();
    await screenshot('model-3-consent');
    await consent(workbench, 'Cancel');
    await told(page, 'Skill Composer is not allowed to use Scripted.');
    await screenshot('model-4-refused');
  },
);

walk.extended('a sample runs with a model after consent, and its output can be saved', async (openFolder) => {
  const workbench = await openFolder('asked', 'with dialogs');
  const { page, open, palette, screenshot } = workbench;
  await open(FILE);
  await begin(workbench, 'north');
  await agree(workbench);
  await consent(workbench, 'Allow');
  await glyph(page, 'passed').nth(1).waitFor();
  const offer = await workbench.notification('Save the output from Scripted for north?');
  await screenshot('model-5-passed');
  await offer.getByRole('button', { name: 'Save', exact: true }).click();
  await palette('Test Results: Focus on Test Results View');
  await page.locator('.test-output-peek, .panel').filter({ hasText: 'answered by the stub' }).first().waitFor();
  await screenshot('model-6-output');
  await workbench.press('Escape');
  await open('read-gate.north.json');
  await page.locator('.view-line', { hasText: '{"held": true}' }).waitFor();
});

walk.extended('an error of a model is reported at its sample, and a run can be cancelled', async (openFolder) => {
  const workbench = await openFolder('asked', 'with dialogs');
  const { page, open, palette, press, screenshot } = workbench;
  await open(FILE);

  await begin(workbench, 'rude');
  await agree(workbench);
  await consent(workbench, 'Allow');
  await told(page, 'output schema. At ‘held’');
  await screenshot('model-7-schema');

  await begin(workbench, 'unanswered');
  await agree(workbench);
  await told(page, 'The model called ‘read_page’, but the sample has no stub for it');

  await begin(workbench, 'notes');
  await agree(workbench);
  const tool = dialog(page, 'The model calls the tool search_notes');
  await tool.filter({ hasText: '"query": "gate"' }).waitFor();
  await screenshot('model-8-tool');
  await answer(page, 'search_notes', 'Run the Tool');
  await glyph(page, 'passed').first().waitFor();

  await begin(workbench, 'crowded');
  await agree(workbench);
  await told(page, 'Scripted is not accepting requests at the moment');
  await screenshot('model-9-quota');
  await palette('Notifications: Clear All Notifications');

  const running = page.locator(
    '.editor-instance .testing-run-glyph.codicon-loading, .editor-instance .testing-run-glyph.codicon-modifier-spin',
  );
  await begin(workbench, 'slow');
  await agree(workbench);
  await running.first().waitFor();
  // The oldest VS Code offers the command only as a key binding, not in the palette.
  await press('Control+;');
  await press('Control+x');
  await running.first().waitFor({ state: 'detached' });
  await screenshot('model-10-cancelled');
});

walk.extended('a case of evals runs with a model, which also judges its checks', async (openFolder) => {
  const workbench = await openFolder('asked', 'with dialogs');
  const { page, open, palette, press, screenshot } = workbench;
  await open('greet-people/SKILL.md');
  await page.locator('.editor-instance .testing-run-glyph').first().waitFor();
  await palette('Skill: Run Tests with a Model');
  await dialog(page, '1 prompt with')
    .filter({ hasText: 'Then the model answers questions about 2 assertions' })
    .waitFor();
  await agree(workbench);
  await consent(workbench, 'Allow');
  await palette('Testing: Focus on Test Explorer View');
  for (const label of ['skills', 'greet-people', 'Eval: case 1']) {
    await row(page, label).click();
    await press('ArrowRight');
  }
  await row(page, 'Eval: case 1').locator('.codicon-testing-passed-icon').waitFor();
  for (const check of ['A greeting.', 'It has her name']) {
    await row(page, check).locator('.codicon-testing-passed-icon').waitFor();
  }
  await screenshot('model-11-evals');
});

walk.extended('a model chooses a skill in the preview, after consent', async (openFolder) => {
  const workbench = await openFolder('asked', 'with dialogs');
  const { page, open, palette, screenshot } = workbench;
  await open('greet-people/SKILL.md');
  await palette('Skill: Open Skill Preview');
  const { frame } = await shownPreview(page);
  await frame.getByRole('tab', { name: 'Chosen' }).click();
  await frame.getByLabel('Request').fill('Ada is here.');
  await frame.getByLabel('Number of trials').selectOption('1');
  await frame.getByRole('button', { name: 'Ask a model…' }).click();
  const question = /Ask Scripted which skill it chooses from the list of/;
  await dialog(page, question).filter({ hasText: '1 prompt with' }).waitFor();
  await screenshot('model-12-choice-question');
  await answer(page, question, 'Run');
  await consent(workbench, 'Allow');
  const choices = frame.getByRole('list', { name: 'Choices of Scripted' });
  await choices
    .getByRole('listitem')
    .filter({ hasText: /greet-people.*1 of 1/ })
    .waitFor();
  await screenshot('model-13-choice');
});

walk.extended(
  'a debug session asks a model only after consent, not before a breakpoint, and calls confirmed tools',
  async (openFolder) => {
    const workbench = await openFolder('asked', 'with dialogs');
    const { page, open, goTo, press, paletteList, pick, screenshot } = workbench;
    const question = 'Debug visit-gate with Scripted?';
    const begin = async (sample: Sample): Promise<void> => {
      const rows = await paletteList('Debug: Select and Start Debugging', 'Skill...');
      await rows.filter({ hasText: 'Skill...' }).click();
      await pick(`visit-gate: ${sample} (with a model)`);
      await dialog(page, question).filter({ hasText: 'The run ends at 450 tokens' }).waitFor();
    };
    const toolbar = page.locator('.debug-toolbar');
    const told = page.locator('.repl').filter({ hasText: /Scripted: \d+ tokens/ });
    const stopped = page.locator('.debug-call-stack .monaco-list-row').first().filter({ hasText: 'visit-gate: Read' });
    await open('visit-gate.skill.md');
    await goTo(20, 5);
    await press('F9');
    await page.locator('.editor-instance .codicon-debug-breakpoint').first().waitFor();

    await begin('north');
    await screenshot('model-14-debug-question');
    await answer(page, question, 'Cancel');
    await toolbar.waitFor({ state: 'hidden' });

    await begin('north');
    await answer(page, question, 'Run');
    await stopped.waitFor();
    await screenshot('model-15-debug-breakpoint');
    await press('F5');
    // The editor's own question appears at the first request, which is after the breakpoint.
    await consent(workbench, 'Allow');
    await told.filter({ hasText: '(stub)' }).waitFor();
    await stopped.waitFor();
    // A restart clears the console, and does not ask the user again.
    await press('Control+Shift+F5');
    await page.locator('.repl').filter({ hasNotText: '(stub)' }).filter({ hasText: 'validate_input' }).waitFor();
    await stopped.waitFor();
    await press('F5');
    await told.filter({ hasText: '(stub)' }).waitFor();
    await stopped.waitFor();
    await press('F5');
    await toolbar.waitFor({ state: 'hidden' });
    await told.filter({ hasText: '{held: true}' }).waitFor();
    await screenshot('model-16-debug-end');

    await begin('notes');
    await answer(page, question, 'Run');
    await stopped.waitFor();
    await press('F5');
    await dialog(page, 'The model calls the tool search_notes').filter({ hasText: '"query": "gate"' }).waitFor();
    await answer(page, 'search_notes', 'Run the Tool');
    await told.filter({ hasText: '(tool)' }).waitFor();
    await stopped.waitFor();
    await press('F5');
    await toolbar.waitFor({ state: 'hidden' });
  },
);
