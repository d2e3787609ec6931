/** A folder by another author: a SKILL.md with a mistake that disables a setting. */
import { strict as assert } from 'node:assert';
import { shownPreview } from '../preview.ts';
import { walk } from '../walk.ts';

walk.extended(
  'a user opens a SKILL.md of another author: its mistake, the fix, and what the model reads (pictures)',
  async (openFolder) => {
    const workbench = await openFolder('stranger');
    const { page, open, press, toEditor, goTo, squiggle, noSquiggle, quickFix, shows, screenshot, picture } = workbench;
    await open('pdf-forms/SKILL.md');
    await squiggle('warning');
    await goTo(5, 4);
    await workbench.hover();
    await screenshot('stranger-1-mistake');
    await press('Escape');
    await quickFix('allowed-tools');
    await noSquiggle('warning');
    await shows(/^allowed-tools: Read/m);

    // The editor has one button for a preview, with its own key.
    const actions = page.locator('.editor-group-container.active .editor-actions');
    await actions.getByRole('button', { name: /^Open Skill Preview \(/ }).waitFor();
    await actions.getByRole('button', { name: /^Open Preview to the Side/ }).waitFor({ state: 'detached' });
    await press('Control+K');
    await press('v');
    const preview = await shownPreview(page);
    await preview.prompt('Never guess a value.');
    await preview.state('Ready');
    assert.equal(await preview.frame.getByText('## Request').count(), 0);
    await screenshot('stranger-2-preview');
    await picture('agent-skill');

    // Markdown's own preview keeps its other key.
    await toEditor();
    await press('Control+Shift+V');
    await page.locator('.tab', { hasText: 'Preview SKILL.md' }).waitFor();
    await screenshot('stranger-3-markdown');
  },
);
