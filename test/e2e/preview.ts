/** A preview beside the editor, for tests. The page of the preview is inside two nested frames. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Workbench } from './workbench.ts';

export interface PreviewPage {
  readonly frame: FrameLocator;
  /** Waits until the prompt contains the text, and returns it. */
  readonly prompt: (text: string) => Promise<Locator>;
  /** The first value in the prompt with exactly this text. */
  readonly value: (text: string) => Locator;
  /** Waits until the cursor highlights this text of the prompt. */
  readonly lit: (text: string) => Promise<void>;
  /** Waits until the header has this text. */
  readonly state: (text: string | RegExp) => Promise<void>;
  /** Shows the form, above the prompt or beside it. */
  readonly openForm: () => Promise<void>;
  readonly closeForm: () => Promise<void>;
  /** Returns the times at which the script starts and the first contents appear, in browser-clock milliseconds. */
  readonly firstPaint: () => Promise<{ readonly loaded: number; readonly at: number }>;
  /** Starts to watch the prompt. The returned function waits for the next change, and returns the time of its paint. */
  readonly nextPaint: () => Promise<() => Promise<number>>;
}

/** Opens the preview with the key of the command, while a skill has the focus. */
export async function openPreview(workbench: Workbench): Promise<PreviewPage> {
  // The key works once the extension knows that the file is a skill, and the button is then visible.
  const button = workbench.page.locator('.editor-group-container.active .editor-actions');
  await button.getByRole('button', { name: 'Open Skill Preview' }).waitFor();
  await workbench.press('Control+K');
  await workbench.press('v');
  return shownPreview(workbench.page);
}

/** Returns the visible preview. `nth` counts several visible previews from the left. */
export async function shownPreview(page: Page, nth = 0): Promise<PreviewPage> {
  const frame = page.frameLocator('iframe.webview.ready').nth(nth).frameLocator('iframe#active-frame');
  await frame.locator('h1').waitFor();
  const shown = frame.locator('.prompt .blocks');
  return {
    frame,
    prompt: async (text) => {
      const found = shown.filter({ hasText: text });
      await found.waitFor();
      return found;
    },
    value: (text) =>
      shown
        .locator('.line .value')
        .filter({ hasText: new RegExp(`^${escaped(text)}$`) })
        .first(),
    lit: (text) =>
      shown.evaluate(async (_, wanted) => {
        const isLit = () => [...(CSS.highlights.get('lit') ?? [])].some((range) => String(range) === wanted);
        while (!isLit()) await new Promise((resolve) => requestAnimationFrame(resolve));
      }, text),
    state: (text) => frame.locator('header .state').filter({ hasText: text }).waitFor(),
    firstPaint: () =>
      shown.evaluate(() => {
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const loaded = Math.max(...files.map(({ responseEnd }) => responseEnd));
        const { timeOrigin } = performance;
        return { loaded: timeOrigin + loaded, at: timeOrigin + (paint?.startTime ?? Number.POSITIVE_INFINITY) };
      }),
    nextPaint: async () => {
      const change = await shown.evaluateHandle((element) => {
        const painted = new Promise<number>((resolve) => {
          const observer = new MutationObserver(() => {
            observer.disconnect();
            requestAnimationFrame(() => {
              // A task that is queued in a frame runs after its paint.
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
              port2.postMessage(undefined);
            });
          });
          observer.observe(element, { childList: true, characterData: true, subtree: true });
        });
        return { painted };
      });
      return () => change.evaluate(({ painted }) => painted);
    },
    openForm: async () => {
      const toggle = frame.getByRole('button', { name: 'Edit…' });
      if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
      await frame.locator('.sheet').waitFor();
    },
    closeForm: () => frame.locator('.sheet').getByRole('button', { name: 'Close (Escape)' }).click(),
  };
}

/** Watches the keyboard. The returned function returns the time of the last key press, by the browser's clock. */
export async function watchLastKeyDown(page: Page): Promise<() => Promise<number>> {
  const keys = await page.evaluateHandle(() => {
    const seen = { last: 0 };
    const note = (): void => {
      seen.last = performance.timeOrigin + performance.now();
    };
    window.addEventListener('keydown', note, { capture: true });
    return seen;
  });
  return () => keys.evaluate(({ last }) => last);
}

/** The editor of a file, in any group. */
export const editorOf = (page: Page, file: string): Locator =>
  page.locator(`.editor-instance .monaco-editor[data-uri$="/${file}"]`);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
