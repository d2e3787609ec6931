/**
 * The one entry behind every npm script. It needs nothing but Node: dependencies, a browser and a VS Code are set up on
 * the way, where they are missing.
 *
 *   node test/run.mjs [COMMAND] [--filter NAME] [--screenshots DIR] [--theme light|dark|hc-light|hc-dark]
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { audit } from './host/audit.mjs';
import { ensureChromium } from './host/chromium.mjs';
import { packageCommandLine } from './host/cli-package.mjs';
import { ensureConformance } from './host/conformance.mjs';
import { ensureDependencies } from './host/dependencies.mjs';
import { runDesktop } from './host/desktop.mjs';
import { endToEnd, inBrowser, pictures } from './host/end-to-end.mjs';
import { notTried } from './host/not-tried.mjs';
import { run } from './host/process.mjs';
import { onNewerNodes, programs } from './host/programs.mjs';
import { explain, Plain, say, seconds } from './host/say.mjs';
import { start } from './host/start.mjs';
import { runSuite } from './host/suite.mjs';
import { ensureHost } from './host/vscode.mjs';
import { packageExtension } from './host/vsix.mjs';

/** @typedef {{passed: number, failed: number, skipped?: readonly string[]}} Counts `skipped` has the reasons */
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

/** @type {Promise<void> | undefined} */
let minified;
/** What is packaged: built once, however many packages are made of it. */
const buildMinified = () => (minified ??= build(true));

/** The packaged extension, which a run makes once. @type {Promise<string> | undefined} */
let packaged;
const packagedExtension = () => {
  packaged ??= packageExtension(root, buildMinified);
  return packaged;
};

/** Stands for the address that a package for a store is made with. */
const SOME_REPOSITORY = 'https://example.com/skill-composer';

const bench = async () => {
  const { bundleTests } = await import('./host/suite.mjs');
  await bundleTests(root, 'out/bench.mjs', [], {}, "export { runBench, USAGE } from './bench/main.ts';");
  const { runBench, USAGE } = await import(new URL('../out/bench.mjs', import.meta.url).href);
  if (options.help) return say(USAGE);
  await packageExtension(root, buildMinified);
  const { 'real-skills': realSkills, 'skill-language-server': skillLanguageServer } = options;
  await runBench({ ...options, root, realSkills, skillLanguageServer });
};

/** @param {readonly (Counts | void)[]} all */
const sumOf = (all) => ({
  passed: all.reduce((sum, one) => sum + (one?.passed ?? 0), 0),
  failed: all.reduce((sum, one) => sum + (one?.failed ?? 0), 0),
  skipped: all.flatMap((one) => one?.skipped ?? []),
});

/** @param {readonly string[]} names of stages, which run one after another */
const inTurn = async (names) => {
  /** @type {(Counts | void)[]} */
  const all = [];
  for (const name of names) all.push(await /** @type {Stage} */ (stages[name])());
  return sumOf(all);
};

/**
 * Groups of stages that run beside each other, so that no core is idle. A test's failure is printed whole, so nothing mixes.
 *
 * @param {readonly (readonly string[])[]} groups
 * @returns {Stage}
 */
const atOnce =
  (...groups) =>
  async () =>
    sumOf(await Promise.all(groups.map(inTurn)));

