/** What the extension takes of the editor's start, by the editor's own account: loading its code and calling `activate`. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';

/** Ten times what it takes on a quiet machine: it is here to be seen in the output, and to fail if something is awaited. */
const LIMIT_MS = 800;

test('activating takes the extension host a blink', async ({ page, open, palette }) => {
  await open('summarize-page.skill.md');
  await palette('Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: /skill.composer/i });
  const time = row.locator('.activation-time').filter({ hasText: /\d+ms/ });
  await time.waitFor();
  const milliseconds = Number(/(\d+)ms/.exec(await time.innerText())?.[1]);
  console.log(`  activation: ${milliseconds} ms`);
  assert.ok(milliseconds < LIMIT_MS, `${milliseconds} ms`);
});
