/** The manifests that the validators of clients are asked about: one fault each, and valid layouts. */

export interface ManifestCase {
  /** A name that never changes. */
  readonly id: string;
  readonly client: 'claude-code' | 'gemini-cli';
  /** The files by their paths from the folder that is validated. */
  readonly files: Readonly<Record<string, string>>;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json | undefined>>;

const PLUGIN = '.claude-plugin/plugin.json';
const MARKETPLACE = '.claude-plugin/marketplace.json';
const HOOKS = 'hooks/hooks.json';
const EXTENSION = 'gemini-extension.json';

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Moors a boat. Use when a boat arrives.\n---\n\nMoor the boat.\n`;

/** The components of a plugin that has no fault. */
const PARTS: Readonly<Record<string, string>> = {
  'README.md': '# Harbour\n',
  'skills/moor-boat/SKILL.md': skill('moor-boat'),
  'more/tow-boat/SKILL.md': skill('tow-boat'),
  'agents/pilot.md': '---\nname: pilot\ndescription: Guides ships.\n---\n\nGuide the ship.\n',
  'commands/dock.md': '---\ndescription: Docks a ship.\n---\n\nDock the ship.\n',
  'styles/brief.md': '---\nname: brief\ndescription: Short answers.\n---\n\nBe brief.\n',
  'config/servers.json': '{"mcpServers": {}}',
  'config/hooks.json': '{"hooks": {}}',
};

const textOf = (value: Json | Fields): string => `${JSON.stringify(value, undefined, 2)}\n`;

const PLUGIN_FIELDS: Fields = {
  name: 'harbour-tools',
  version: '1.4.0',
  description: 'Tools of a harbour.',
  author: { name: 'Ada' },
};

/** The entry of a plugin in the folder `boats`. */
const ENTRY: Fields = { name: 'boats', source: './boats', description: 'Boats.' };
const MARKETPLACE_FIELDS: Fields = { name: 'quay', description: 'Plugins of the quay.', owner: { name: 'Ada' } };
const BOATS: Readonly<Record<string, string>> = {
  'README.md': '# Quay\n',
  'boats/.claude-plugin/plugin.json': textOf({ ...PLUGIN_FIELDS, name: 'boats' }),
  'boats/skills/moor-boat/SKILL.md': skill('moor-boat'),
};

const plugin = (id: string, fields: Fields, files: Readonly<Record<string, string>> = {}): ManifestCase => ({
  id: `plugin ${id}`,
  client: 'claude-code',
  files: { ...PARTS, [PLUGIN]: textOf({ ...PLUGIN_FIELDS, ...fields }), ...files },
});

const marketplace = (id: string, fields: Fields, files: Readonly<Record<string, string>> = {}): ManifestCase => ({
  id: `marketplace ${id}`,
  client: 'claude-code',
  files: { ...BOATS, [MARKETPLACE]: textOf({ ...MARKETPLACE_FIELDS, plugins: [ENTRY as Json], ...fields }), ...files },
});

const entry = (
  id: string,
  fields: Fields,
  files: Readonly<Record<string, string>> = {},
  top: Fields = {},
): ManifestCase => marketplace(`entry ${id}`, { ...top, plugins: [{ ...ENTRY, ...fields } as Json] }, files);

const hooks = (id: string, value: Json): ManifestCase => ({
  id: `hooks ${id}`,
  client: 'claude-code',
  files: { ...PARTS, [PLUGIN]: textOf(PLUGIN_FIELDS), [HOOKS]: textOf(value) },
});

const extension = (id: string, text: string, files: Readonly<Record<string, string>> = {}): ManifestCase => ({
  id: `extension ${id}`,
  client: 'gemini-cli',
  files: { 'skills/moor-boat/SKILL.md': skill('moor-boat'), [EXTENSION]: text, ...files },
});

/** Values of every type, by a word for the ID. */
const VALUES: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['null', null],
  ['number', 12],
  ['text', 'tide'],
  ['boolean', false],
  ['list', ['tide']],
  ['numbers', [12]],
  ['object', { tide: 12 }],
]);

const PLUGIN_KEYS = [
  ...['$schema', 'displayName', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords'],
  ...['defaultEnabled', 'dependencies', 'optionalDependencies', 'userConfig', 'channels', 'settings', 'metadata'],
  ...['network', 'engines', 'skills', 'commands', 'agents', 'hooks', 'mcpServers', 'lspServers', 'outputStyles'],
  ...['workflows', 'experimental', 'themes', 'monitors'],
];

const types: readonly ManifestCase[] = PLUGIN_KEYS.flatMap((key) =>
  [...VALUES].map(([type, value]) => plugin(`${key} ${type}`, { [key]: value })),
);

const ENTRY_KEYS = [
  'source',
  'strict',
  'category',
  'tags',
  'version',
  'author',
  'keywords',
  'skills',
  'agents',
  'license',
];

const typesOfEntries: readonly ManifestCase[] = ENTRY_KEYS.flatMap((key) =>
  ['null', 'number', 'list', 'object'].map((type) => entry(`${key} ${type}`, { [key]: VALUES.get(type) })),
);

const MARKETPLACE_KEYS = ['name', 'owner', 'plugins', 'version', 'description', 'metadata', 'renames'];

const typesOfMarketplaces: readonly ManifestCase[] = MARKETPLACE_KEYS.flatMap((key) =>
  ['null', 'number', 'text', 'list', 'object'].map((type) =>
    marketplace(`${key} ${type}`, { [key]: VALUES.get(type) }),
  ),
);

/** Names of plugins and marketplaces. */
const NAMES: readonly string[] = [
  ...[
    '',
    'tide table',
    ' tides',
    'tides ',
    'tides/table',
    'tides\\table',
    'tides:table',
    'tides@table',
    '..',
    '.tides',
  ],
  ...[
    '-tides',
    'tides-',
    'tides--table',
    'Tides',
    'tides_table',
    'tides.table',
    'flöße',
    '潮汐',
    'tides\ttable',
    'tides\u202etable',
  ],
  ...[
    '7',
    'a'.repeat(90),
    'tides%20table',
    'claude-tides',
    'anthropics',
    'official-claude-tides',
    'tides-claude',
    'inline',
  ],
];

const names: readonly ManifestCase[] = NAMES.flatMap((name) => [
  plugin(`named ${JSON.stringify(name)}`, { name }),
  marketplace(`named ${JSON.stringify(name)}`, { name }),
  entry(`named ${JSON.stringify(name)}`, { name }),
]);

/** Paths of components, each with the keys for which it is tried. */
const PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'skills',
    [
      'more',
      'more/tow-boat',
      './more',
      './more/',
      './more/tow-boat',
      './more/tow-boat/SKILL.md',
      'more/tow-boat/SKILL.md',
    ],
  ],
  [
    'agents',
    [
      'agents',
      './agents',
      './agents/',
      './agents/pilot.md',
      'agents/pilot.md',
      './agents/*.md',
      './commands/../agents/pilot.md',
    ],
  ],
  ['commands', ['commands', './commands', './commands/dock.md', 'commands/dock.md', './commands/*.md', '.', './']],
  ['hooks', ['config/hooks.json', './config/hooks.json', './config', './README.md', '../hooks.json']],
  [
    'mcpServers',
    ['config/servers.json', './config/servers.json', './config', './tides.mcpb', 'https://example.com/tides.mcpb'],
  ],
  ['outputStyles', ['styles', './styles', './styles/brief.md', 'styles/brief.md', '../styles']],
]);

const OF_SKILLS = [
  ...['', '.', './', './.', '../more', './../more', '..', '/more', 'C:\\more', '~/more', './more/*', './{more,skills}'],
  ...[
    '${CLAUDE_PLUGIN_ROOT}/more',
    '${CLAUDE_PLUGIN_ROOT}',
    './${HOME}/more',
    'https://example.com/more',
    './README.md',
    ' ./more',
  ],
  ...['./more//tow-boat', './skills/../more', './skills', './missing', './MORE', './more\\tow-boat', '.\\more'],
];

const paths: readonly ManifestCase[] = [
  ...[...PATHS].flatMap(([key, all]) =>
    all.map((path) => plugin(`${key} ${path}`, { [key]: path }, { 'tides.mcpb': 'x' })),
  ),
  ...OF_SKILLS.map((path) => plugin(`skills in a list ${JSON.stringify(path)}`, { skills: ['./more', path] })),
  ...['more', './more', '../more', './more/tow-boat/SKILL.md', ''].map((path) =>
    entry(`skills ${JSON.stringify(path)}`, { skills: [path] }, { 'boats/more/tow-boat/SKILL.md': skill('tow-boat') }),
  ),
];

const components: readonly ManifestCase[] = [
  plugin('command with source', { commands: { tide: { source: './commands/dock.md' } } }),
  plugin('command with content', { commands: { tide: { content: 'Say the tide.' } } }),
  plugin('command with both', { commands: { tide: { source: './commands/dock.md', content: 'Say the tide.' } } }),
  plugin('command with nothing', { commands: { tide: { description: 'Says the tide.' } } }),
  plugin('command with a wrong source', { commands: { tide: { source: 'commands/dock.md' } } }),
  plugin('command with a wrong type', { commands: { tide: { content: 'Say the tide.', allowedTools: 'Read' } } }),
  plugin('server', { mcpServers: { tides: { command: 'tides', args: ['--now'] } } }),
  plugin('server without command', { mcpServers: { tides: { args: ['--now'] } } }),
  plugin('server with a list', { mcpServers: { tides: { command: ['tides', '--now'] } } }),
  plugin('remote server', { mcpServers: { tides: { type: 'http', url: 'https://example.com/mcp' } } }),
  plugin('remote server without type', { mcpServers: { tides: { url: 'https://example.com/mcp' } } }),
  plugin('option', { userConfig: { port: { type: 'string', title: 'Port', description: 'The port.' } } }),
  plugin('option without title', { userConfig: { port: { type: 'string', description: 'The port.' } } }),
  plugin('option without description', { userConfig: { port: { type: 'file', title: 'Port' } } }),
  plugin('option of an unknown type', {
    userConfig: { port: { type: 'integer', title: 'Port', description: 'The port.' } },
  }),
  plugin('option with an unknown key', {
    userConfig: { port: { type: 'string', title: 'Port', description: 'The port.', label: 'P' } },
  }),
  plugin('dependency', { dependencies: ['tides', 'tides@quay', { name: 'tides', version: '^1.0.0' }] }),
  plugin('dependency with a space', { dependencies: ['tide table'] }),
  plugin('dependency without name', { dependencies: [{ version: '^1.0.0' }] }),
  plugin('channel', { channels: [{ server: 'tides' }] }),
  plugin('channel without server', { channels: [{ displayName: 'Tides' }] }),
  plugin('author without name', { author: { email: 'ada@example.com' } }),
  plugin('author with an empty name', { author: { name: '' } }),
  plugin('author with a number', { author: { name: 'Ada', url: 12 } }),
  plugin('author with more', { author: { name: 'Ada', email: 'ada', url: 'ada', role: 'pilot' } }),
  plugin('homepage without scheme', { homepage: 'example.com/tides' }),
  plugin('homepage', { homepage: 'https://example.com/tides' }),
  plugin('repository of npm', { repository: { type: 'git', url: 'https://example.com/tides.git' } }),
  plugin('experimental with an unknown key', { experimental: { tides: './tides' } }),
  plugin('experimental themes', { experimental: { themes: 'styles' } }),
];

const unknown: readonly ManifestCase[] = [
  ...[
    'skils',
    'Skills',
    'agent',
    'mcp_servers',
    'MCPServers',
    'hook',
    'comands',
    'keyword',
    'tide',
    'interface',
    'apps',
    'logo',
  ].map((key) => plugin(`key ${key}`, { [key]: './more' })),
  ...['tags', 'category', 'strict', 'source', 'icon', 'id', 'requires'].map((key) =>
    plugin(`key ${key}`, { [key]: 'tide' }),
  ),
  ...['plugin', 'maintainer', 'pluginRoot', 'repository'].map((key) => marketplace(`key ${key}`, { [key]: 'tide' })),
  ...['skils', 'path', 'featured', 'policy', 'id'].map((key) => entry(`key ${key}`, { [key]: 'tide' })),
];

const texts: readonly ManifestCase[] = (
  [
    ['empty', ''],
    ['space', '  \n'],
    ['list', '[]'],
    ['null', 'null'],
    ['number', '12'],
    ['text', '"tides"'],
    ['no keys', '{}'],
    ['trailing comma', '{"name": "tides",}'],
    ['comment', '{\n  // The name.\n  "name": "tides"\n}\n'],
    ['single quotes', "{'name': 'tides'}"],
    ['not closed', '{"name": "tides"'],
    [
      'byte order mark',
      '\uFEFF{"name": "tides", "version": "1.0.0", "description": "Tides.", "author": {"name": "Ada"}}',
    ],
    ['no quotes', '{name: "tides"}'],
    ['duplicate key', '{"name": "tides", "name": "tides"}'],
  ] as const
).flatMap(([id, text]) => [
  { id: `plugin text ${id}`, client: 'claude-code' as const, files: { ...PARTS, [PLUGIN]: text } },
  { id: `marketplace text ${id}`, client: 'claude-code' as const, files: { ...BOATS, [MARKETPLACE]: text } },
  {
    id: `hooks text ${id}`,
    client: 'claude-code' as const,
    files: { ...PARTS, [PLUGIN]: textOf(PLUGIN_FIELDS), [HOOKS]: text },
  },
  extension(`text ${id}`, text),
]);

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

const sources: readonly ManifestCase[] = [
  ...(
    [
      ...[
        './boats',
        './boats/',
        '.',
        './',
        'boats',
        'fleet/boats',
        '',
        '../boats',
        './../boats',
        '/boats',
        'C:\\boats',
      ],
      ...[
        'https://example.com/boats.git',
        'git@example.com:quay/boats.git',
        './missing',
        '.\\boats',
        './boats/../boats',
      ],
    ] as const
  ).map((source) => entry(`source ${JSON.stringify(source)}`, { source })),
  ...(
    [
      { source: 'github', repo: 'quay/boats' },
      { source: 'github', repo: 'quay/boats', ref: 'main', sha: COMMIT },
      { source: 'github', repo: 'quay/boats', sha: COMMIT.slice(0, 8) },
      { source: 'github', repo: 'quay/boats', sha: COMMIT.toUpperCase() },
      { source: 'github', url: 'https://example.com/quay/boats' },
      { source: 'github', repo: 12 },
      { source: 'Github', repo: 'quay/boats' },
      { source: 'gitlab', repo: 'quay/boats' },
      { source: 'url', url: 'https://example.com/boats.git' },
      { source: 'url', repo: 'quay/boats' },
      { source: 'git', url: 'https://example.com/boats.git' },
      { source: 'git-subdir', url: 'https://example.com/fleet.git', path: 'boats' },
      { source: 'git-subdir', url: 'https://example.com/fleet.git' },
      { source: 'npm', package: '@quay/boats' },
      { source: 'npm', package: '@quay/boats', registry: 'registry' },
      { source: 'npm', name: '@quay/boats' },
      { source: 'pypi', package: 'boats' },
      { source: 'archive', url: 'https://example.com/boats.zip' },
      { source: 'archive', url: 'http://example.com/boats.zip' },
      { source: 'local', path: './boats' },
      { repo: 'quay/boats' },
      {},
    ] as readonly Json[]
  ).map((source) => entry(`source ${JSON.stringify(source)}`, { source })),
  entry('bare name and pluginRoot', { source: 'boats' }, {}, { metadata: { pluginRoot: './' } }),
  entry('bare name and pluginRoot outside', { source: 'boats' }, {}, { metadata: { pluginRoot: '../fleet' } }),
  entry('path and pluginRoot', { source: './boats' }, {}, { metadata: { pluginRoot: './fleet' } }),
  entry('two folders and pluginRoot', { source: 'fleet/boats' }, {}, { metadata: { pluginRoot: './' } }),
];

const marketplaces: readonly ManifestCase[] = [
  marketplace('without name', { name: undefined }),
  marketplace('without owner', { owner: undefined }),
  marketplace('without plugins', { plugins: undefined }),
  marketplace('owner without name', { owner: { email: 'ada@example.com' } }),
  marketplace('no plugins', { plugins: [] }),
  marketplace('a name for an entry', { plugins: ['boats'] }),
  marketplace('equal names', { plugins: [ENTRY as Json, { ...ENTRY, description: 'Other boats.' } as Json] }),
  marketplace('names in other case', { plugins: [ENTRY as Json, { ...ENTRY, name: 'Boats' } as Json] }),
  marketplace('unknown metadata', { metadata: { tide: 'high' } }),
  ...['skills-dir', 'builtin', 'synced', 'claude-official', 'quay-of-claude', 'session'].map((name) =>
    marketplace(`reserved ${name}`, { name }),
  ),
  entry('without name', { name: undefined }),
  entry('without source', { source: undefined }),
  entry('with the version of the plugin', { version: '1.4.0' }),
  entry('with another version', { version: '1.5.0' }),
  entry('with another name', { name: 'ships' }),
  entry('strict', { strict: true, skills: ['./skills'] }),
  entry('not strict', { strict: false }),
  entry('with all details', {
    ...{
      version: '1.4.0',
      author: { name: 'Ada' },
      homepage: 'https://example.com',
      license: 'MIT',
      keywords: ['boat'],
    },
    ...{ category: 'harbour', tags: ['boat'] },
  }),
  entry(
    'whose plugin has no name',
    {},
    { 'boats/.claude-plugin/plugin.json': '{"version": "1.4.0", "description": "x", "author": {"name": "Ada"}}' },
  ),
  entry(
    'whose plugin has no valid path',
    {},
    { 'boats/.claude-plugin/plugin.json': textOf({ ...PLUGIN_FIELDS, skills: 'skills' }) },
  ),
  entry(
    'whose plugin has no manifest',
    {},
    { 'boats/.claude-plugin/plugin.json': textOf({ ...PLUGIN_FIELDS, name: 'boats' }) },
  ),
];

const RUN: Json = { type: 'command', command: 'ring-bell' };
const GROUP: Json = { matcher: 'Write', hooks: [RUN] };

const HANDLERS: readonly Json[] = [
  { command: 'ring-bell' },
  { type: 'command' },
  { type: 'shell', command: 'ring-bell' },
  { type: 'command', command: 12 },
  { type: 'command', command: 'ring-bell', timeout: 5 },
  { type: 'command', command: 'ring-bell', timeout: '5' },
  { type: 'command', command: 'ring-bell', timeout: 0 },
  { type: 'command', command: 'ring-bell', tide: 'high' },
  { type: 'command', command: 'ring-bell', async: 'yes' },
  { type: 'command', command: 'ring-bell', args: '--twice' },
  { type: 'command', command: 'ring-bell', shell: 'fish' },
  { type: 'prompt', prompt: 'Is it safe?' },
  { type: 'prompt' },
  { type: 'agent', prompt: 'Look at the tide.' },
  { type: 'http', url: 'https://example.com/bell' },
  { type: 'http' },
  { type: 'http', url: 'bell' },
  { type: 'mcp_tool', server: 'bell', tool: 'ring' },
  { type: 'mcp_tool', server: 'bell' },
  12,
  null,
];

const hooksCases: readonly ManifestCase[] = [
  hooks('right', { hooks: { PostToolUse: [GROUP] } }),
  hooks('with a description', { description: 'Bells.', hooks: { Stop: [{ hooks: [RUN] }] } }),
  hooks('without the outer key', { PostToolUse: [GROUP] }),
  hooks('with an event beside', { hooks: { Stop: [{ hooks: [RUN] }] }, PostToolUse: [GROUP] }),
  hooks('no keys', {}),
  hooks('null', { hooks: null }),
  hooks('a list', { hooks: [] }),
  hooks('no events', { hooks: {} }),
  hooks('a number for the description', { description: 12, hooks: {} }),
  ...['postToolUse', 'AfterTool', 'PreToolUsed', 'OnStart'].map((event) =>
    hooks(`event ${event}`, { hooks: { [event]: [GROUP] } }),
  ),
  hooks('a group', { hooks: { PostToolUse: GROUP } }),
  hooks('a hook for a group', { hooks: { PostToolUse: [RUN] } }),
  hooks('a text for groups', { hooks: { PostToolUse: 'ring-bell' } }),
  hooks('null for groups', { hooks: { PostToolUse: null } }),
  hooks('a number for a group', { hooks: { PostToolUse: [12] } }),
  hooks('a hook for hooks', { hooks: { PostToolUse: [{ matcher: 'Write', hooks: RUN }] } }),
  hooks('no hooks in a group', { hooks: { PostToolUse: [{ matcher: 'Write' }] } }),
  hooks('a list for a matcher', { hooks: { PostToolUse: [{ matcher: ['Write', 'Edit'], hooks: [RUN] }] } }),
  hooks('an unquoted root', {
    hooks: { Stop: [{ hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/bell.sh' }] }] },
  }),
  ...HANDLERS.map((handler) =>
    hooks(`handler ${JSON.stringify(handler)}`, { hooks: { Stop: [{ hooks: [handler] }] } }),
  ),
  hooks('a guard without the outer key', { PreToolUse: [GROUP] }),
  hooks('a guard beside hooks', { hooks: {}, PermissionRequest: [GROUP] }),
  hooks('a guard in a misspelt event', { hooks: { preToolUse: [GROUP] } }),
  ...[GROUP, 'ring-bell', null, [RUN], [{ matcher: ['Write'], hooks: [RUN] }]].map((value) =>
    hooks(`guard ${JSON.stringify(value)}`, { hooks: { PreToolUse: value } }),
  ),
  ...HANDLERS.slice(0, 6).map((handler) =>
    hooks(`guard with ${JSON.stringify(handler)}`, { hooks: { PermissionRequest: [{ hooks: [handler] }] } }),
  ),
  hooks('a guard of commands in skills', { hooks: { PreSkillShellCommand: [GROUP] } }),
  hooks('a wrong guard of commands in skills', { hooks: { PreSkillShellCommand: [RUN] } }),
  plugin('inline guard', { hooks: { PreToolUse: [GROUP] } }),
  plugin('inline guard without a group', { hooks: { PreToolUse: [RUN] } }),
  plugin('inline guard with the outer key', { hooks: { hooks: { PreToolUse: [GROUP] } } }),
  plugin('inline hooks', { hooks: { PostToolUse: [GROUP] } }),
  plugin('inline hooks with the outer key', { hooks: { hooks: { PostToolUse: [GROUP] } } }),
  plugin('inline hooks without a group', { hooks: { PostToolUse: [RUN] } }),
  plugin('inline hooks of an unknown event', { hooks: { AfterTool: [GROUP] } }),
  plugin('inline hooks in a list', { hooks: ['./config/hooks.json', { Stop: [{ hooks: [RUN] }] }] }),
];

/** Layouts of plugins without a fault in a manifest. */
const layouts: readonly ManifestCase[] = [
  plugin('with all details', {
    ...{ $schema: 'https://example.com/plugin.json', displayName: 'Harbour tools', homepage: 'https://example.com' },
    ...{ repository: 'https://example.com/tools', license: 'MIT', keywords: ['harbour'], defaultEnabled: true },
    ...{ metadata: { team: 'quay' }, engines: { 'claude-code': '>=2.0.0' }, network: { hosts: ['example.com'] } },
  }),
  plugin('with all components', {
    ...{
      skills: ['./more'],
      agents: ['./agents/pilot.md'],
      commands: './commands/',
      outputStyles: ['./styles/brief.md'],
    },
    ...{ hooks: './config/hooks.json', mcpServers: './config/servers.json' },
  }),
  {
    id: 'layout of a manifest only',
    client: 'claude-code',
    files: { 'README.md': '# Quay\n', [PLUGIN]: textOf(PLUGIN_FIELDS) },
  },
  {
    id: 'layout of one skill in the root',
    client: 'claude-code',
    files: {
      'README.md': '# Quay\n',
      'SKILL.md': skill('moor-boat'),
      [PLUGIN]: textOf({ ...PLUGIN_FIELDS, skills: ['./'] }),
    },
  },
  {
    id: 'layout of a marketplace with skills',
    client: 'claude-code',
    files: {
      'README.md': '# Quay\n',
      'skills/moor-boat/SKILL.md': skill('moor-boat'),
      'skills/tow-boat/SKILL.md': skill('tow-boat'),
      [MARKETPLACE]: textOf({
        ...MARKETPLACE_FIELDS,
        metadata: { version: '1.0.0', description: 'Skills.' },
        plugins: [
          { name: 'moor', source: './', strict: false, description: 'Moors.', skills: ['./skills/moor-boat'] },
          { name: 'tow', source: './', strict: false, description: 'Tows.', skills: ['./skills/tow-boat'] },
        ],
      }),
    },
  },
  {
    id: 'layout of a marketplace that is a plugin',
    client: 'claude-code',
    files: {
      ...PARTS,
      [PLUGIN]: textOf(PLUGIN_FIELDS),
      [MARKETPLACE]: textOf({ ...MARKETPLACE_FIELDS, plugins: [{ name: 'harbour-tools', source: './' }] }),
    },
  },
  plugin('with instructions', {}, { 'CLAUDE.md': '# Harbour\n' }),
];

const EXTENSION_FIELDS: Fields = { name: 'harbour-tools', version: '1.4.0' };
const of = (id: string, fields: Fields, files: Readonly<Record<string, string>> = {}): ManifestCase =>
  extension(id, textOf({ ...EXTENSION_FIELDS, ...fields }), files);

const extensions: readonly ManifestCase[] = [
  of('right', {}),
  of('without name', { name: undefined }),
  of('without version', { version: undefined }),
  ...['', 'tide table', 'tides_table', 'tides.table', 'Tides', 'flöße', '-tides', 'tides/table', '7'].map((name) =>
    of(`named ${JSON.stringify(name)}`, { name }),
  ),
  ...['', 'one', '1', 'v1.0.0', '1.0.0-beta.1'].map((version) => of(`version ${JSON.stringify(version)}`, { version })),
  of('version number', { version: 12 }),
  of('version null', { version: null }),
  of('context', { contextFileName: 'QUAY.md' }, { 'QUAY.md': '# Quay\n' }),
  of('context in a list', { contextFileName: ['QUAY.md'] }, { 'QUAY.md': '# Quay\n' }),
  of('context missing', { contextFileName: 'QUAY.md' }),
  of('context outside', { contextFileName: '../QUAY.md' }),
  of('context absolute', { contextFileName: '/etc/hosts' }),
  ...['skills', 'skillsDir', 'context', 'tide', 'contextFilename'].map((key) =>
    of(`key ${key}`, { [key]: './skills' }),
  ),
  of('servers', { mcpServers: { tides: { command: 'tides' } } }),
  of('servers list', { mcpServers: [] }),
  of('tools', { excludeTools: ['run_shell_command'] }),
  of('description', { description: 'Tools of a harbour.' }),
  of('settings', { settings: [{ name: 'Port', description: 'The port.', envVar: 'PORT' }] }),
];

/** All cases. An ID names one case. */
export const MANIFEST_CASES: readonly ManifestCase[] = [
  ...types,
  ...typesOfEntries,
  ...typesOfMarketplaces,
  ...names,
  ...paths,
  ...components,
  ...unknown,
  ...texts,
  ...sources,
  ...marketplaces,
  ...hooksCases,
  ...layouts,
  ...extensions,
];
