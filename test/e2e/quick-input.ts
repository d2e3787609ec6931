/** The quick input of VS Code: the palette, Go to File, and the prompts of commands. */
import type { Page } from 'playwright-core';
import { appears, limit } from './waits.ts';

/** A case-sensitive pattern: with a string, a locator ignores case, so `SKILL.md` would match `some.skill.md`. */
const exactly = (text: string): RegExp =>
  new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'));

export function quickInputOf(page: Page) {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input.input');
  const focused = widget.locator('.monaco-list-row.focused');

  const ready = widget.locator('input.input:focus');

  /**
   * Opens a quick input with a key, and waits until it has the focus, because typed text would go to the editor before.
   * Presses the key again if it has no effect, since a page that has just loaded has no key bindings yet.
   */
  const openPick = async (key: string): Promise<void> => {
    for (const end = Date.now() + limit; !(await ready.isVisible()); ) {
      if (Date.now() > end) throw new Error(`${key} opens no list.`);
      // An input without the focus is opening or closing.
      if ((await input.isVisible()) && (await appears(ready, 2_000))) return;
      await page.keyboard.press(key);
      await appears(ready, 2_000);
    }
  };
  /**
   * Replaces the text of the open quick input, and accepts it. Returns false if the quick input closes before: its text
   * is never typed elsewhere, because the input itself receives it.
   */
  const submit = async (text: string): Promise<boolean> => {
    const how = { timeout: 2_000 };
    try {
      await input.fill(text, how);
      await input.press('Enter', how);
      return true;
    } catch {
      return false;
    }
  };
  /**
   * Accepts the entry that matches the typed text. The palette lists the commands available when it opened, so it is
   * opened again while a command is missing.
   */
  const choose = async (key: string, text: string): Promise<void> => {
    const wanted = focused.filter({ hasText: exactly(text.replace(/^.*[/>:]\s*/, '')) });
    for (const end = Date.now() + limit; ; ) {
      await openPick(key);
      // Inserts the text in one step, as a paste does, so that the list is filtered only once.
      await page.keyboard.insertText(text);
      if (await appears(wanted, 5_000)) break;
      if (Date.now() > end) throw new Error(`${key} has no entry ${text}.`);
      await page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
    }
    await page.keyboard.press('Enter');
    // The command may immediately open another list.
    await wanted.waitFor({ state: 'hidden' });
  };
  /**
   * Accepts a row by typing its text, because a long list shows only its first rows. Waits for a row with the text `shown`
   * first, or for any row.
   */
  const pick = async (text: string, shown = ''): Promise<void> => {
    const wanted = focused.filter({ hasText: exactly(text) });
    await widget
      .locator('.monaco-list-row', { hasText: exactly(shown) })
      .first()
      .waitFor();
    // A list that opens only now empties the input.
    for (const end = Date.now() + limit; !(await wanted.isVisible()); await appears(wanted, 2_000)) {
      if (Date.now() > end) throw new Error(`The list has no entry ${text}.`);
      if ((await input.inputValue()) !== text) await input.fill(text);
    }
    await page.keyboard.press('Enter');
    await wanted.waitFor({ state: 'hidden' });
  };
  /** Enters a path in a file dialog, which is identified by some text in it. */
  const enterPath = async (title: string, path: string): Promise<void> => {
    const dialog = widget.filter({ hasText: title });
    const field = dialog.locator('input.input');
    const busy = dialog.locator('.monaco-progress-container.active');
    // The dialog shows a folder first, and overwrites earlier input with it.
    await dialog.locator('.monaco-list-row', { hasText: '..' }).first().waitFor();
    for (const end = Date.now() + limit; await dialog.isVisible(); ) {
      if (Date.now() > end) throw new Error(`The dialog shows ${await field.inputValue()}, and does not take ${path}.`);
      // The dialog checks each typed path, and accepts the path only after the check.
      await busy.waitFor({ state: 'hidden' });
      await field.fill(path);
      await busy.waitFor({ state: 'hidden' });
      if ((await field.inputValue()) !== path) continue;
      await field.press('Enter');
      // The dialog ignores the key while it is about to check the path. In this case, the key is pressed again.
      const timeout = limit / 12;
      await Promise.race([dialog.waitFor({ state: 'hidden', timeout }), busy.waitFor({ timeout })]).catch(
        () => undefined,
      );
    }
  };
  return { widget, openPick, submit, choose, pick, enterPath };
}
