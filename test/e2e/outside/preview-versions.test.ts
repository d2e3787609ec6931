/** Editors that a preview opens: comparisons with the last save and with git, and the composition as JSON. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondLine, skill } from '../notice.ts';
import { test } from '../outside.ts';
import { openPreview } from '../preview.ts';
import { lineEnd } from '../workbench.ts';

test.extended('a preview is compared with the preview of the last save', async (workbench) => {
  const { page, open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(secondLine, lineEnd);
  await type(' And a fourth.');
  await preview.prompt('And a fourth.');
  await preview.frame.getByRole('button', { name: 'More' }).click();
  await preview.frame.getByRole('menuitem', { name: 'Compare with the last save' }).click();
  await page.locator('.tab.active', { hasText: 'write-notice: last save ↔ preview' }).waitFor();
  const sides = page.locator('.diff-editor, .monaco-diff-editor').first();
  await sides.locator('.editor.modified .view-line', { hasText: 'And a fourth.' }).waitFor();
  await sides.locator('.editor.original .view-line', { hasText: 'It has three sentences.' }).waitFor();
  assert.equal(await sides.locator('.editor.original .view-line', { hasText: 'And a fourth.' }).count(), 0);
  await screenshot('preview comparison');
});

test.extended("a preview is compared with the preview of git's HEAD", async (workbench) => {
  const { page, open, goTo, type } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  try {
    git('init', '--quiet', '--initial-branch', 'the-branch');
    git('add', skill);
    git('commit', '--quiet', '--no-verify', '--message', 'The notice');
    await open(skill);
    const preview = await openPreview(workbench);
    await preview.prompt('about Old Harbour');
    await goTo(secondLine, lineEnd);
    await type(' And a fourth.');
    await preview.prompt('And a fourth.');
    const sides = page.locator('.diff-editor, .monaco-diff-editor').first();
    // The editor takes a moment to find a repository that did not exist when it started.
    await page.locator('.activitybar [aria-label*="Source Control"][aria-label*="pending change"]').first().waitFor();
    await preview.frame.getByRole('button', { name: 'More' }).click();
    await preview.frame.getByRole('menuitem', { name: /HEAD/ }).click();

    await page.locator('.tab.active', { hasText: 'write-notice: git HEAD ↔ preview' }).waitFor();
    await sides.locator('.editor.modified .view-line', { hasText: 'And a fourth.' }).waitFor();
    await sides.locator('.editor.original .view-line', { hasText: 'It has three sentences.' }).waitFor();
    assert.equal(await sides.locator('.editor.original .view-line', { hasText: 'And a fourth.' }).count(), 0);
  } finally {
    rmSync(join(folder, '.git'), { recursive: true, force: true });
  }
});

test.extended('the composition of a preview opens as JSON', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.frame.getByRole('button', { name: 'More' }).click();
  await preview.frame.getByRole('menuitem', { name: /JSON/ }).click();
  await page.locator('.tab.active', { hasText: 'write-notice.json' }).waitFor();
  await page.locator('.view-line', { hasText: '"prompt":' }).first().waitFor();
});

test.extended('a preview shows at once that a saved prompt has changed on disk', async (workbench) => {
  const { page, open } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const saved = join(folder, 'tested/__prompts__/welcome-guest.ada.txt');
  const before = readFileSync(saved, 'utf8');
  await open('tested/welcome-guest.skill.md');
  const preview = await openPreview(workbench);
  await preview.prompt('Welcome Ada warmly.');
  await preview.state('Test fails');
  try {
    writeFileSync(saved, before.replace('coldly', 'warmly'));
    await preview.state('Ready');
  } finally {
    writeFileSync(saved, before);
  }
  await preview.state('Test fails');
});
