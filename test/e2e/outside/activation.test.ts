/** The extension's share of the editor's start time, as the editor reports it: loading code and calling `activate`. */
import { strict as assert } from 'node:assert';
import { test } from '../outside.ts';

test.extended('the editor reports the activation time', async ({ page, open, palette }) => {
  await open('summarize-page.skill.md');
  await palette('Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ hasText: /skill.composer/i });
  const time = row.locator('.activation-time').filter({ hasText: /\d+ms/ });
  await page.locator('.runtime-extensions-editor .monaco-list-row').first().hover();
  // The list contains only the visible rows, sorted by time, so the test scrolls down and up until the row
  // appears.
  for (let step = 0; step < 100 && !(await time.isVisible()); step++) {
    await page.mouse.wheel(0, step % 20 < 10 ? 150 : -150);
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
  }
  await time.waitFor();
  const milliseconds = Number(/(\d+)ms/.exec(await time.innerText())?.[1]);
  console.log(`  activation: ${milliseconds} ms`);
  assert.ok(Number.isFinite(milliseconds));
});
