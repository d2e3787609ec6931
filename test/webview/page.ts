/** The page in a real browser, with VS Code's colours and a host that notes what it is sent. */
import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isToPanel, type PageState, type ToPage, type ToPanel } from '../../client/src/preview/messages.ts';
import { ensureChromium } from '../host/chromium.mjs';

export const THEMES = ['light', 'dark', 'hc-light', 'hc-dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Preview {
  readonly page: Page;
  /** Sends a message and waits until what came of it is painted. */
  readonly send: (message: ToPage) => Promise<void>;
  /** What the page has sent since the last call, without `ready` and `painted`. */
  readonly sent: () => Promise<readonly ToPanel[]>;
  readonly state: () => Promise<PageState | undefined>;
  /** What the browser complained of: scripts that failed, and what the policy forbade. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

export interface PreviewOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly state?: PageState;
}

/** The body's class in each theme, as VS Code sets it. */
const bodies: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
  'hc-dark': 'vscode-high-contrast',
};

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

let launched: Promise<Browser> | undefined;

/** One browser for all tests of the process. */
const browser = (): Promise<Browser> => {
  launched ??= ensureChromium('.').then((executablePath) => chromium.launch({ executablePath, args: quiet }));
  return launched;
};

export const closeBrowser = async (): Promise<void> => {
  await (await launched)?.close();
};

const ORIGIN = 'http://preview.test';

export async function openPreview(options: PreviewOptions = {}): Promise<Preview> {
  const { theme = 'dark', width = 900, height = 800, state } = options;
  const context = await (await browser()).newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const files: Readonly<Record<string, readonly [string, () => string]>> = {
    '/': ['text/html', () => shell(theme)],
    '/preview.js': ['text/javascript', () => readFileSync('dist/preview.js', 'utf8')],
    '/preview.css': ['text/css', () => readFileSync('dist/preview.css', 'utf8')],
    '/theme.css': ['text/css', () => readFileSync(`test/webview/themes/${theme}.css`, 'utf8')],
  };
  await context.route('**/*', async (route) => {
    const file = files[new URL(route.request().url()).pathname];
    if (file) await route.fulfill({ contentType: file[0], body: file[1]() });
    else await route.abort();
  });
  await page.addInitScript(fakeHost, JSON.stringify(state ?? null));
  await page.goto(ORIGIN);
  return {
    page,
    complaints,
    send: async (message) => {
      await page.evaluate(
        (text) =>
          new Promise<void>((resolve) => {
            window.postMessage(JSON.parse(text), '*');
            setTimeout(() => requestAnimationFrame(() => setTimeout(resolve)));
          }),
        // As VS Code does it, and quicker than what Playwright would make of the objects.
        JSON.stringify(message),
      );
    },
    sent: async () => {
      const all = (await page.evaluate('window.takeSent()')) as unknown[];
      for (const one of all) if (!isToPanel(one)) throw new Error(`The panel would refuse ${JSON.stringify(one)}`);
      return (all as ToPanel[]).filter(({ type }) => type !== 'ready' && type !== 'painted');
    },
    state: () => page.evaluate('window.keptState') as Promise<PageState | undefined>,
    close: () => context.close(),
  };
}

/** As the panel's shell: the policy is what is tested here. */
const shell = (theme: Theme): string => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-n'; style-src ${ORIGIN}; font-src ${ORIGIN}; img-src ${ORIGIN} data:; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="theme.css"><link rel="stylesheet" href="preview.css"><title>Preview</title></head>
<body class="${bodies[theme]}"><div id="root"></div><script nonce="n" src="preview.js"></script></body></html>`;

/** Runs in the page, before its script. */
function fakeHost(kept: string): void {
  const here = window as unknown as Record<string, unknown>;
  let sent: unknown[] = [];
  here.keptState = JSON.parse(kept) ?? undefined;
  here.takeSent = () => {
    const all = sent;
    sent = [];
    return all;
  };
  here.acquireVsCodeApi = () => ({
    // As VS Code does it: what cannot be cloned does not arrive.
    postMessage: (message: unknown) => sent.push(structuredClone(message)),
    getState: () => here.keptState,
    setState: (state: unknown) => {
      here.keptState = structuredClone(state);
    },
  });
}
