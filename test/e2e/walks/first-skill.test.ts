/** From an empty folder to a complete prompt, using only the keyboard. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPreview } from '../preview.ts';
import { walk } from '../walk.ts';

walk.extended(
  'a user creates a skill with a complete prompt in an empty folder, only with the keyboard (pictures)',
  async (openFolder) => {
    const workbench = await openFolder();
    const {
      page,
      paletteList,
      pick,
      press,
      type,
      shows,
      toEditor,
      goTo,
      squiggle,
      noSquiggle,
      quickFix,
      quickFixes,
      screenshot,
      picture,
    } = workbench;
    const message = page.locator('.quick-input-widget .quick-input-message');

    await paletteList('Skill: New Skill…', 'Prompt template');
    await screenshot('first-skill-1-kinds');
    // There is nothing to compose yet, so the list asks again.
    await pick('Workflow');
    await page.getByPlaceholder('The workspace has no skills to compose yet').waitFor();
    await pick('Prompt template');

    await message.filter({ hasText: 'Name, for example' }).waitFor();
    await page.keyboard.insertText('Release Notes');
    await message.filter({ hasText: /Creates \S*release-notes\.skill\.md$/ }).waitFor();
    await screenshot('first-skill-2-name');
    await press('Enter');
    await page.locator('.tab.active[data-resource-name="release-notes.skill.md"]').waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'description:' }).first().waitFor();
    await type('Writes release notes. Use it when a version is tagged.');
    await noSquiggle();

    const preview = await openPreview(workbench);
    await preview.state('Ready');
    await preview.prompt('Release Notes');
    await screenshot('first-skill-3-preview');
    await picture('new-skill');

    // Returns the focus from the preview to the editor.
    await toEditor();
    await goTo(21);
    await type('Say who asks for ');
    await type('{{ ');
    // The list opens by itself. The key that opens it would show details, which hide the template in the picture.
    const suggestions = page.locator('.suggest-widget.visible .monaco-list-row');
    await suggestions.filter({ hasText: 'topic' }).first().waitFor();
    await screenshot('first-skill-4-completion');
    await picture('completion');
    await type('topci');
    await squiggle();
    await press('Escape');
    await page.locator('.suggest-widget.visible').waitFor({ state: 'hidden' });
    await preview.state('Broken');
    await quickFixes('topic');
    await screenshot('first-skill-5-mistake');
    await picture('mistake');
    await press('Escape');
    await quickFix('topic');
    await noSquiggle();
    await preview.state('Ready');
    await preview.prompt('Say who asks for Release Notes');
    await screenshot('first-skill-6-fixed');
    await picture('preview');
    await shows(/Say who asks for \{\{ topic \}\}/);
  },
);

walk.extended(
  'a person makes an Agent Skill in an empty folder: it lies where agents look for it',
  async (openFolder) => {
    const workbench = await openFolder();
    const { page, press, choose, screenshot } = workbench;
    await choose('Skill: New Skill…', 'Agent Skill');

    const message = page.locator('.quick-input-widget .quick-input-message');
    await message.filter({ hasText: /Name, for example.*\.agents\/skills\/draft-scene\/SKILL\.md/ }).waitFor();
    await page.keyboard.insertText('fill-forms');
    await screenshot('agent-skill-1-name');
    await press('Enter');
    await page.locator('.breadcrumbs-control', { hasText: /\.agents.*skills.*fill-forms.*SKILL\.md/ }).waitFor();
  },
);

walk.extended('New Skill asks for the workspace folder in a window with several folders', async (openFolder) => {
  const { page, choose, pick } = await openFolder();
  const url = new URL(page.url());
  const folder = url.searchParams.get('folder') ?? '';
  for (const name of ['north', 'south']) mkdirSync(join(folder, name));
  const workspace = join(folder, 'both.code-workspace');
  writeFileSync(workspace, '{"folders": [{"path": "north"}, {"path": "south"}]}');
  url.searchParams.delete('folder');
  url.searchParams.set('workspace', workspace);
  await page.goto(url.href);
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'south' }).waitFor();
  await choose('Skill: New Skill…', 'Instructions');
  await pick('south', 'north');
  const message = page.locator('.quick-input-widget .quick-input-message');
  await message.filter({ hasText: 'south/draft-scene.skill.md' }).waitFor();
});
