/** The plan of server/README.md as data: the imports that each folder may have, and the packages with one importer. */
const LANGUAGES = [
  ...['languages/yaml', 'languages/markdown', 'languages/minijinja', 'languages/schema'],
  'languages/javascript',
];
const SKILL = [
  'skill',
  'clients/pipeline',
  'clients/facts',
  'vocabulary',
  ...LANGUAGES,
  'finding',
  'nearest',
  'format-amounts',
  'text',
];
const WORKSPACE = ['workspace', 'skill-folder', 'composer', 'permissions', ...SKILL];
const ANALYSIS = [
  'analysis',
  'clients/agents',
  'clients/matrix',
  'clients/tools',
  'abilities',
  'matching',
  ...WORKSPACE,
];
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
/** What front ends share. None imports a front end. */
const SERVICES = [
  'services/one-after-another',
  'services/checking',
  'services/composing',
  'services/packing',
  'services/session',
  'services/testing',
  'services/tools',
  'services/debugging',
  'services/observing',
];
/** What a front end may import, in addition to its own folder. */
const FRONT_END = [...SERVICES, 'reports', 'io', ...CORE];

/** The project folders that each folder may import, in addition to itself. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  text: [],
  nearest: [],
  'format-amounts': [],
  finding: ['text'],
  'languages/yaml': ['text', 'nearest'],
  'languages/markdown': ['text', 'nearest'],
  'languages/minijinja': ['text', 'nearest'],
  'languages/javascript': [],
  'languages/schema': ['text', 'nearest', 'format-amounts', 'languages/yaml'],
  // How clients read a file depends only on its text.
  'clients/pipeline': ['languages/yaml', 'text'],
  'clients/facts': ['nearest', 'format-amounts'],
  vocabulary: ['clients/facts', ...LANGUAGES, 'nearest', 'format-amounts', 'text', 'snippets/skillmd.json'],
  skill: SKILL,
  // Composing and listing skills use the same function to decide whether a skill may be used.
  permissions: SKILL,
  composer: ['permissions', ...SKILL],
  // The files beside a `SKILL.md`: links, scripts, manifests of plugins.
  'skill-folder': ['abilities', ...SKILL],
  // The facts that are read from folders and links are part of the index.
  workspace: [
    'abilities',
    'clients/agents',
    'clients/matrix',
    'clients/tools',
    'permissions',
    'skill-folder',
    ...SKILL,
  ],
  // The client matrix depends on a file and its siblings, not on a workspace.
  'clients/matrix': SKILL,
  // How clients read an agent depends only on its file.
  'clients/agents': ['clients/matrix', ...SKILL],
  // How clients read a tool depends only on its definition.
  'clients/tools': ['clients/facts', 'languages/schema', 'languages/yaml', 'nearest'],
  // Abilities are derived only from the files of a folder.
  abilities: SKILL,
  // A ranking depends only on words. The caller passes in the reason why a skill is not available.
  matching: SKILL,
  analysis: ['clients/agents', 'clients/matrix', 'clients/tools', 'abilities', 'matching', ...WORKSPACE],
  scaffold: ANALYSIS,
  rules: ANALYSIS,
  // The prompt of the planner catalog comes from a project template.
  planner: ['scaffold', ...ANALYSIS],
  audit: ANALYSIS,
  tools: ANALYSIS,
  // The capability rules report what installed skills can do.
  packing: ['rules', 'testing', 'protocol', ...ANALYSIS],
  testing: ['composer', ...SKILL],
  // Import and export of skills: functions that convert text and list what is lost.
  exchange: ['rules', ...ANALYSIS],
  features: ['exchange', 'rules', 'protocol', 'testing', ...ANALYSIS],
  // Checks of a planned write, built on features and templates.
  authoring: ['features', 'planner', 'scaffold', ...ANALYSIS],
  // The protocol imports only types, which are erased. Both sides of the protocol describe compositions and
  // unreadable files in the same way.
  protocol: ['languages/yaml', 'analysis', 'composer', 'exchange', 'testing', 'text', 'workspace'],
  // Results as text and JSON.
  reports: CORE,
  // The machine: files, git, processes, archives.
  io: ['package.json', ...CORE],
  // A run of `check`: the baseline and the comparison with a commit.
  'services/checking': ['reports', 'io', ...CORE],
  'services/composing': ['io', ...CORE],
  // The script with this folder is loaded only by the composing worker, for the first run.
  'services/run': CORE,
  'services/one-after-another': [],
  'services/packing': ['io', ...CORE],
  'services/session': ['io', ...CORE],
  'services/testing': ['services/composing', 'io', ...CORE],
  'services/tools': ['io', ...CORE],
  // Debug sessions, for the command line and for editors.
  'services/debugging': ['services/one-after-another', 'reports', 'io', ...CORE],
  // Runs of installed clients. The lab uses it, too.
  'services/observing': ['io', ...CORE],
  // The script that contains the front ends.
  'frontends/core': ['io', 'frontends/lsp'],
  // The front ends, which do not import each other. The schema of the manifest checks the editor's settings.
  'frontends/lsp': ['package.json', ...FRONT_END],
  'frontends/mcp': FRONT_END,
  'frontends/dap': FRONT_END,
  'frontends/cli': FRONT_END,
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

/** The only file of a front end that starts other front ends. */
export const entryFiles: Readonly<Record<string, readonly string[]>> = {
  'server/src/frontends/cli/commands/server-commands.ts': ['frontends/dap', 'frontends/lsp', 'frontends/mcp'],
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
  diff: 'server/src/',
  'modern-tar': 'server/src/io/archives/tar.ts',
  '@zip.js/zip.js': 'server/src/io/archives/zip.ts',
  fflate: 'server/src/io/archives/',
  minisearch: 'server/src/matching/search-index.ts',
  '@modelcontextprotocol/client': 'server/src/services/tools/',
  'cross-spawn': 'server/src/services/tools/process-transport.ts',
  '@dagrejs/dagre': 'client/src/panels/kit/graph/layered.ts',
  vscode: 'client/src/',
  'vscode-languageclient': 'client/src/',
  'vscode-languageserver': 'server/src/frontends/lsp/',
  '@modelcontextprotocol/server': 'server/src/frontends/mcp/serve',
  'playwright-core': 'test/',
  '@langchain/langgraph': 'server/src/services/run/',
  '@vscode/debugadapter': 'server/src/services/debugging/adapter.ts',
};

/**
 * The packages of the protocol's data types, which files in `server/src` may import anywhere from `features` to
 * the front ends.
 */
export const protocolTypes = [
  'vscode-languageserver-types',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
];
