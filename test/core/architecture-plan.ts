/** The plan of server/README.md as data: the imports that each folder may have, and the packages with one importer. */
const LANGUAGES = ['languages/yaml', 'languages/markdown', 'languages/minijinja', 'languages/schema'];
const SKILL = ['skill', 'vocabulary', ...LANGUAGES, 'finding', 'nearest', 'format-amounts', 'text'];
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
/** The folders that every host may use. Each imports only earlier folders, and no folder imports a front end. */
const EVERY_HOST = ['hosts/environment', 'hosts/one-after-another', 'hosts/user-error', 'hosts/files'];
const SHARED = [
  'hosts/composing',
  'hosts/packing',
  'hosts/node',
  'hosts/session',
  'hosts/testing',
  'hosts/tools',
  'hosts/reports',
  'hosts/dap',
];

/** The project folders that each folder may import, in addition to itself. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  text: [],
  nearest: [],
  'format-amounts': [],
  finding: ['text'],
  'languages/yaml': ['text', 'nearest'],
  'languages/markdown': ['text', 'nearest'],
  'languages/minijinja': ['text', 'nearest'],
  'languages/schema': ['text', 'nearest', 'format-amounts', 'languages/yaml'],
  vocabulary: [...LANGUAGES, 'nearest', 'format-amounts', 'text', 'snippets/skillmd.json'],
  skill: SKILL,
  // Composing and listing skills use the same function to decide whether a skill may be used.
  permissions: SKILL,
  composer: ['permissions', ...SKILL],
  // The facts that hosts read from folders and links are part of the index.
  workspace: ['abilities', 'agent-skills', 'permissions', ...SKILL],
  // The client matrix depends on a file and its siblings, not on a workspace.
  'agent-skills': SKILL,
  // Abilities are derived only from the files of a folder.
  abilities: SKILL,
  // A ranking depends only on words. The caller passes in the reason why a skill is not available.
  matching: SKILL,
  analysis: ['agent-skills', 'abilities', 'matching', ...WORKSPACE],
  scaffold: ANALYSIS,
  rules: ANALYSIS,
  // The prompt of the planner catalog comes from a project template.
  planner: ['scaffold', ...ANALYSIS],
  audit: ['rules', ...ANALYSIS],
  // The skills that a tool change affects are found at the same locations that rules read.
  tools: ['rules', ...ANALYSIS],
  // The capability rules report what installed skills can do.
  packing: ['rules', 'testing', 'protocol', ...ANALYSIS],
  testing: ['composer', ...SKILL],
  // Import and export of skills: functions that convert text and list what is lost.
  exchange: ['rules', ...ANALYSIS],
  features: ['exchange', 'rules', 'protocol', 'testing', ...ANALYSIS],
  // Checks of a planned write, built on features and templates.
  authoring: ['features', 'planner', 'rules', 'scaffold', ...ANALYSIS],
  // The protocol imports only types, which are erased. Both sides of the protocol describe compositions and
  // unreadable files in the same way.
  protocol: ['languages/yaml', 'analysis', 'composer', 'exchange', 'testing', 'text', 'workspace'],
  'hosts/environment': ['package.json'],
  'hosts/one-after-another': [],
  'hosts/user-error': [],
  'hosts/files': CORE,
  'hosts/composing': [...EVERY_HOST, ...CORE],
  // The script with this folder is loaded only by the composing worker, for the first run.
  'hosts/run': CORE,
  'hosts/packing': [...EVERY_HOST, ...CORE],
  'hosts/session': [...EVERY_HOST, ...CORE],
  // Access to the machine: its disk, its processes, its threads.
  'hosts/node': ['hosts/composing', 'hosts/packing', ...EVERY_HOST, ...CORE],
  'hosts/testing': ['hosts/composing', ...EVERY_HOST, ...CORE],
  'hosts/tools': ['hosts/node', ...EVERY_HOST, ...CORE],
  'hosts/reports': ['hosts/packing', 'hosts/testing', 'hosts/tools', ...EVERY_HOST, ...CORE],
  // Debug sessions, for the command line and for editors.
  'hosts/dap': ['hosts/reports', ...EVERY_HOST, ...CORE],
  // The three front ends, which do not import each other.
  // The schema of the manifest checks the editor's settings.
  'hosts/lsp': ['package.json', ...SHARED, ...EVERY_HOST, ...CORE],
  'hosts/mcp': [...SHARED, ...EVERY_HOST, ...CORE],
  'hosts/cli': [...SHARED, ...EVERY_HOST, ...CORE],
  // The client imports only the type of the manifest, and reads the manifest itself at run time.
  client: ['package.json', 'protocol', 'panels/kit', 'preview messages', 'graph messages', 'import messages'],
  'panels/kit': ['protocol'],
  'preview messages': ['protocol', 'panels/kit'],
  'preview page': ['preview messages', 'panels/kit'],
  'graph messages': ['protocol', 'panels/kit'],
  'graph page': ['graph messages', 'panels/kit'],
  'import messages': ['protocol', 'panels/kit'],
  'import page': ['import messages', 'panels/kit'],
};

/** The only file of a front end that starts another front end. */
export const entryFiles: Readonly<Record<string, string>> = {
  'server/src/hosts/cli/commands/server-commands.ts': 'hosts/mcp',
};

/** The files that may import each package. A folder means all files in it. */
export const onlyImporters: Readonly<Record<string, string>> = {
  yaml: 'server/src/languages/yaml/',
  unified: 'server/src/languages/markdown/remark.ts',
  'remark-parse': 'server/src/languages/markdown/remark.ts',
  'micromark-util-decode-string': 'server/src/languages/markdown/',
  'micromark-util-html-tag-name': 'server/src/languages/markdown/',
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
  '@langchain/langgraph': 'server/src/hosts/run/',
  '@vscode/debugadapter': 'server/src/hosts/dap/adapter.ts',
};

/**
 * The packages of the protocol's data types, which files in `server/src` may import anywhere from `features` to
 * `hosts`.
 */
export const protocolTypes = [
  'vscode-languageserver-types',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
];
