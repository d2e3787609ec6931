/** Renaming a skill that agents, other skills and `CLAUDE.md` name, from its file and from the explorer. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../../protocol/until.ts';
import { walk } from '../walk.ts';

const OLD = '.claude/skills/log-reader/SKILL.md';
const NEW = '.claude/skills/log-detective/SKILL.md';
const REPORT = '.claude/skills/crash-report/SKILL.md';
const FILES = [OLD, NEW, REPORT, '.claude/skills/deploy-check/SKILL.md', '.claude/agents/sre.md', 'CLAUDE.md'];

const inFolder = (page: Page, path: string): string => join(new URL(page.url()).searchParams.get('folder') ?? '', path);

/** Returns the names of the skill on disk, by file. The editor may move a file while it is read. */
function namesOnDisk(page: Page): Readonly<Record<string, string>> {
  const namesIn = (path: string): readonly (readonly [string, string])[] => {
    try {
      const text = readFileSync(inFolder(page, path), 'utf8');
      return [[path, [...text.matchAll(/log-\w+/g)].join(' ')]];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return Object.fromEntries(FILES.flatMap(namesIn));
}

const renamedOnDisk = {
  [NEW]: 'log-detective log-detective',
  // The plain words are not changed without the user.
  [REPORT]: 'log-detective log-reader log-detective',
  '.claude/skills/deploy-check/SKILL.md': 'log-detective log-detective',
  '.claude/agents/sre.md': 'log-detective log-detective',
  'CLAUDE.md': 'log-reader',
};

const dirtyTabs = (page: Page) => page.locator('.tab.dirty');

walk(
  'F2 on the name of a skill asks about words, saves all files, and one undo reverts everything',
  async (openFolder) => {
    const { page, open, goTo, press, palette, shows, toEditor, notification, screenshot } = await openFolder('renamed');
    const before = namesOnDisk(page);
    await open('log-reader/SKILL.md');
    await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
    await goTo(2, 10);
    await press('F2');
    await page.locator('.rename-box input:focus').waitFor();
    await page.keyboard.insertText('log-detective');
    await press('Enter');
    const rows = page.locator('.panel .monaco-list-row');
    const row = (text: string) => rows.filter({ hasText: text }).first();
    await row('skills: [log-reader').waitFor();
    await screenshot('rename of a skill, preview');
    assert.equal(await row('skills: [log-reader').getByRole('checkbox').isChecked(), true);
    assert.equal(await row('Use the skill `log-reader').getByRole('checkbox').isChecked(), true);
    assert.equal(await row('Then use the log-readerlog-detective').getByRole('checkbox').isChecked(), false);
    await page.getByRole('button', { name: 'Apply' }).click();
    await until('all files to be saved', () => JSON.stringify(namesOnDisk(page)) === JSON.stringify(renamedOnDisk));
    await until('no tab with unsaved text', async () => (await dirtyTabs(page).count()) === 0);
    await notification(
      /still have the name ‘log-reader’: ‘\.claude\/skills\/crash-report\/SKILL\.md’ line 8, ‘CLAUDE\.md’ line 3/,
    );
    await screenshot('rename of a skill, message');
    await press('Escape');
    await toEditor();
    await shows(/^name: log-detective$/m);
    await press('Control+Z');
    await shows(/^name: log-reader$/m);
    await until('the folder to have its old name', () => existsSync(inFolder(page, OLD)));
    await dirtyTabs(page).nth(3).waitFor();
    await screenshot('rename of a skill, undone');
    await palette('File: Save All');
    await until('all files to be saved', () => JSON.stringify(namesOnDisk(page)) === JSON.stringify(before));
  },
);

walk.extended('the message after a rename shows the places that have the old name', async (openFolder) => {
  const { page, open, goTo, press, notification, screenshot } = await openFolder('renamed');
  await open('log-reader/SKILL.md');
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
  await goTo(2, 10);
  await press('F2');
  await page.locator('.rename-box input:focus').waitFor();
  await page.keyboard.insertText('log-detective');
  await press('Enter');
  await page.getByRole('button', { name: 'Apply' }).click();
  const message = await notification(/still have the name ‘log-reader’/);
  await message.getByRole('button', { name: 'Show Places' }).click();
  const places = page.locator('.peekview-widget .ref-tree .monaco-list-row');
  await places.filter({ hasText: 'use the log-reader skill' }).waitFor();
  await places.filter({ hasText: 'CLAUDE.md' }).waitFor();
  await screenshot('rename of a skill, places');
});

walk.extended('a folder of a skill that is renamed in the explorer renames the skill', async (openFolder) => {
  const { page, press, open, shows, symbols, notification, screenshot } = await openFolder('renamed', 'with dialogs');
  // VS Code and the server both know this file.
  await open('CLAUDE.md');
  assert.deepEqual(await symbols(1), ['# Services']);
  await open('log-reader/SKILL.md');
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
  const folder = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'log-reader' }).first();
  await folder.click();
  await press('F2');
  await page.locator('.explorer-folders-view .monaco-inputbox input:focus').waitFor();
  await press('Control+A');
  await page.keyboard.insertText('log-detective');
  await press('Enter');
  await page.locator('.monaco-dialog-box', { hasText: 'wants to make refactoring changes' }).waitFor();
  await screenshot('rename of a folder, question');
  await page.getByRole('button', { name: 'Show Preview' }).click();
  await page.locator('.panel .monaco-list-row', { hasText: 'skills: [log-reader' }).first().waitFor();
  await screenshot('rename of a folder, preview');
  await page.getByRole('button', { name: 'Apply' }).click();
  await until('the folder to be renamed', () => existsSync(inFolder(page, NEW)));
  await shows(/^name: log-detective$/m);
  await until('all files to be saved', () => JSON.stringify(namesOnDisk(page)) === JSON.stringify(renamedOnDisk));
  await until('no tab with unsaved text', async () => (await dirtyTabs(page).count()) === 0);
  await screenshot('rename of a folder, applied');
  await notification(
    /still have the name ‘log-reader’: ‘\.claude\/skills\/crash-report\/SKILL\.md’ line 8, ‘CLAUDE\.md’ line 3/,
  );
});
