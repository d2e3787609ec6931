/** The preview beside the editor: edits appear in the preview, and actions in the preview appear in the editor. */
import { strict as assert } from 'node:assert';
import { firstLine, secondLine, skill } from '../notice.ts';
import { test } from '../outside.ts';
import { editorOf, openPreview } from '../preview.ts';
import { lineEnd } from '../workbench.ts';

test('a keyboard shortcut opens the preview, which shows edits to a template', async (workbench) => {
  const { open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('Write a notice about Old Harbour in a plain tone.');
  await preview.state('Ready');
  await screenshot('preview');
  await goTo(secondLine, lineEnd);
  await type(' It ends with thanks.');
  await preview.prompt('It has three sentences. It ends with thanks.');
});

test.extended('a skill without samples has a prompt with generated values', async (workbench) => {
  const { open, screenshot } = workbench;
  await open('summarize-page.skill.md');
  const preview = await openPreview(workbench);
  await preview.state('Generated values');
  const madeUp = preview.frame.locator('.line .madeUp');
  await madeUp.filter({ hasText: '«slug»' }).first().waitFor();
  await screenshot('preview without a sample');
});

test.extended('the preview reports an invalid template, and keeps the last valid prompt', async (workbench) => {
  const { open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(firstLine, lineEnd);
  // The editor closes the tag.
  await type(' {{ page | ');
  await preview.state('Broken');
  await preview.prompt('about Old Harbour');
  await preview.frame.locator('.strip', { hasText: /\d problems?/ }).waitFor();
  await screenshot('preview of a broken template');
  await type('upper');
  await preview.state('Ready');
  await preview.prompt('in a plain tone. OLD HARBOUR');
});

test.extended('an error in the preview opens its location', async (workbench) => {
  const { page, open, goTo, type } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(secondLine, lineEnd);
  await type(' {% if %}');
  await preview.frame.locator('.strip > .link').click();
  await editorOf(page, skill).and(page.locator('.focused')).waitFor();
  await page.locator('.statusbar-item', { hasText: `Ln ${secondLine}` }).waitFor();
});

test.extended('a click on a rendered value in the preview selects its expression', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.value('Old Harbour').click();
  await editorOf(page, skill).locator('.selected-text').first().waitFor();
  // The status bar counts the selected characters, since the editor has the focus: `{{ page | title }}`.
  await page.locator('.statusbar-item', { hasText: /Ln 24, Col \d+ \(18 selected\)/ }).waitFor();
});

test.extended('the part of the preview at the cursor is highlighted', async (workbench) => {
  const { open, goTo } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(firstLine, 26);
  await preview.lit('Old Harbour');
});

test.extended('editor and preview scroll together', async (workbench) => {
  const { page, open } = workbench;
  const long = 'long-notice.skill.md';
  await open(long);
  const preview = await openPreview(workbench);
  await preview.prompt('Rule 150 of the house');
  const panel = preview.frame.locator('#panel-prompt');
  const scrolled = (): Promise<number> => panel.evaluate(({ scrollTop }) => scrollTop);
  await editorOf(page, long).hover();
  while ((await scrolled()) < 400) await page.mouse.wheel(0, 500);
  const first = editorOf(page, long).locator('.view-line', { hasText: 'Rule 1 of' });
  await first.waitFor({ state: 'detached' });
  await panel.hover();
  while ((await scrolled()) > 0) await page.mouse.wheel(0, -2000);
  await first.waitFor();
  await page.locator('.statusbar-item', { hasText: 'Ln 1, Col 1' }).waitFor();
});

test.extended("a misspelt filter is fixed from the preview with the editor's fix", async (workbench) => {
  const { open, toEditor, goTo, type, press, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(firstLine, 37);
  await type('x');
  await preview.state('Broken');
  const fix = preview.frame.locator('.strip > .button');
  await fix.waitFor();
  await screenshot('preview of an error with its fix');
  await fix.click();
  await preview.state('Ready');
  await preview.prompt('about Old Harbour');
  await toEditor();
  await press('Control+Z');
  await preview.state('Broken');
});

test.extended('a fix that fixes several errors is offered once', async (workbench) => {
  const { open, toEditor, press } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await toEditor();
  await press('Control+A');
  await press('Delete');
  await preview.state('Broken');
  await preview.frame.getByRole('button', { name: 'Show all problems' }).click();
  const fix = preview.frame.locator('.problem-list .button');
  await fix.first().waitFor();
  assert.equal(await fix.count(), 1);
  await toEditor();
  await press('Control+Z');
  await preview.state('Ready');
});
