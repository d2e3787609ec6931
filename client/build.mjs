/**
 * Bundles what is shipped: the extension and the language server, each for Node and for a browser, and the command line.
 * The browser bundles know no built-in module of Node, so an import of one fails the build: that is a wall of the
 * architecture, not an accident.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Plain } from '../test/host/say.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'none',
  loader: { '.wasm': 'binary', '.njk': 'text' },
  minifySyntax: true,
};

/**
 * Packages that ship both kinds of modules are taken as ES modules: some of the others hide their imports from a bundler.
 * Where such a module asks for its own place, the bundle's is the answer.
 *
 * @type {import('esbuild').BuildOptions}
 */
const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};
/** @type {import('esbuild').BuildOptions} */
const browser = { ...shared, platform: 'browser', format: 'cjs', target: 'es2022', conditions: ['browser'] };
/** @type {import('esbuild').BuildOptions} */
// A worker has no document: packages that ship a build of their own for workers must be taken in that one.
const worker = { ...browser, format: 'iife', conditions: ['worker', 'browser'] };

/** @type {readonly {from: string, to: string, how: import('esbuild').BuildOptions}[]} */
const bundles = [
  { from: 'client/src/node.ts', to: 'dist/client.cjs', how: { ...node, external: ['vscode'] } },
  { from: 'client/src/browser.ts', to: 'dist/client.browser.js', how: { ...browser, external: ['vscode'] } },
  { from: 'client/src/preview/webview/main.ts', to: 'dist/preview.js', how: worker },
  { from: 'client/src/preview/webview/preview.css', to: 'dist/preview.css', how: worker },
  { from: 'server/src/hosts/node.ts', to: 'dist/server.cjs', how: node },
  { from: 'server/src/hosts/browser.ts', to: 'dist/server.browser.js', how: worker },
  { from: 'server/src/hosts/compose-worker.ts', to: 'dist/compose-worker.cjs', how: node },
  { from: 'server/src/hosts/compose-worker-browser.ts', to: 'dist/compose-worker.browser.js', how: worker },
  {
    from: 'server/src/hosts/cli/main.ts',
    to: 'dist/cli.cjs',
    how: { ...node, banner: { js: `#!/usr/bin/env node\n${node.banner?.js}` } },
  },
];

/**
 * Builds all bundles whose entry exists.
 *
 * @param {{minify?: boolean}} [options]
 * @returns {Promise<{file: string, bytes: number}[]>}
 */
export async function buildAll(options = {}) {
  const present = bundles.filter(({ from }) => existsSync(join(root, from)));
  const made = await Promise.allSettled(
    present.map(async ({ from, to, how }) => {
      const entry = { entryPoints: [from], outfile: to, minifyWhitespace: options.minify ?? false };
      return writeOutputs((await build({ ...how, ...entry })).outputFiles ?? []);
    }),
  );
  const failed = present.filter((_, at) => made[at]?.status === 'rejected').map(({ to }) => to);
  // What is wrong, esbuild has said.
  if (failed.length > 0) throw new Plain(`These bundles could not be built: ${failed.join(', ')}.`);
  return made.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/**
 * Writes what has changed, each file at once: another run may be reading the old one.
 *
 * @param {readonly import('esbuild').OutputFile[]} files
 */
export function writeOutputs(files) {
  return files.map(({ path, contents }) => {
    if (!existsSync(path) || !readFileSync(path).equals(contents)) {
      mkdirSync(dirname(path), { recursive: true });
      const partial = `${path}.${process.pid}`;
      writeFileSync(partial, contents);
      renameSync(partial, path);
    }
    return { file: relative(root, path), bytes: contents.length };
  });
}
