/** The skills that match a request, ranked while it is typed. */
import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import { test } from '../outside.ts';
import { shownPreview } from '../preview.ts';
import type { Workbench } from '../workbench.ts';

/** The rows for a request, the best first. */
async function ask({ asked, type }: Workbench, request: string): Promise<Locator> {
  const pick = await asked('Skill: Find Skills for a Request…', 'Find Skills for a Request');
  await type(request);
  return pick.locator('.monaco-list-row');
}

const button = (row: Locator, name: string): Locator => row.getByRole('button', { name, exact: true });

test.extended(
  'the list ranks skills while the user types a request, and Enter opens the matching skill',
  async (workbench) => {
    const { page, open, press, screenshot } = workbench;
    await open('write-notice.skill.md');
    const rows = await ask(workbench, 'what does this page say');
    await rows.first().filter({ hasText: 'summarize-page' }).waitFor();
    assert.match((await rows.first().textContent()) ?? '', /▰.*description: /);
    await screenshot('which skill answers');
    await press('Enter');
    await page.locator('.tab.active[data-resource-name="summarize-page.skill.md"]').waitFor();
  },
);

test.extended('the matching skill is previewed with the request', async (workbench) => {
  const { page, open, screenshot } = workbench;
  await open('write-notice.skill.md');
  const rows = await ask(workbench, 'what does this page say');
  const best = rows.first().filter({ hasText: 'summarize-page' });
  await best.hover();
  await button(best, 'Preview with This Request').click();
  const { frame } = await shownPreview(page);
  await frame.locator('h1', { hasText: 'summarize-page' }).waitFor();
  await screenshot('preview with a request');
  await frame.getByText('what does this page say').first().waitFor();
});

test.extended('a request is saved as one that should select a skill, and its row shows it', async (workbench) => {
  const { page, open, press, text, shows, toEditor, screenshot } = workbench;
  await open('summarize-page.skill.md');
  const rows = await ask(workbench, 'what does this page say');
  const best = rows.first().filter({ hasText: 'summarize-page' });
  await best.hover();
  await screenshot('which skill answers, buttons');
  await button(best, 'Save as a Request That Selects This Skill').click();
  await best.filter({ hasText: 'saved: selects this skill' }).waitFor();
  await screenshot('which skill answers, kept');
  await press('Escape');
  await page.locator('.view-line', { hasText: 'what does this page say' }).first().waitFor();
  await shows(/should:\s*- what does this page say/);
  // Saves the file, and restores the folder for the next test.
  await toEditor();
  await press('Control+Z');
  await press('Control+S');
  await page.locator('.tab.active:not(.dirty)[data-resource-name="summarize-page.skill.md"]').waitFor();
  assert.doesNotMatch(await text(), /should:/);
});
