/** The compared tools, which are installed into the tests' cache without running scripts. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cached } from '../test/host/cache.mjs';
import { FRONTMATTER_SCHEMA } from './schema.ts';
import type { Target } from './server.ts';

/** The packages of each tool, in fixed versions, so that figures from different days can be compared. */
export const PACKAGES = {
  'yaml-language-server': ['yaml-language-server@1.25.0'],
  'remark-cli': [
    ...['remark-cli@12.0.1', 'remark-frontmatter@5.0.0', 'remark-lint@10.0.1'],
    'remark-lint-frontmatter-schema@3.15.4',
  ],
  'markdownlint-cli2': ['markdownlint-cli2@0.22.1'],
  'skill-check': ['skill-check@1.2.0'],
} as const;

export type PeerName = keyof typeof PACKAGES;

/** Installs a peer and returns its folder; undefined if the peer cannot be installed. */
export async function installPeer(name: PeerName): Promise<string | undefined> {
  try {
    return await cached(`bench-peer-${name}-2`, async (folder: string) => {
      writeFileSync(join(folder, 'package.json'), '{"private": true}');
      const words = ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts', ...PACKAGES[name]];
      const { status } = spawnSync('npm', words, { cwd: folder, timeout: 120_000, killSignal: 'SIGKILL' });
      if (status !== 0) throw new Error(`${name} cannot be installed.`);
      writeFileSync(join(folder, 'schema.json'), JSON.stringify(FRONTMATTER_SCHEMA));
      writeFileSync(join(folder, 'settings.mjs'), REMARK_SETTINGS);
      writeFileSync(join(folder, '.markdownlint-cli2.jsonc'), '{"config": {"default": true, "MD013": false}}');
    });
  } catch {
    return undefined;
  }
}

const REMARK_SETTINGS = `import { readFileSync } from 'node:fs';
import frontmatter from 'remark-frontmatter';
import lint from 'remark-lint';
import schema from 'remark-lint-frontmatter-schema';
const embed = JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8'));
export default { plugins: [frontmatter, lint, [schema, { embed }]] };
`;

const program = (folder: string, path: string): readonly string[] => [
  process.execPath,
  join(folder, 'node_modules', path),
];

/** Returns the target that runs yaml-language-server in a folder of YAML files. */
export const yamlServer = (peer: string, folder: string): Target => ({
  command: [...program(peer, 'yaml-language-server/bin/yaml-language-server'), '--stdio'],
  folder,
  pull: false,
  settings: {
    yaml: {
      ...{ validate: true, hover: true, completion: true, schemaStore: { enable: false } },
      schemas: { [pathToFileURL(join(peer, 'schema.json')).href]: '*.yaml' },
    },
    ...{ http: {}, '[yaml]': {}, editor: {}, files: {} },
  },
});

/** The commands that check the skills below the folder `skills`. */
export const remarkCommand = (peer: string): readonly string[] => [
  ...[...program(peer, '.bin/remark'), '--quiet', '--frail', '--no-stdout', '--no-config'],
  ...['--rc-path', join(peer, 'settings.mjs'), 'skills'],
];
export const markdownlintCommand = (peer: string): readonly string[] => [
  ...program(peer, '.bin/markdownlint-cli2'),
  ...['--config', join(peer, '.markdownlint-cli2.jsonc'), 'skills/**/*.md'],
];

/** The command that checks the skills in a folder, without starting other programs. */
export const skillCheckCommand = (peer: string): readonly string[] => [
  ...[...program(peer, '.bin/skill-check'), 'check', '.', '--no-security-scan'],
];
