/** A composite of five skills: its run, its graph, and a wrong mapping between two steps. */
import { openPreview } from '../preview.ts';
import { walk } from '../walk.ts';

walk.extended(
  'a user opens a composite of five skills: its run, its graph, and a mistake between two (pictures)',
  async (openFolder) => {
    const workbench = await openFolder('support-desk');
    const { page, open, press, palette, toEditor, goTo, squiggle, noSquiggle, quickFix, screenshot, picture } =
      workbench;
    await open('skills/answer-ticket.skill.md');
    await noSquiggle();
    const preview = await openPreview(workbench);
    await preview.state('Generated values');
    await preview.prompt('Answer the ticket.');
    await screenshot('composite-1-prompt');
    await preview.frame.getByRole('tab', { name: 'Run' }).click();
    await preview.frame.locator('.node', { hasText: 'write-answer' }).waitFor();
    await screenshot('composite-2-run');
    await preview.frame.locator('.node', { hasText: 'write-answer' }).focus();
    await press('Space');
    await preview.frame.locator('.node.open', { hasText: 'write-answer' }).waitFor();
    await screenshot('composite-3-run-open');
    await picture('run');

    await toEditor();
    await goTo(25, 43);
    await press('Backspace');
    await squiggle();
    await screenshot('composite-4-mistake');
    await quickFix('Replace with');
    await noSquiggle();
    await preview.frame.getByText('No problems').waitFor();

    await palette('Skill: Show Composition Graph');
    const graph = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame');
    await graph.locator('.node', { hasText: 'answer-ticket' }).waitFor();
    await screenshot('composite-5-graph');
    await picture('graph');
    await page.locator('.activitybar .action-label[aria-label^="Skills"]').click();
    await page.locator('.pane-body .monaco-list-row', { hasText: 'write-answer' }).first().waitFor();
    const composition = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Skill Composition' }) });
    await composition.locator('.monaco-list-row', { hasText: 'read-ticket' }).waitFor();
    await screenshot('composite-6-skills');
  },
);
