/** The suites that need no editor: all test files of a folder in one bundle and one process, since starting is what costs. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { run } from './process.mjs';
import { Plain } from './say.mjs';

/** @typedef {{passed: number, failed: number, skipped: readonly string[]}} Counts `skipped` has the reasons */

/**
 * The test files below a folder, in a stable order.
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
 * Node could load neither the engine's bytes nor its glue by itself: they are bundled as they are for shipping.
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
 * Bundles test files, and what else is wanted, into `out`.
 *
 * @param {string} root
 * @param {string} outfile relative to `root`
 * @param {readonly string[]} files relative to `root`
 * @param {import('esbuild').BuildOptions} [how]
 * @param {string} [after] further lines of the entry
 */
export async function bundleTests(root, outfile, files, how = {}, after = '') {
  const { build } = await import('esbuild');
  const { writeOutputs } = await import('../../client/build.mjs');
  const seeded = how.packages === 'bundle' ? [] : ['test/seeded.ts'];
  const contents = [...[...seeded, ...files].map((file) => `import './${file}';`), after].join('\n');
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
    // A test finds its fixtures from the root of the checkout, wherever its bundle stands.
    define: { 'import.meta.url': JSON.stringify(new URL('tests.mjs', `file://${root}/`).href) },
    ...how,
  }).catch(() => {
    // What is wrong, esbuild has said.
    throw new Plain(`${outfile} could not be built.`);
  });
  writeOutputs(outputFiles ?? []);
}

/**
 * Bundles and runs the suite of a folder. A filter selects files by their path or, where no path has it, tests by name.
 *
 * @param {string} root
 * @param {string} folder relative to `root`
 * @param {string | undefined} filter
 * @param {number} slow a test above this many milliseconds is named
 * @param {{name: string, has: (file: string) => boolean}} [part] the files of the folder that are run, and what they are called
 * @returns {Promise<Counts>}
 */
export async function runSuite(root, folder, filter, slow, part = { name: folder, has: () => true }) {
  const whole = testFiles(root, folder);
  const chosen = filter === undefined ? whole : whole.filter((file) => file.includes(filter));
  const files = (chosen.length > 0 ? chosen : whole).filter(part.has);
  if (files.length === 0) return { passed: 0, failed: 0, skipped: [] };
  const bundle = `out/${part.name}.mjs`;
  await bundleTests(root, bundle, files);
  const counts = join(root, `${bundle}.${process.pid}.json`);
  const reporter = join(root, 'test', 'host', 'reporter.mjs');
  const byName = filter !== undefined && chosen.length === 0 ? ['--test-name-pattern', filter] : [];
  try {
    const reporting = ['--enable-source-maps', '--test-reporter', reporter, '--test-reporter-destination', 'stdout'];
    const env = { ...process.env, SKILL_COMPOSER_COUNTS: counts, SKILL_COMPOSER_SLOW: String(slow) };
    const { code } = await run(process.execPath, [...reporting, ...byName, bundle], { cwd: root, env, show: true });
    const { passed, failed, skipped } = readCounts(counts);
    // A process that died, or a hook that failed, is a failure even if no test of its own is.
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } finally {
    rmSync(counts, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {Counts}
 */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: [] };
  }
}
