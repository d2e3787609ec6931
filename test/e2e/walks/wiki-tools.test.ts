/** Importing a server's tools into the catalog: the confirmation before the import, and the known tools afterwards. */
import { strict as assert } from 'node:assert';
import { walk } from '../walk.ts';

walk.extended(
  'a person walks from a server to its tools: the key, the question, and a mistake that is seen now',
  async (openFolder) => {
    const workbench = await openFolder('wiki-tools', 'with dialogs');
    const { page, open, press, palette, toEditor, noSquiggle, squiggle, goTo, quickFix, shows, screenshot } = workbench;
    await open('read-page.skill.md');
    // The tools are not known yet.
    await noSquiggle();
    await palette('Skill: Pull Tools from Servers…');
    const input = page.locator('.quick-input-widget', { hasText: 'The key of the wiki' });
    await input.waitFor();
    assert.equal(await input.locator('input.input').getAttribute('type'), 'password');
    await page.keyboard.insertText('open-sesame');
    await press('Enter');
    // No process is started before the user confirms.
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'wiki (servers.json)' }).waitFor();
    const asked = (await dialog.innerText()).replaceAll('\u00a0', ' ');
    assert.match(asked, /node \S+server\.mjs/);
    assert.match(asked, /with the variable WIKI_KEY=\*\*\*/);
    assert.doesNotMatch(asked, /open-sesame/);
    await screenshot('wiki-tools-1-question');
    await dialog.getByRole('button', { name: 'Start and Pull' }).click();
    await squiggle();
    await screenshot('wiki-tools-2-mistake');
    await page.locator('.statusbar-item[id="status.languageStatus"]').click();
    await page.locator('.hover-language-status', { hasText: 'Tools pulled' }).first().waitFor();
    await screenshot('wiki-tools-3-status');
    await toEditor();
    await goTo(6, 10);
    await quickFix('read_page');
    await shows(/tools: \[read_page\]/);
  },
);
