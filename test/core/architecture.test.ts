/** Checks the code map of server/README.md: allowed imports, packages with one importer, and the use of Node. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { test } from 'node:test';
import { allowedImports, entryFiles, onlyImporters, protocolTypes } from './architecture-plan.ts';
import { sources } from './sources.ts';

interface Import {
  readonly file: string;
  readonly line: number;
  /** The specifier as written. */
  readonly from: string;
}

const files = sources.map(({ path }) => path);
const imports = sources.flatMap(({ path, text }) => importsOf(path, text));

test('a folder contains only imports that the plan allows', () => {
  const broken = imports.flatMap((one) => {
    if (!one.from.startsWith('.')) return [];
    const own = placeOf(one.file);
    const other = placeOf(posix.join(posix.dirname(one.file), one.from));
    const isAllowed = own === other || allowedImports[own]?.includes(other) || entryFiles[one.file]?.includes(other);
    return isAllowed ? [] : [`${show(one)}: ${own} may not import ${other}`];
  });
  assert.deepEqual(broken, []);
});

test('imports have no cycles, including type imports', () => {
  const importsOfFile = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { file, from } of imports) {
    if (/\.tsx?$/.test(from)) importsOfFile.get(file)?.push(posix.join(posix.dirname(file), from));
  }
  const done = new Set<string>();
  const way: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    const begin = way.indexOf(file);
    if (begin >= 0) circles.push([...way.slice(begin), file].join(' imports '));
    if (begin >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of importsOfFile.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  assert.deepEqual(circles, []);
});

test('features run rules and find them by name, but use no other code of them', () => {
  const shared = ['server/src/rules/engine/check.ts', 'server/src/rules/engine/index.ts'];
  const broken = imports.filter(({ file, from }) => {
    const target = posix.join(posix.dirname(file), from);
    return placeOf(file) === 'features' && placeOf(target) === 'rules' && !shared.includes(target);
  });
  assert.deepEqual(broken.map(show), []);
});

test('rules read the analysis, but not its index', () => {
  // `check.ts` reads severities from the index. A rule must read only observed data, and the index is not observed.
  const reading = sources.filter(
    ({ path, text }) =>
      path.startsWith('server/src/rules/') &&
      path !== 'server/src/rules/engine/check.ts' &&
      /\banalysis\.index\b/.test(text),
  );
  assert.deepEqual(
    reading.map(({ path }) => path),
    [],
  );
});

test('each replaceable package is imported by only one module or folder', () => {
  const broken = imports.flatMap((one) => {
    const importer = onlyImporters[packageOf(one.from)];
    return importer === undefined || one.file.startsWith(importer) ? [] : [`${show(one)}: only ${importer} may`];
  });
  assert.deepEqual(broken, []);
});

test("only hosts and the client's desktop entry import Node.js modules", () => {
  const builtin = new Set(builtinModules);
  const broken = imports.filter(
    ({ file, from }) =>
      (from.startsWith('node:') || builtin.has(from)) && !isOfHost(file) && file !== 'client/src/node.ts',
  );
  assert.deepEqual(broken.map(show), []);
});

