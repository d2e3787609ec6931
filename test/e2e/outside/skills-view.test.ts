/**
 * The view of all skills in the activity bar: it shows their state, is updated while the user types, and has actions.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '../../temporary.mjs';
import { test } from '../outside.ts';
import { shownPreview } from '../preview.ts';
import { appears, limit } from '../waits.ts';
import type { Workbench } from '../workbench.ts';

const pane = (page: Page): Locator =>
  page.locator('.split-view-view', { has: page.locator('.pane-header', { hasText: 'All Skills' }) }).last();
const rows = (page: Page): Locator => pane(page).locator('.monaco-list-row');
const row = (page: Page, name: string): Locator =>
  rows(page)
    .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${name}$`) }) })
    // A group that is scrolled out stays visible as a second, sticky row.
    .first();

async function openView({ page, palette }: Workbench): Promise<void> {
  await palette('View: Show Skills');
  await row(page, 'summarize-page').waitFor();
}

/** Presses a button in the view's title, which is visible only while the pointer is over the view. */
async function press(page: Page, name: string): Promise<void> {
  await pane(page).locator('.pane-header').hover();
  await pane(page).locator('.pane-header').getByRole('button', { name }).click();
}

async function backToExplorer({ palette, closeAll }: Workbench): Promise<void> {
  await closeAll();
  await palette('View: Show Explorer');
}

test('the Skills view shows tokens, versions and findings, and updates while the user types', async (workbench) => {
  const { page, open, goTo, type, shows, screenshot } = workbench;
  await openView(workbench);
  await row(page, 'summarize-page')
    .filter({ hasText: /body ≈ \d+ tokens · 1\.0\.0/ })
    .waitFor();
  await row(page, 'unknown-tool')
    .filter({ hasText: /1 finding · body ≈/ })
    .waitFor();
  await row(page, 'unknown-tool').locator('.codicon-error, .codicon-warning').waitFor();
  await screenshot('skills view');
  await row(page, 'summarize-page').click();
  await page.locator('.tab.active[data-resource-name="summarize-page.skill.md"]').waitFor();
  await goTo(6, 13);
  await type('g');
  await shows(/^tools: \[readg_page\]$/m);
  await row(page, 'summarize-page')
    .filter({ hasText: '1 finding' })
    .locator('.codicon-error, .codicon-warning')
    .waitFor();
  await row(page, 'summarize-page').and(page.locator('.selected')).waitFor();
  await open('unknown-tool.skill.md');
  // The skill of the active editor is selected.
  await row(page, 'unknown-tool').and(page.locator('.selected')).waitFor();
  await backToExplorer(workbench);
});

test.extended(
  'a row in the Skills view opens beside the preview while the preview has the focus',
  async (workbench) => {
    const { page, palette, screenshot } = workbench;
    await openView(workbench);
    await row(page, 'summarize-page').click();
    await page.locator('.tab.active[data-resource-name="summarize-page.skill.md"]').waitFor();
    await palette('Skill: Open Skill Preview');
    const preview = await shownPreview(page);
    await preview.frame.locator('header').click();
    await row(page, 'fetch-page').click();
    await preview.frame.locator('h1', { hasText: 'fetch-page' }).waitFor();
    await row(page, 'summarize-page').click();
    await preview.frame.locator('h1', { hasText: 'summarize-page' }).waitFor();
    await screenshot('skills view and preview');
    await backToExplorer(workbench);
  },
);

test.extended('the Skills view groups skills by level, and shows only skills with findings', async (workbench) => {
  const { page, screenshot } = workbench;
  await openView(workbench);
  await press(page, 'Group by Level');
  await row(page, 'Composite').waitFor();
  await row(page, 'Atomic').waitFor();
  await screenshot('skills view by level');
  await press(page, 'Show Only Skills with Findings');
  await row(page, 'unknown-tool').waitFor();
  await row(page, 'collect-news').waitFor({ state: 'detached' });
  await screenshot('skills view with findings only');
  await press(page, 'Show All Skills');
  await row(page, 'collect-news').waitFor();
  await press(page, 'Group by Folder');
  await row(page, 'Composite').waitFor({ state: 'detached' });
  await backToExplorer(workbench);
});

