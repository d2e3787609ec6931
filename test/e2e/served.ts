/** The end-to-end suites in a VS Code that a local server provides: extension host tests, keyboard tests and walks. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { commandFor } from '../host/failure.mjs';
import type { Counts } from '../host/jobs.mjs';
import { serve } from '../host/serve.mjs';
import { slowestOf } from '../host/slow-tests.mjs';
import { DIFFERING, installed, pathWith } from '../protocol/fake-client.ts';
import { until } from '../protocol/until.ts';
import { temporaryFolder } from '../temporary.mjs';
import { outside } from './outside.ts';
import type { Choice, Result, Table } from './table.ts';
import { type OpenFolder, walks } from './walk.ts';
import { openWorkbench, resetBinding, type VsCodeVersion, type Workbench } from './workbench.ts';

/** Options that the suites in VS Code and in a browser share. */
export interface Request extends Choice {
  readonly root: string;
  readonly host: { readonly node: string; readonly main: string };
  /** The path of Chromium. */
  readonly chromium: string;
  /** The npm script that runs the suite. */
  readonly command: string;
  readonly theme?: string | undefined;
  /** A folder for screenshots. */
  readonly screenshots?: string | undefined;
  readonly print: (text: string) => void;
}

interface ServedRequest extends Request {
  readonly which: VsCodeVersion;
  /** A packaged extension to test instead of the checkout's. */
  readonly vsix?: string | undefined;
}

export const themes: Readonly<Record<string, string>> = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'hc-light': 'Default High Contrast Light',
  'hc-dark': 'Default High Contrast',
};

// Without these options, Chromium sends requests when it starts.
export const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];

export async function runInServedHost(request: ServedRequest): Promise<Counts> {
  const temporary = temporaryFolder();
  const resultsFile = join(temporary, 'results.json');
  const workspaceFor = (name: string): string => {
    const folder = join(temporary, name);
    cpSync(join(request.root, 'test', 'e2e', 'workspace'), folder, { recursive: true });
    return folder;
  };
  const { filter, extended } = request;
  const inside = { bundle: join(request.root, 'out', 'e2e', 'index.js'), results: resultsFile, filter, extended };
  const served = await serve(request.host, {
    settings: {
      'workbench.colorTheme': themes[request.theme ?? 'dark'] ?? 'Default Dark Modern',
      // A served VS Code saves automatically, so the changes of one test would remain for the next test.
      'files.autoSave': 'off',
      // Running tests would save unsaved files.
      'testing.saveBeforeTest': false,
      // An untrusted folder opens without a question.
      'security.workspace.trust.startupPrompt': 'never',
      // The newest VS Code opens its chat in this side bar, which leaves half of the width to the editors.
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      // A folder has its own row in all tests.
      'explorer.compactFolders': false,
    },
    keys: [resetBinding],
    // With `VSCODE_CLI`, the extension host gets this `PATH`, and not that of a login shell.
    env: { SKILL_COMPOSER_E2E: JSON.stringify(inside), PATH: pathWith(installed(DIFFERING)), VSCODE_CLI: '1' },
    beside: [join(request.root, 'test', 'e2e', 'helper')],
    ...(request.vsix === undefined ? {} : { install: request.vsix }),
  });
  const development = request.vsix === undefined ? request.root : emptyExtension(temporary);
  const payload = [
    ['extensionDevelopmentPath', served.remote(development)],
    // Needed only by the test model: an extension whose manifest lists no proposals gets no proposed API.
    ['enableProposedApi', ''],
  ] as const;
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: request.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet],
    });
    const newPage = () => pageOf(browser as Browser);
    let workspaces = 0;
    const openWindow = async (): Promise<Workbench> => {
      const page = await newPage();
      await page.goto(served.address(workspaceFor(`window-${workspaces++}`), payload));
      return openWorkbench(page, request);
    };
    const inWindow = await runInWindow(request, openWindow, resultsFile);
    const walked = await runEachInOwnPage<Parameters<OpenFolder>>(walks, request, async (name, how) => {
      const folder = temporaryFolder();
      if (name !== undefined) cpSync(join(request.root, 'test', 'e2e', 'walks', name), folder, { recursive: true });
      const page = await pageOf(browser as Browser, how === 'new user');
      if (how === 'with dialogs' && request.which === 'oldest') await withSetting(page, 'enableSmokeTestDriver', false);
      if (how === 'untrusted') await withSetting(page, 'enableWorkspaceTrust', true);
      await page.goto(served.address(folder, payload));
      return openWorkbench(page, request, name !== undefined);
    });
    return countsOf([...inWindow, ...walked]);
  } finally {
    await browser?.close();
    await served.stop();
  }
}

export const countsOf = (results: readonly Result[]): Counts => {
  const failed = results.filter(({ error }) => error !== undefined).length;
  return { passed: results.length - failed, failed, slowest: slowestOf(results) };
};

/** Opens a page of a user who knows the extension, or of a new user, who may see the notification of the first start. */
export async function pageOf(browser: Browser, isNewUser = false): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  if (!isNewUser) await page.addInitScript(storeGlobalState, ['skill-composer.skill-composer', KNOWN_USER] as const);
  return page;
}