test('only dedicated modules read and write files', () => {
  // The imports that let hosts read the names, kinds and locations of files.
  const looking = [
    'type BigIntStats',
    'type Stats',
    'type Dirent',
    'access',
    'constants',
    'existsSync',
    'fstatSync',
    'lstat',
    'lstatSync',
    'readdir',
    'readdirSync',
    'readlink',
    'realpath',
    'stat',
  ];
  const reading = ['open', 'type FileHandle'];
  const writing = [...reading, 'link', 'mkdir', 'rename', 'rm', 'rmdir', 'unlink', 'writeFile'];
  const allowed: Readonly<Record<string, readonly string[]>> = {
    'held-folder': [...reading, 'mkdir', 'rmdir'],
    'read-file': [...reading, 'closeSync', 'openSync', 'readSync'],
    'temporary-folder': [
      'closeSync',
      'mkdirSync',
      'mkdtempSync',
      'openSync',
      'readdirSync',
      'readFileSync',
      'realpathSync',
      'rmSync',
      'symlinkSync',
      'writeFileSync',
    ],
    'write-file': writing,
    'write-links': ['symlink', 'unlink'],
    'write-tree': writing,
  };
  const broken = sources.flatMap(({ path, text }) => {
    if (!path.startsWith('server/src/')) return [];
    const more = allowed[/^server\/src\/io\/([\w-]+)\.ts$/.exec(path)?.[1] ?? ''] ?? [];
    const statements = text.matchAll(/^import (type )?([^;]*?) from '(?:node:)?fs(?:\/promises)?';$/gm);
    return [...statements].flatMap(([, type, names = '']) => {
      if (!names.startsWith('{')) return [`${path} imports ${names}`];
      const imported = names.replace(/[{}]/g, '').split(',');
      const wanted = imported.map((name) => `${type ?? ''}${name.trim()}`).filter((name) => name !== '');
      return wanted.filter((name) => ![...looking, ...more].includes(name)).map((name) => `${path} imports ${name}`);
    });
  });
  assert.deepEqual(broken, []);
  const asked = sources.filter(({ text }) => /\brequire\(['"](node:)?fs|\bimport\(['"](node:)?fs/.test(text));
  assert.deepEqual(asked, []);
});

test('errors of the user are recognized with `isUserError`', () => {
  // Each command-line script contains its own copy of the class, so `instanceof` can miss an error.
  const broken = sources.filter(({ text }) => /instanceof UserError/.test(text));
  assert.deepEqual(
    broken.map(({ path }) => path),
    [],
  );
});

test('only the guard registers the handlers of requests', () => {
  const guard = 'server/src/frontends/lsp/handlers/guard.ts';
  // `serve.ts` registers `initialize`, and `open-session.ts` registers `shutdown` and notifications.
  const notifications = /^(?:Initialize|Initialized|Shutdown|Notification|Did\w+)$/;
  const broken = sources.flatMap(({ path, text }) => {
    if (!path.startsWith('server/src/frontends/lsp/') || path === guard) return [];
    const registered = [...text.matchAll(/\bconnection(?:\.\w+)*\.on(\w*)\(/g)].map(([, name = '']) => name);
    const imported = /import \{[^}]*\bonRequest\b[^}]*\} from '[^']*protocol/.test(text) ? ['request'] : [];
    return [...registered.filter((name) => !notifications.test(name)), ...imported].map((name) => `${path}: on${name}`);
  });
  assert.deepEqual(broken, []);
});

test('no module uses the network', () => {
  const modules = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'inspector'];
  const reaching = imports.filter(({ from }) => modules.includes(packageOf(from.replace(/^node:/, ''))));
  const model = 'server/src/services/observing/model/server.ts';
  assert.deepEqual(
    reaching.filter(({ file }) => file !== model).map(show),
    [],
    'only the model for observed clients listens, on loopback',
  );
  const { text: ofModel = '' } = sources.find(({ path }) => path === model) ?? {};
  assert.match(
    ofModel,
    /import \{ createServer, type IncomingMessage, type Server, type ServerResponse \} from 'node:http'/,
  );
  assert.match(ofModel, /\.listen\(0, '127\.0\.0\.1'/);
  const words = /\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\s*\(/;
  const calling = sources.filter(({ text }) => words.test(text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')));
  assert.deepEqual(
    calling.map(({ path }) => path),
    ['server/src/services/tools/ask-server.ts'],
    'of the addresses that a workspace names, only those of servers are asked for, and only when the user has agreed',
  );
});

test('only one module creates Markdown, and it escapes text from authors', () => {
  const made = sources.filter(({ text }) => /kind: 'markdown'|MarkupKind|MarkdownString/.test(text));
  assert.deepEqual(
    made.map(({ path }) => path),
    ['server/src/features/markdown.ts'],
  );
});

test('only dedicated command-line modules write output and JSON', () => {
  const cli = sources.filter(({ path }) => /^server\/src\/(?:frontends\/cli|reports)\//.test(path));
  const having = (pattern: RegExp) => cli.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  assert.deepEqual(having(/JSON\.stringify/), ['server/src/reports/json.ts']);
  assert.deepEqual(having(/std(out|err)\.write/), [
    'server/src/frontends/cli/console.ts',
    'server/src/frontends/cli/main.ts',
  ]);
});

test('only files of commands declare options, and they import the implementations on demand', () => {
  const cli = sources.filter(({ path }) => path.startsWith('server/src/frontends/cli/'));
  const isDeclaring = (path: string): boolean => /\/(?:commands\/[\w-]+-commands?|command-options)\.ts$/.test(path);
  const elsewhere = cli.filter(({ path, text }) => /\.option\(|new Option\(/.test(text) && !isDeclaring(path));
  assert.deepEqual(
    elsewhere.map(({ path }) => path),
    [],
  );
  const eager = cli.filter(
    ({ path, text }) => isDeclaring(path) && /^import (?!type )[^;]*? from '\.\/(?!console|option-values)/m.test(text),
  );
  assert.deepEqual(
    eager.map(({ path }) => path),
    [],
  );
});

test('only outer folders use types from the language server protocol', () => {
  const broken = imports.filter(
    ({ file, from }) =>
      protocolTypes.includes(packageOf(from)) && !isOfHost(file) && !['features', 'protocol'].includes(placeOf(file)),
  );
  assert.deepEqual(broken.map(show), []);
});

test('the core uses neither the time nor random numbers', () => {
  // The compiler rejects all other impure calls, because it checks the core without the Node and DOM types.
  const impure = /\b(Date\.now|new Date\(\)|Math\.random)/;
  const core = sources.filter(({ path }) => path.startsWith('server/src/') && !isOfHost(path));
  assert.deepEqual(
    core.filter(({ text }) => impure.test(text)).map(({ path }) => path),
    [],
  );
});

test('starting a server does not load the core', () => {
  // Starts at the first script and follows the imports that remain after types are erased.
  const loaded = new Set(['server', 'node', 'browser'].map((name) => `server/src/frontends/lsp/${name}.ts`));
  for (const file of loaded) {
    const text = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]*;$/gm, '');
    for (const { from } of importsOf(file, text)) {
      if (/\.tsx?$/.test(from)) loaded.add(posix.join(posix.dirname(file), from));
    }
  }
  const beyond = [...loaded].filter((file) => !isOfHost(file));
  assert.deepEqual(beyond.sort(), [
    'server/src/features/actions/action-kinds.ts',
    'server/src/features/semantic-tokens/token.ts',
    'server/src/protocol.ts',
    'server/src/protocol/chosen.ts',
    'server/src/protocol/files.ts',
    'server/src/protocol/request.ts',
    'server/src/protocol/requests.ts',
    'server/src/protocol/settings.ts',
    'server/src/protocol/shapes.ts',
  ]);
  assert.ok(!loaded.has('server/src/services/session/session.ts'), 'the session waits for the core');
});

/** The row of the table that a file belongs to. */
function placeOf(path: string): string {
  if (path === 'package.json') return path;
  const [, panel, part] = /^client\/src\/panels\/(\w+)\/(messages|shown-prompt|webview\b)?/.exec(path) ?? [];
  if (panel === 'kit') return 'panels/kit';
  if (panel !== undefined && part !== undefined) return `${panel} ${part === 'webview' ? 'page' : 'messages'}`;
  if (path.startsWith('client/')) return 'client';
  return /^server\/src\/((?:languages\/|clients\/|services\/|frontends\/)?[^/.]+)/.exec(path)?.[1] ?? path;
}

const isOfHost = (path: string): boolean => /^server\/src\/(?:frontends|services|io)\//.test(path);

function packageOf(from: string): string {
  const parts = from.split('/');
  return from.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? from);
}

function importsOf(file: string, text: string): Import[] {
  const statement =
    /^(?:import|export)\s+(?:type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
  return [...text.matchAll(statement)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    from: match[1] ?? match[2] ?? '',
  }));
}

const show = ({ file, line, from }: Import): string => `${file}:${line} imports ${from}`;
