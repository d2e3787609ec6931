/**
 * The entry point of every npm script, which requires only Node and installs missing dependencies, a browser and VS
 * Code.
 *
 * Like `npm test`, `--short` leaves out the slow end-to-end tests.
 *
 *   node test/run.mjs [COMMAND] [--filter NAME] [--jobs N] [--seed N] [--short] [--screenshots DIR] [--theme light|dark|hc-light|hc-dark]
 *   node test/run.mjs check [PATH ...] [OPTION ...]
 *   node test/run.mjs lab [OPTION ...]
 *   node test/run.mjs release --repository URL [--homepage URL] [--dry-run]
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { addressesOf, readAddress, repositoryOf } from './host/addresses.mjs';
import { audit, auditFacts } from './host/audit.mjs';
import { ensureChromium } from './host/chromium.mjs';
import { packageCommandLine, tarballOf } from './host/cli-package.mjs';
import { ensureConformance } from './host/conformance.mjs';
import { ensureDependencies } from './host/dependencies.mjs';
import { runDesktop } from './host/desktop.mjs';
import { ensureEditors } from './host/editors.mjs';
import { endToEnd, inBrowser, pictures } from './host/end-to-end.mjs';
import { inOrder, runJobs } from './host/jobs.mjs';
import { notTried } from './host/not-tried.mjs';
import { must, run } from './host/process.mjs';
import { onNewerNodes, programs } from './host/programs.mjs';
import { faultsOfReadme, faultsOfRelease, nextSteps } from './host/release.mjs';
import { explain, Plain, say } from './host/say.mjs';
import { buildSite, homepageOf, serveSite } from './host/site.mjs';
import { linesOfSlowest } from './host/slow-tests.mjs';
import { start } from './host/start.mjs';
import { runSuite } from './host/suite.mjs';
import { ensureHost } from './host/vscode.mjs';
import { packageExtension, vsixOf } from './host/vsix.mjs';
import { temporaryFolder, useOwnTemporaryFolder } from './temporary.mjs';

/** @typedef {import('./host/jobs.mjs').Job} Job */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const themes = ['light', 'dark', 'hc-light', 'hc-dark'];

/** Two more jobs than there are cores, because jobs often wait. More than four jobs would wait for memory and disk. */
const usualJobs = () => Math.min(availableParallelism() + 2, 4);

/** The repository address in test packages, with which a store resolves pictures and links. */
const SOME_REPOSITORY = 'https://example.com/skill-composer';

/** The address of the documentation site that is tested, below which its path is not the root. */
const SOME_HOMEPAGE = 'https://example.com/manual/skill-composer';

/** The commands whose packages are for users, so that they contain only a real address. */
const FOR_USERS = ['package', 'package:cli', 'release', 'docs'];

const { command, options, addresses } = readArguments();
const { filter } = options;
const isTrial = options['dry-run'] === true;

/** Commands that users end or that check the files of users keep the temporary folder of the system. */
const ownTemporary = ['start', 'check', 'lab'].includes(command) ? undefined : useOwnTemporaryFolder();

/** The share and the seed of the random cases in a command (`test/random.ts`). */
const random = {
  SKILL_COMPOSER_CASES: command === 'fuzz' ? '20' : command === 'everything' ? '1' : String(1 / 12),
  // A filter also selects tests that `npm test` leaves out.
  ...(command === 'everything' || filter !== undefined ? { SKILL_COMPOSER_EXTENDED: '1' } : {}),
  SKILL_COMPOSER_SEED: options.seed ?? String(command === 'fuzz' ? Math.floor(Math.random() * 2 ** 31) : 7),
};

/**
 * Returns a job that runs check programs, which print their errors and together count as one test.
 *
 * @param {readonly (readonly string[])[]} commands
 * @returns {Job}
 */
