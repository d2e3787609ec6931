/** The suite of the extension in a browser: with VS Code's server and its web worker host, and without a server. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Counts } from '../host/jobs.mjs';
import { quietSettings, serve } from '../host/serve.mjs';
import { serveWithoutServer } from '../host/serverless.mjs';
import { temporaryFolder } from '../temporary.mjs';
import { type OpenInBrowser, withoutServer, withServer } from './browser.ts';
import { type Request as Common, countsOf, pageOf, quiet, runEachInOwnPage, themes } from './served.ts';
import type { Result, Table } from './table.ts';
import { openWorkbench } from './workbench.ts';

interface Request extends Common {
  /** The folder of the packaged extension. */
  readonly extension: string;
}

/** Blocks all connections to other machines. */
const offline = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';

export async function runInBrowser(request: Request): Promise<Counts> {
  const temporary = temporaryFolder();
  const stops: (() => Promise<void>)[] = [];
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: request.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-sync', offline, ...quiet],
    });
    const newPage = () => pageOf(browser as Browser);
    // Sequential, since a loading workbench uses all of a small machine.
    return countsOf([
      ...(withServer.has(request)
        ? await runAll(withServer, request, newPage, await wayWithServer(request, temporary, stops))
        : []),
      ...(await runAll(withoutServer, request, newPage, wayWithoutServer(request, stops))),
    ]);
  } finally {
    await browser?.close();
    for (const stop of stops) await stop();
  }
}

/** Returns the URL of the page for a folder. */
type Way = (name: string | undefined) => Promise<string>;

async function runAll(
  tests: Table<OpenInBrowser>,
  request: Request,
  newPage: () => Promise<Page>,
  way: Way,
): Promise<readonly Result[]> {
  return runEachInOwnPage<Parameters<OpenInBrowser>>(tests, request, async (name) => {
    const page = await newPage();
    await page.goto(await way(name));
    return openWorkbench(page, { which: 'oldest', screenshots: request.screenshots }, name !== undefined);
  });
}

const settingsOf = ({ theme }: Request): object => ({
  ...quietSettings,
  'workbench.colorTheme': themes[theme ?? 'dark'],
  'files.autoSave': 'off',
  'explorer.compactFolders': false,
});

async function wayWithServer(request: Request, temporary: string, stops: (() => Promise<void>)[]): Promise<Way> {
  // Removes `main`, since a server prefers its own extension host if a manifest has both `main` and `browser`.
  const extension = join(temporary, 'extension');
  cpSync(request.extension, extension, { recursive: true });
  const { main: _, ...manifest } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
  writeFileSync(join(extension, 'package.json'), JSON.stringify(manifest));
  const served = await serve(request.host, { settings: settingsOf(request) });
  stops.push(served.stop);
  return async (name) => {
    const folder = temporaryFolder();
    if (name !== undefined) cpSync(join(request.root, 'test', 'e2e', name), folder, { recursive: true });
    return served.address(folder, [['extensionDevelopmentPath', served.remote(extension)]]);
  };
}

const wayWithoutServer =
  (request: Request, stops: (() => Promise<void>)[]): Way =>
  async (name) => {
    const memory = join(request.root, 'test', 'e2e', 'memory-folder');
    const files = name === undefined ? [] : textsOf(join(request.root, 'test', 'e2e', name));
    const texts = Object.fromEntries(files.map(([path, text]) => [`/folder/${path}`, text]));
    const served = await serveWithoutServer(request.host, {
      extensions: [request.extension, memory],
      texts: { '/extension-1/files.json': JSON.stringify(texts) },
      settings: settingsOf(request),
    });
    stops.push(served.stop);
    return served.address('memory:/folder');
  };

/** Returns the files below a folder, with their relative paths. */
function textsOf(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(folder, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]);
}
