/** The plan of server/README.md as data: which folder may import which, and which packages have one importer. */
const LANGUAGES = ['languages/yaml', 'languages/markdown', 'languages/minijinja', 'languages/schema'];
const SKILL = ['skill', 'vocabulary', ...LANGUAGES, 'finding', 'nearest', 'amounts', 'text'];
const WORKSPACE = ['workspace', 'composer', 'permissions', ...SKILL];
const ANALYSIS = ['analysis', 'agent-skills', 'abilities', 'matching', ...WORKSPACE];
const CORE = [
  'authoring',
  'features',
  'exchange',
  'rules',
  'scaffold',
  'planner',
  'audit',
  'packing',
  'testing',
  'tools',
  'protocol',
  ...ANALYSIS,
];
/** What every host may use. None of these imports a front end, and none of those that stand first imports a later one. */
const EVERY_HOST = ['hosts/environment', 'hosts/user-error', 'hosts/files'];
const SHARED = [
  'hosts/composing',
  'hosts/packing',
  'hosts/node',
  'hosts/session',
  'hosts/testing',
  'hosts/tools',
  'hosts/reports',
];

/** Each folder, and what of ours it may import beside itself. */
export const walls: Readonly<Record<string, readonly string[]>> = {
  text: [],
  nearest: [],
  amounts: [],
  finding: ['text'],
  'languages/yaml': ['text', 'nearest'],
  'languages/markdown': ['text', 'nearest'],
  'languages/minijinja': ['text', 'nearest'],
  'languages/schema': ['text', 'nearest', 'amounts', 'languages/yaml'],
  vocabulary: [...LANGUAGES, 'nearest', 'amounts', 'text', 'snippets/skillmd.json'],
  skill: SKILL,
  // Who composes and who lists skills ask the same function whether one may be used.
  permissions: SKILL,
  composer: ['permissions', ...SKILL],
  // What hosts find out of a folder, and of links, is a fact of the index.
  workspace: ['abilities', 'agent-skills', 'permissions', ...SKILL],
  // What clients make of a file is concluded of that file and its like, not of a workspace.
  'agent-skills': SKILL,
  // What a folder is able to do is read of its texts alone.
  abilities: SKILL,
  // A ranking is made of words; why a skill may not be used is told to it.
  matching: SKILL,
  analysis: ['agent-skills', 'abilities', 'matching', ...WORKSPACE],
  scaffold: ANALYSIS,
  rules: ANALYSIS,
  // The prompt of the planner catalog comes from a template of our own.
  planner: ['scaffold', ...ANALYSIS],
  audit: ['rules', ...ANALYSIS],
  // Whom a change of a tool concerns is read of the same places as rules read.
  tools: ['rules', ...ANALYSIS],
  // The capability rules say what strangers bring.
  packing: ['rules', 'testing', 'protocol', ...ANALYSIS],
  testing: ['composer', ...SKILL],
  // Skills on their way in and out: texts in, texts and what is lost out.
  exchange: ['rules', ...ANALYSIS],
  features: ['exchange', 'rules', 'protocol', 'testing', ...ANALYSIS],
  // What a write would make of a text, from what features and templates can do.
  authoring: ['features', 'planner', 'rules', 'scaffold', ...ANALYSIS],
  // Types alone, which leave nothing behind: what is composed or cannot be read has one description on both sides of the wire.
  protocol: ['languages/yaml', 'composer', 'exchange', 'testing', 'text', 'workspace'],
  'hosts/environment': ['package.json'],
  'hosts/user-error': [],
  'hosts/files': CORE,
  'hosts/composing': [...EVERY_HOST, ...CORE],
  'hosts/packing': [...EVERY_HOST, ...CORE],
  'hosts/session': [...EVERY_HOST, ...CORE],
  // What this machine has: its disk, its processes, its threads.
  'hosts/node': ['hosts/composing', 'hosts/packing', ...EVERY_HOST, ...CORE],
  'hosts/testing': ['hosts/composing', ...EVERY_HOST, ...CORE],
  'hosts/tools': ['hosts/node', ...EVERY_HOST, ...CORE],
  'hosts/reports': ['hosts/packing', 'hosts/tools', ...EVERY_HOST, ...CORE],
  // The three front ends, none of which imports another.
  // The settings of the editor are checked by the schema of the manifest.
  'hosts/lsp': ['package.json', ...SHARED, ...EVERY_HOST, ...CORE],
  'hosts/mcp': [...SHARED, ...EVERY_HOST, ...CORE],
  'hosts/cli': [...SHARED, ...EVERY_HOST, ...CORE],
  // The client imports only the type of the manifest, which it reads at run time.
  client: ['package.json', 'protocol', 'panels/kit', 'preview messages', 'graph messages', 'import messages'],
  'panels/kit': ['protocol'],
  'preview messages': ['protocol', 'panels/kit'],
  'preview page': ['preview messages', 'panels/kit'],
  'graph messages': ['protocol', 'panels/kit'],
  'graph page': ['graph messages', 'panels/kit'],
  'import messages': ['protocol', 'panels/kit'],
  'import page': ['import messages', 'panels/kit'],
};

/** The one file of a front end that starts another one. */
export const entrances: Readonly<Record<string, string>> = {
  'server/src/hosts/cli/commands/mcp-command.ts': 'hosts/mcp',
};

/** Packages that may change under one file alone. A folder counts for all files in it. */
export const onlyImporters: Readonly<Record<string, string>> = {
  yaml: 'server/src/languages/yaml/',
  unified: 'server/src/languages/markdown/remark.ts',
  'remark-parse': 'server/src/languages/markdown/remark.ts',
  ajv: 'server/src/languages/schema/validate/validate.ts',
  'ajv-formats': 'server/src/languages/schema/validate/',
  '@eslint-community/regexpp': 'server/src/languages/schema/',
  'minijinja-js': 'server/src/composer/render',
  'gpt-tokenizer': 'server/src/composer/tokens',
  '@noble/hashes': 'server/src/skill/content-digest.ts',
  nunjucks: 'server/src/scaffold/scaffold.ts',
  diff: 'server/src/hosts/',
  'modern-tar': 'server/src/hosts/packing/tar.ts',
  '@zip.js/zip.js': 'server/src/hosts/packing/zip.ts',
  fflate: 'server/src/hosts/packing/',
  minisearch: 'server/src/matching/search-index.ts',
  '@modelcontextprotocol/client': 'server/src/hosts/tools/',
  'cross-spawn': 'server/src/hosts/tools/process-transport.ts',
  '@dagrejs/dagre': 'client/src/panels/kit/graph/layered.ts',
  vscode: 'client/src/',
  'vscode-languageclient': 'client/src/',
  'vscode-languageserver': 'server/src/hosts/',
  '@modelcontextprotocol/server': 'server/src/hosts/mcp/serve',
  'playwright-core': 'test/',
  '@langchain/langgraph': 'test/',
};

/** Files below `server/src` may import these of the protocol's data types anywhere from `features` down to `hosts`. */
export const protocolTypes = [
  'vscode-languageserver-types',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
];