const checking = (...commands) => ({
  async run(print) {
    const results = await Promise.all(
      commands.map(([file = '', ...args]) =>
        run(process.execPath, [join(root, 'node_modules', file), ...args], { cwd: root }),
      ),
    );
    const bad = results.filter(({ code }) => code !== 0);
    for (const { output } of bad) print(`${output.trimEnd()}\n`);
    return bad.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});

/**
 * Returns the jobs of a suite, one job for each part, which share the suite's files.
 *
 * @param {string} name
 * @param {import('./host/suite.mjs').Suite & {parts?: number, needs?: readonly string[]}} suite
 * @returns {Record<string, Job>}
 */
function suite(name, { parts = 1, needs = [], ...suite }) {
  const env = { ...random, ...suite.env };
  return Object.fromEntries(
    namesOf(name, parts).map((one, index) => [
      one,
      { needs, run: (print) => runSuite(root, { ...suite, env }, filter, print, { index, of: parts }) },
    ]),
  );
}

/** @type {(name: string, parts: number) => readonly string[]} */
const namesOf = (name, parts) =>
  parts === 1 ? [name] : Array.from({ length: parts }, (_, index) => `${name}, part ${index + 1} of ${parts}`);

/** The files in the folder `protocol` that test the command line. */
const isOfCommandLine = (/** @type {string} */ file) => file.includes('/cli-');

/** The folder of the packages. A dry run deletes its folder. */
const output = isTrial ? temporaryFolder() : join(root, 'out');
const place = { output, addresses };
const vsix = vsixOf(root, output);
const tarball = tarballOf(root, output);
const packaged = { SKILL_COMPOSER_REPOSITORY: addresses?.repository ?? '' };
const testedSite = join(root, 'out', 'docs-tested');

/** @type {Record<string, Job>} */
const jobs = {
  Build: {
    async run() {
      const { buildAll } = await import('../client/build.mjs');
      await buildAll({ minify: names.some((name) => isPackage(name)) });
    },
  },
  'Editor and browser': {
    async run() {
      await Promise.all([ensureChromium(root), ensureHost('oldest')]);
    },
  },
  Types: checking(...['server', '.'].map((project) => ['typescript/bin/tsc', '--singleThreaded', '-p', project])),
  'Lint and format': checking(['@biomejs/biome/bin/biome', 'ci', '--colors=off']),
  'Unused exports': checking(['knip/bin/knip.js', '--no-progress']),
  Format: checking(['@biomejs/biome/bin/biome', 'check', '--write', '--colors=off']),
  ...suite('Core', { command: 'test:core', folder: 'test/core', parts: 2 }),
  ...suite('Properties', { command: 'test:properties', folder: 'test/properties', parts: 2 }),
  ...suite('LangGraph', {
    ...{ command: 'test:langgraph', folder: 'test/langgraph' },
    // The environment of a developer may enable tracing. Tests must not send any data.
    env: { LANGSMITH_TRACING: 'false', LANGCHAIN_TRACING_V2: 'false' },
  }),
  ...suite('Protocol', {
    ...{ command: 'test:protocol', folder: 'test/protocol', parts: 2, needs: ['Build'] },
    has: (file) => !isOfCommandLine(file),
  }),
  ...suite('Command line', {
    ...{ command: 'test:cli', folder: 'test/protocol', parts: 2, needs: ['Build'] },
    has: isOfCommandLine,
  }),
  ...suite('Webview', {
    ...{ command: 'test:webview', folder: 'test/webview' },
    needs: ['Build', 'Editor and browser'],
  }),
  // `npm test` tests only installed editors.
  'Editors of others': { run: () => ensureEditors() },
  ...suite('Other editors', {
    ...{ command: 'test:editors', folder: 'test/editors' },
    needs: command === 'all' ? ['Build'] : ['Build', 'Editors of others'],
  }),
  'End to end': { needs: ['Build', 'Editor and browser'], run: (print) => atKeyboard('test:e2e', 'oldest', print) },
  'End to end, newest VS Code': { needs: ['Build'], run: (print) => atKeyboard('test:latest', 'latest', print) },
  'End to end, packaged': {
    needs: ['Package', 'Editor and browser'],
    run: (print) => atKeyboard('test:package', 'oldest', print, vsix),
  },
  'End to end, browser': {
    needs: ['Package', 'Editor and browser'],
    run: (print) => inBrowser(root, { ...options, extended: isExtended(), command: 'test:web', print }, vsix),
  },
  'End to end, desktop': { needs: ['Build'], run: () => runDesktop(root, filter) },
  Package: { needs: ['Build'], run: (print) => packageExtension(root, place, print) },
  'Package of the command line': { needs: ['Build'], run: (print) => packageCommandLine(root, place, print) },
  ...suite('Package, as a store reads it', {
    ...{ command: 'test:store', folder: 'test/store', needs: ['Package'] },
    env: { ...packaged, SKILL_COMPOSER_VSIX: vsix },
  }),
  ...suite('Command line, packaged', {
    ...{ command: 'test:package:cli', folder: 'test/packaged', needs: ['Package of the command line'] },
    env: { ...packaged, SKILL_COMPOSER_TARBALL: tarball },
  }),
  'Command line, packaged, newer Node': {
    needs: ['Package of the command line'],
    run: (print) =>
      onNewerNodes((node) => {
        const env = { ...packaged, SKILL_COMPOSER_TARBALL: tarball, SKILL_COMPOSER_NODE: node };
        const suite = { command: 'test:nodes', folder: 'test/packaged', env };
        return runSuite(root, suite, filter ?? 'command-line', print);
      }, print),
  },
  'Programs of others': {
    needs: ['Package of the command line'],
    async run(print) {
      const env = { SKILL_COMPOSER_TARBALL: tarball, ...(await programs()) };
      return runSuite(root, { command: 'test:programs', folder: 'test/programs', env }, filter, print);
    },
  },
  ...suite('Servers of the registry', {
    ...{ command: 'test:servers', folder: 'test/servers', needs: ['Build'] },
  }),
  'Conformance to the protocol of agents': {
    needs: ['Build'],
    async run(print) {
      const env = { SKILL_COMPOSER_CONFORMANCE: JSON.stringify(await ensureConformance()) };
      const suite = { command: 'test:conformance', folder: 'test/conformance', env };
      return runSuite(root, suite, filter, print);
    },
  },
  Documentation: {
    run: (print) => {
      const site = { base: options.base, addresses };
      return options.serve ? serveSite(root, site) : buildSite(root, join(root, 'out', 'docs'), site, print);
    },
  },
  'Documentation for tests': {
    run: (print) => buildSite(root, testedSite, { homepage: SOME_HOMEPAGE }, print),
  },
  ...suite('Documentation in a browser', {
    ...{ command: 'test:docs', folder: 'test/docs', needs: ['Documentation for tests'] },
    env: { SKILL_COMPOSER_SITE: testedSite, SKILL_COMPOSER_HOMEPAGE: SOME_HOMEPAGE },
  }),
  Pictures: { needs: ['Build', 'Editor and browser'], run: (print) => pictures(root, print) },
  // A separate command looks for vulnerabilities, because a change to the project does not cause a new vulnerability.
  'Known vulnerabilities': { run: () => audit(root) },
  'Old facts about clients': { run: async () => auditFacts(root) },
  Bench: { run: () => bench() },
  Start: { needs: ['Build'], run: () => start(root) },
};

/** The jobs of `npm test`, of which the slowest start first. */
const ALL = [
  'Build',
  'Types',
  'Editor and browser',
  'Package',
  'End to end, packaged',
  'Webview',
  ...namesOf('Command line', 2),
  ...namesOf('Protocol', 2),
  ...namesOf('Properties', 2),
  ...namesOf('Core', 2),
  'Command line, packaged',
  'LangGraph',
  'Other editors',
  'Package, as a store reads it',
  'Lint and format',
  'Unused exports',
];

/** @type {Record<string, readonly string[]>} */
const commands = {
  all: ALL,
  everything: [
    ...ALL,
    'End to end, browser',
    'Documentation in a browser',
    'Command line, packaged, newer Node',
    'Programs of others',
    'Servers of the registry',
    'Conformance to the protocol of agents',
    'End to end, newest VS Code',
  ],
  build: ['Build'],
  types: ['Types'],
  lint: ['Lint and format', 'Unused exports'],
  format: ['Format'],
  core: namesOf('Core', 2),
  properties: namesOf('Properties', 2),
  fuzz: namesOf('Properties', 2),
  langgraph: ['LangGraph'],
  protocol: namesOf('Protocol', 2),
  cli: namesOf('Command line', 2),
  editors: ['Other editors'],
  servers: ['Servers of the registry'],
  conformance: ['Conformance to the protocol of agents'],
  webview: ['Webview'],
  e2e: ['End to end'],
  latest: ['End to end, newest VS Code'],
  packaged: ['End to end, packaged'],
  web: ['End to end, browser'],
  desktop: ['End to end, desktop'],
  docs: ['Documentation'],
  'test:docs': ['Documentation in a browser'],
  pictures: ['Pictures'],
  audit: ['Known vulnerabilities', 'Old facts about clients'],
  package: ['Package'],
  store: ['Package, as a store reads it'],
  'package:cli': ['Package of the command line'],
  'packaged:cli': ['Command line, packaged'],
  release: [
    ...['Build', 'Package', 'Package of the command line'],
    ...['Package, as a store reads it', 'Command line, packaged'],
  ],
  nodes: ['Command line, packaged', 'Command line, packaged, newer Node'],
  programs: ['Programs of others'],
  start: ['Start'],
  bench: ['Bench'],
};

const names = inOrder(jobs, commands[command] ?? []);

/** True if a job creates a package: the other jobs then test the same minified build. */
const isPackage = (/** @type {string} */ name) => name === 'Package' || name === 'Package of the command line';

/** True if the run includes the end-to-end tests that `npm test` leaves out. */
const isExtended = () => command !== 'all' && options.short !== true;

/**
 * @param {string} script of package.json
 * @param {'oldest' | 'latest'} which
 * @param {import('./host/jobs.mjs').Print} print
 * @param {string} [vsix]
 */
function atKeyboard(script, which, print, vsix) {
  return endToEnd(root, which, { ...options, extended: isExtended(), command: script, print }, vsix);
}

async function bench() {
  const { bundleTests } = await import('./host/suite.mjs');
  await bundleTests(root, 'out/bench.mjs', [], {}, "export { runBench, runComparison, USAGE } from './bench/main.ts';");
  const { runBench, runComparison, USAGE } = await import(new URL('../out/bench.mjs', import.meta.url).href);
  if (options.help) return say(USAGE);
  const { buildAll } = await import('../client/build.mjs');
  await buildAll({ minify: true });
  const buildOther = async (/** @type {string} */ checkout) => {
    const build = pathToFileURL(join(checkout, 'client', 'build.mjs')).href;
    const words = `const { buildAll } = await import(${JSON.stringify(build)}); await buildAll({ minify: true });`;
    await must(process.execPath, ['--input-type=module', '-e', words], { cwd: checkout });
  };
  if (options.against !== undefined) {
    const against = resolve(options.against);
    await buildOther(against);
    return runComparison({ ...options, root, against });
  }
  if (options.reference !== undefined) await buildOther(resolve(options.reference));
  await packageExtension(root, place, (text) => void process.stdout.write(text));
  const { 'real-skills': realSkills, 'skill-language-server': skillLanguageServer } = options;
  await runBench({ ...options, root, realSkills, skillLanguageServer });
}

function readArguments() {
  const [, , first = ''] = process.argv;
  // These commands read their arguments themselves.
  if (first === 'check' || first === 'lab') return { command: first, options: {}, addresses: undefined };
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    const flag = /** @type {const} */ ({ type: 'boolean' });
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        ...{ filter: text, jobs: text, seed: text, screenshots: text, theme: text },
        ...{
          short: flag,
          help: flag,
          quick: flag,
          write: flag,
          rounds: text,
          against: text,
          json: text,
          reference: text,
          repositories: text,
          'real-skills': text,
          'skill-language-server': text,
        },
        ...{ repository: text, homepage: text, 'dry-run': flag, base: text, serve: flag },
      },
    });
    const { positionals, values } = parsed;
    const { jobs, screenshots, seed, theme } = values;
    const command = positionals[0] ?? 'all';
    for (const [name, value] of Object.entries({ jobs, seed })) {
      if (value !== undefined && !/^\d+$/.test(value)) throw new Plain(`--${name} is a number.`);
    }
    if (theme !== undefined && !themes.includes(theme)) throw new Plain(`--theme is one of ${themes.join(', ')}.`);
    if (screenshots !== undefined) mkdirSync(resolve(screenshots), { recursive: true });
    if (values['dry-run'] && command !== 'release') throw new Plain('Only `release` has the option `--dry-run`.');
    for (const name of /** @type {const} */ (['against', 'reference'])) {
      const folder = values[name];
      if (folder !== undefined && !existsSync(join(folder, 'client', 'build.mjs')))
        throw new Plain(`--${name} is the folder of another checkout.`);
    }
    if (values.filter && command === 'release') throw new Plain('`release` runs all its checks, without `--filter`.');
    return { command, options: values, addresses: readAddresses(command, values) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

/**
 * Returns the addresses in the packages: those of the options or package.json, or in tests of a test address.
 *
 * @param {string} command
 * @param {{repository?: string, homepage?: string}} given
 */
function readAddresses(command, given) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = given.repository === undefined ? repositoryOf(manifest) : readAddress(given.repository);
  const repository = own ?? (FOR_USERS.includes(command) ? undefined : SOME_REPOSITORY);
  // The build reads this variable for links to the documentation.
  if (given.homepage !== undefined) process.env.SKILL_COMPOSER_HOMEPAGE = given.homepage;
  const homepage = homepageOf(manifest);
  return repository === undefined ? undefined : addressesOf(repository, homepage === '' ? undefined : homepage);
}

