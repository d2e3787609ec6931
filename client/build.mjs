/**
 * Bundles the extension, the scripts of the language server, and the command line, and writes the schemas. Each part
 * has one bundle for both Node and browsers. The browser parts are also bundled separately, which fails if they import
 * a built-in module of Node.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { Plain } from '../test/host/say.mjs';
import { homepageOf } from '../test/host/site.mjs';
import { NOTICES, noticesOf } from './notices.mjs';
import { SCHEMAS, schemasOf } from './schemas.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Embeds the template engine compressed, because a package compresses text in base64 badly: 0.14 MB less.
 *
 * @type {import('esbuild').Plugin}
 */
const compressedEngine = {
  name: 'compressed engine',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.wasm\?compressed$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?compressed', '')),
      suffix: '?compressed',
    }));
    onLoad({ filter: /\.wasm$/, namespace: 'file' }, ({ path, suffix }) => {
      if (suffix !== '') return { contents: deflateRawSync(readFileSync(path), { level: 9 }), loader: 'binary' };
      const contents = `import { inflateSync } from 'fflate';
        import compressed from './${basename(path)}?compressed';
        export default inflateSync(compressed, { out: new Uint8Array(${statSync(path).size}) });`;
      return { contents, resolveDir: dirname(path) };
    });
  },
};

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
  loader: { '.njk': 'text' },
  plugins: [compressedEngine],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minifySyntax: true,
};

/** The directive at the start of each banner. After other code, a directive has no effect. */
const STRICT = "'use strict';";

/**
 * Prefers the ES modules of packages that also contain CommonJS modules, because some CommonJS modules hide their
 * imports from a bundler. `import.meta.url` is the location of the bundle.
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
 * Uses each package's build for workers, because a worker has no document.
 *
 * @type {import('esbuild').BuildOptions}
 */
const worker = { ...browser, format: 'iife', conditions: ['worker', 'browser'] };

const nodeModules = ['node:*', ...builtinModules];

/**
 * Resolves the Node entry points of the protocol packages, which export these entry points only to bundles for Node.
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
 * Lets the second script of the server use the protocol's library from the first script (`frontends/lsp/serve.ts`). Its
 * types are in both scripts, because the command line uses them without the library.
 *
 * @type {import('esbuild').Plugin}
 */
const sharedLibrary = {
  name: 'shared library',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^vscode-languageserver$/ }, () => ({ path: 'library', namespace: 'shared' }));
    onLoad({ filter: /.*/, namespace: 'shared' }, () => ({
      contents: 'module.exports = globalThis.skillComposerLibrary;',
    }));
  },
};

/**
 * Replaces the modules of Node that the library of the debug adapter imports, because browsers do not have them.
 *
 * @type {import('esbuild').Plugin}
 */
const standIns = {
  name: 'stand-ins for modules of Node',
  setup({ onLoad, onResolve }) {
    const modules = new Map([
      ['events', '{ EventEmitter: class { on() { return this; } emit() { return false; } } }'],
      ['url', '{ URL: globalThis.URL }'],
    ]);
    onResolve({ filter: /^(?:events|url)$/ }, ({ path, importer }) =>
      importer.includes('debugadapter') ? { path, namespace: 'stand-in' } : undefined,
    );
    // The bundler does not resolve a call of another name than `require`.
    onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({
      contents: `const load = require;
        module.exports = typeof process === 'object' ? load('node:${path}') : ${modules.get(path)};`,
    }));
  },
};

/**
 * The options for a bundle that runs in Node and in browsers, with the browser builds of packages and both entry points
 * of the protocol packages. Imports of Node's built-in modules remain, and Node resolves them.
 *
 * @type {import('esbuild').BuildOptions}
 */
const anywhere = {
  ...worker,
  plugins: [compressedEngine, nodeEntries],
  external: nodeModules,
  // The server's library contains another copy of `vscode-languageserver-types`, one patch version older.
  alias: { 'vscode-languageserver-types': './node_modules/vscode-languageserver-types/lib/esm/main.js' },
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: {
    // `var` is required, because in a browser two bundles run in one worker and would declare the same constant.
    js: `${STRICT} var importMetaUrl = typeof __filename === 'string' ? require('node:url').pathToFileURL(__filename).href : '';`,
  },
};

/**
 * Makes the table of the tokenizer a JSON text, which engines read in less time than a literal with 200,000 elements.
 *
 * @type {import('esbuild').Plugin}
 */
