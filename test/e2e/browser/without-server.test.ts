/** A VS Code that consists only of files on a web server, with folders in the memory of the browser. */
import { withoutServer } from '../browser.ts';
import { openInExplorer } from '../explorer.ts';
import { openPreview, shownPreview } from '../preview.ts';

const endless = '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}';

withoutServer.test.extended(
  'in a browser, a user creates a skill in an empty folder and previews its prompt',
  async (openFolder) => {
    const workbench = await openFolder();
    const { page, choose, press, type, shows, toEditor, goTo, suggest, squiggle, noSquiggle, quickFix, screenshot } =
      workbench;
    const message = page.locator('.quick-input-widget .quick-input-message');
    await choose('Skill: New Skill…', 'Prompt template');

    await message.filter({ hasText: 'Name, for example' }).waitFor();
    await page.keyboard.insertText('Release Notes');
    await message.filter({ hasText: /Creates \S*release-notes\.skill\.md$/ }).waitFor();
    await press('Enter');
    await page.locator('.tab.active[data-resource-name="release-notes.skill.md"]').waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'release-notes.skill.md' }).waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'description:' }).first().waitFor();
    await type('Writes release notes. Use it when a version is tagged.');
    await noSquiggle();
    const preview = await openPreview(workbench);
    await preview.state('Ready');
    await preview.prompt('Release Notes');
    await screenshot('browser-first-life-preview');

    await toEditor();
    await goTo(21);
    await type('Say who asks for {{ ');
    await (await suggest()).filter({ hasText: 'topic' }).first().waitFor();
    await type('topci');
    await squiggle();
    await press('Escape');
    await quickFix('topic');
    await noSquiggle();
    await preview.prompt('Say who asks for Release Notes');
    await shows(/Say who asks for \{\{ topic \}\}/);

    // For each limit, work that exceeds it ends with an error, and the next request is composed.
    await goTo(21);
    await press('Control+Shift+Enter');
    await page.keyboard.insertText(endless);
    await preview.frame
      .getByText(/exceeds the step limit|was stopped/)
      .first()
      .waitFor();
    await press('Control+Shift+K');
    await preview.state('Ready');
    await preview.prompt('Say who asks for Release Notes');
  },
);

withoutServer.test(
  'in a browser a SKILL.md of another author is fixed, and previewed as a model reads it',
  async (openFolder) => {
    const workbench = await openFolder('walks/stranger');
    const { page, palette, goTo, hover, press, squiggle, noSquiggle, quickFix, shows, screenshot } = workbench;
    await openInExplorer(workbench, 'pdf-forms/SKILL.md');
    await squiggle('warning');
    await goTo(5, 4);
    const told = await hover();
    await told.filter({ hasText: 'allowed-tools' }).waitFor();
    await press('Escape');
    await quickFix('allowed-tools');
    await noSquiggle('warning');
    await shows(/^allowed-tools: Read/m);
    await palette('Skill: Open Skill Preview');
    const preview = await shownPreview(page);
    await preview.prompt('Never guess a value.');
    await preview.state('Ready');
    for (const tab of ['Chosen', 'Abilities']) await preview.frame.getByRole('tab', { name: tab }).click();
    await preview.frame.getByRole('tabpanel').getByText('scripts/fill.py').first().waitFor();
    await screenshot('browser-stranger');
    await page.locator('.activitybar .action-label[aria-label^="Skills"]').click();
    await page.locator('.pane-body .monaco-list-row', { hasText: 'pdf-forms' }).first().waitFor();
  },
);

withoutServer.test.extended('in a browser, a packed skill is imported again', async (openFolder) => {
  const workbench = await openFolder('walks/stranger');
  const { page, asked, enterPath, goTo, notification, palette, press, type, screenshot } = workbench;
  await openInExplorer(workbench, 'pdf-forms/SKILL.md');
  const what = await asked('Skill: Pack…', 'with its dependencies');
  await press('Enter');
  await what.waitFor({ state: 'hidden' });
  await enterPath('Pack Skills', '/folder/pdf-forms.skill');
  await notification('Packed 4 files into ‘pdf-forms.skill’: pdf-forms.skill');
  await palette('Notifications: Clear All Notifications');

  await asked('Skill: Import…', 'A file or an archive');
  await press('Enter');
  await enterPath('Show What It May Do', '/folder/pdf-forms.skill');
  const shown = workbench.webview();
  await shown.getByRole('heading', { name: 'Import 1 skill' }).waitFor();
  await shown.getByText('scripts/fill.py').first().waitFor();
  await screenshot('browser-import-preview');
  await shown.getByRole('button', { name: 'Import', exact: true }).click();
  await notification('Imported “pdf-forms”.');
  await palette('Notifications: Clear All Notifications');
  await screenshot('browser-imported');

  await openInExplorer(workbench, '.agents/skills/pdf-forms/references/mistakes.md');
  await goTo(1);
  await type('Mine. ');
  await press('Control+S');
  await page.locator('.tab.active:not(.dirty)[data-resource-name="mistakes.md"]').waitFor();
  await page.locator('.activitybar .action-label[aria-label^="Skills"]').click();
  const rows = page.locator('.pane-body .monaco-list-row', { hasText: 'pdf-forms' });
  const row = rows.filter({ hasText: 'changed since import' });
  await row.click({ button: 'right' });
  const entry = page.locator('.monaco-menu .action-item', { hasText: 'Show Changes since Import' });
  await entry.hover();
  await entry.and(page.locator('.focused')).waitFor();
  await press('Enter');
  const differences = page.locator('.quick-input-widget', { hasText: 'Changed since the import' });
  await differences.filter({ hasText: 'edited' }).waitFor();
  await screenshot('browser-import-changed');
});

withoutServer.test.extended(
  'in a browser, a command that requires the desktop reports this, and an explanation of a rule opens',
  async (openFolder) => {
    const { page, palette, paletteList, pick } = await openFolder('walks/wiki-tools');
    const told = page.locator('.notifications-toasts .notification-list-item');
    await palette('Skill: Pull Tools from Servers…');
    await told.filter({ hasText: 'A browser cannot start servers' }).waitFor();
    await paletteList('Skill: Explain a Rule…', 'agent-skill-allowed-tools');
    await pick('unknown-tool', 'agent-skill-allowed-tools');

    await page.locator('.tab', { hasText: 'unknown-tool' }).waitFor();
  },
);
