/**
 * Bundles what is shipped: the extension and the scripts of the language server, each for Node and browsers in one bundle,
 * and the command line. The parts for browsers are also bundled alone, which fails if they import a built-in module of Node.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Plain } from '../test/host/say.mjs';
import { NOTICES, noticesOf } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'none',
  loader: { '.wasm': 'binary', '.njk': 'text' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minifySyntax: true,
};

/** What stands behind a banner's code is no directive any more, so each banner brings its own. */
const STRICT = "'use strict';";

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
  banner: { js: `${STRICT} const importMetaUrl = require('node:url').pathToFileURL(__filename).href;` },
};
/** @type {import('esbuild').BuildOptions} */
const browser = { ...shared, platform: 'browser', format: 'cjs', target: 'es2022', conditions: ['browser'] };
/**
 * A worker has no document: packages that ship a build of their own for workers must be taken in that one.
 *
 * @type {import('esbuild').BuildOptions}
 */
const worker = { ...browser, format: 'iife', conditions: ['worker', 'browser'] };

const nodeModules = ['node:*', ...builtinModules];

/**
 * The protocol's packages let only bundles for Node have their entries for Node.
 *
 * @type {import('esbuild').Plugin}
 */
const nodeEntries = {
  name: 'entries for Node',
  setup({ onResolve }) {
    onResolve({ filter: /^vscode-.*\/node$/ }, ({ path, resolveDir }) => ({
      path: createRequire(join(resolveDir, 'importer.js')).resolve(path),
    }));
  },
};

/**
 * The server's first script has the protocol's library, and the second takes it from there (`hosts/lsp/serve.ts`).
 *
 * @type {import('esbuild').Plugin}
 */
const sharedLibrary = {
  name: 'shared library',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^vscode-languageserver(-types)?$/ }, () => ({ path: 'library', namespace: 'shared' }));
    onLoad({ filter: /.*/, namespace: 'shared' }, () => ({
      contents: 'module.exports = globalThis.skillComposerLibrary;',
    }));
  },
};

/**
 * One bundle for Node and for browsers. The packages are taken as a browser takes them, and the protocol's entries for
 * Node beside those for browsers; what is asked of Node itself is left as it is, for Node to answer.
 *
 * @type {import('esbuild').BuildOptions}
 */
const anywhere = {
  ...worker,
  plugins: [nodeEntries],
  external: nodeModules,
  // The server's library brings a copy of its own, a patch older.
  alias: { 'vscode-languageserver-types': './node_modules/vscode-languageserver-types/lib/esm/main.js' },
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: {
    // Not a constant: in a browser two of these scripts run in one worker.
    js: `${STRICT} var importMetaUrl = typeof __filename === 'string' ? require('node:url').pathToFileURL(__filename).href : '';`,
  },
};

const commandLine = join(root, 'server/src/hosts/cli');

/** The files that declare commands: what they import when a command is called is read then. */
const declaring = readdirSync(commandLine, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^[\w-]+\.ts$|-command\.ts$/.test(name),
);

/** What they import then, as paths from the folder of the command line. */
const imported = declaring.flatMap((name) =>
  [...readFileSync(join(commandLine, name), 'utf8').matchAll(/await import\('(\.[^']+)'\)/g)].map(([, path = '']) =>
    fromCommandLine(join(commandLine, dirname(name), path)),
  ),
);

/** @param {string} path */
function fromCommandLine(path) {
  return `./${relative(commandLine, path).replaceAll('\\', '/')}`;
}

/** The commands are a script of their own: most of the time that the command line takes to start is reading it. */
const COMMANDS = './commands.cjs';

/** @type {import('esbuild').Plugin} */
const laterCommands = {
  name: 'commands, later',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const name = fromCommandLine(join(resolveDir, path));
      return kind === 'dynamic-import' && imported.includes(name) ? { path: name, namespace: 'commands' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'commands' }, ({ path }) => ({
      contents: `module.exports = require('${COMMANDS}')[${JSON.stringify(path)}];`,
    }));
  },
};

/** @type {import('esbuild').BuildOptions['stdin']} */
const commands = {
  resolveDir: commandLine,
  contents: [...new Set(imported)]
    .map((path) => `Object.defineProperty(exports, '${path}', { get: () => require('${path}') });`)
    .join('\n'),
};

/**
 * A `wall` is bundled to see that it can be, and thrown away: the bundles for both hosts let an import of Node's pass.
 *
 * @type {readonly {from: string, to: string, how: import('esbuild').BuildOptions, wall?: boolean}[]}
 */