test.extended('the Skills view follows folders that change outside the editor', async (workbench) => {
  const { page, screenshot } = workbench;
  const workspace = new URL(page.url()).searchParams.get('folder') ?? '';
  const elsewhere = temporaryFolder();
  const repository = join(workspace, 'repository');
  const git = (cwd: string, ...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
  };
  const addSkill = (folder: string, name: string): void => {
    mkdirSync(join(elsewhere, folder), { recursive: true });
    const text = `---\nname: ${name}\ndescription: Reads a page.\nversion: 1.0.0\ninput_schema: {}\n---\n\nRead it.\n`;
    writeFileSync(join(elsewhere, folder, `${name}.skill.md`), text);
  };
  const count = page.locator('.label-description');
  const shows = (skills: number): Promise<void> =>
    row(page, 'Atomic')
      .filter({ has: count.filter({ hasText: new RegExp(`^${skills}$`) }) })
      .waitFor();
  addSkill('first', 'first-of-all');
  git(elsewhere, 'init', '--quiet', '--initial-branch', 'few');
  git(elsewhere, 'add', '.');
  git(elsewhere, 'commit', '--quiet', '--message', 'One skill');
  git(elsewhere, 'checkout', '--quiet', '-b', 'many');
  for (let at = 0; at < 250; at++) addSkill(`many/${at % 25}/deep`, `added-${at}`);
  git(elsewhere, 'add', '.');
  git(elsewhere, 'commit', '--quiet', '--message', 'Many skills');
  try {
    await openView(workbench);
    await press(page, 'Group by Level');
    await row(page, 'Atomic').waitFor();
    const before = Number(await row(page, 'Atomic').locator(count).textContent());
    git(workspace, 'clone', '--quiet', '--branch', 'few', elsewhere, repository);
    await shows(before + 1);
    git(repository, 'checkout', '--quiet', 'many');
    await shows(before + 251);
    await screenshot('skills view after a checkout');
    git(repository, 'checkout', '--quiet', 'few');
    await shows(before + 1);
    cpSync(join(elsewhere, 'many'), join(repository, 'copied'), { recursive: true });
    await shows(before + 251);
    renameSync(join(repository, 'copied'), join(workspace, 'moved'));
    rmSync(join(repository, 'first'), { recursive: true });
    await shows(before + 250);
    rmSync(join(workspace, 'moved'), { recursive: true });
    await shows(before);
    await press(page, 'Refresh');
    await press(page, 'Group by Folder');
    await row(page, 'Atomic').waitFor({ state: 'detached' });
    await backToExplorer(workbench);
  } finally {
    for (const folder of [repository, join(workspace, 'moved')]) rmSync(folder, { recursive: true, force: true });
  }
});

test.extended('a row in the Skills view shows a tooltip, and a button opens its preview', async (workbench) => {
  const { page, screenshot } = workbench;
  await openView(workbench);
  const hover = page.locator('.workbench-hover-container .monaco-hover').last();
  const tooltip = hover.filter({ hasText: /· skill/ });
  // A row that is drawn again loses its tooltip.
  for (const end = Date.now() + limit; Date.now() < end; ) {
    await page.mouse.move(800, 400);
    await row(page, 'hostile').locator('.label-name').hover();
    if (await appears(tooltip, limit / 12)) break;
  }
  await tooltip.waitFor();
  assert.equal(await hover.locator('img, script, a[href^="command:"]').count(), 0);
  await screenshot('skills view tooltip');
  await page.mouse.move(800, 400);
  await tooltip.waitFor({ state: 'hidden' });
  await row(page, 'write-notice').hover();
  await row(page, 'write-notice').getByRole('button', { name: 'Open Skill Preview' }).click();
  const preview = await shownPreview(page);
  await preview.prompt('about Old Harbour');
  await backToExplorer(workbench);
});

test.extended('the rename of a skill starts from the menu of its row in the Skills view', async (workbench) => {
  const { page, press, screenshot } = workbench;
  await openView(workbench);
  await row(page, 'write-notice').click({ button: 'right' });
  const entry = page.locator('.monaco-menu .action-item', { hasText: 'Rename…' });
  await entry.waitFor();
  await screenshot('skills view menu');
  await entry.hover();
  await entry.and(page.locator('.focused')).waitFor();
  await press('Enter');
  const box = page.locator('.rename-box input');
  await box.waitFor();
  assert.equal(await box.inputValue(), 'write-notice');
  await press('Escape');
  await backToExplorer(workbench);
});

test.extended(
  'a skill is disabled and enabled again from the menu of its row in the Skills view',
  async (workbench) => {
    const { page, press, screenshot } = workbench;
    await openView(workbench);
    const choose = async (title: string): Promise<void> => {
      await row(page, 'write-notice').click({ button: 'right' });
      const entry = page.locator('.monaco-menu .action-item', { hasText: title });
      await entry.hover();
      await entry.and(page.locator('.focused')).waitFor();
      await press('Enter');
    };
    await choose('Disable in This Workspace');
    await row(page, 'write-notice').filter({ hasText: 'disabled in this workspace' }).waitFor();
    await row(page, 'write-notice').locator('.codicon-circle-slash').waitFor();
    await screenshot('skills view with a disabled skill');
    await choose('Enable in This Workspace');
    await row(page, 'write-notice').filter({ hasNotText: 'disabled in this workspace' }).waitFor();
    await backToExplorer(workbench);
  },
);