const tableOfTokens = {
  name: 'table of tokens',
  setup({ onLoad }) {
    onLoad({ filter: /bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
      const { default: table } = await import(pathToFileURL(path).href);
      return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(table))});` };
    });
  },
};

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { dependencies, license, version } = manifest;

/**
 * The options for the runtime of exported projects (docs/langgraph.md): a readable module that imports the packages of
 * its project, also for the template engine. It counts no tokens, because the tokenizer's table is large.
 *
 * @type {import('esbuild').BuildOptions}
 */
const exported = {
  ...node,
  format: 'esm',
  packages: 'external',
  minifySyntax: false,
  sourcemap: false,
  define: {},
  banner: {
    js: `// The runtime of Skill Composer ${version} for LangGraph (${license}). Another export replaces this file.`,
  },
  plugins: [
    {
      name: 'packages of the project',
      setup({ onLoad, onResolve, resolve }) {
        onResolve({ filter: /^@langchain\/langgraph\/web$/ }, () => ({ path: '@langchain/langgraph', external: true }));
        onResolve({ filter: /^minijinja-js\/.*\.(?:wasm|json)$/ }, ({ path }) => ({
          path,
          namespace: 'template engine',
        }));
        onLoad({ filter: /\.wasm$/, namespace: 'template engine' }, ({ path }) => ({
          contents: `import { readFileSync } from 'node:fs';
            import { createRequire } from 'node:module';
            export default readFileSync(createRequire(import.meta.url).resolve(${JSON.stringify(path)}));`,
        }));
        onLoad({ filter: /package\.json$/, namespace: 'template engine' }, () => ({
          contents: `export const version = ${JSON.stringify(dependencies['minijinja-js'])};`,
        }));
        onLoad({ filter: /composer[\\/]tokens\.ts$/ }, () => ({
          contents: `export class Tokenizer {
            name = 'none';
            count() { return 0; }
            countBetween(text, ends) { return ends.map(() => 0); }
          }`,
        }));
        // Our modules have no side effects, so unused ones are left out.
        onResolve({ filter: /^\./ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
          if (pluginData === 'resolving') return undefined;
          const found = await resolve(path, { importer, kind, resolveDir, pluginData: 'resolving' });
          return { ...found, sideEffects: false };
        });
      },
    },
  ],
};

const commandLine = join(root, 'server/src/frontends/cli');

/** The files that declare commands, whose dynamic imports are loaded only when a command is called. */
const declaring = readdirSync(commandLine, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^[\w-]+\.ts$|-commands?\.ts$/.test(name),
);

/** The dynamic imports of `declaring`, as paths relative to the folder of the command line. */
const imported = declaring.flatMap((name) =>
  [...readFileSync(join(commandLine, name), 'utf8').matchAll(/await import\('(\.[^']+)'\)/g)].map(([, path = '']) =>
    fromCommandLine(join(commandLine, dirname(name), path)),
  ),
);

/** @param {string} path */
function fromCommandLine(path) {
  return `./${relative(commandLine, path).replaceAll('\\', '/')}`;
}

/** The script with the commands (`frontends/core.ts`). The command line can start without loading it. */
const CORE = './core.js';

/** @type {import('esbuild').Plugin} */
const laterCommands = {
  name: 'commands, later',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const name = fromCommandLine(join(resolveDir, path));
      return kind === 'dynamic-import' && imported.includes(name) ? { path: name, namespace: 'commands' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'commands' }, ({ path }) => ({
      contents: `require('${CORE}');
        module.exports = globalThis.skillComposerCore.commands()[${JSON.stringify(path)}];`,
    }));
  },
};

/** @type {import('esbuild').Plugin} */
const commands = {
  name: 'commands',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^skill-composer:commands$/ }, ({ path }) => ({ path, namespace: 'list' }));
    onLoad({ filter: /.*/, namespace: 'list' }, () => ({
      resolveDir: commandLine,
      contents: [...new Set(imported)]
        .map((path) => `Object.defineProperty(exports, '${path}', { get: () => require('${path}') });`)
        .join('\n'),
    }));
  },
};