const bundles = [
  {
    from: 'client/src/client.ts',
    to: 'dist/client.js',
    how: { ...anywhere, format: 'cjs', external: ['vscode', ...nodeModules] },
  },
  {
    from: 'client/src/browser.ts',
    to: 'dist/client.browser.js',
    how: { ...browser, external: ['vscode'] },
    wall: true,
  },
  { from: 'client/src/panels/preview/webview/main.tsx', to: 'dist/preview.js', how: worker },
  { from: 'client/src/panels/preview/webview/preview.css', to: 'dist/preview.css', how: worker },
  { from: 'client/src/panels/graph/webview/main.tsx', to: 'dist/graph.js', how: worker },
  { from: 'client/src/panels/graph/webview/graph.css', to: 'dist/graph.css', how: worker },
  { from: 'client/src/panels/import/webview/main.tsx', to: 'dist/import.js', how: worker },
  { from: 'client/src/panels/import/webview/import.css', to: 'dist/import.css', how: worker },
  {
    from: 'server/src/hosts/lsp/server.ts',
    to: 'dist/server.js',
    how: { ...anywhere, external: ['./core.js', ...nodeModules] },
  },
  {
    from: 'server/src/hosts/lsp/core.ts',
    to: 'dist/core.js',
    how: { ...anywhere, alias: {}, plugins: [sharedLibrary] },
  },
  {
    from: 'server/src/hosts/composing/compose-worker.ts',
    to: 'dist/compose-worker.js',
    how: { ...worker, external: nodeModules },
  },
  { from: 'server/src/hosts/lsp/browser.ts', to: 'dist/server.browser.js', how: worker, wall: true },
  { from: 'server/src/hosts/lsp/browser-session.ts', to: 'dist/core.browser.js', how: worker, wall: true },
  { from: 'server/src/hosts/composing/serve.ts', to: 'dist/composer.browser.js', how: worker, wall: true },
  {
    from: 'server/src/hosts/cli/main.ts',
    to: 'dist/cli.cjs',
    how: {
      ...node,
      external: [COMMANDS],
      plugins: [laterCommands],
      banner: { js: `#!/usr/bin/env node\n${node.banner?.js}` },
    },
  },
  // What speaks with servers is large, and `tools pull` alone loads it.
  { from: 'server/src/hosts/tools/ask-server.ts', to: 'dist/tools.cjs', how: node },
  { from: 'server/src/hosts/cli', to: 'dist/commands.cjs', how: { ...node, stdin: commands } },
  { from: 'server/src/hosts/mcp/serve.ts', to: 'dist/mcp.cjs', how: node },
];

/**
 * For the package alone. Short names save 130 KB of a .vsix; what Node prints of a failure is read with the source maps,
 * which stay at home.
 *
 * @type {import('esbuild').BuildOptions}
 */
const minified = { minifyWhitespace: true, minifyIdentifiers: true, charset: 'utf8' };

/**
 * Builds all bundles whose entry exists.
 *
 * @param {{minify?: boolean}} [options]
 * @returns {Promise<{file: string, bytes: number}[]>}
 */
export async function buildAll({ minify = false } = {}) {
  const present = bundles.filter(({ from }) => existsSync(join(root, from)));
  const made = await Promise.allSettled(
    present.map(async ({ from, to, how, wall = false }) => {
      const result = await build({
        ...how,
        ...(minify && minified),
        ...(how.stdin ? {} : { entryPoints: [from] }),
        outfile: to,
      });
      return wall
        ? { outputs: [], inputs: [] }
        : { outputs: result.outputFiles ?? [], inputs: Object.keys(result.metafile?.inputs ?? {}) };
    }),
  );
  const failed = present.flatMap(({ to }, at) => (made[at]?.status === 'rejected' ? [to] : []));
  // What is wrong, esbuild has said.
  if (failed.length > 0) throw new Plain(`These bundles could not be built: ${failed.join(', ')}.`);
  const shipped = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const notices = noticesOf(root, new Set(shipped.flatMap(({ inputs }) => inputs)));
  return writeOutputs([
    ...shipped.flatMap(({ outputs }) => outputs),
    { path: join(root, NOTICES), contents: Buffer.from(notices) },
  ]);
}

/**
 * Writes what has changed, each file at once: another run may be reading the old one.
 *
 * @param {readonly {path: string, contents: Uint8Array}[]} files
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
