/** Who answers a request, ranked while it is typed. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';

test('a request is ranked while it is typed, and Enter opens the skill that answers it', async (workbench) => {
  const { page, open, type, press, screenshot } = workbench;
  await open('write-notice.skill.md');
  const pick = page.locator('.quick-input-widget');
  await press('F1');
  await pick.locator('input.input').waitFor();
  await page.keyboard.insertText('>Skill: Which Skill Answers…');
  await pick.locator('.monaco-list-row.focused').filter({ hasText: 'Which Skill Answers…' }).waitFor();
  await press('Enter');
  await pick.locator('.quick-input-title', { hasText: 'Which Skill Answers' }).waitFor();
  await type('what does this page say');
  const rows = pick.locator('.monaco-list-row');
  await rows.first().filter({ hasText: 'summarize-page' }).waitFor();
  assert.match((await rows.first().textContent()) ?? '', /▰.*description: /);
  await screenshot('which skill answers');
  await press('Enter');
  await page.locator('.tab.active[data-resource-name="summarize-page.skill.md"]').waitFor();
});
