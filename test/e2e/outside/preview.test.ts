/** The preview beside the editor: what is typed shows in it, and what is done in it shows in the editor. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../outside.ts';
import { editorOf, lastKeyDown, openPreview, shownPreview } from '../preview.ts';

const skill = 'write-notice.skill.md';
/** The lines of its template. */
const first = 24;
const second = 25;
const lineEnd = 999;

test('a key opens the preview, and what is typed in a template shows in it', async (workbench) => {
  const { open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('Write a notice about Old Harbour in a plain tone.');
  await preview.state('Ready');
  await screenshot('preview');
  await goTo(second, lineEnd);
  await type(' It ends with thanks.');
  await preview.prompt('It has three sentences. It ends with thanks.');
});

test('a skill without samples has a prompt, and says that its values are made up', async (workbench) => {
  const { open, screenshot } = workbench;
  await open('summarize-page.skill.md');
  const preview = await openPreview(workbench);
  await preview.state('Made-up values');
  const madeUp = preview.frame.locator('.line .madeUp');
  await madeUp.filter({ hasText: '«slug»' }).first().waitFor();
  await screenshot('preview without a sample');
});

test('a template that is broken leaves the last good prompt in the preview, and mending it ends the errors', async (workbench) => {
  const { open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(first, lineEnd);
  // The editor closes the tag.
  await type(' {{ page | ');
  await preview.state('Broken');
  await preview.prompt('about Old Harbour');
  await preview.frame.locator('.strip', { hasText: /\d problems?/ }).waitFor();
  await screenshot('preview of a broken template');
  await type('upper');
  await preview.state('Ready');
  await preview.prompt('in a plain tone. OLD HARBOUR');
});

test('an error in the preview leads to its place', async (workbench) => {
  const { page, open, goTo, type } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(second, lineEnd);
  await type(' {% if %}');
  await preview.frame.locator('.strip > .link').click();
  await editorOf(page, skill).and(page.locator('.focused')).waitFor();
  await page.locator('.statusbar-item', { hasText: `Ln ${second}` }).waitFor();
});

test('a click on a rendered value in the preview selects its expression', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.value('Old Harbour').click();
  await editorOf(page, skill).locator('.selected-text').first().waitFor();
  // What is selected, the status bar counts, since the editor has the keyboard: `{{ page | title }}`.
  await page.locator('.statusbar-item', { hasText: /Ln 24, Col \d+ \(18 selected\)/ }).waitFor();
});

test('the cursor lights up its part of the preview', async (workbench) => {
  const { open, goTo } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(first, 26);
  await preview.lit('Old Harbour');
});

test('what the editor scrolls to stands at the top of the preview, and the other way round', async (workbench) => {
  const { page, open } = workbench;
  const long = 'long-notice.skill.md';
  await open(long);
  const preview = await openPreview(workbench);
  await preview.prompt('Rule 150 of the house');
  const panel = preview.frame.locator('#panel-prompt');
  const scrolled = (): Promise<number> => panel.evaluate(({ scrollTop }) => scrollTop);
  await editorOf(page, long).hover();
  while ((await scrolled()) < 400) await page.mouse.wheel(0, 500);
  const first = editorOf(page, long).locator('.view-line', { hasText: 'Rule 1 of' });
  await first.waitFor({ state: 'detached' });
  await panel.hover();
  while ((await scrolled()) > 0) await page.mouse.wheel(0, -2000);
  await first.waitFor();
  await page.locator('.statusbar-item', { hasText: 'Ln 1, Col 1' }).waitFor();
});

test('a misspelt filter is mended from the preview, by the fix that the editor has', async (workbench) => {
  const { open, goTo, type, press, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(first, 37);
  await type('x');
  await preview.state('Broken');
  const mend = preview.frame.locator('.strip > .button');
  await mend.waitFor();
  await screenshot('preview of an error with its fix');
  await mend.click();
  await preview.state('Ready');
  await preview.prompt('about Old Harbour');
  await press('Control+1');
  await press('Control+Z');
  await preview.state('Broken');
});

test('a fix that mends several errors is offered once', async (workbench) => {
  const { open, press } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await press('Control+1');
  await press('Control+A');
  await press('Delete');
  await preview.state('Broken');
  await preview.frame.getByRole('button', { name: 'Show all problems' }).click();
  const mend = preview.frame.locator('.problem-list .button');
  await mend.first().waitFor();
  assert.equal(await mend.count(), 1);
  // The click has left the focus in the preview.
  await press('Control+1');
  await press('Control+Z');
  await preview.state('Ready');
});

test('what the form of the preview gives becomes a sample, which one undo takes away', async (workbench) => {
  const { page, open, press, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.openForm();
  const field = preview.frame.locator('.sheet textarea').and(preview.frame.getByLabel(/^page/));
  await field.fill('ferry times');
  await preview.frame.locator('.chip', { hasText: 'ferry times' }).waitFor();
  await screenshot('preview form');
  await preview.frame.getByLabel('Keep as a sample').fill('the ferry');
  await preview.frame.getByRole('button', { name: 'Keep', exact: true }).click();
  const saved = editorOf(page, skill).locator('.view-line', { hasText: 'the ferry' });
  await saved.waitFor();
  const picker = preview.frame.locator('.input-line > select');
  await picker.locator('option:checked', { hasText: 'the ferry' }).waitFor({ state: 'attached' });
  await page.locator(`.tab.dirty[data-resource-name="${skill}"]`).waitFor();
  await editorOf(page, skill).locator('.view-line').first().click();
  await press('Control+Z');
  await saved.waitFor({ state: 'detached' });
  await page.locator(`.tab:not(.dirty)[data-resource-name="${skill}"]`).waitFor();
  await preview.closeForm();
  await preview.prompt('about Ferry Times');
});

test('a code lens previews a sample', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const lens = page.locator('.codelens-decoration a', { hasText: 'Preview this sample' });
  await lens.nth(1).click();
  const preview = await shownPreview(page);
  await preview.prompt('about The Lighthouse in a warm tone.');
});

test('a preview follows the active skill, a locked one stays', async (workbench) => {
  const { page, open, palette, press } = workbench;
  await open(skill);
  await palette('Skill: Open Locked Preview');
  const locked = await shownPreview(page);
  await locked.prompt('about Old Harbour');
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
  await press('Control+1');
  await open('summarize-page.skill.md');
  await openPreview(workbench);
  const tab = page.locator('.tab', { hasText: /^Preview summarize-page/ });
  await tab.waitFor();
  await press('Control+1');
  await open(skill);
  await page.locator('.tab', { hasText: /^Preview write-notice/ }).waitFor();
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
});

test('a file that is no skill leaves the last one in the preview, which says so', async (workbench) => {
  const { open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await workbench.press('Control+1');
  await open('skills.config.yaml');
  await preview.frame.locator('.strip', { hasText: 'skills.config.yaml is no skill' }).waitFor();
  await preview.prompt('about Old Harbour');
  await workbench.press('Control+1');
  await open(skill);
  await preview.frame.locator('.strip', { hasText: 'is no skill' }).waitFor({ state: 'detached' });
});

test('without a skill in an editor the preview asks which, and opens both side by side', async (workbench) => {
  const { page, press } = workbench;
  const row = page.locator('.quick-input-widget .monaco-list-row.focused');
  await press('F1');
  await page.locator('.quick-input-widget input.input').waitFor();
  await page.keyboard.insertText('>Skill: Open Preview to the Side');
  await row.filter({ hasText: 'Open Preview to the Side' }).waitFor();
  await press('Enter');
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'unknown-tool' }).waitFor();
  await page.keyboard.insertText('write-notice');
  await row.filter({ hasText: 'write-notice' }).waitFor();
  await press('Enter');
  const preview = await shownPreview(page);
  await preview.prompt('about Old Harbour');
  await editorOf(page, skill).waitFor();
});

test('a preview that is opened in an empty window stands beside its skill, and is not hidden by the next one', async (workbench) => {
  const { page, open, palette } = workbench;
  await palette('View: Show Skills');
  const row = page.locator('.monaco-list-row', { hasText: 'write-notice' }).first();
  await row.hover();
  await row.getByRole('button', { name: 'Open Preview to the Side' }).click();
  const preview = await shownPreview(page);
  await preview.prompt('about Old Harbour');
  await editorOf(page, skill).waitFor();
  await open('summarize-page.skill.md');
  await preview.frame.locator('h1', { hasText: 'summarize-page' }).waitFor();
  await palette('View: Show Explorer');
});

test('a preview is compared with that of the last save', async (workbench) => {
  const { page, open, goTo, type, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await goTo(second, lineEnd);
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

test("a preview is compared with that of git's HEAD", async (workbench) => {
  const { page, open, goTo, type } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  try {
    git('init', '--quiet');
    git('add', skill);
    git('commit', '--quiet', '--no-verify', '--message', 'The notice');
    await open(skill);
    const preview = await openPreview(workbench);
    await preview.prompt('about Old Harbour');
    await goTo(second, lineEnd);
    await type(' And a fourth.');
    await preview.prompt('And a fourth.');
    const sides = page.locator('.diff-editor, .monaco-diff-editor').first();
    // The editor takes a moment to find a repository that was not there when it started.
    for (let attempt = 0; attempt < 30 && !(await sides.isVisible()); attempt++) {
      await preview.frame.getByRole('button', { name: 'More' }).click();
      await preview.frame.getByRole('menuitem', { name: /HEAD/ }).click();
      await sides.waitFor({ timeout: 1_000 }).catch(() => undefined);
    }
    await page.locator('.tab.active', { hasText: 'write-notice: git HEAD ↔ preview' }).waitFor();
    await sides.locator('.editor.modified .view-line', { hasText: 'And a fourth.' }).waitFor();
    await sides.locator('.editor.original .view-line', { hasText: 'It has three sentences.' }).waitFor();
    assert.equal(await sides.locator('.editor.original .view-line', { hasText: 'And a fourth.' }).count(), 0);
  } finally {
    rmSync(join(folder, '.git'), { recursive: true, force: true });
  }
});

test('the composition of a preview opens as JSON', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.frame.getByRole('button', { name: 'More' }).click();
  await preview.frame.getByRole('menuitem', { name: /JSON/ }).click();
  await page.locator('.tab.active', { hasText: 'write-notice.json' }).waitFor();
  await page.locator('.view-line', { hasText: '"prompt":' }).first().waitFor();
});

test('a reload of the window brings the preview back', async (workbench) => {
  const { page, open, palette } = workbench;
  await open(skill);
  const before = await openPreview(workbench);
  await before.prompt('about Old Harbour');
  await before.frame.locator('.input-line > select').selectOption({ label: 'a warm one' });
  await before.prompt('in a warm tone');
  await before.openForm();
  await before.frame.getByRole('button', { name: /stay with this skill/ }).click();
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
  // As the palette does it: a browser that reloads of itself may be faster than the editor's saving.
  const loaded = page.waitForEvent('load');
  await palette('Developer: Reload Window');
  await loaded;
  const after = await shownPreview(page);
  await after.state('Ready');
  await after.closeForm();
  await after.prompt('in a warm tone');
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
});

test('a skill whose every field is HTML and script is text in the preview', async (workbench) => {
  const { page, open, screenshot } = workbench;
  await open('hostile.skill.md');
  const preview = await openPreview(workbench);
  await preview.prompt('<script>window.hacked=1</script><style>* { display: none }</style>');
  await preview.openForm();
  await preview.closeForm();
  for (const tab of ['Run', 'Why', 'Prompt']) await preview.frame.getByRole('tab', { name: tab }).click();
  await screenshot('preview of a hostile skill');
  for (const frame of page.frames()) {
    const marks = await frame.evaluate(() => [
      'hacked' in window,
      document.querySelectorAll('body .page :is(script, iframe, object, img, style)').length,
    ]);
    assert.deepEqual(marks, [false, 0], frame.url());
  }
});

test('the preview is painted after its command, and after each keystroke', async (workbench) => {
  const { page, open, goTo, type, press } = workbench;
  const [openings, pages, keystrokes]: [number[], number[], number[]] = [[], [], []];
  // Of several, since a machine that does other things as well may be late for one.
  for (let attempt = 0; attempt < 3; attempt++) {
    await open(skill);
    const began = await lastKeyDown(page);
    const preview = await openPreview(workbench);
    await preview.prompt('about Old Harbour');
    // Before it has an answer, the page is blank. How long a webview takes to begin is the editor's own affair.
    const paint = await preview.firstPaint();
    openings.push(paint.at - (await began()));
    pages.push(paint.at - paint.loaded);
    await press('Control+1');
    await goTo(second, lineEnd);
    for (const letter of 'abcd') {
      const pressed = await lastKeyDown(page);
      const painted = await preview.nextPaint();
      await type(letter);
      keystrokes.push((await painted()) - (await pressed()));
    }
    await workbench.closeAll();
  }
  const list = (name: string, times: readonly number[]): string => `${name} ${times.map(Math.round).join(', ')} ms`;
  const said = [list('from the command', openings), list('from the script', pages), list('from a key', keystrokes)];
  // For who reads along: a machine that does other things as well makes no judgement of them.
  console.log(`    ${said.join('; ')}`);
  assert.ok([...openings, ...pages, ...keystrokes].every(Number.isFinite));
});
