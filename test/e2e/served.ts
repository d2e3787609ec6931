/** The end-to-end suites in a served VS Code: the one inside its extension host, and the one at its keyboard. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { serve } from '../host/serve.mjs';
import { outside } from './outside.ts';
import type { Result, Table } from './table.ts';
import { type OpenFolder, walks } from './walk.ts';
import { openWorkbench, resetBinding, type Which, type Workbench } from './workbench.ts';

export interface Request {
  readonly root: string;
  readonly which: Which;
  readonly host: { readonly node: string; readonly main: string };
  /** Chromium's path. */
  readonly chromium: string;
  /** A packaged extension to test, in place of the checkout's. */
  readonly vsix?: string | undefined;
  /** Only tests whose name has it. */
  readonly filter?: string | undefined;
  readonly theme?: string | undefined;
  /** A folder for screenshots. */
  readonly screenshots?: string | undefined;
}

export const themes: Readonly<Record<string, string>> = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'hc-light': 'Default High Contrast Light',
  'hc-dark': 'Default High Contrast',
};

// Without these Chromium calls home at its start.
export const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];

/** What a served VS Code always says: native modules that it can do without, and a marketplace that it cannot reach. */
const noise = /bindings file|build\/Release\/watchdog|open-vsx|Service Worker|^(Resolv|Creating a socket|ChatSession)/;

export async function runInServedHost(request: Request): Promise<{ passed: number; failed: number }> {
  const temporary = mkdtempSync(join(tmpdir(), 'skill-composer-e2e-'));
  const resultsFile = join(temporary, 'results.json');
  const fixtures = join(request.root, 'test', 'e2e', 'workspace');
  const workspaceFor = (name: string): string => {
    const folder = join(temporary, name);
    cpSync(fixtures, folder, { recursive: true });
    return folder;
  };
  const theme = themes[request.theme ?? 'dark'] ?? 'Default Dark Modern';
  const served = await serve(request.host, {
    settings: {
      'workbench.colorTheme': theme,
      // A served VS Code saves by itself, and a test that leaves its changes behind would leave them to the next one.
      'files.autoSave': 'off',
      // A run of tests would save what they have typed.
      'testing.saveBeforeTest': false,
      // A folder that is not trusted opens without a question.
      'security.workspace.trust.startupPrompt': 'never',
      // The newest VS Code opens its chat there, and leaves half of the room to the editors.
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      // A folder has a row of its own, whatever a test before has opened.
      'explorer.compactFolders': false,
    },
    keys: [resetBinding],
    env: { SKILL_COMPOSER_E2E: JSON.stringify({ results: resultsFile, filter: request.filter }) },
    beside: [join(request.root, 'test', 'e2e', 'model')],
    ...(request.vsix === undefined ? {} : { install: request.vsix }),
  });
  const development = request.vsix === undefined ? request.root : emptyExtension(temporary);
  const payload = [
    ['extensionDevelopmentPath', served.remote(development)],
    // For the model of the tests alone: an extension that asks for no proposal gets none.
    ['enableProposedApi', ''],
  ] as const;
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: request.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet],
    });
    const tests = served.remote(join(request.root, 'out', 'e2e', 'index.js'));
    const insideAddress = served.address(workspaceFor('inside'), [...payload, ['extensionTestsPath', tests]]);
    const newPage = () => pageOf(browser as Browser);
    let workspaces = 0;
    const openOutside = async (): Promise<Workbench> => {
      const page = await newPage();
      await page.goto(served.address(workspaceFor(`outside-${workspaces++}`), payload));
      return openWorkbench(page, request);
    };
    // Side by side: most of either one's time goes into loading its workbench.
    const both = await Promise.all([
      runInside(await newPage(), insideAddress, resultsFile),
      runOutside(request, openOutside),
    ]);
    const walked = await runEachInOwnPage<Parameters<OpenFolder>>(walks, request.filter, async (name, how) => {
      const folder = mkdtempSync(join(temporary, 'walk-'));
      if (name !== undefined) cpSync(join(request.root, 'test', 'e2e', 'walks', name), folder, { recursive: true });
      const page = await newPage();
      if (how === 'with dialogs' && request.which === 'oldest') await withSetting(page, 'enableSmokeTestDriver', false);
      if (how === 'untrusted') await withSetting(page, 'enableWorkspaceTrust', true);
      await page.goto(served.address(folder, payload));
      return openWorkbench(page, request, name !== undefined);
    });
    const all = [...both, walked].flat();
    const failed = all.filter(({ error }) => error !== undefined).length;
    return { passed: all.length - failed, failed };
  } finally {
    await browser?.close();
    await served.stop();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

export async function pageOf(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  return context.newPage();
}

/**
 * Under the driver of its own tests the oldest VS Code shows no dialog. The newest does, and takes no extension without it.
 * A page learns of the driver, and whether folders have to be trusted, from the settings that it is served with.
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

/** Above this the suite inside counts as hung. */
const insideLimit = 400_000;

/** Loads the workbench, which runs the suite in its extension host and calls back with an exit code. */
async function runInside(page: Page, address: string, resultsFile: string): Promise<readonly Result[]> {
  const said: string[] = [];
  const ended = new Promise<number>((resolve) => {
    void page.exposeFunction('codeAutomationExit', resolve);
  });
  await page.exposeFunction('codeAutomationLog', (kind: string, parts: unknown[]) => {
    const text = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
    if (!noise.test(text)) said.push(`${kind}: ${text}`);
  });
  await page.goto(address);
  const limit = AbortSignal.timeout(insideLimit);
  const code = await Promise.race([
    ended,
    new Promise<number>((resolve) => limit.addEventListener('abort', () => resolve(-1), { once: true })),
  ]);
  const results = readResults(resultsFile) ?? [
    {
      name: 'the suite inside the extension host runs',
      ms: 0,
      error: [
        code === -1 ? `It did not end within ${insideLimit / 1000} s.` : `VS Code ended it with ${code}.`,
        ...said.slice(-40),
      ].join('\n'),
    },
  ];
  for (const result of results) tell(result);
  await page.context().close();
  return results;
}

function readResults(path: string): readonly Result[] | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Result[];
  } catch {
    return undefined;
  }
}

