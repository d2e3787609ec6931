/**
 * Runs suites without an editor: all files of a folder share one bundle and one process, because starting a process is
 * slow.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { run } from './process.mjs';
import { Plain } from './say.mjs';

/** @typedef {import('./jobs.mjs').Counts} Counts */

/**
 * Returns the test files below a folder, in a stable order.
 *
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]} relative to `root`, with `/`
 */
export function testFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/**
 * Bundles the engine's bytes and its glue code as in the product, because Node cannot load them.
 *
 * @type {import('esbuild').Plugin}
 */
const engine = {
  name: 'engine',
  setup({ onResolve }) {
    const { resolve } = createRequire(import.meta.url);
    onResolve({ filter: /^minijinja-js\/(dist\/bundler\/|package\.json$)/ }, ({ path }) => ({ path: resolve(path) }));
  },
};

/**
 * Bundles test files into `outfile`.
 *
 * @param {string} root
 * @param {string} outfile relative to `root`
 * @param {readonly string[]} files relative to `root`
 * @param {import('esbuild').BuildOptions} [how]
 * @param {string} [after] further lines of the entry file
 */
export async function bundleTests(root, outfile, files, how = {}, after = '') {
  const { build } = await import('esbuild');
  const { writeOutputs } = await import('../../client/build.mjs');
  const contents = [...files.map((file) => `import './${file}';`), after].join('\n');
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, sourcefile: 'tests.ts', loader: 'ts' },
    outfile,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.10',
    packages: 'external',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
    loader: { '.wasm': 'binary', '.njk': 'text' },
    plugins: [engine],
    // Tests find their fixtures relative to the root of the checkout, not to their bundle.
    define: { 'import.meta.url': JSON.stringify(new URL('tests.mjs', `file://${root}/`).href) },
    ...how,
  }).catch(() => {
    // esbuild has printed the errors.
    throw new Plain(`${outfile} could not be built.`);
  });
  writeOutputs(outputFiles ?? []);
}

/**
 * @typedef {object} Suite
 * @property {string} command the npm script that runs the suite
 * @property {string} folder relative to the root of the checkout
 * @property {(file: string) => boolean} [has] whether a file of the folder belongs to the suite
 * @property {NodeJS.ProcessEnv} [env] the environment of its tests
 */

/** @typedef {{index: number, of: number}} Part one of the parts of a suite; `index` counts from 0 */

/**
 * Bundles and runs a part of a suite. A filter selects files by path or, if no path contains the filter, tests by name;
 * the first part then runs the whole selection.
 *
 * @param {string} root
 * @param {Suite} suite
 * @param {string | undefined} filter
 * @param {import('./jobs.mjs').Print} print
 * @param {Part} [part]
 * @returns {Promise<Counts>}
 */
export async function runSuite(root, { command, folder, has = () => true, env }, filter, print, part = WHOLE) {
  const whole = testFiles(root, folder).filter(has);
  const chosen = filter === undefined ? whole : whole.filter((file) => file.includes(filter));
  const files =
    filter === undefined
      ? whole.filter((_, at) => at % part.of === part.index)
      : part.index > 0
        ? []
        : chosen.length > 0
          ? chosen
          : whole;
  if (files.length === 0) return { passed: 0, failed: 0 };
  const bundle = `out/${command.replaceAll(':', '-')}-${part.index + 1}.mjs`;
  // A file that does not import it would try different random cases when it runs alone.
  await bundleTests(root, bundle, ['test/random.ts', ...files]);
  const counts = join(root, `${bundle}.${process.pid}.json`);
  const reporter = join(root, 'test', 'host', 'reporter.mjs');
  const byName = filter !== undefined && chosen.length === 0 ? ['--test-name-pattern', escaped(filter)] : [];
  try {
    const reporting = [
      '--disable-warning=ExperimentalWarning',
      '--test-reporter',
      reporter,
      '--test-reporter-destination',
      'stdout',
    ];
    const own = { SKILL_COMPOSER_COUNTS: counts, SKILL_COMPOSER_SUITE: command };
    const how = { cwd: root, env: { ...process.env, ...env, ...own }, print };
    const { code } = await run(process.execPath, [...reporting, ...byName, bundle], how);
    const { failed, ...others } = readCounts(counts);
    // A process that died, or a hook that failed, counts as a failure even if no test failed.
    return { ...others, failed: code !== 0 && failed === 0 ? 1 : failed };
  } finally {
    rmSync(counts, { force: true });
  }
}

/** @type {Part} */
const WHOLE = { index: 0, of: 1 };

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * @param {string} path
 * @returns {Counts}
 */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0 };
  }
}