/**
 * A bundle with `wall` is built only to check that it imports no Node modules, and is not written.
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
    from: 'server/src/frontends/lsp/server.ts',
    to: 'dist/server.js',
    how: { ...anywhere, external: [CORE, ...nodeModules] },
  },
  {
    from: 'server/src/frontends/core.ts',
    to: 'dist/core.js',
    how: { ...anywhere, plugins: [compressedEngine, commands, sharedLibrary, standIns] },
  },
  {
    from: 'server/src/services/composing/compose-worker.ts',
    to: 'dist/compose-worker.js',
    how: { ...worker, plugins: [compressedEngine, tableOfTokens], external: ['./run.js', ...nodeModules] },
  },
  // The library for runs is large, and the composing worker loads it for the first run. A package in it makes an
  // address from the location of the worker, which fails for the location of a blob.
  {
    from: 'server/src/services/run/run.ts',
    to: 'dist/run.js',
    how: { ...worker, external: nodeModules, define: { 'self.location': 'undefined' } },
  },
  { from: 'server/src/services/run/langgraph-runtime.ts', to: 'dist/langgraph-runtime.mjs', how: exported },
  { from: 'server/src/frontends/lsp/browser.ts', to: 'dist/server.browser.js', how: worker, wall: true },
  {
    from: 'server/src/frontends/lsp/browser-session.ts',
    to: 'dist/core.browser.js',
    how: { ...worker, plugins: [compressedEngine, standIns] },
    wall: true,
  },
  { from: 'server/src/services/composing/serve.ts', to: 'dist/composer.browser.js', how: worker, wall: true },
  {
    from: 'server/src/frontends/cli/main.ts',
    to: 'dist/cli.cjs',
    how: {
      ...node,
      external: [CORE],
      plugins: [compressedEngine, laterCommands],
      banner: { js: `#!/usr/bin/env node\n${node.banner?.js}` },
    },
  },
  // The MCP client is large, and only `tools pull` loads it.
  { from: 'server/src/services/tools/ask-server.ts', to: 'dist/tools.cjs', how: node },
  { from: 'server/src/frontends/mcp/serve.ts', to: 'dist/mcp.cjs', how: node },
];

/**
 * Options that apply only to the package: short names make the .vsix smaller. Stack traces then need the source maps,
 * which are not in the package.
 *
 * @type {import('esbuild').BuildOptions}
 */
const minified = { minifyWhitespace: true, minifyIdentifiers: true, charset: 'utf8' };

/** The paths of the files that the newest complete build read. The date of this file is the start of that build. */
const STAMP = join(root, 'out', 'built.json');

/** Returns whether the bundles exist, and no file that they were made from has changed since. */
export function isBuilt() {
  const dateOf = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const built = dateOf(STAMP);
  if (built === undefined) return false;
  const made = [...bundles.filter(({ wall }) => !wall).map(({ to }) => to), SCHEMAS].map((path) => join(root, path));
  /** @type {readonly string[]} */
  const inputs = JSON.parse(readFileSync(STAMP, 'utf8'));
  return made.every((path) => existsSync(path)) && inputs.every((path) => (dateOf(join(root, path)) ?? built) < built);
}

/**
 * Builds all bundles whose entry exists, and the schemas.
 *
 * @param {{minify?: boolean}} [options]
 * @returns {Promise<{file: string, bytes: number}[]>}
 */
export async function buildAll({ minify = false } = {}) {
  const began = new Date();
  const site = JSON.stringify(homepageOf(manifest));
  const present = bundles.filter(({ from }) => existsSync(join(root, from)));
  const made = await Promise.allSettled(
    present.map(async ({ from, to, how, wall = false }) => {
      const result = await build({
        ...how,
        define: { ...how.define, HOMEPAGE: site },
        ...(minify && how !== exported && minified),
        entryPoints: [from],
        outfile: to,
      });
      return wall
        ? { outputs: [], inputs: [] }
        : { outputs: result.outputFiles ?? [], inputs: Object.keys(result.metafile?.inputs ?? {}) };
    }),
  );
  const failed = present.flatMap(({ to }, at) => (made[at]?.status === 'rejected' ? [to] : []));
  // esbuild has already printed the errors.
  if (failed.length > 0) throw new Plain(`These bundles could not be built: ${failed.join(', ')}.`);
  const shipped = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const inputs = new Set(shipped.flatMap(({ inputs }) => inputs));
  const notices = noticesOf(root, inputs);
  const schemas = await schemasOf(root);
  const written = writeOutputs([
    ...shipped.flatMap(({ outputs }) => outputs),
    { path: join(root, NOTICES), contents: Buffer.from(notices) },
    ...[...schemas.texts].map(([file, text]) => ({ path: join(root, SCHEMAS, file), contents: Buffer.from(text) })),
  ]);
  removeOldBundles();
  // Inputs such as `list:skill-composer:commands` and `shared:library` are not files.
  const files = [...inputs, ...schemas.inputs, 'package.json', 'client/build.mjs', 'client/schemas.mjs'].filter(
    (path) => existsSync(join(root, path)),
  );
  writeOutputs([{ path: STAMP, contents: Buffer.from(JSON.stringify(files)) }]);
  utimesSync(STAMP, began, began);
  return written;
}

/** Removes the bundles of an earlier build that are no longer made, because a package would contain them. */
function removeOldBundles() {
  const made = new Set(bundles.map(({ to }) => basename(to)));
  for (const name of readdirSync(join(root, 'dist'))) {
    const isBundle = /\.(?:js|cjs|mjs|css)(?:\.map)?$/.test(name);
    if (isBundle && !made.has(name.replace(/\.map$/, ''))) rmSync(join(root, 'dist', name));
  }
}

/**
 * Writes each changed file atomically, because another process may be reading its old version.
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