async function runOutside(request: Request, open: () => Promise<Workbench>): Promise<readonly Result[]> {
  let workbench = await open();
  const onResult = async (result: Result): Promise<void> => {
    tell(result);
    if (result.error !== undefined) await workbench.screenshot(`failed ${result.name}`);
    await workbench.closeAll();
  };
  return outside.run(workbench, request.filter, onResult, async (name) => {
    await workbench.screenshot(`first try ${name}`);
    await workbench.page.context().close();
    workbench = await open();
    return workbench;
  });
}

/** Runs tests that open a page each, which is closed behind them. */
export async function runEachInOwnPage<Arguments extends readonly unknown[]>(
  tests: Table<(...how: Arguments) => Promise<Workbench>>,
  filter: string | undefined,
  open: (...how: Arguments) => Promise<Workbench>,
): Promise<readonly Result[]> {
  let opened: Workbench | undefined;
  const openPage = async (...how: Arguments): Promise<Workbench> => {
    opened = await open(...how);
    return opened;
  };
  const close = async (picture: string | undefined): Promise<void> => {
    if (picture !== undefined) await opened?.screenshot(picture);
    await opened?.page.context().close();
    opened = undefined;
  };
  const onResult = async (result: Result): Promise<void> => {
    tell(result);
    await close(result.error === undefined ? undefined : `failed ${result.name}`);
  };
  return tests.run(openPage, filter, onResult, async (name) => {
    await close(`first try ${name}`);
    return openPage;
  });
}

export function tell({ name, ms, error, before }: Result): void {
  console.log(`  ${error === undefined ? '✓' : '✗'} ${name} (${ms.toFixed(0)} ms)`);
  if (before !== undefined)
    sayBelow(`The first try failed${error === undefined ? ', the second did not' : ''}:`, before);
  if (error !== undefined) sayBelow('', error);
}

function sayBelow(title: string, error: string): void {
  console.log(stripVTControlCharacters(`${title}\n${error}`).trim().replace(/^/gm, '      '));
}

/** Under test is what is installed; the workbench still wants a development path before it runs a suite. */
function emptyExtension(temporary: string): string {
  const folder = join(temporary, 'stub');
  mkdirSync(folder);
  const manifest = { name: 'stub', publisher: 'stub', version: '0.0.1', engines: { vscode: '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}