async function main() {
  const chosen = commands[command];
  if (chosen === undefined && command !== 'check' && command !== 'lab') {
    const known = ['check', 'lab', ...Object.keys(commands)];
    console.error(`Unknown command \`${command}\`: it is one of ${known.join(', ')}.`);
    return 2;
  }
  if (statSync(join(root, 'package-lock.json'), { throwIfNoEntry: false }) === undefined) {
    throw new Plain('package-lock.json is missing.');
  }
  await ensureDependencies(root);
  if (chosen === undefined) {
    // The build imports an installed package.
    const args = process.argv.slice(3);
    if (command === 'lab') return (await import('./host/lab.mjs')).lab(root, args);
    return (await import('./host/check.mjs')).check(root, args);
  }
  const faults =
    command === 'release'
      ? [...(await faultsOfRelease(root, addresses?.repository)), ...faultsOfReadme(root, isTrial)]
      : [];
  if (!isTrial) for (const fault of faults) console.error(fault);
  if (!isTrial && faults.length > 0) return 1;
  if (names.some((name) => /^(?:Properties|LangGraph)/.test(name))) {
    const { SKILL_COMPOSER_CASES: share, SKILL_COMPOSER_SEED: seed } = random;
    say(`Random cases: ${Number(share).toFixed(2)} times the usual number, seed ${seed}`);
  }
  const single = chosen.length === 1 || filter !== undefined;
  const slots = single ? 1 : Number(options.jobs ?? usualJobs());
  const print = (/** @type {string} */ text) => void process.stdout.write(text);
  const { passed, failed, skipped, slowest, tested } = await runJobs(jobs, names, { slots, print });
  if (filter !== undefined && tested && passed + failed === 0) {
    throw new Plain(`No test has \`${filter}\` in its name.`);
  }
  for (const line of linesOfSlowest(slowest)) say(line);
  if (tested) say(`\n${passed} passed, ${failed} failed`);
  if (failed === 0 && names.length >= ALL.length)
    for (const line of notTried(commands.everything ?? [], names, skipped)) say(line);
  if (command === 'release' && failed === 0) {
    for (const line of nextSteps(root, { vsix, tarball, isKept: !isTrial })) say(line);
    for (const fault of faults) say(`A release is refused: ${fault}`);
  }
  return failed + faults.length > 0 ? 1 : 0;
}

const status = await main().catch((error) => {
  console.error(explain(error));
  return 1;
});
ownTemporary?.reportLeftovers();
process.exit(status);
