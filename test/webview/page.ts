/** Opens a panel's page in a real browser, with VS Code's colours and a host that records its messages. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { contentPolicy, textsBlock } from '../../client/src/panels/kit/page-head.ts';
import type { PageState, ShowEdit, ToPage, ToPanel } from '../../client/src/panels/preview/messages.ts';
import { extended } from '../extended.ts';
import { ensureChromium } from '../host/chromium.mjs';

export const THEMES = ['light', 'dark', 'hc-light', 'hc-dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Options of a test in a theme: `npm test` tests only the dark theme, `npm run test:all` all themes. */
export const inTheme = (theme: Theme) => (theme === 'dark' ? {} : extended);

export type Preview = Webview<ToPage | ShowEdit, ToPanel, PageState>;

/** An open page, with the types of its incoming and outgoing messages and of its state. */
export interface Webview<In, Out, State> {
  readonly page: Page;
  /** Sends a message and waits until its effect is painted. */
  readonly send: (message: In) => Promise<void>;
  /**
   * Waits until all earlier actions are painted. Returns the page's messages since the last call, without those
   * that the page sends by itself.
   */
  readonly sent: () => Promise<readonly Out[]>;
  readonly state: () => Promise<State | undefined>;
  /** Errors in the browser's console, including violations of the content security policy. */
  readonly consoleErrors: readonly string[];
  /** Ends the test of the page. The tab stays open for the next page. */
  readonly close: () => Promise<void>;
}

export type PreviewOptions = WebviewOptions<PageState>;

export interface WebviewOptions<State> {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly state?: State;
  /** The language of the page; English by default. */
  readonly language?: 'de';
}

/** The class that VS Code sets on the body in each theme. */
const bodies: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
  'hc-dark': 'vscode-high-contrast',
};

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

let launched: Promise<Browser> | undefined;

/** Returns the browser, which all tests of the process share. */
const browser = (): Promise<Browser> => {
  launched ??= ensureChromium('.').then((executablePath) => chromium.launch({ executablePath, args: quiet }));
  return launched;
};

/** The tab in which all pages are loaded, since opening a tab is slow. */
let tab: Promise<Tab> | undefined;

interface Tab {
  readonly page: Page;
  readonly server: Server;
  readonly origin: string;
  complaints: string[];
  /** The page that is open. */
  html: string;
}

async function openTab(): Promise<Tab> {
  const context = await (await browser()).newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = FILES[pathname.slice(1)];
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(opened.html);
    // Chromium caches a compiled script only if it may also cache the script's text.
    else if (file)
      response.writeHead(200, { 'content-type': file.type, 'cache-control': 'max-age=3600' }).end(file.text());
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened: Tab = { page, server, origin, complaints: [], html: '' };
  page.on('pageerror', (error) => opened.complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') opened.complaints.push(message.text());
  });
  await page.addInitScript(fakeHost);
  return opened;
}

export const closeBrowser = async (): Promise<void> => {
  await (await launched)?.close();
  (await tab)?.server.close();
};

const files = (names: readonly string[], folder: string, extension: string, type: string) =>
  names.map((name) => {
    const text = (): string => readFileSync(`${folder}/${name}${extension}`, 'utf8');
    return [`${name}${extension}`, { type, text }] as const;
  });
const PAGES = ['preview', 'graph', 'import'] as const;

const FILES: Readonly<Record<string, { readonly type: string; readonly text: () => string }>> = Object.fromEntries([
  ...files(PAGES, 'dist', '.js', 'text/javascript'),
  ...files(PAGES, 'dist', '.css', 'text/css'),
  ...files(THEMES, 'test/webview/themes', '.css', 'text/css'),
]);

export const openPreview = (options: PreviewOptions = {}): Promise<Preview> => openWebview('preview', options);

/** Loads a page in place of the previous page. The page's script and style sheet have the name `name`. */
export async function openWebview<In, Out extends { readonly type: string }, State>(
  name: (typeof PAGES)[number],
  options: WebviewOptions<State>,
): Promise<Webview<In, Out, State>> {
  const { theme = 'dark', width = 900, height = 800, state, language } = options;
  tab ??= openTab();
  const current = await tab;
  const { page } = current;
  const complaints: string[] = [];
  current.complaints = complaints;
  current.html = shell(current.origin, theme, name, language);
  await page.setViewportSize({ width, height });
  // The saved state is in the URL. The fake host reads it before any script runs.
  await page.goto(`${current.origin}/?kept=${encodeURIComponent(JSON.stringify(state ?? null))}`);
  return {
    page,
    consoleErrors: complaints,
    send: async (message) => {
      // Messages are sent as JSON, as in VS Code. JSON is also faster than Playwright's serialization.
      await page.evaluate((text) => window.postMessage(JSON.parse(text), '*'), JSON.stringify(message));
      await painted(page);
    },
    sent: async () => {
      await painted(page);
      const all = (await page.evaluate('window.takeSent()')) as Out[];
      return all.filter(({ type }) => !['ready', 'painted', 'prepareRun'].includes(type));
    },
    state: () => page.evaluate('window.keptState') as Promise<State | undefined>,
    close: async () => undefined,
  };
}

/** Resolves after the next frame and its effects. */
const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => setTimeout(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );

/** The HTML of `page-shell.ts` with its content security policy. */
const shell = (origin: string, theme: Theme, name: string, language: 'de' | undefined): string => `<!DOCTYPE html>
<html lang="${language ?? 'en'}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy('n', origin)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${theme}.css"><link rel="stylesheet" href="${name}.css"><title>Preview</title></head>
<body class="${bodies[theme]}"><div id="root"></div>${textsBlock(language && textsOf(language))}<script nonce="n" src="${name}.js"></script></body></html>`;

/** The value of `vscode.l10n.bundle` in an editor of this language. */
const textsOf = (language: 'de'): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8')) as Readonly<Record<string, string>>;

/** Runs in the page before its script. */
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
    // Fails for a message that cannot be cloned, as in VS Code.
    postMessage: (message: unknown) => sent.push(structuredClone(message)),
    getState: () => here.keptState,
    setState: (state: unknown) => {
      here.keptState = structuredClone(state);
    },
  });
}

/** Returns the edges of the drawn graph that cross a box, and the labels through which more than one edge passes. */
export const crossings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const rectOf = (one: Element, inset: number) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return { left: left + inset, top: top + inset, right: right - inset, bottom: bottom - inset };
    };
    const edges = [...document.querySelectorAll<SVGPathElement>('.canvas-frame .edge')].map((edge) => {
      const matrix = edge.getScreenCTM() ?? new DOMMatrix();
      const length = edge.getTotalLength();
      const points = Array.from({ length: Math.ceil(length / 2) }, (_, at) =>
        edge.getPointAtLength(at * 2).matrixTransform(matrix),
      );
      return { title: edge.textContent, points };
    });
    const through = (box: ReturnType<typeof rectOf>) =>
      edges.filter(({ points }) =>
        points.some(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom),
      );
    const boxes = [...document.querySelectorAll('.canvas-frame .node:not(.open) .outline')];
    const labels = [...document.querySelectorAll('.canvas-frame .label')];
    return [
      ...boxes.flatMap((one) => through(rectOf(one, 2)).map(({ title }) => `${title} crosses a box`)),
      ...labels.flatMap((one) => {
        const crossing = through(rectOf(one, 0));
        return crossing.length > 1 ? [`${one.textContent} is crossed ${crossing.length} times`] : [];
      }),
    ];
  });