/** Both halves of the folder are run beside each other. */
const isOfCommandLine = (/** @type {string} */ file) => file.includes('/cli-');

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
  Protocol: () =>
    runSuite(root, 'test/protocol', filter, 5000, { name: 'test/protocol', has: (file) => !isOfCommandLine(file) }),
  'Command line': () =>
    runSuite(root, 'test/protocol', filter, 5000, { name: 'test/command-line', has: isOfCommandLine }),
  'Servers of the registry': () => runSuite(root, 'test/servers', filter, 60_000),
  'Other editors': () => runSuite(root, 'test/editors', filter, 20_000),
  'Conformance to the protocol of agents': async () => {
    process.env.SKILL_COMPOSER_CONFORMANCE = JSON.stringify(await ensureConformance());
    return runSuite(root, 'test/conformance', filter, 60_000);
  },
  Webview: () => runSuite(root, 'test/webview', filter, 5000),
  'End to end': () => endToEnd(root, 'oldest', options),
  'End to end, newest VS Code': () => endToEnd(root, 'latest', options),
  'End to end, packaged': async () => endToEnd(root, 'oldest', options, await packagedExtension()),
  'End to end, browser': async () => inBrowser(root, options, await packagedExtension()),
  'End to end, desktop': () => runDesktop(root, filter),
  Pictures: () => pictures(root),
  // A vulnerability that becomes known today is no fault of a change, so this is a command of its own.
  'Known vulnerabilities': () => audit(root),
  Package: async () => say(`  ${await packageExtension(root, buildMinified, options.repository)}`),
  'Package, as a store reads it': async () => {
    process.env.SKILL_COMPOSER_REPOSITORY = SOME_REPOSITORY;
    process.env.SKILL_COMPOSER_VSIX = await packageExtension(root, buildMinified, SOME_REPOSITORY, 'out/store');
    return runSuite(root, 'test/store', filter, 1000);
  },
  'Command line, packaged': async () => {
    process.env.SKILL_COMPOSER_TARBALL = await packageCommandLine(root, buildMinified);
    return runSuite(root, 'test/packaged', filter, 20_000);
  },
  'Command line, packaged, newer Node': () => onNewerNodes(root, filter),
  'Programs of others': async () => {
    process.env.SKILL_COMPOSER_TARBALL ??= await packageCommandLine(root, buildMinified);
    Object.assign(process.env, await programs());
    return runSuite(root, 'test/programs', filter, 60_000);
  },
  'Package of the command line': async () => say(`  ${await packageCommandLine(root, buildMinified)}`),
  'Protocol, and beside it': atOnce(
    ['Protocol', 'Webview'],
    ['Command line', 'Properties', 'LangGraph', 'Other editors'],
  ),
  'What people install': atOnce(
    ['End to end, packaged'],
    ['Package, as a store reads it', 'Command line, packaged', 'End to end, browser'],
  ),
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
  'Editor and browser',
  'Protocol, and beside it',
  // The same end-to-end tests as of the checkout, and what else is in the packages.
  'What people install',
];

/** @type {Record<string, readonly string[]>} */
const commands = {
  all: ALL,
  everything: [
    ...ALL,
    'Command line, packaged, newer Node',
    'Programs of others',
    'End to end',
    'Servers of the registry',
    'Conformance to the protocol of agents',
    'End to end, newest VS Code',
  ],
  build: ['Build'],
  types: ['Types'],
  lint: ['Lint and format', 'Unused exports'],
  format: ['Format'],
  core: ['Core'],
  properties: ['Properties'],
  fuzz: ['Properties, at length'],
  langgraph: ['LangGraph'],
  protocol: ['Build', 'Protocol', 'Command line'],
  editors: ['Build', 'Other editors'],
  servers: ['Build', 'Servers of the registry'],
  conformance: ['Build', 'Conformance to the protocol of agents'],
  webview: ['Build', 'Webview'],
  e2e: ['Build', 'End to end'],
  latest: ['Build', 'End to end, newest VS Code'],
  packaged: ['End to end, packaged'],
  web: ['End to end, browser'],
  desktop: ['Build', 'End to end, desktop'],
  pictures: ['Build', 'Pictures'],
  audit: ['Known vulnerabilities'],
  package: ['Package'],
  store: ['Package, as a store reads it'],
  'package:cli': ['Package of the command line'],
  'packaged:cli': ['Command line, packaged'],
  programs: ['Programs of others'],
  'packaged:nodes': ['Command line, packaged', 'Command line, packaged, newer Node'],
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
        repository: text,
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
  /** @type {Set<string>} */
  const skipped = new Set();
  let tested = false;
  for (const name of names) {
    const began = performance.now();
    say(`${name}`);
    const counts = await /** @type {Stage} */ (stages[name])();
    total.passed += counts?.passed ?? 0;
    total.failed += counts?.failed ?? 0;
    for (const reason of counts?.skipped ?? []) skipped.add(reason);
    tested ||= counts !== undefined;
    say(`  ${counts === undefined ? 'done' : `${counts.passed} passed, ${counts.failed} failed`}, ${seconds(began)}`);
    if (total.failed > 0) break;
  }
  if (filter !== undefined && tested && total.passed + total.failed === 0) {
    throw new Plain(`No test has \`${filter}\` in its name.`);
  }
  if (tested) say(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed === 0 && names.length >= ALL.length)
    for (const line of notTried(commands.everything ?? [], names, skipped)) say(line);
  return total.failed > 0 ? 1 : 0;
}

process.exit(
  await main().catch((error) => {
    console.error(explain(error));
    return 1;
  }),
);
