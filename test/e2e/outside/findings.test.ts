import { test } from '../outside.ts';

test.extended('a misspelt tool is underlined', async ({ open, squiggle, screenshot }) => {
  await open('unknown-tool.skill.md');
  await squiggle('error');
  await screenshot('unknown tool');
});

test.extended(
  'a link in the Problems view opens the page of the rule',
  async ({ open, squiggle, problems, webview, screenshot }) => {
    await open('unknown-tool.skill.md');
    await squiggle('error');
    const rows = await problems();
    await rows.locator('a.monaco-link', { hasText: 'unknown-tool' }).first().click();
    await webview().locator('h1', { hasText: 'unknown-tool' }).waitFor();
    await screenshot('rule page');
  },
);

test.extended('the hover of a finding opens the page of the rule', async ({ open, goTo, squiggle, hover, webview }) => {
  await open('unknown-tool.skill.md');
  await squiggle('error');
  await goTo(6, 12);
  await (await hover()).locator('a.code-link').first().click();
  await webview().locator('h1', { hasText: 'unknown-tool' }).waitFor();
});

test.extended('the Problems view lists the findings of closed files, and opens these files', async (workbench) => {
  const { open, goTo, press, type, problems, page, squiggle, screenshot } = workbench;
  await open('summarize-page.skill.md');
  await goTo(4, 1);
  await press('Shift+End');
  await type('version: 2.0.0');
  const problem = (await problems()).filter({ hasText: 'is above' });
  await problem.first().waitFor();
  await screenshot('problem of a closed file');
  await problem.first().dblclick();
  await page.locator('.tab.active[data-resource-name="tell-readers.skill.md"]').waitFor();
  await squiggle('error');
});
