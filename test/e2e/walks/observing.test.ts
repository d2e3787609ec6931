/** A client is run once, and what it sent is compared with the prediction; `served.ts` installs a program in its place. */

import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../protocol/until.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { walk } from '../walk.ts';

walk('a person runs a client after a question, sees the difference and saves the report', async (openFolder) => {
  const { page, asked, pick, palette, press, notification, enterPath, screenshot } = await openFolder(
    'listed',
    'with dialogs',
  );
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  mkdirSync(join(folder, '.claude/agents'), { recursive: true });
  writeFileSync(join(folder, '.claude/agents/b.md'), '---\nname: b\nhooks: {}\n---\n');
  await asked('Skill: See What a Client Sends…', 'Installed');
  await screenshot('observing, clients');
  await pick('Claude Code');
  const kinds = page.locator('.quick-input-widget', { hasText: 'What else is copied?' });
  await kinds.locator('.monaco-list-row', { hasText: 'Agents' }).waitFor();
  await kinds.locator('.quick-input-check-all, .quick-input-header .monaco-checkbox').first().click();
  await press('Enter');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.filter({ hasText: 'Run Claude Code once?' }).waitFor();
  await dialog.filter({ hasText: /version 2\.1\.332[\s\S]*Copied: 3 skills[\s\S]*It gets no key of yours/ }).waitFor();
  await dialog.filter({ hasText: /also Agents[\s\S]*Not copied: \.claude\/agents\/b\.md \(it names hooks/ }).waitFor();
  await screenshot('observing, question');
  await dialog.getByRole('button', { name: 'Run Once' }).click();
  await page.locator('.tab.active', { hasText: 'Claude Code: predicted ↔ sent' }).waitFor();
  const sides = page.locator('.monaco-diff-editor .editor');
  await sides.first().locator('.view-line', { hasText: '- tidy-notes: Merges notes' }).waitFor();
  await sides.last().locator('.view-line', { hasText: '- tidy-notes: Another text.' }).waitFor();
  await screenshot('observing, result');
  const told = await notification(/Claude Code: 1 of \d texts differ from the prediction/);
  await told.getByRole('button', { name: 'Save Report…' }).waitFor();
  // The editor closes a document and opens it again if its language changes.
  await palette('Change Language Mode');
  await pick('Plain Text', 'Auto Detect');
  await page.locator('.statusbar-item', { hasText: 'Plain Text' }).waitFor();
  await palette('Skill: Save Report');
  const target = join(temporaryFolder(), 'report.md');
  await enterPath('Save Report', target);
  await until('the saved report', () => {
    try {
      return readFileSync(target, 'utf8').includes('Another text.');
    } catch {
      return false;
    }
  });
  assert.match(readFileSync(target, 'utf8'), /^# Claude Code: what it sent\n/);
  await page.locator('.tab.active[data-resource-name="report.md"]').waitFor();
});

walk.extended('no client is run in an untrusted folder', async (openFolder) => {
  const { page, press } = await openFolder('listed', 'untrusted');
  await press('F1');
  await page.keyboard.insertText('See What a Client');
  await page
    .locator('.quick-input-widget', { hasText: /No matching|similar commands/ })
    .first()
    .waitFor();
});
