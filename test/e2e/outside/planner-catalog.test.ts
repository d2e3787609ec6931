/** The planner catalog as a document that follows what is typed. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';

test('the planner catalog opens beside the skill, and what is typed in a description shows in it', async (workbench) => {
  const { page, open, palette, goTo, type, press, screenshot } = workbench;
  await open('collect-news.skill.yaml');
  await palette('Skill: Show Planner Catalog');
  const document = page.locator('.monaco-editor[data-uri^="skill-catalog:"]');
  await document.locator('.view-line', { hasText: '## collect-news' }).waitFor();
  await screenshot('planner catalog');
  assert.equal(await document.locator('.view-line', { hasText: '## collect-news' }).count(), 1);
  await press('Control+1');
  await goTo(2, 14);
  await type('Quickly ');
  await document.locator('.view-line', { hasText: 'Quickly' }).waitFor();
});
