/** Text that the editor inserts and removes while the user types: closing delimiters, and the fence of frontmatter. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';
import type { Workbench } from '../workbench.ts';

/** Waits until a line has this text. */
const line = ({ page }: Workbench, text: string): Promise<void> => {
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s');
  return page
    .locator('.editor-group-container.active .view-line', { hasText: new RegExp(`^${pattern}$`) })
    .last()
    .waitFor();
};

/** Opens a skill with the cursor on the last line of the file, an empty line of a template. */
async function openTemplate(workbench: Workbench): Promise<void> {
  const { page, open, press, goTo } = workbench;
  await open('summarize-page.skill.md');
  // The editor may restore the scroll position of a file that was open before.
  await press('Control+Home');
  await page.locator('.codelens-decoration:visible', { hasText: 'Preview' }).first().waitFor();
  await press('Control+End');
  await page.keyboard.insertText('\n## PromptTemplate: typed\n\nText.\n');
  await goTo(20);
  await pairsAreRead(workbench);
}

/**
 * Waits until VS Code has read the pairs of a language, some moments after it opened the first file in that language.
 */
async function pairsAreRead({ page, press }: Workbench): Promise<void> {
  const closed = page.locator('.editor-group-container.active .view-line', { hasText: /^\{\}$/ });
  for (let attempt = 0; attempt < 60; attempt++) {
    await page.keyboard.type('{');
    const isClosed = await closed.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    // Also removes the closing delimiter, if there is one.
    await press('Backspace');
    if (isClosed) return;
  }
  throw new Error('The pairs of templates are not read.');
}

test.extended('the delimiters of a template close with spaces between them, and are typed over', async (workbench) => {
  const { page, press, text, screenshot, closeAll } = workbench;
  await openTemplate(workbench);
  const cases = [
    ['{%', '{%%}'],
    ['{% ', '{%  %}'],
    ['{# ', '{#  #}'],
    ['{{ ', '{{  }}'],
    ['{% x', '{% x %}'],
    ['{{ x', '{{ x }}'],
    ['{% if page %}', '{% if page %}'],
    ['{%if page%}', '{%if page%}'],
    ['{{ page | upper }}', '{{ page | upper }}'],
    ['{# a note #}', '{# a note #}'],
    ['100%', '100%'],
    ['a {b} c', 'a {b} c'],
  ] as const;
  const found: (readonly [string, string])[] = [];
  for (const [keys, expected] of cases) {
    await page.keyboard.type(keys, { delay: 40 });
    const shown = await line(workbench, expected).then(
      () => expected,
      async () => (await text()).split('\n').at(-1) ?? '',
    );
    found.push([keys, shown]);
    if (keys === '{% x') await screenshot('a tag that closes itself');
    await press('Escape');
    // The list may take a moment to close.
    await page.locator('.suggest-widget.visible').waitFor({ state: 'hidden' });
    await press('Home');
    await press('Shift+End');
    await press('Delete');
  }
  assert.deepEqual(found, cases);
  await closeAll();
});

test.extended('text that is typed fast in a template is inserted exactly', async (workbench) => {
  const { page, text, closeAll } = workbench;
  await openTemplate(workbench);
  const typed = 'Say {{ page | upper }} now.\nAnd {% if page %}it{% endif %} {# so #} ends.\nEnd';
  // Types faster than a user, so that a late list of suggestions would receive an Enter.
  await page.keyboard.type(typed, { delay: 12 });
  await page.locator('.view-line', { hasText: /^\s*End\}*$/ }).waitFor();
  const lines = (await text()).split('\n').slice(-3);
  assert.deepEqual(lines, typed.split('\n'));
  // Faster than the extension receives the keys.
  await page.keyboard.type('\n{% if page');
  await line(workbench, '{% if page %}');
  await closeAll();
});

test.extended('Backspace removes both delimiters of an empty tag', async (workbench) => {
  const { page, press, closeAll } = workbench;
  await openTemplate(workbench);
  for (const mark of ['%', '#', '{']) {
    const end = mark === '{' ? '}' : mark;
    await page.keyboard.type(`a{${mark} `, { delay: 40 });
    await line(workbench, `a{${mark}  ${end}}`);
    await press('Escape');
    await press('Backspace');
    await line(workbench, `a{${mark}${end}}`);
    await press('Backspace');
    await line(workbench, 'a{}');
    await press('Backspace');
    await line(workbench, 'a');
    await press('Backspace');
  }
  await closeAll();
});

test.extended(
  'a new user gets a whole skill in an empty file, or frontmatter that closes itself',
  async (workbench) => {
    const { page, open, press, suggest, accept, shows, palette, screenshot, closeAll } = workbench;
    await open('write-notice.skill.md');
    await press('Control+A');
    await press('Delete');
    const rows = await suggest();
    await screenshot('completion in an empty skill');
    assert.match((await rows.first().textContent()) ?? '', /^New skill/);
    await press('Escape');
    await page.keyboard.type('---', { delay: 40 });
    await page.locator('.view-line', { hasText: /^---$/ }).nth(1).waitFor();
    await shows(/^---\n---\n$/);
    await press('Enter');
    await page.keyboard.type('too', { delay: 40 });
    await rows.filter({ hasText: 'tools' }).first().waitFor();
    await screenshot('completion of a key in an empty skill');
    await accept('tools');
    await rows.filter({ hasText: 'read_page' }).first().waitFor();
    await screenshot('names open behind their key');
    await accept('read_page');
    await line(workbench, '  - read_page');
    await press('Enter');
    await palette('File: Revert File');
    await closeAll();
  },
);

test.extended('a new user sees completion in the frontmatter of SKILL.md', async (workbench) => {
  const { open, goTo, press, type, suggest, screenshot, closeAll } = workbench;
  await open('agent/SKILL.md');
  await goTo(2);
  await press('End');
  await type('\n');
  const rows = await suggest();
  await screenshot('completion of a key in SKILL.md');
  const shown = await rows.locator('.label-name').allTextContents();
  assert.ok(shown.includes('license'), shown.join());
  await closeAll();
});
