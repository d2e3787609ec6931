import { test } from '../outside.ts';

test('a misspelt tool is underlined', async ({ open, squiggle, screenshot }) => {
  await open('unknown-tool.skill.md');
  await squiggle('error');
  await screenshot('unknown tool');
});

test('the problems panel leads to the page of the rule', async ({ open, squiggle, problems, webview, screenshot }) => {
  await open('unknown-tool.skill.md');
  await squiggle('error');
  const rows = await problems();
  await rows.locator('a.monaco-link', { hasText: 'unknown-tool' }).first().click();
  await webview().locator('h1', { hasText: 'unknown-tool' }).waitFor();
  await screenshot('rule page');
});

test('so does the hover of a finding', async ({ open, goTo, squiggle, hover, webview }) => {
  await open('unknown-tool.skill.md');
  await squiggle('error');
  await goTo(6, 12);
  await (await hover()).locator('a.code-link').first().click();
  await webview().locator('h1', { hasText: 'unknown-tool' }).waitFor();
});
