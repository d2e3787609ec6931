/** A repository of public skills: those that a client skips, and the key that fixes each. */
import { shownPreview } from '../preview.ts';
import { disappears, limit } from '../waits.ts';
import { walk } from '../walk.ts';

/** The mistakes: the location, the message, and the text after the fix. */
const faults = [
  {
    skill: 'fix-typos',
    folder: 'fix-typos',
    at: { line: 3, column: 20 },
    told: 'Goose and Crush do not load',
    fixed: /^description: "Fixes typos: prose/m,
  },
  {
    skill: 'code-review',
    folder: 'review-code',
    at: { line: 2, column: 9 },
    told: 'Crush does not load',
    fixed: /^name: review-code$/m,
  },
  {
    skill: 'Release-Notes',
    folder: 'release-notes',
    at: { line: 2, column: 9 },
    told: 'has capital letters',
    fixed: /^name: release-notes$/m,
  },
] as const;

walk.extended(
  'a person walks through public skills: three that clients leave out are fixed by a key each, and then load',
  async (openFolder) => {
    const workbench = await openFolder('public');
    const {
      which,
      page,
      open,
      press,
      palette,
      toEditor,
      goTo,
      problems,
      squiggle,
      noSquiggle,
      quickFix,
      shows,
      screenshot,
    } = workbench;
    await open('fix-typos/SKILL.md');
    await squiggle();
    const rows = await problems();
    for (const { told } of faults) await rows.filter({ hasText: told }).first().waitFor();
    await screenshot('public-1-problems');
    await press('Control+J');

    await palette('View: Show Skills');
    const skills = page.locator('.pane-body .monaco-list-row');
    await skills.filter({ hasText: 'read-logs' }).first().waitFor();
    const row = (name: string) => skills.filter({ hasText: name }).first();
    /** Clicks a row until its folder is shown, because a click is lost if the list is redrawn at that moment. */
    const show = async (name: string, folder: string) => {
      const isShown = page.locator('.breadcrumbs-control:not(.hidden)', { hasText: folder });
      for (const end = Date.now() + 60_000; !(await isShown.isVisible()) && Date.now() < end; ) {
        await row(name).click();
        await isShown.waitFor({ timeout: 5_000 }).catch(() => undefined);
      }
      await isShown.waitFor();
    };
    for (const { skill } of faults) await row(skill).filter({ hasText: '1 finding' }).waitFor();
    await screenshot('public-2-skills');
    await row('draft-replies').click();
    await page.locator('.breadcrumbs-control:not(.hidden)', { hasText: 'draft-replies' }).waitFor();
    await toEditor();
    await press('Control+End');
    // Text that Claude Code does not show to its model is faded.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.view-line span')].some((one) => getComputedStyle(one).opacity === '0.55'),
    );
    await screenshot('public-2-faded');
    await row('fix-typos').click();

    await palette('Skill: Open Skill Preview');
    const preview = await shownPreview(page);
    await preview.frame.getByRole('tab', { name: 'Chosen' }).click();
    const crush = preview.frame.getByRole('row', { name: /Crush/ });
    await crush.getByRole('cell').nth(1).filter({ hasText: 'no' }).waitFor();
    await screenshot('public-3-clients');

    for (const { skill, folder, at, fixed } of faults) {
      await show(skill, folder);
      await toEditor();
      const marked = (await squiggle()).first();
      await goTo(at.line, at.column);
      // The newest VS Code also reports an invalid name, and its own fix does not change this key.
      if (which === 'latest' && skill === 'Release-Notes') await quickFix('Rename to');
      else {
        // The key does nothing while the editor is still computing the fixes.
        for (const end = Date.now() + limit; Date.now() < end; ) {
          await press('Alt+Shift+Period');
          if (await disappears(marked, limit / 12)) break;
        }
      }
      await noSquiggle();
      await shows(fixed);
      // The new name can move the row in the list.
      await skills.filter({ hasText: folder }).filter({ hasNotText: 'finding' }).first().waitFor();
    }
    await crush.getByRole('cell').nth(1).filter({ hasText: 'yes' }).waitFor();
    await screenshot('public-4-fixed');
    await palette('Problems: Focus on Problems View');
    const left = page.locator('.markers-panel .monaco-list-row');
    await left.filter({ hasText: 'Missing key `description`' }).first().waitFor();
    for (const { told } of faults.slice(0, 2))
      await left.filter({ hasText: told }).filter({ hasText: 'invalid-yaml' }).first().waitFor({ state: 'detached' });
    await screenshot('public-5-left');
  },
);