/** The global state of the extension after the first notification or command (`client/src/commands/first-steps.ts`). */
const KNOWN_USER = JSON.stringify({ 'skillComposer.isKnown': true });

/** Stores the global state of an extension in a new profile, before the workbench opens the same database. */
function storeGlobalState([extension, state]: readonly [string, string]): void {
  // The script also runs in the frames of webviews.
  if (window !== window.top) return;
  const opening = indexedDB.open('vscode-web-state-db-global');
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('ItemTable').put(state, extension);
  };
  opening.onsuccess = () => opening.result.close();
}

/**
 * Changes a setting that the page reads when it loads: the driver of VS Code's own tests, or folder trust. With the
 * driver, the oldest VS Code shows no dialogs; the newest shows dialogs, and loads no extension without it.
 */
async function withSetting(page: Page, name: string, value: boolean): Promise<void> {
  await page.addInitScript(
    ([before, after]) => {
      const { getAttribute } = Element.prototype;
      Element.prototype.getAttribute = function (name) {
        const value = getAttribute.call(this, name);
        return name === 'data-settings' && value ? value.replace(before, after) : value;
      };
    },
    [`"${name}":${!value}`, `"${name}":${value}`] as const,
  );
}

/** Runs the tests in the extension host, then the tests that press keys, in one window. */
async function runInWindow(
  request: ServedRequest,
  openWindow: () => Promise<Workbench>,
  resultsFile: string,
): Promise<readonly Result[]> {
  let workbench = await openWindow();
  const inside = await runInside(workbench, resultsFile);
  for (const result of inside) report(request, result);
  await workbench.closeAll();
  const atKeyboard = await outside.run(workbench, request, async (result) => {
    const picture = result.error === undefined ? undefined : await pictureOf(request, workbench.page, result);
    report(request, result, picture);
    if (result.error === undefined) {
      await workbench.closeAll();
      return undefined;
    }
    await workbench.page.context().close();
    workbench = await openWindow();
    return workbench;
  });
  return [...inside, ...atKeyboard];
}

/** The time limit of the suite in the extension host, in milliseconds. */
const insideLimit = 400_000;

/** Runs the tests in the extension host with a command of `test/e2e/helper`. */
async function runInside({ palette }: Workbench, resultsFile: string): Promise<readonly Result[]> {
  const began = performance.now();
  const failed = (error: unknown): readonly Result[] => [
    { name: 'the suite inside the extension host runs', ms: performance.now() - began, error: String(error) },
  ];
  try {
    await palette('Tests: Run Inside the Extension Host');
    await until('the results of the suite inside the extension host', () => existsSync(resultsFile), insideLimit);
    const { results, error } = JSON.parse(readFileSync(resultsFile, 'utf8'));
    return error === undefined ? results : failed(error);
  } catch (error) {
    return failed(error);
  }
}

/** Runs tests that each open a page, and closes the page after each test. */
export async function runEachInOwnPage<Arguments extends readonly unknown[]>(
  tests: Table<(...how: Arguments) => Promise<Workbench>>,
  request: Request,
  open: (...how: Arguments) => Promise<Workbench>,
): Promise<readonly Result[]> {
  let opened: Workbench | undefined;
  const openPage = async (...how: Arguments): Promise<Workbench> => {
    opened = await open(...how);
    return opened;
  };
  return tests.run(openPage, request, async (result) => {
    const failed = opened && result.error !== undefined;
    report(request, result, failed ? await pictureOf(request, opened?.page, result) : undefined);
    await opened?.page.context().close();
    opened = undefined;
    return undefined;
  });
}

/** Takes a picture of the window in which a test failed. Returns its path. */
async function pictureOf({ root, screenshots }: Request, page: Page | undefined, { name }: Result): Promise<string> {
  const folder = screenshots ?? join(root, 'out', 'e2e', 'failed');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `failed-${name.replace(/[^\w.-]+/g, '-')}.png`);
  return (
    (await page?.screenshot({ path }).then(
      () => path,
      (error: unknown) => `none, since ${String(error).split('\n')[0]}`,
    )) ?? 'none'
  );
}

function report({ command, print }: Request, { name, ms, error }: Result, picture?: string): void {
  print(`  ${error === undefined ? '✓' : '✗'} ${name} (${ms.toFixed(0)} ms)\n`);
  if (error === undefined) return;
  const lines = [
    stripVTControlCharacters(error),
    ...(picture === undefined ? [] : [`picture: ${picture}`]),
    `alone: ${commandFor(command, name)}`,
  ];
  print(`${lines.join('\n').replace(/^/gm, '      ')}\n`);
}

/**
 * Creates an empty extension, since a suite requires the path of an extension in development, although the tests use
 * the installed extension.
 */
function emptyExtension(temporary: string): string {
  const folder = join(temporary, 'stub');
  mkdirSync(folder);
  const manifest = { name: 'stub', publisher: 'stub', version: '0.0.1', engines: { vscode: '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}
