/** The page in a real browser, with VS Code's colours and a host that notes what it is sent. */
import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { textsBlock } from '../../client/src/panels/kit/l10n-block.ts';
import type { PageState, ToPage, ToPanel } from '../../client/src/panels/preview/messages.ts';
import { isToPanel } from '../../client/src/panels/preview/messages-checks.ts';
import { ensureChromium } from '../host/chromium.mjs';

export const THEMES = ['light', 'dark', 'hc-light', 'hc-dark'] as const;
export type Theme = (typeof THEMES)[number];

export type Preview = Webview<ToPage, ToPanel, PageState>;

/** A page, by what it takes, what it says and what it keeps. */
export interface Webview<In, Out, State> {
  readonly page: Page;
  /** Sends a message and waits until what came of it is painted. */
  readonly send: (message: In) => Promise<void>;
  /** What the page has sent since the last call, without `ready` and `painted`. */
  readonly sent: () => Promise<readonly Out[]>;
  readonly state: () => Promise<State | undefined>;
  /** What the browser complained of: scripts that failed, and what the policy forbade. */
  readonly complaints: readonly string[];
  /** Done with it: the tab is there for the next one. */
  readonly close: () => Promise<void>;
}

export type PreviewOptions = WebviewOptions<PageState>;

export interface WebviewOptions<State> {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly state?: State;
  /** Of the page; without it English. */
  readonly language?: 'de';
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

/** One tab, too, since making one is what costs: every page is loaded in it anew. */
let tab: Promise<Tab> | undefined;

interface Tab {
  readonly page: Page;
  complaints: string[];
  /** Content types and texts by path. */
  files: Readonly<Record<string, readonly [string, () => string]>>;
}

async function openTab(): Promise<Tab> {
  const context = await (await browser()).newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const opened: Tab = { page, complaints: [], files: {} };
  page.on('pageerror', (error) => opened.complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') opened.complaints.push(message.text());
  });
  await context.route('**/*', async (route) => {
    const file = opened.files[new URL(route.request().url()).pathname];
    if (file) await route.fulfill({ contentType: file[0], body: file[1]() });
    else await route.abort();
  });
  await page.addInitScript(fakeHost);
  return opened;
}

export const closeBrowser = async (): Promise<void> => {
  await (await launched)?.close();
};

const ORIGIN = 'http://preview.test';

export const openPreview = (options: PreviewOptions = {}): Promise<Preview> =>
  openWebview('preview', isToPanel, options);

/**
 * Loads a page; one that was opened before is gone then. `name` is that of the script and the style sheet; `isSaid` is how
 * the panel checks what it gets.
 */
export async function openWebview<In, Out extends { readonly type: string }, State>(
  name: 'preview' | 'graph',
  isSaid: (value: unknown) => value is Out,
  options: WebviewOptions<State>,
): Promise<Webview<In, Out, State>> {
  const { theme = 'dark', width = 900, height = 800, state, language } = options;
  tab ??= openTab();
  const current = await tab;
  const { page } = current;
  const complaints: string[] = [];
  current.complaints = complaints;
  current.files = {
    '/': ['text/html', () => shell(theme, name, language)],
    [`/${name}.js`]: ['text/javascript', () => readFileSync(`dist/${name}.js`, 'utf8')],
    [`/${name}.css`]: ['text/css', () => readFileSync(`dist/${name}.css`, 'utf8')],
    '/theme.css': ['text/css', () => readFileSync(`test/webview/themes/${theme}.css`, 'utf8')],
  };
  await page.setViewportSize({ width, height });
  // What the page has kept stands in the address: its host must know it before any script of it runs.
  await page.goto(`${ORIGIN}/?kept=${encodeURIComponent(JSON.stringify(state ?? null))}`);
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
      for (const one of all) if (!isSaid(one)) throw new Error(`The panel would refuse ${JSON.stringify(one)}`);
      return (all as Out[]).filter(({ type }) => type !== 'ready' && type !== 'painted');
    },
    state: () => page.evaluate('window.keptState') as Promise<State | undefined>,
    close: async () => undefined,
  };
}

/** As the panel's shell: the policy is what is tested here. */
const shell = (theme: Theme, name: string, language: 'de' | undefined): string => `<!DOCTYPE html>
<html lang="${language ?? 'en'}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-n'; style-src ${ORIGIN}; font-src ${ORIGIN}; img-src ${ORIGIN} data:; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="theme.css"><link rel="stylesheet" href="${name}.css"><title>Preview</title></head>
<body class="${bodies[theme]}"><div id="root"></div>${textsBlock(language && textsOf(language))}<script nonce="n" src="${name}.js"></script></body></html>`;

/** What `vscode.l10n.bundle` is in an editor of this language. */
const textsOf = (language: 'de'): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8')) as Readonly<Record<string, string>>;

/** Runs in the page, before its script. */
function fakeHost(): void {
  const here = window as unknown as Record<string, unknown>;
  let sent: unknown[] = [];
  here.keptState = JSON.parse(new URLSearchParams(location.search).get('kept') ?? 'null') ?? undefined;
  here.takeSent = () => {
    const all = sent;
    sent = [];
    return all;
  };
  here.sentTypes = () => sent.map((message) => (message as { type: string }).type);
  here.acquireVsCodeApi = () => ({
    // As VS Code does it: what cannot be cloned does not arrive.
    postMessage: (message: unknown) => sent.push(structuredClone(message)),
    getState: () => here.keptState,
    setState: (state: unknown) => {
      here.keptState = structuredClone(state);
    },
  });
}
