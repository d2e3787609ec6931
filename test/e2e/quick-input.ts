/** The list at the top of a VS Code that is typed into: the palette, Go to File, and what commands ask. */
import type { Page } from 'playwright-core';
import { appears, limit } from './waits.ts';

/** A text by which `SKILL.md` is not found in `some.skill.md`: a locator's plain text does not mind the case. */
const exactly = (text: string): RegExp =>
  new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'));

export function quickInputOf(page: Page) {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input.input');
  const focused = widget.locator('.monaco-list-row.focused');

  /** Opens a quick input by a key, pressed again where nothing came of it: a page that was just loaded has no bindings yet. */
  const openPick = async (key: string): Promise<void> => {
    for (const end = Date.now() + limit; !(await input.isVisible()); ) {
      if (Date.now() > end) throw new Error(`${key} opens no list.`);
      await page.keyboard.press(key);
      await appears(input, 2_000);
    }
  };
  /**
   * Takes the entry of a quick input that what is typed leads to. The palette shows what could be done when it opened:
   * it is opened again while a command is not among that yet.
   */
  const choose = async (key: string, text: string): Promise<void> => {
    const wanted = focused.filter({ hasText: exactly(text.replace(/^.*[/>:]\s*/, '')) });
    for (const end = Date.now() + limit; ; ) {
      await openPick(key);
      // All at once, as when pasted: the list is then filtered once.
      await page.keyboard.insertText(text);
      if (await appears(wanted, 5_000)) break;
      if (Date.now() > end) throw new Error(`${key} has no entry ${text}.`);
      await page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
    }
    await page.keyboard.press('Enter');
    // What is chosen may ask in a list of its own at once.
    await wanted.waitFor({ state: 'hidden' });
  };
  /** Takes a row by typing its text. `shown` is a row that the list shows before: of a long list it shows only the first rows. */
  const pick = async (text: string, shown = text): Promise<void> => {
    const wanted = focused.filter({ hasText: exactly(text) });
    await widget
      .locator('.monaco-list-row', { hasText: exactly(shown) })
      .first()
      .waitFor();
    await page.keyboard.insertText(text);
    await wanted.waitFor();
    await page.keyboard.press('Enter');
    await wanted.waitFor({ state: 'hidden' });
  };
  /** Answers a dialog of files, which is known by a text in it, with a path. */
  const enterPath = async (title: string, path: string): Promise<void> => {
    const dialog = widget.filter({ hasText: title });
    const field = dialog.locator('input.input');
    const busy = dialog.locator('.monaco-progress-container.active');
    // It shows a folder first, and writes that over what was typed before.
    await dialog.locator('.monaco-list-row', { hasText: '..' }).first().waitFor();
    for (const end = Date.now() + limit; await dialog.isVisible(); ) {
      if (Date.now() > end) throw new Error(`The dialog shows ${await field.inputValue()}, and does not take ${path}.`);
      // It looks at each path that is typed, and takes one only when it has.
      await busy.waitFor({ state: 'hidden' });
      await field.fill(path);
      await busy.waitFor({ state: 'hidden' });
      if ((await field.inputValue()) !== path) continue;
      await field.press('Enter');
      // It ignores the key while it is about to look at the path. Then nothing happens, and the key is pressed again.
      const timeout = limit / 12;
      await Promise.race([dialog.waitFor({ state: 'hidden', timeout }), busy.waitFor({ timeout })]).catch(
        () => undefined,
      );
    }
  };
  return { widget, openPick, choose, pick, enterPath };
}
