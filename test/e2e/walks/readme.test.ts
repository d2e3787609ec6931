/** The first picture of the README: a skill, a mistake in it, the fix, and the prompt. */
import { openPreview } from '../preview.ts';
import { walk } from '../walk.ts';

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
