/** The tools that we are measured against: installed into the cache when they are asked for, never into the checkout. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cached } from '../test/host/cache.mjs';
import type { Target } from './drive.ts';
import { FRONTMATTER_SCHEMA } from './schema.ts';

/** What each peer is made of; versions are fixed, so that figures can be compared. */
const PEERS = {
  'yaml-language-server': ['yaml-language-server@1.25.0'],
  'vscode-markdown-languageserver': ['vscode-markdown-languageserver@0.3.0', 'markdown-it@14.3.3'],
  'unified-language-server': [
    ...['unified-language-server@4.1.0', 'remark@15.0.1', 'remark-frontmatter@5.0.0'],
    'remark-lint-frontmatter-schema@3.15.4',
  ],
  'remark-cli': [
    ...['remark-cli@12.0.1', 'remark-frontmatter@5.0.0', 'remark-lint@10.0.1'],
    'remark-lint-frontmatter-schema@3.15.4',
  ],
  'markdownlint-cli2': ['markdownlint-cli2@0.22.1'],
} as const;

export type PeerName = keyof typeof PEERS;

export const PEER_NAMES = Object.keys(PEERS) as readonly PeerName[];

/** Where a peer stands, or why it does not. */
export type Peer = { readonly folder: string } | { readonly missing: string };

