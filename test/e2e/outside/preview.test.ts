/** The preview as a whole: a reload of the window, a hostile skill, and the time until it is painted. */
import { strict as assert } from 'node:assert';
import { secondLine, skill } from '../notice.ts';
import { test } from '../outside.ts';
import { openPreview, shownPreview, watchLastKeyDown } from '../preview.ts';
import { lineEnd } from '../workbench.ts';

test.extended('a reload of the window brings the preview back', async (workbench) => {
  const { page, open, palette } = workbench;
  await open(skill);
  const before = await openPreview(workbench);
  await before.prompt('about Old Harbour');
  await before.frame.locator('.input-line > select').selectOption({ label: 'a warm one' });
  await before.prompt('in a warm tone');
  await before.openForm();
  await before.frame.getByRole('button', { name: /^Lock to this skill/ }).click();
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
  // Reloads with the command, since a reload by the browser may happen before the editor has saved its state.
  const loaded = page.waitForEvent('load');
  await palette('Developer: Reload Window');
  await loaded;
  const after = await shownPreview(page);
  await after.state('Ready');
  await after.closeForm();
  await after.prompt('in a warm tone');
  await page.locator('.tab', { hasText: '[Preview] write-notice' }).waitFor();
});

test.extended('a skill with HTML and script in every field is shown as text in the preview', async (workbench) => {
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

test.extended('the preview is painted after its command, and after each keystroke', async (workbench) => {
  const { page, open, toEditor, goTo, type } = workbench;
  const [openings, pages, keystrokes]: [number[], number[], number[]] = [[], [], []];
  // Measures several times, since other load on the machine may delay one measurement.
  for (let attempt = 0; attempt < 3; attempt++) {
    await open(skill);
    const began = await watchLastKeyDown(page);
    const preview = await openPreview(workbench);
    await preview.prompt('about Old Harbour');
    // The page is empty until the first response. The time until its script starts depends only on the editor.
    const paint = await preview.firstPaint();
    openings.push(paint.at - (await began()));
    pages.push(paint.at - paint.loaded);
    await toEditor();
    await goTo(secondLine, lineEnd);
    for (const letter of 'abcd') {
      const pressed = await watchLastKeyDown(page);
      const painted = await preview.nextPaint();
      await type(letter);
      keystrokes.push((await painted()) - (await pressed()));
    }
    await workbench.closeAll();
  }
  const list = (name: string, times: readonly number[]): string => `${name} ${times.map(Math.round).join(', ')} ms`;
  const said = [list('from the command', openings), list('from the script', pages), list('from a key', keystrokes)];
  // Printed for information: other load on the machine makes these times unreliable.
  console.log(`    ${said.join('; ')}`);
  assert.ok([...openings, ...pages, ...keystrokes].every(Number.isFinite));
});
