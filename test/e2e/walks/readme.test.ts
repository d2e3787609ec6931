/** The pictures of the README: a mistake in a skill and its fix, in two formats. */

import { until } from '../../protocol/until.ts';
import { openPreview, shownPreview } from '../preview.ts';
import { walk } from '../walk.ts';

walk.extended('a user fixes a skill that eight clients do not load (pictures)', async (openFolder) => {
  const workbench = await openFolder('team');
  const { page, open, press, palette, goTo, squiggle, noSquiggle, quickFixes, toEditor, screenshot, picture } =
    workbench;
  await page.setViewportSize({ width: 1100, height: 712 });
  await press('Control+B');
  await open('review-changes/SKILL.md');
  await squiggle();
  await palette('Skill: Open Skill Preview');
  const preview = await shownPreview(page);
  await preview.state('Broken');
  await preview.frame.getByRole('tab', { name: 'Chosen' }).click();
  await preview.frame.getByLabel('Client', { exact: true }).selectOption({ label: 'Goose' });
  await preview.frame.getByText('so the skill is not loaded').first().waitFor();
  await toEditor();
  await goTo(3, 14);
  await quickFixes('quotes');
  await screenshot('readme-1-mistake');
  await picture('mistake-light', 'window');
  await press('Enter');
  await noSquiggle();
  await preview.state('Ready');
  await press('Control+S');
  await preview.frame.getByLabel('Request', { exact: true }).fill('Please review my change before the merge.');
  await preview.frame.getByText('ranks first').first().waitFor();
  // The second picture is dark.
  if ((await page.locator('.monaco-workbench.vs').count()) > 0) {
    await palette('Preferences: Toggle between Light/Dark Themes');
    await page.locator('.monaco-workbench.vs-dark').waitFor();
  }
  // The description is faded until the extension knows that every client shows it.
  const description = page.locator('.view-line span', { hasText: 'Reviews a change' }).last();
  await until('the description to be shown in full', () =>
    description.evaluate((span) => getComputedStyle(span).opacity === '1'),
  );
  await page.getByText('Activating Extensions').waitFor({ state: 'hidden' });
  await screenshot('readme-2-fixed');
  await picture('fixed-dark', 'window');
});

walk.extended(
  'a user opens the skill of the README: a mistake, its fix and the prompt (pictures)',
  async (openFolder) => {
    const workbench = await openFolder('release-notes');
    const { page, open, press, type, toEditor, goTo, squiggle, noSquiggle, quickFix, quickFixes, screenshot, picture } =
      workbench;
    // The picture shows exactly the skill.
    await page.setViewportSize({ width: 1100, height: 620 });
    await press('Control+B');
    await open('release-notes.skill.md');
    const preview = await openPreview(workbench);
    await preview.state('Ready');
    await preview.prompt('Write release notes about the dark theme.');

    await toEditor();
    await goTo(16, 35);
    await press('Backspace');
    await press('Backspace');
    await type('ci');
    await squiggle();
    await press('Escape');
    await preview.state('Broken');
    // Returns to the first line, since the jump to the mistake has scrolled it out of view.
    for (let line = 0; line < 4; line++) await press('Control+ArrowUp');
    await quickFixes('topic');
    await screenshot('readme-1-mistake');
    await picture('readme');
    await press('Escape');
    await quickFix('topic');
    await noSquiggle();
    await preview.state('Ready');
    await preview.prompt('Write release notes about the dark theme.');
    await screenshot('readme-2-fixed');
  },
);
