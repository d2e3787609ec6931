/** The workspace is on a machine with VS Code's server, and the extension runs in the browser. */
import { strict as assert } from 'node:assert';
import { withServer } from '../browser.ts';
import { openPreview } from '../preview.ts';

withServer.test.extended(
  'in a browser, a workspace on a server is checked, composed, drawn, tested and debugged',
  async (openFolder) => {
    const workbench = await openFolder('workspace');
    const { page, open, palette, toEditor, goTo, squiggle, noSquiggle, quickFix, shows, press, screenshot } = workbench;
    await open('unknown-tool.skill.md');
    await squiggle();
    await goTo(6, 10);
    await quickFix('Replace with ‘read_page’');
    await noSquiggle();
    await shows(/tools: \[read_page\]/);

    await open('write-notice.skill.md');
    const preview = await openPreview(workbench);
    await preview.state('Ready');
    const prompt = await preview.prompt('Write a notice about Old Harbour in a plain tone.');
    const lines = (await prompt.locator('.line').allInnerTexts()).map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => line !== ''),
      [
        'Write a notice about Old Harbour in a plain tone.',
        'It has three sentences.',
        '## Request',
        'Tell them about the harbour.',
        '```yaml',
        'page: old harbour',
        'tone: plain',
        '```',
      ],
    );
    await preview.frame.getByRole('tab', { name: 'Run' }).click();
    await preview.frame.locator('.node', { hasText: 'read_page' }).waitFor();
    await screenshot('browser-subgraph');

    await toEditor();
    await palette('Skill: Show Composition Graph');
    const graph = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
    await graph.locator('.node', { hasText: 'digest-news' }).waitFor();
    await screenshot('browser-graph');

    await palette('Testing: Focus on Test Explorer View');
    await palette('Test: Run All Tests');
    await page.locator('.test-explorer .monaco-list-row .codicon-testing-passed-icon').first().waitFor();
    await page.locator('.test-explorer .monaco-list-row .codicon-testing-failed-icon').first().waitFor();
    await screenshot('browser-tests');

    await open('write-notice.skill.md');
    await goTo(5, 10);
    await press('F9');
    await page.locator('.editor-instance .codicon-debug-breakpoint').first().waitFor();
    await press('F5');
    const frame = page.locator('.debug-call-stack .monaco-list-row').first();
    await frame.filter({ hasText: 'write-notice:' }).waitFor();
    await screenshot('browser-debugging');
    await press('F5');
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  },
);
