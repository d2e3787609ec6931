/** The skill that a preview shows: the active editor's skill, a locked skill, or a requested skill. */
import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skill } from '../notice.ts';
import { test } from '../outside.ts';
import { editorOf, openPreview, shownPreview } from '../preview.ts';
import { appears, limit } from '../waits.ts';
import { lineEnd } from '../workbench.ts';

test.extended('a preview follows the active skill, but a locked preview does not', async (workbench) => {
  const { page, open, palette, toEditor } = workbench;
  await open(skill);
  await palette('Skill: Open Locked Preview');
  const locked = await shownPreview(page);
  await locked.prompt('about Old Harbour');
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
  await toEditor();
  await open('summarize-page.skill.md');
  await openPreview(workbench);
  const tab = page.locator('.tab', { hasText: /^Preview summarize-page/ });
  await tab.waitFor();
  await toEditor();
  await open(skill);
  await page.locator('.tab', { hasText: /^Preview write-notice/ }).waitFor();
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
});

test.extended('the preview keeps the last skill for other files, with a note', async (workbench) => {
  const { open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await workbench.toEditor();
  await open('skills.config.yaml');
  await preview.frame.locator('.strip', { hasText: 'skills.config.yaml is not a skill' }).waitFor();
  await preview.prompt('about Old Harbour');
  await workbench.toEditor();
  await open(skill);
  await preview.frame.locator('.strip', { hasText: 'is not a skill' }).waitFor({ state: 'detached' });
});

test.extended('the preview asks for a skill if none is open, and opens both side by side', async (workbench) => {
  const { page, paletteList, pick } = workbench;
  await paletteList('Skill: Open Skill Preview', 'unknown-tool');
  await pick('write-notice');
  const preview = await shownPreview(page);
  await preview.prompt('about Old Harbour');
  await editorOf(page, skill).waitFor();
});

test.extended(
  'a preview opened in an empty window appears beside its skill, and the next skill does not hide it',
  async (workbench) => {
    const { page, open, palette } = workbench;
    await palette('View: Show Skills');
    const row = page.locator('.monaco-list-row', { hasText: 'write-notice' }).first();
    const button = row.getByRole('button', { name: 'Open Skill Preview' });
    // The rows can move while the list is filled, so that the mouse is over another row.
    for (const end = Date.now() + limit; Date.now() < end; ) {
      await page.mouse.move(800, 400);
      await row.hover();
      if (await appears(button, limit / 12)) break;
    }
    await button.click();
    const preview = await shownPreview(page);
    await preview.prompt('about Old Harbour');
    await editorOf(page, skill).waitFor();
    await open('summarize-page.skill.md');
    await preview.frame.locator('h1', { hasText: 'summarize-page' }).waitFor();
    await palette('View: Show Explorer');
  },
);

test.extended('a preview follows a renamed file', async (workbench) => {
  const { page, which, open, palette, press, goTo, type } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const [before, after] = ['pass-note.skill.md', 'pass-word.skill.md'].map((name) => join(folder, name));
  assert.ok(before && after);
  writeFileSync(before, '---\nname: pass-note\ndescription: Passes a note.\nversion: 1.0.0\n---\n\nPass the note.\n');
  try {
    await open('pass-note.skill.md');
    const preview = await openPreview(workbench);
    await preview.prompt('Pass the note.');
    await workbench.toEditor();
    await palette('File: Reveal Active File in Explorer View');
    await page.locator('.explorer-folders-view .monaco-list-row.focused', { hasText: 'pass-note' }).waitFor();
    await press('F2');
    await page.locator('.explorer-folders-view input').fill('pass-word.skill.md');
    await press('Enter');
    // The oldest VS Code answers the question itself.
    if (which === 'latest') await page.locator('.monaco-dialog-box').getByRole('button', { name: 'OK' }).click();
    await page.locator('.tab[data-resource-name="pass-word.skill.md"]').waitFor();
    // Edits of the renamed file are shown.
    await workbench.toEditor();
    await goTo(7, lineEnd);
    await type(' Then wait.');
    await preview.prompt('Pass the note. Then wait.');
    assert.equal(await preview.frame.locator('header .state', { hasText: /Deleted|Not a skill/ }).count(), 0);
  } finally {
    for (const file of [before, after]) rmSync(file, { force: true });
  }
});

test.extended('the preview opens from a diff editor', async (workbench) => {
  const { page, open, palette } = workbench;
  await open(skill);
  await palette('File: Compare Active File with Saved');
  await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
  await palette('Skill: Open Skill Preview');
  const preview = await shownPreview(page);
  await preview.prompt('about Old Harbour');
});
