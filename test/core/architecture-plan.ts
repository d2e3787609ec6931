/** The plan of server/README.md as data: which folder may import which, and which packages have one importer. */
const LANGUAGES = ['languages/yaml', 'languages/markdown', 'languages/minijinja', 'languages/schema'];
const SKILL = ['skill', 'vocabulary', ...LANGUAGES, 'finding', 'nearest', 'amounts', 'text'];
const WORKSPACE = ['workspace', 'composer', 'permissions', ...SKILL];
const ANALYSIS = ['analysis', 'agent-skills', 'abilities', 'matching', ...WORKSPACE];

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
  protocol: ['composer', 'exchange', 'testing', 'text', 'workspace'],
  hosts: [
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
    'package.json',
  ],
  client: ['protocol', 'panels/kit', 'preview messages', 'graph messages', 'import messages'],
  'panels/kit': ['protocol'],
  'preview messages': ['protocol', 'panels/kit'],
  'preview page': ['preview messages', 'panels/kit'],
  'graph messages': ['protocol', 'panels/kit'],
  'graph page': ['graph messages', 'panels/kit'],
  'import messages': ['protocol', 'panels/kit'],
  'import page': ['import messages', 'panels/kit'],
};

/** Packages that may change under one file alone. A folder counts for all files in it. */
export const onlyImporters: Readonly<Record<string, string>> = {
  yaml: 'server/src/languages/yaml/',
  unified: 'server/src/languages/markdown/remark.ts',
  'remark-parse': 'server/src/languages/markdown/remark.ts',
  ajv: 'server/src/languages/schema/validate/ajv.ts',
  'ajv-formats': 'server/src/languages/schema/validate/ajv.ts',
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