/** Installs a peer without running what its packages would run. */
export async function findPeer(name: PeerName): Promise<Peer> {
  try {
    const folder = await cached(`bench-peer-${name}-1`, async (target: string) => {
      writeFileSync(join(target, 'package.json'), '{"private": true}');
      const words = ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts', ...PEERS[name]];
      const { status } = spawnSync('npm', words, { cwd: target, encoding: 'utf8', timeout: 300_000 });
      if (status !== 0) throw new Error('it could not be installed here');
      writePrograms(name, target);
    });
    return { folder };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

export const versionsOf = (name: PeerName): string => PEERS[name].join(', ');

/** What a peer needs beside its packages: a server that holds the plugins together, settings of a linter. */
function writePrograms(name: PeerName, folder: string): void {
  const schema = JSON.stringify(FRONTMATTER_SCHEMA);
  const checked = (lint: string) =>
    `import frontmatter from 'remark-frontmatter';\nimport schema from 'remark-lint-frontmatter-schema';\n${lint}const plugins = [frontmatter, ${lint ? 'lint, ' : ''}[schema, { embed: ${schema} }]];\n`;
  if (name === 'unified-language-server') {
    const words = "configurationSection: 'remark', processorName: 'none', processorSpecifier: 'remark'";
    writeFileSync(
      join(folder, 'server.mjs'),
      `import { createUnifiedLanguageServer } from 'unified-language-server';\nimport { remark } from 'remark';\n${checked('')}createUnifiedLanguageServer({ ${words}, defaultProcessor: remark(), plugins, ignoreName: '.ignored', packageField: 'remarkConfig', pluginPrefix: 'remark', rcName: '.remarkrc' });\n`,
    );
  } else if (name === 'remark-cli') {
    writeFileSync(
      join(folder, 'settings.mjs'),
      `${checked("import lint from 'remark-lint';\n")}export default { plugins };\n`,
    );
  } else if (name === 'markdownlint-cli2') {
    const config = { config: { default: true, MD013: false } };
    writeFileSync(join(folder, 'bench.markdownlint-cli2.jsonc'), JSON.stringify(config));
  }
}

/** The session with a peer that is a server. */
export function targetOf(name: PeerName, folder: string, of: Pick<Target, 'workspace' | 'document' | 'edits'>): Target {
  const program = (path: string) => [process.execPath, join(folder, path), '--stdio'];
  const modules = 'node_modules';
  if (name === 'yaml-language-server') {
    const schema = join(of.workspace, '..', 'frontmatter.schema.json');
    writeFileSync(schema, JSON.stringify(FRONTMATTER_SCHEMA));
    const yaml = {
      ...{ validate: true, hover: true, completion: true, schemaStore: { enable: false } },
      schemas: { [pathToFileURL(schema).href]: '*.yaml' },
    };
    return {
      ...of,
      command: program(`${modules}/yaml-language-server/bin/yaml-language-server`),
      settings: { yaml, http: {}, '[yaml]': {}, editor: {}, files: {} },
    };
  }
  if (name === 'vscode-markdown-languageserver') {
    return {
      ...of,
      command: program(`${modules}/vscode-markdown-languageserver/out/node/main.js`),
      pull: true,
      options: { markdownFileExtensions: ['md'] },
      settings: { markdown: MARKDOWN_SETTINGS },
      handlers: markdownHandlers(folder, of.workspace),
    };
  }
  const settings = { remark: { requireConfig: false } };
  return { ...of, command: program('server.mjs'), settings };
}

const LEVEL = 'warning';
const MARKDOWN_SETTINGS = {
  occurrencesHighlight: { enabled: true },
  suggest: { paths: { enabled: true } },
  preferredMdPathExtensionStyle: 'auto',
  validate: {
    enabled: true,
    ignoredLinks: [],
    fileLinks: { enabled: LEVEL, markdownFragmentLinks: 'inherit' },
    fragmentLinks: { enabled: LEVEL },
    referenceLinks: { enabled: LEVEL },
    unusedLinkDefinitions: { enabled: LEVEL },
    duplicateLinkDefinitions: { enabled: LEVEL },
  },
};

/** This server has its client read and tokenize files, which costs it nothing; the comparison favours it by that. */
function markdownHandlers(folder: string, workspace: string): NonNullable<Target['handlers']> {
  const MarkdownIt = createRequire(join(folder, 'package.json'))('markdown-it');
  const parser = new MarkdownIt({ html: true });
  interface Token {
    readonly children: readonly Token[] | null;
  }
  const plain = ({ children, ...token }: Token): object => ({ ...token, children: children?.map(plain) ?? null });
  const known = new Map<string, unknown>();
  const tokens = (uri: string): unknown => {
    const found = known.get(uri) ?? parser.parse(textOf(uri), {}).map(plain);
    known.set(uri, found);
    return found;
  };
  const textOf = (uri: string): string => {
    try {
      return readFileSync(fileURLToPath(uri), 'utf8');
    } catch {
      return '';
    }
  };
  const all = readdirSync(workspace, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  return {
    'markdown/parse': ({ uri }: { uri: string }) => tokens(uri),
    'markdown/fs/readFile': ({ uri }: { uri: string }) => [...Buffer.from(textOf(uri))],
    'markdown/fs/stat': ({ uri }: { uri: string }) => {
      const stats = statSync(fileURLToPath(uri), { throwIfNoEntry: false });
      return stats ? { isDirectory: stats.isDirectory() } : null;
    },
    'markdown/fs/readDirectory': ({ uri }: { uri: string }) =>
      readdirSync(fileURLToPath(uri), { withFileTypes: true }).map((entry) => [
        entry.name,
        { isDirectory: entry.isDirectory() },
      ]),
    'markdown/findMarkdownFilesInWorkspace': () => all.map((path) => pathToFileURL(join(workspace, path)).href),
  };
}

/** The command of a peer that is a command line, over the skills below the folder in which it runs. */
export function commandOf(name: PeerName, folder: string): readonly string[] {
  const bin = join(folder, 'node_modules', '.bin');
  return name === 'remark-cli'
    ? [
        ...[process.execPath, join(bin, 'remark'), '--quiet', '--frail', '--no-stdout', '--no-config'],
        ...['--rc-path', join(folder, 'settings.mjs'), 'skills'],
      ]
    : [
        ...[process.execPath, join(bin, 'markdownlint-cli2')],
        ...['--config', join(folder, 'bench.markdownlint-cli2.jsonc'), 'skills/**/*.md'],
      ];
}
