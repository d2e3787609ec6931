/** A VS Code that tests use by pressing keys and reading the screen. Every function waits for the expected element. */
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../protocol/until.ts';
import { quickInputOf } from './quick-input.ts';
import { appears, disappears, limit } from './waits.ts';

/** The oldest supported VS Code, or the newest. */
export type VsCodeVersion = 'oldest' | 'latest';

/** A column for `goTo`: the end of the line. */
export const lineEnd = 999;

/** The messages of Go to Symbol in Editor while no extension has provided symbols. */
const NO_SYMBOLS = /^(?:No editor symbols|The active text editor does not provide symbol information\.)$/;

export interface Workbench {
  readonly page: Page;
  readonly which: VsCodeVersion;
  /**
   * Opens a file in the workspace by a part of its path, as in Go to File, and waits until its editor has the focus.
   */
  readonly open: (path: string) => Promise<void>;
  /** Runs a command by its title in the palette. */
  readonly palette: (title: string) => Promise<void>;
  /** Runs a command that opens a list, and waits until the list has a row with this text. */
  readonly paletteList: (title: string, row: string | RegExp) => Promise<Locator>;
  /** Accepts a row of the open list by typing its text. Waits for the row `shown` first. */
  readonly pick: (row: string, shown?: string) => Promise<void>;
  /** `paletteList`, then `pick`. */
  readonly choose: (title: string, row: string) => Promise<Locator>;
  /** Runs a command that asks a question, and returns the quick input once it has this text. */
  readonly asked: (title: string, question: string | RegExp) => Promise<Locator>;
  /** The names that Go to Symbol in Editor lists, once the list has at least `count` entries. */
  readonly symbols: (count: number) => Promise<readonly string[]>;
  /** Returns the focus to the editor of the first group, after a click in a webview. */
  readonly toEditor: () => Promise<void>;
  /** Puts the cursor on a line and column, both counted from 1, and waits until the active editor has the focus. */
  readonly goTo: (line: number, column?: number) => Promise<void>;
  /** Waits until the active editor has a squiggle of a kind. */
  readonly squiggle: (kind?: 'error' | 'warning' | 'info' | 'hint') => Promise<Locator>;
  /** Waits until the active editor has no squiggle of a kind. */
  readonly noSquiggle: (kind?: 'error' | 'warning' | 'info' | 'hint') => Promise<void>;
  /** Opens the quick fixes at the cursor, and returns the entry whose title has the text. */
  readonly quickFixes: (title: string | RegExp) => Promise<Locator>;
  /** Like `quickFixes`, but for the refactorings of the selection. */
  readonly refactorings: (title: string | RegExp) => Promise<Locator>;
  /** Opens the quick fixes at the cursor and picks the fix whose title matches. */
  readonly quickFix: (title: string | RegExp) => Promise<void>;
  /** The hover at the cursor, opened with the keyboard. */
  readonly hover: () => Promise<Locator>;
  /** The suggestions at the cursor. */
  readonly suggest: () => Promise<Locator>;
  /** Accepts the suggestion whose row has the text, once it is selected. */
  readonly accept: (row: string | RegExp) => Promise<void>;
  /** The rows of the problems panel. */
  readonly problems: () => Promise<Locator>;
  /** Opens the list of notifications, and waits until a notification has this text. */
  readonly notification: (text: string | RegExp) => Promise<Locator>;
  readonly type: (text: string) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** Enters a path in a file dialog, which is identified by some text in it. */
  readonly enterPath: (dialog: string, path: string) => Promise<void>;
  /** The text of the visible lines, joined. */
  readonly text: () => Promise<string>;
  /** Waits until the text of the visible lines matches. */
  readonly shows: (wanted: RegExp) => Promise<void>;
  /** The inner frame of the webview in front. */
  readonly webview: () => ReturnType<Locator['contentFrame']>;
  /** Saves a picture, if pictures are enabled. */
  readonly screenshot: (name: string) => Promise<void>;
  /** Takes a screenshot of the editors, or of the window below its title bar, as a picture for the documentation (`npm run pictures`). */
  readonly picture: (name: string, of?: 'editors' | 'window') => Promise<void>;
  /** Closes all editors and discards their changes. */
  readonly closeAll: () => Promise<void>;
}

