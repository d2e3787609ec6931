/** Navigation by keyboard, renaming, and the hints that are shown while reading and typing. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

/** Opens a skill, and waits for an element that appears only after the server has read the skill. */
async function openServed({ page, open, press }: Workbench, path: string): Promise<void> {
  await open(path);
  // The editor restores the file's scroll position, but the lens is above the first lines.
  await press('Control+Home');
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
}

const notice = 'write-notice.skill.md';
const summary = 'summarize-page.skill.md';
const composite = 'tell-readers.skill.md';

test('F2 renames a parameter in schema, samples and template, and one undo reverts the rename', async (workbench) => {
  const { page, goTo, press, text, notification, screenshot } = workbench;
  await openServed(workbench, notice);
  // Puts the cursor on `page` in the template.
  await goTo(24, 27);
  await press('F2');
  const box = page.locator('.monaco-editor.rename-box input:focus');
  await box.waitFor();
  assert.equal(await box.inputValue(), 'page');
  await page.keyboard.insertText('else');
  await press('Enter');
  const refusal = await notification('reserved word');
  await screenshot('a refused rename');
  await refusal.getByRole('button', { name: 'Rename Again' }).click();
  await box.waitFor();
  await screenshot('rename a parameter');
  await page.keyboard.insertText('article');
  await press('Enter');
  await box.waitFor({ state: 'hidden' });
  await page.locator('.view-line', { hasText: '{{ article | title }}' }).waitFor();
  const after = await text();
  assert.match(after, /article: string, which page has changed/);
  assert.match(after, /parameters: \{article: old harbour\}/);
  assert.match(after, /parameters: \{article: the lighthouse, tone: warm\}/);
  await screenshot('a renamed parameter');
  await press('Control+Z');
  await page.locator('.view-line', { hasText: '{{ page | title }}' }).waitFor();
  assert.doesNotMatch(await text(), /article/);
});

test.extended('F2 in a committed skill offers the new version in the same edit', async (workbench) => {
  const { page, goTo, press, shows, squiggle, noSquiggle, toEditor, type, screenshot } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  try {
    git('init', '--quiet', '--initial-branch', 'the-branch');
    git('add', notice);
    git('commit', '--quiet', '--no-verify', '--message', 'The notice');
    await openServed(workbench, notice);
    // A lower version is an error as soon as the server has the text of HEAD.
    await goTo(4, 10);
    await press('Delete');
    await type('0');
    await squiggle('error');
    await press('Control+Z');
    await press('Control+Z');
    await noSquiggle('error');
    await goTo(24, 27);
    await press('F2');
    await page.locator('.monaco-editor.rename-box input:focus').waitFor();
    await page.keyboard.insertText('article');
    await press('Enter');
    // The editor asks for confirmation, and shows the new version with the edits of the rename.
    const version = page.locator('.panel .monaco-list-row', { hasText: 'version: 1.0.02.0.0' });
    await version.getByRole('checkbox').check();
    await screenshot('a rename with the new version');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.view-line', { hasText: '{{ article | title }}' }).waitFor();
    await toEditor();
    await press('Control+Home');
    await shows(/version: 2\.0\.0[\s\S]*article: string/);
    await press('Control+Z');
    await shows(/version: 1\.0\.0[\s\S]*\n {2}page: string/);
  } finally {
    rmSync(join(folder, '.git'), { recursive: true, force: true });
  }
});

test.extended('a rename to an existing name is refused with the reason', async (workbench) => {
  const { page, goTo, press, notification, screenshot } = workbench;
  await openServed(workbench, notice);
  await goTo(24, 27);
  await press('F2');
  await page.locator('.monaco-editor.rename-box input:focus').waitFor();
  await page.keyboard.insertText('tone');
  await press('Enter');
  await notification(/The field ‘tone’ already exists at the same level/);
  await screenshot('a refused rename');
});

test.extended('F12 on a tool in prose opens the catalog', async (workbench) => {
  const { page, goTo, press, screenshot } = workbench;
  await openServed(workbench, summary);
  await goTo(15, 28);
  await press('F12');
  await page.locator('.tab.active[data-resource-name="skills.config.yaml"]').waitFor();
  await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 11' }).waitFor();
  await screenshot('the definition of a tool');
});

test.extended('Shift+F12 on a skill shows its references', async (workbench) => {
  const { page, goTo, press, screenshot } = workbench;
  await openServed(workbench, summary);
  await goTo(2, 10);
  await press('Shift+F12');
  const tree = page.locator('.reference-zone-widget .ref-tree');
  await tree.locator('.monaco-list-row', { hasText: composite }).first().waitFor();
  await screenshot('references of a skill');
  await press('Escape');
});

test.extended('the code lens on a composed skill opens a list of its composites', async (workbench) => {
  const { page, press, screenshot } = workbench;
  await openServed(workbench, summary);
  await page.locator('.codelens-decoration a', { hasText: 'Composed by 1 skill' }).click();
  await page.locator('.reference-zone-widget .ref-tree .monaco-list-row').first().waitFor();
  await screenshot('composers of a skill');
  await press('Escape');
});

test.extended('the argument of a filter is shown while it is typed', async (workbench) => {
  const { page, goTo, type, screenshot } = workbench;
  await openServed(workbench, notice);
  // Puts the cursor after `title`.
  await goTo(24, 37);
  await type(' | replace("a",');
  const hint = page.locator('.parameter-hints-widget.visible');
  await hint.locator('.parameter.active', { hasText: 'to' }).waitFor();
  await screenshot('signature of a filter');
});

test.extended('an existing tool and a scope have different colours', async (workbench) => {
  const { page, screenshot } = workbench;
  await openServed(workbench, notice);
  await page.waitForFunction(() => {
    const colourIn = (line: string, word: string) => {
      const holder = [...document.querySelectorAll('.view-line')].find(({ textContent }) =>
        textContent?.startsWith(line),
      );
      const span = [...(holder?.querySelectorAll('span span') ?? [])].find(({ textContent }) => textContent === word);
      return span && getComputedStyle(span).color;
    };
    const tool = colourIn('tools:', 'read_page');
    const scope = colourIn('required_scopes:', 'read:pages');
    return tool !== undefined && scope !== undefined && tool !== scope;
  });
  await screenshot('colours of names');
});

test.extended('breadcrumbs show the path to a location', async (workbench) => {
  const { page, goTo, screenshot } = workbench;
  await openServed(workbench, notice);
  await goTo(24, 27);
  await page.locator('.breadcrumbs-control .monaco-breadcrumb-item', { hasText: 'main' }).waitFor();
  await screenshot('breadcrumbs');
});

test.extended(
  "the symbols of a SKILL.md are its headings, once, as in VS Code's own list",
  async ({ open, symbols }) => {
    await open('agent/greet-people/SKILL.md');
    assert.deepEqual(await symbols(1), ['# Greet people']);
  },
);
