import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { test } from '../outside.ts';

/** Waits until the second line of the editor begins with a key. */
const secondLine = (page: Page, key: string): Promise<unknown> =>
  page.waitForFunction((wanted) => {
    const lines = [...document.querySelectorAll<HTMLElement>('.editor-instance .view-line')];
    const top = (line: HTMLElement): number => Number.parseFloat(line.style.top);
    return lines.sort((one, other) => top(one) - top(other))[1]?.textContent?.startsWith(wanted);
  }, key);

const nameBox = (page: Page): Locator => page.locator('.monaco-editor.rename-box input').first();

/** Fills in the box without typing, since it is visible a moment before it has the focus. */
async function enterName(page: Page, name: string): Promise<void> {
  await nameBox(page).fill(name);
  await nameBox(page).press('Enter');
}

test.extended(
  'the Format Frontmatter command sorts the frontmatter',
  async ({ page, open, goTo, press, palette, text, screenshot }) => {
    await open('summarize-page.skill.md');
    // The command and its button are available once the extension knows that the file is a skill.
    const button = page.locator('.editor-group-container.active .editor-actions');
    await button.getByRole('button', { name: 'Open Skill Preview' }).waitFor();
    const before = await text();
    await goTo(2);
    await press('Alt+ArrowDown');
    await press('Alt+ArrowDown');
    await secondLine(page, 'description');
    await palette('Skill: Format Frontmatter');
    await secondLine(page, 'name');
    await screenshot('formatted');
    assert.equal(await text(), before);
  },
);

test('selected words become a parameter with the entered name', async ({
  page,
  open,
  goTo,
  press,
  refactorings,
  text,
  screenshot,
}) => {
  await open('write-notice.skill.md');
  // "three"
  await goTo(25, 8);
  for (let at = 0; at < 'three'.length; at++) await press('Shift+ArrowRight');
  const entry = await refactorings('Extract into a parameter');
  await screenshot('refactorings');
  while (!(await entry.getAttribute('class'))?.includes('focused')) await press('ArrowDown');
  await press('Enter');
  await nameBox(page).waitFor();
  await screenshot('name of the parameter');
  await enterName(page, 'how_many');
  await page.locator('.view-line', { hasText: '{{ how_many }}' }).first().waitFor();
  await screenshot('parameter');
  // The name is part of the same step.
  await press('Control+Z');
  await page.locator('.view-line', { hasText: '{{ how_many }}' }).first().waitFor({ state: 'detached' });
  assert.doesNotMatch(await text(), /how_many|\{\{ three \}\}/);
});

test.extended(
  'selected lines become an included template, with the mouse',
  async ({ page, open, goTo, press, refactorings, screenshot }) => {
    await open('write-notice.skill.md');
    // The editor restores the file's scroll position, but the lens is above the first lines.
    await press('Control+Home');
    await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
    await goTo(25);
    await press('Shift+End');
    const entry = await refactorings('Extract into an included template');
    // Until the mouse moves, VS Code ignores clicks on a list that opened under it.
    await page.mouse.move(0, 0);
    await entry.click({ force: true });
    await enterName(page, 'length');
    await page.locator('.view-line', { hasText: '{% include "length" %}' }).waitFor();
    await page.locator('.view-line', { hasText: '## PromptTemplate: length' }).waitFor();
    await screenshot('an extracted template');
  },
);
