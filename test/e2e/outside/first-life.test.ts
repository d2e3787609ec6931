/** The main workflow by keyboard only: a mistake, its finding and fix, a completion, and a change to a dependency. */
import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { test } from '../outside.ts';

const tools = 6;
const prose = 15;

test('a quick fix corrects a misspelt tool name', async (workbench) => {
  const { open, goTo, press, type, squiggle, noSquiggle, quickFix, shows, screenshot, closeAll } = workbench;
  await open('summarize-page.skill.md');
  await noSquiggle();
  await goTo(tools, 13);
  await type('g');
  await squiggle();

  await press('Escape');
  await screenshot('broken tool name');
  await quickFix('Replace with ‘read_page’');
  await noSquiggle();
  await shows(/tools: \[read_page\]/);
  await press('Control+Z');
  await squiggle();
  await closeAll();
});

test.extended('an artifact kind is completed with its skeleton', async (workbench) => {
  const { open, press, type, shows, suggest, accept, screenshot, closeAll } = workbench;
  await open('summarize-page.skill.md');
  await press('Control+End');
  await type('\n## Appr');
  const rows = await suggest();
  await rows.filter({ hasText: 'Approach' }).first().waitFor();
  await screenshot('completion of an artifact kind');
  await accept('Approach');
  await shows(/^## Approach: name$/m);
  await closeAll();
});

test('completion suggests keys from the first letter on, but nothing in prose', async (workbench) => {
  const { page, open, goTo, type, press, shows, suggest, accept, squiggle, noSquiggle, screenshot, closeAll } =
    workbench;
  await open('summarize-page.skill.md');
  // The lens shows that the server has read the file.
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).first().waitFor();
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  await press('Control+End');
  await page.keyboard.insertText('\n## Description: tone\n\n');
  await squiggle('hint');
  const offered = await linesWithSuggestions(page);
  // With its first letter the section is no longer empty. The hint disappears after the request for suggestions.
  await type('S');
  await noSquiggle('hint');
  // Types letter by letter, since a list takes a moment to open and closes at the end of the word.
  await page.keyboard.type('ay so ', { delay: 100 });
  await type('with #tool:re');
  await suggest();
  await rows.filter({ hasText: 'read_page' }).first().waitFor();
  const inProse = (await offered()).map((line) => !line.includes('#'));
  assert.deepEqual([...new Set(inProse)], [false]);
  await press('Escape');
  await goTo(tools, 19);
  await type('\nt');
  await rows.filter({ hasText: 'trigger_phrases' }).first().waitFor();
  await type('rig');
  await screenshot('completion of a key while typing');
  await accept('trigger_phrases');
  await shows(/^trigger_phrases: \[\]$/m);
  await closeAll();
});

/**
 * Watches the suggestions. The returned function returns the cursor's line at each time that suggestions were visible.
 */
async function linesWithSuggestions(page: Page): Promise<() => Promise<readonly string[]>> {
  const lines = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const note = (): void => {
      if (!document.querySelector('.suggest-widget.visible .monaco-list-row')) return;
      const cursor = document.querySelector('.editor-group-container.active .cursors-layer .cursor');
      const top = cursor?.getBoundingClientRect().top;
      const all = document.querySelectorAll('.editor-group-container.active .view-line');
      const line = [...all].find((one) => one.getBoundingClientRect().top === top);
      seen.push(line?.textContent ?? '');
    };
    new MutationObserver(note).observe(document.body, { attributes: true, childList: true, subtree: true });
    return seen;
  });
  return () => lines.jsonValue();
}

test.extended('an interrupt is completed with the node that fires it', async (workbench) => {
  const { open, goTo, type, shows, suggest, accept, screenshot, closeAll } = workbench;
  await open('summarize-page.skill.md');
  await goTo(tools, 19);
  await type('\ninterrupts: [on_amb');
  const rows = await suggest();
  await rows.filter({ hasText: 'on_ambiguous_input' }).first().waitFor();
  await screenshot('completion of an interrupt');
  await accept('on_ambiguous_input');
  await shows(/interrupts: \[on_ambiguous_input/);
  await closeAll();
});

test.extended('a tool is completed in prose after #', async (workbench) => {
  const { open, goTo, type, press, suggest, accept, page, screenshot, closeAll } = workbench;
  await open('summarize-page.skill.md');
  await goTo(prose, 1);
  await press('End');
  await type('\nSee #tool:re');
  const rows = await suggest();
  await rows.filter({ hasText: 'read_page' }).first().waitFor();
  await screenshot('completion of a reference');
  await accept('read_page');
  await page.locator('.view-line', { hasText: 'See #tool:read_page' }).first().waitFor();
  await closeAll();
});

test.extended('removing a tool from the catalog is reported in the skill at once', async (workbench) => {
  const { open, goTo, type, press, squiggle, noSquiggle, closeAll } = workbench;
  await open('summarize-page.skill.md');
  await noSquiggle();
  await open('skills.config.yaml');
  await goTo(2, 13);
  await type('renamed_');
  await open('summarize-page.skill.md');
  await squiggle();
  await open('skills.config.yaml');
  await press('Control+Z');
  await open('summarize-page.skill.md');
  await noSquiggle();
  await closeAll();
});