/** The key for the command of `resetBinding`. */
const resetKey = 'Control+Alt+Shift+F9';

/** Resets the workbench between tests. Belongs in the user's key bindings. */
export const resetBinding = {
  key: resetKey.toLowerCase().replace('control', 'ctrl'),
  command: 'runCommands',
  args: {
    commands: ['notifications.clearAll', 'workbench.action.closePanel', 'workbench.action.revertAndCloseActiveEditor'],
  },
};

/** Waits until a page has loaded the workbench and, if the folder has files, the list of these files. */
export async function openWorkbench(
  page: Page,
  { which, screenshots }: { readonly which: VsCodeVersion; readonly screenshots?: string | undefined },
  hasFiles = true,
): Promise<Workbench> {
  page.setDefaultTimeout(limit);
  await page.locator('.monaco-workbench .part.editor').waitFor();
  const files = page.locator('.explorer-folders-view');
  await (hasFiles ? files.locator('.monaco-list-row').first() : files).waitFor();
  // The extension's commands are in the palette some moments after the rows appear, once its icon is in the activity
  // bar.
  await page.locator('.activitybar .action-label[aria-label^="Skills"]').waitFor();

  const editor = page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  const focused = page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused').first();
  const { widget, openPick, submit, choose, pick, enterPath } = quickInputOf(page);
  const squiggles = (kind: string): Locator => editor.locator(`.squiggly-${kind}`);
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  const type = (text: string): Promise<void> => page.keyboard.type(text);

  const palette = (title: string): Promise<void> => choose('F1', title);

  const paletteList = async (title: string, row: string | RegExp): Promise<Locator> => {
    const rows = widget.locator('.monaco-list-row');
    await palette(title);
    await rows.filter({ hasText: row }).first().waitFor();
    return rows;
  };

  const fixes = page.locator('.action-widget:not(.action-list-submenu-panel)');
  const actions = async (key: string, title: string | RegExp): Promise<Locator> => {
    const entry = fixes.locator('.monaco-list-row.action').filter({ hasText: title }).first();
    for (const end = Date.now() + limit; ; ) {
      await press(key);
      if (await appears(entry, limit / 12)) return entry;
      if (Date.now() > end) throw new Error(`${key} opens no list with ${title}.`);
      // A closing hover consumes the key, and an early request returns a list without the entry.
      if (await fixes.isVisible()) {
        await press('Escape');
        await fixes.waitFor({ state: 'hidden' });
      }
    }
  };

  const quickFixes = (title: string | RegExp): Promise<Locator> => actions('Control+.', title);

  const suggestions = page.locator('.suggest-widget.visible .monaco-list-row');

  const text = async (): Promise<string> => {
    const lines = await editor.locator('.view-line').evaluateAll((all) =>
      all
        .map((line) => ({ top: Number.parseFloat((line as HTMLElement).style.top), text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
    return lines.join('\n');
  };

  return {
    page,
    which,
    palette,
    paletteList,
    pick,
    choose: async (title, row) => {
      const rows = await paletteList(title, row);
      await pick(row);
      return rows;
    },
    asked: async (title, question) => {
      await palette(title);
      const asking = widget.filter({ hasText: question });

      await asking.waitFor();
      return asking;
    },
    press,
    type,
    enterPath,
    open: async (path) => {
      await choose('Control+P', path);
      await widget.waitFor({ state: 'hidden' });
      const name = path.replace(/^.*\//, '');
      await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
      await focused.locator('.view-line').first().waitFor();
    },
    toEditor: async () => {
      // A loading webview consumes a key.
      for (const end = Date.now() + limit; ; ) {
        await press('Control+1');
        if (await appears(focused, 2_000)) return;
        if (Date.now() > end) throw new Error('No editor takes the focus.');
      }
    },
    symbols: async (count) => {
      const rows = widget.locator('.monaco-list-row .monaco-icon-label-container .label-name');
      // The list does not change after it opens, and VS Code's own symbols are late if its extension has to start.
      for (const end = Date.now() + limit; ; ) {
        await openPick('Control+Shift+O');
        await rows.first().waitFor();
        // The list shows a message until it has a result.
        const names = (await rows.allTextContents()).filter((name) => !NO_SYMBOLS.test(name));
        await press('Escape');
        await widget.waitFor({ state: 'hidden' });
        if (names.length >= count || Date.now() > end) return names.map((name) => name.trim());
      }
    },
    goTo: async (line, column = 1) => {
      // The cursor moves a moment later, and typed text would go to its old position.
      const columns = column === lineEnd ? '(?!1\\b)\\d+' : column;
      const arrived = page.locator('.statusbar-item', { hasText: new RegExp(`Ln ${line}, Col ${columns}\\b`) });
      for (const end = Date.now() + limit; ; ) {
        await openPick('Control+G');
        const isSubmitted = await submit(`:${line}:${column}`);
        // The picker may open again during input, and then misinterpret the line number or stay open.
        const isClosed = isSubmitted && (await disappears(widget, limit / 12));
        if ((isClosed && (await appears(arrived, limit / 12))) || Date.now() > end) break;
        await press('Escape');
        await widget.waitFor({ state: 'hidden' });
      }
      await arrived.waitFor();
      await focused.waitFor();
    },
    squiggle: async (kind = 'error') => {
      await squiggles(kind).first().waitFor({ state: 'attached' });
      return squiggles(kind);
    },
    noSquiggle: async (kind = 'error') => {
      await squiggles(kind).first().waitFor({ state: 'detached' });
    },
    quickFixes,
    refactorings: (title) => actions('Control+Shift+R', title),
    quickFix: async (title) => {
      const entry = await quickFixes(title);
      // The list is controlled by the keyboard. The wanted entry is not always the first.
      while (!(await entry.getAttribute('class'))?.includes('focused')) await press('ArrowDown');
      await press('Enter');
      await fixes.waitFor({ state: 'hidden' });
    },
    hover: async () => {
      await press('Control+K');
      await press('Control+I');
      const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content').last();
      await hover.waitFor();
      return hover;
    },
    suggest: async () => {
      // If typing has already opened the suggestions, the key would open the details of a suggestion.
      if (!(await suggestions.first().isVisible())) await press('Control+Space');
      await suggestions.first().waitFor();
      return suggestions;
    },
    accept: async (row) => {
      await suggestions.and(page.locator('.focused')).filter({ hasText: row }).waitFor();
      await press('Enter');
    },
    problems: async () => {
      await palette('Problems: Focus on Problems View');
      const rows = page.locator('.markers-panel .monaco-list-row');
      await rows.first().waitFor();
      return rows;
    },
    notification: async (text) => {
      // In tests, the newest VS Code shows no toasts. Only the list has the messages in every version.
      await palette('Notifications: Show Notifications');
      const message = page.locator('.notifications-center.visible .notification-list-item', { hasText: text }).first();
      await message.waitFor();
      return message;
    },
    text,
    shows: (wanted) => until(`the editor to show ${wanted}`, async () => wanted.test(await text())),
    webview: () =>
      page.locator('iframe.webview.ready').last().contentFrame().locator('iframe#active-frame').contentFrame(),
    screenshot: async (name) => {
      if (screenshots === undefined) return;
      await page.screenshot({ path: join(screenshots, `${name.replace(/[^\w.-]+/g, '-')}.png`) });
    },
    picture: async (name, of = 'editors') => {
      if (screenshots === undefined) return;
      const path = join(screenshots, `picture-${name}.png`);
      if (of === 'editors') return void (await page.locator('.part.editor').screenshot({ path }));
      // The title bar has the name of the test's folder.
      const { height: y = 0 } = (await page.locator('.part.titlebar').boundingBox()) ?? {};
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      await page.screenshot({ path, clip: { x: 0, y, width, height: height - y } });
    },
    closeAll: async () => {
      await press('Escape');
      await press('Escape');
      // Closing a modified editor asks a question, so the key runs a command that reverts changes. If the key has no
      // effect, the test presses it again: a new page has no key bindings yet, and a loading webview consumes keys.
      const tabs = page.locator('.tab');
      for (const end = Date.now() + limit; (await tabs.count()) > 0; ) {
        if (Date.now() > end) throw new Error('Editors stay open.');
        const before = await tabs.count();
        await press(resetKey);
        await page
          .waitForFunction((count) => document.querySelectorAll('.tab').length < count, before, { timeout: 2_000 })
          .catch(() => undefined);
      }
    },
  };
}
