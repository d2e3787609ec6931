/** A run of a composite in the preview: *Play* to the answer of an interrupt, then the steps of the debugger. */
import { until } from '../../protocol/until.ts';
import { openPreview } from '../preview.ts';
import { walk } from '../walk.ts';

walk.extended(
  'a user plays the run of a composite beside it, then follows the debugger in the same graph (pictures)',
  async (openFolder) => {
    const workbench = await openFolder('visit');
    const { page, open, press, toEditor, goTo, noSquiggle, screenshot, picture } = workbench;
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('plan-visit.skill.md');
    await noSquiggle();
    const preview = await openPreview(workbench);
    await preview.state('Ready');
    const { frame } = preview;
    await frame.getByRole('tab', { name: 'Run' }).click();
    const line = (text: string) => frame.locator('.play-line', { hasText: text }).waitFor();
    const current = (name: string) => frame.locator('.node[aria-current="step"]', { hasText: name }).waitFor();
    const button = (name: string) => frame.getByRole('button', { name, exact: true });
    await button('Play').press('Enter');
    // *Play* shows the last event of each box.
    await line('find-building › ');
    await button('Pause').press('Enter');
    await button('Play').waitFor();
    await button('Restart').press('Enter');
    await until('the retry', async () => {
      await button('Step').press('Enter');
      return (await frame.locator('.play-line').textContent())?.includes('Attempt 2 of 3 after BUSY') ?? false;
    });
    await button('Play').press('Enter');
    await line('before_exit: Is the visit planned?');
    await frame.locator('.edge.untaken').first().waitFor();
    await screenshot('run-1-interrupt');
    await button('Fit (0)').click();
    await picture('play');
    await button('Yes').press('Enter');
    await line('The run is complete');
    await button('Play').waitFor();
    await screenshot('run-2-complete');

    await toEditor();
    // The first step of `execution`.
    await goTo(14, 5);
    await press('F9');
    await page.locator('.editor-instance .codicon-debug-breakpoint').first().waitFor();
    await press('F5');
    await frame.getByText('Follows the debugger: sample “mill”').waitFor();
    await current('find-building');
    await screenshot('run-3-breakpoint');
    const stepOver = page.locator('.debug-toolbar .codicon-debug-step-over');
    await stepOver.click();
    await frame.locator('.node.branch[aria-current="step"]').waitFor();
    await frame.locator('.node .retries', { hasText: '1 retry' }).waitFor();
    await stepOver.click();
    await current('enter-building');
    // The debugger opens the file of the composed skill, but the preview stays.
    await page.locator('.debug-toolbar .codicon-debug-step-into').click();
    await page.locator('.tab.active', { hasText: 'enter-building.skill.md' }).waitFor();
    await current('enter-building');
    await line('enter-building › Validate input');
    await page.locator('.debug-toolbar .codicon-debug-step-back').click();
    await page.locator('.tab.active', { hasText: 'plan-visit.skill.md' }).waitFor();
    await line('Run enter-building with');
    await screenshot('run-4-branch');
    await press('Control+J');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
    await button('Fit (0)').click();
    await page.locator('.monaco-hover.workbench-hover').waitFor({ state: 'hidden' });
    await picture('debugger', 'window');
    await page.locator('.debug-toolbar .codicon-debug-stop').click();
    await button('Play').waitFor();
    await line('The run is complete');
  },
);
