/**
 * The one entry behind every npm script. It needs nothing but Node: dependencies, a browser and a VS Code are set up on
 * the way, where they are missing.
 *
 *   node test/run.mjs [COMMAND] [--filter NAME] [--screenshots DIR] [--theme light|dark|hc-light|hc-dark]
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { audit } from './host/audit.mjs';
import { ensureChromium } from './host/chromium.mjs';
import { packageCommandLine } from './host/cli-package.mjs';
import { ensureDependencies } from './host/dependencies.mjs';
import { runDesktop } from './host/desktop.mjs';
import { run } from './host/process.mjs';
import { explain, Plain, say, seconds } from './host/say.mjs';
import { start } from './host/start.mjs';
import { runSuite, testFiles } from './host/suite.mjs';
import { ensureHost } from './host/vscode.mjs';
import { packageExtension } from './host/vsix.mjs';

/** @typedef {{passed: number, failed: number}} Counts */
/** @typedef {() => Promise<Counts | void>} Stage */

// A failure is shown at its place in the source, not in a bundle.
process.setSourceMapsEnabled(true);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const themes = ['light', 'dark', 'hc-light', 'hc-dark'];

const { values: options, positionals } = readArguments();
const { filter } = options;

/** A check made of programs that tell what is wrong themselves: it counts as one test. */
const program = async (/** @type {readonly (readonly string[])[]} */ ...commands) => {
  const results = await Promise.all(
    commands.map(([file = '', ...args]) =>
      run(process.execPath, [join(root, 'node_modules', file), ...args], { cwd: root }),
    ),
  );
  const bad = results.filter(({ code }) => code !== 0);
  for (const { output } of bad) say(output.trimEnd());
  return bad.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

const build = async (minify = false) => {
  const { buildAll } = await import('../client/build.mjs');
  await buildAll({ minify });
};

/**
 * @param {'oldest' | 'latest'} which
 * @param {string} [vsix] the packaged extension, to test it instead of the checkout's
 * @param {{filter?: string, theme?: string, screenshots?: string}} [how]
 */
const endToEnd = async (which, vsix, how = options) => {
  const { bundleTests } = await import('./host/suite.mjs');
  const inside = testFiles(root, 'test/e2e/inside');
  const outside = [...testFiles(root, 'test/e2e/outside'), ...testFiles(root, 'test/e2e/walks')];
  const extensionHost = {
    format: /** @type {const} */ ('cjs'),
    external: ['vscode'],
    packages: /** @type {const} */ ('bundle'),
  };
  await bundleTests(root, 'out/e2e/index.js', inside, extensionHost, "export { run } from './test/e2e/index.ts';");
  await bundleTests(
    root,
    'out/e2e/outside.mjs',
    outside,
    {},
    "export { runInServedHost } from './test/e2e/served.ts';",
  );
  const [chromium, host] = await Promise.all([ensureChromium(root), ensureHost(which)]);
  const { runInServedHost } = await import(new URL('../out/e2e/outside.mjs', import.meta.url).href);
  return runInServedHost({
    root,
    which,
    host,
    chromium,
    vsix,
    filter: how.filter,
    theme: how.theme,
    screenshots: how.screenshots,
  });
};

const IN_README = new Set(['mistake', 'preview', 'run']);

/** The pictures of the documentation: the walks take them. Those of the README are there in both kinds of theme. */
const pictures = async () => {
  const counts = { passed: 0, failed: 0 };
  for (const theme of ['light', 'dark']) {
    const screenshots = mkdtempSync(join(tmpdir(), 'skill-composer-pictures-'));
    try {
      const { passed, failed } = await endToEnd('oldest', undefined, { filter: 'a person walks', theme, screenshots });
      counts.passed += passed;
      counts.failed += failed;
      for (const file of readdirSync(screenshots)) {
        const [, name] = /^picture-(.+)\.png$/.exec(file) ?? [];
        if (name && (theme === 'light' || IN_README.has(name)))
          cpSync(join(screenshots, file), join(root, 'docs', 'images', `${name}-${theme}.png`));
      }
    } finally {
      rmSync(screenshots, { recursive: true, force: true });
    }
  }
  return counts;
};

const bench = async () => {
  const { bundleTests } = await import('./host/suite.mjs');
  await bundleTests(root, 'out/bench.mjs', [], {}, "export { runBench, USAGE } from './bench/main.ts';");
  const { runBench, USAGE } = await import(new URL('../out/bench.mjs', import.meta.url).href);
  if (options.help) return say(USAGE);
  await packageExtension(root, () => build(true));
  const { 'real-skills': realSkills, 'skill-language-server': skillLanguageServer } = options;
  await runBench({ ...options, root, realSkills, skillLanguageServer });
};

/** @type {Stage} */
const prepare = async () => {
  await Promise.all([ensureChromium(root), ensureHost('oldest')]);
};

/** @type {Record<string, Stage>} */
const stages = {
  Build: () => build(),
  'Editor and browser': prepare,
  Types: () => program(['typescript/bin/tsc', '-p', 'server'], ['typescript/bin/tsc', '-p', '.']),
  'Lint and format': () => program(['@biomejs/biome/bin/biome', 'ci', '--colors=off']),
  'Unused exports': () => program(['knip/bin/knip.js', '--no-progress']),
  Format: () => program(['@biomejs/biome/bin/biome', 'check', '--write', '--colors=off']),
  Core: () => runSuite(root, 'test/core', filter, 300),
  Properties: () => runSuite(root, 'test/properties', filter, 5000),
  'Properties, at length': () => {
    process.env.SKILL_COMPOSER_RUNS ??= '20';
    return runSuite(root, 'test/properties', filter, 60_000);
  },
  LangGraph: () => runSuite(root, 'test/langgraph', filter, 1000),
  Protocol: () => runSuite(root, 'test/protocol', filter, 5000),
  'Servers of the registry': () => runSuite(root, 'test/servers', filter, 60_000),
  Neovim: () => runSuite(root, 'test/neovim', filter, 60_000),
  Webview: () => runSuite(root, 'test/webview', filter, 5000),
  'End to end': () => endToEnd('oldest'),
  'End to end, newest VS Code': () => endToEnd('latest'),
  'End to end, packaged': async () => endToEnd('oldest', await packageExtension(root, () => build(true))),
  'End to end, desktop': () => runDesktop(root, filter),
  Pictures: pictures,
  // A vulnerability that becomes known today is no fault of a change, so this is a command of its own.
  'Known vulnerabilities': () => audit(root),
  Package: async () => say(`  ${await packageExtension(root, () => build(true))}`),
  'Command line, packaged': async () => {
    process.env.SKILL_COMPOSER_TARBALL = await packageCommandLine(root, () => build(true));
    return runSuite(root, 'test/packaged', filter, 20_000);
  },
  'Package of the command line': async () => say(`  ${await packageCommandLine(root, () => build(true))}`),
  Bench: () => bench(),
  Start: () => start(root),
};

/** What needs nothing but Node and the oldest VS Code. */
const ALL = [
  'Build',
  'Types',
  'Lint and format',
  'Unused exports',
  'Core',
  'Properties',
  'LangGraph',
  'Protocol',
  'Editor and browser',
  'Webview',
  // The same tests as of the checkout, on what people install.
  'End to end, packaged',
  'Command line, packaged',
];

/** @type {Record<string, readonly string[]>} */
const commands = {
  all: ALL,
  everything: [...ALL, 'End to end', 'Neovim', 'Servers of the registry', 'End to end, newest VS Code'],
  build: ['Build'],
  types: ['Types'],
  lint: ['Lint and format', 'Unused exports'],
  format: ['Format'],
  core: ['Core'],
  properties: ['Properties'],
  fuzz: ['Properties, at length'],
  langgraph: ['LangGraph'],
  protocol: ['Build', 'Protocol'],
  neovim: ['Build', 'Neovim'],
  servers: ['Build', 'Servers of the registry'],
  webview: ['Build', 'Webview'],
  e2e: ['Build', 'End to end'],
  latest: ['Build', 'End to end, newest VS Code'],
  packaged: ['End to end, packaged'],
  desktop: ['Build', 'End to end, desktop'],
  pictures: ['Build', 'Pictures'],
  audit: ['Known vulnerabilities'],
  package: ['Package'],
  'package:cli': ['Package of the command line'],
  'packaged:cli': ['Command line, packaged'],
  start: ['Build', 'Start'],
  bench: ['Bench'],
};

function readArguments() {
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    const flag = /** @type {const} */ ({ type: 'boolean' });
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        ...{ filter: text, screenshots: text, theme: text },
        ...{ help: flag, quick: flag, write: flag, rounds: text, 'real-skills': text, 'skill-language-server': text },
      },
    });
    const { screenshots, theme } = parsed.values;
    if (theme !== undefined && !themes.includes(theme)) throw new Plain(`--theme is one of ${themes.join(', ')}.`);
    if (screenshots !== undefined) mkdirSync(resolve(screenshots), { recursive: true });
    return parsed;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

async function main() {
  const command = positionals[0] ?? 'all';
  const names = commands[command];
  if (names === undefined) {
    console.error(`Unknown command \`${command}\`: it is one of ${Object.keys(commands).join(', ')}.`);
    return 2;
  }
  if (statSync(join(root, 'package-lock.json'), { throwIfNoEntry: false }) === undefined) {
    throw new Plain('package-lock.json is missing.');
  }
  await ensureDependencies(root);
  const total = { passed: 0, failed: 0 };
  let tested = false;
  for (const name of names) {
    const began = performance.now();
    say(`${name}`);
    const counts = await /** @type {Stage} */ (stages[name])();
    total.passed += counts?.passed ?? 0;
    total.failed += counts?.failed ?? 0;
    tested ||= counts !== undefined;
    say(`  ${counts === undefined ? 'done' : `${counts.passed} passed, ${counts.failed} failed`}, ${seconds(began)}`);
    if (total.failed > 0) break;
  }
  if (filter !== undefined && tested && total.passed + total.failed === 0) {
    throw new Plain(`No test has \`${filter}\` in its name.`);
  }
  if (tested) say(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

process.exit(
  await main().catch((error) => {
    console.error(explain(error));
    return 1;
  }),
);
