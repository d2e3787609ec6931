/** The folders of skills that the source of a program names in calls of frameworks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frameworkCalls } from '../../../server/src/features/clients/framework-calls.ts';

const PACKAGES = new Set([
  ...['deepagents', '@google/adk', '@strands-agents/sdk', '@mastra/core', '@openai/agents', 'bash-tool'],
  '@anthropic-ai/claude-agent-sdk',
]);

/** Returns the frameworks with the folders that a source names. */
const named = (source: string, path = 'src/agent.ts'): readonly string[] =>
  frameworkCalls(source, path, PACKAGES).map(({ framework, folder }) => `${framework}:${folder}`);

const ADK = "import { loadAllSkillsInDir } from '@google/adk';\n";

describe('the call of a framework', () => {
  const CALLS: Readonly<Record<string, string>> = {
    [`import { createDeepAgent, FilesystemBackend } from "deepagents";
      const agent = await createDeepAgent({
        backend: new FilesystemBackend({ rootDir: process.cwd(), virtualMode: true }), skills: ["/agent/skills/"] });`]:
      'deepagents:agent/skills',
    [`import { createDeepAgent, FilesystemBackend } from "deepagents";
      const backend = new FilesystemBackend({ rootDir: "data" });
      createDeepAgent({ model, backend, skills: ["./skills"] });`]: 'deepagents:data/skills',
    [`import { createDeepAgent, LocalShellBackend } from "deepagents/node";
      createDeepAgent({ backend: new LocalShellBackend(), skills: ['skills'] });`]: 'deepagents:skills',
    [`${ADK}const skills = await loadAllSkillsInDir('./skills');`]: 'google-adk:skills',
    [`import { AgentSkills } from '@strands-agents/sdk/vended-plugins/skills'
      const plugin = new AgentSkills({ skills: ['./skills/'], strict: true })`]: 'strands:skills',
    [`import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
      export const workspace = new Workspace({
        filesystem: new LocalFilesystem({ basePath: './workspace' }), // the agent's files
        skills: ['skills'],
      });`]: 'mastra:workspace/skills',
    [`import { localDirLazySkillSource } from '@openai/agents/sandbox/local';
      skills({ lazyFrom: localDirLazySkillSource({ src: 'skills', baseDir: import.meta.dirname }) });`]:
      'openai-agents:src/skills',
    [`import { localDirLazySkillSource } from '@openai/agents/sandbox/local';
      skills({ lazyFrom: localDirLazySkillSource('my skills') });`]: 'openai-agents:my skills',
    [`import { experimental_createSkillTool as createSkillTool } from "bash-tool";
      const { skill } = await createSkillTool({ skillsDirectory: "./skills" });`]: 'ai-sdk:skills',
    [`import { query } from '@anthropic-ai/claude-agent-sdk';
      for await (const message of query({ prompt: "Hi", options: { settingSources: ['user', 'project'] } })) {}`]:
      'claude-agent-sdk:.claude/skills',
    [`import { query } from '@anthropic-ai/claude-agent-sdk';
      query({ prompt, options: { cwd: 'agents/one' } });`]: 'claude-agent-sdk:agents/one/.claude/skills',
    [`import { query } from '@anthropic-ai/claude-agent-sdk';
      query({ prompt });`]: 'claude-agent-sdk:.claude/skills',
  };
  for (const [source, expected] of Object.entries(CALLS)) {
    it(`names ${expected}`, () => assert.deepEqual(named(source), [expected]));
  }
});

describe('the folder of a call', () => {
  const FOLDERS: Readonly<Record<string, string>> = {
    "'./a/../skills'": 'skills',
    '`skills`': 'skills',
    "path.join(__dirname, 'skills')": 'src/skills',
    "path.join(__dirname, '..', 'skills')": 'skills',
    "path.resolve(process.cwd(), 'agent', 'skills')": 'agent/skills',
    "join(import.meta.dirname, 'skills')": 'src/skills',
    "fileURLToPath(new URL('./skills', import.meta.url))": 'src/skills',
    "join(here, 'skills')": 'src/skills',
    FOLDER: 'agent/skills',
    "'sk\\u0069lls'": 'skills',
  };
  const HEAD = `${ADK}import path, { join } from 'node:path';
    import { fileURLToPath } from 'node:url';
    const here: string = path.dirname(fileURLToPath(import.meta.url));
    const FOLDER = 'agent/skills'
    export default async () => {}
    `;
  for (const [folder, expected] of Object.entries(FOLDERS)) {
    it(`is ${expected} for ${folder}`, () =>
      assert.deepEqual(named(`${HEAD}loadAllSkillsInDir(${folder});`), [`google-adk:${expected}`]));
  }

  const UNCERTAIN = [
    ...["'/etc/skills'", "'../skills'", "'~/skills'", "'C:\\\\skills'", "'skills/**'", "''", "'.'", '`${root}/skills`'],
    ...[
      'folder',
      'changed',
      'twice',
      "other.join('skills')",
      "join(root, 'skills')",
      "'skills' + name",
      'asked ? a : b',
    ],
    ...[
      "...['skills']",
      'process.env.SKILLS',
      "path.join('a', __dirname)",
      '/skills/',
      'skills()',
      '',
      'FOLDER as string',
    ],
  ];
  for (const folder of UNCERTAIN) {
    it(`is not certain for ${folder}`, () => {
      const declared = "let changed = 'skills';\nconst twice = 'a';\n{ const twice = 'b'; }\n";
      assert.deepEqual(named(`${HEAD}${declared}loadAllSkillsInDir(${folder});`), []);
    });
  }
});

describe('a file without a certain call', () => {
  const SOURCES: Readonly<Record<string, string>> = {
    'a comment': `${ADK}// loadAllSkillsInDir('skills')\n/* loadAllSkillsInDir('skills') */`,
    'a string': `${ADK}log("loadAllSkillsInDir('skills')"); log('it\\'s loadAllSkillsInDir("skills")');`,
    'a template': `${ADK}log(\`loadAllSkillsInDir('skills') \${"}"} loadAllSkillsInDir('skills')\`);`,
    'a regular expression': `${ADK}const r = /loadAllSkillsInDir('skills')/;`,
    'the function of another package':
      "import { loadAllSkillsInDir } from './adk'; // @google/adk\nloadAllSkillsInDir('skills');",
    'a method of the same name': `${ADK}own.loadAllSkillsInDir('skills');`,
    'an import of types': "import type { loadAllSkillsInDir } from '@google/adk';\nloadAllSkillsInDir('skills');",
    'options that a spread may change':
      "import { experimental_createSkillTool as make } from 'bash-tool'; make({ skillsDirectory: 'skills', ...options });",
    'a backend in memory': "import { createDeepAgent } from 'deepagents'; createDeepAgent({ skills: ['/skills/'] });",
    'a real absolute path':
      "import { createDeepAgent, FilesystemBackend } from 'deepagents'; createDeepAgent({ skills: ['/skills/'], backend: new FilesystemBackend({}) });",
    'no settings of the project':
      "import { query } from '@anthropic-ai/claude-agent-sdk'; query({ prompt, options: { settingSources: ['user'] } });",
    'options of a variable': "import { query } from '@anthropic-ai/claude-agent-sdk'; query({ prompt, options });",
    'a list of a variable':
      "import { query } from '@anthropic-ai/claude-agent-sdk'; query({ prompt, options: { settingSources } });",
    'a call that is not closed': `${ADK}loadAllSkillsInDir('skills'`,
    'brackets that do not match': `${ADK}loadAllSkillsInDir('skills'];`,
    'a list for a path': `${ADK}loadAllSkillsInDir(['skills']);`,
  };
  for (const [what, source] of Object.entries(SOURCES)) it(`has ${what}`, () => assert.deepEqual(named(source), []));

  it('is a file of a program without the package', () => {
    assert.deepEqual(frameworkCalls(`${ADK}loadAllSkillsInDir('skills');`, 'a.js', new Set(['deepagents'])), []);
  });
});

describe('a name that is declared again', () => {
  const CALL = 'loadAllSkillsInDir(dir)';
  const HIDDEN = [
    `function f(dir) { ${CALL} }`,
    `function f(dir: string): Promise<void> { ${CALL} }`,
    `async function* f({ a, dir = 'b' } = {}) { ${CALL} }`,
    `const f = (dir) => ${CALL};`,
    `const f = async (a, dir: string): Promise<{ a: string }> => { ${CALL} };`,
    `const f = dir => ${CALL};`,
    `class A { run(dir) { ${CALL} } }`,
    `try {} catch (dir) { ${CALL} }`,
    `{ const [dir] = list; ${CALL} }`,
    `{ const { a: { dir = 'b' } } = o; ${CALL} }`,
    `{ const { dir } = await read(); ${CALL} }`,
    `{ const a = 1, dir = b; ${CALL} }`,
    `{ let a, dir; ${CALL} }`,
    `for (const dir of list) ${CALL}`,
    `function f(loadAllSkillsInDir) { ${CALL} }`,
    `{ const { loadAllSkillsInDir } = other; ${CALL} }`,
    `{ function dir() {} ${CALL} }`,
  ];
  for (const source of HIDDEN)
    it(`is not certain: ${source}`, () => assert.deepEqual(named(`${ADK}const dir = 'a';\n${source}`), []));

  const OTHER = [
    `function f(dir) { return dir; }\n${CALL}`,
    `list.map((dir) => dir.name);\n${CALL}`,
    `const f = dir => dir;\n${CALL}`,
    `function f(other) { ${CALL} }`,
    `if (dir) { ${CALL} }`,
    `const skills = dir ? ${CALL} : [];`,
    `const { dir: other } = options; ${CALL}`,
    `const a = { dir: 'b' }; ${CALL}`,
  ];
  for (const source of OTHER)
    it(`is certain elsewhere: ${source.replace('\n', ' ')}`, () =>
      assert.deepEqual(named(`${ADK}const dir = 'a';\n${source}`), ['google-adk:a']));
});

describe('the imports of a file', () => {
  const IMPORTS = [
    "import * as adk from '@google/adk';\nadk.loadAllSkillsInDir('skills');",
    "import adk, { LlmAgent as A, type Skill } from '@google/adk';\nadk.loadAllSkillsInDir('skills');",
    "const { loadAllSkillsInDir: load } = require('@google/adk');\nload('skills');",
    "const adk = require('@google/adk');\nadk.loadAllSkillsInDir('skills');",
    "const { loadAllSkillsInDir } = await import('@google/adk');\nloadAllSkillsInDir('skills');",
  ];
  for (const source of IMPORTS)
    it(source.split('\n')[0] ?? '', () => assert.deepEqual(named(source), ['google-adk:skills']));

  it('are found after JSX, regular expressions and a first line for the shell', () => {
    const before =
      "#!/usr/bin/env node '\nconst a = <p>Don't stop</p>;\nconst b = x.split(/['\"`]/);\nconst c = d / 2; // '\n";
    assert.deepEqual(named(`${before}${ADK}loadAllSkillsInDir('skills');`), ['google-adk:skills']);
  });

  it('has the place of the call', () => {
    const source = `${ADK}\nconst skills = loadAllSkillsInDir('skills');`;
    const [call] = frameworkCalls(source, 'a.ts', PACKAGES);
    assert.equal(source.slice(call?.start).startsWith('loadAllSkillsInDir('), true);
  });
});

describe('hostile sources', () => {
  const LENGTH = 100_000;
  const PARTS = [
    "'",
    '"',
    '`',
    '/',
    "\\'",
    "'\\",
    '`${',
    '(',
    '[{',
    'a(',
    '/[',
    '/*',
    '${`',
    'const a = a\n',
    "import{'",
    '(a=',
    'a=>',
    '(a)=>{',
    'const{a,',
    'const a=1,',
    '(a):',
    '= /',
  ];
  for (const part of PARTS) {
    it(`are read in linear time: ${JSON.stringify(part)}`, () => {
      const start = performance.now();
      const text = part.repeat(Math.floor(LENGTH / part.length));
      named(`${ADK}${text}`);
      named(`${ADK}loadAllSkillsInDir(${text}`);
      named(`${ADK}loadAllSkillsInDir(${text}${')'.repeat(LENGTH)}`);
      assert.ok(performance.now() - start < 2_000);
    });
  }

  it('has constants that name each other', () => {
    assert.deepEqual(named(`${ADK}const a = b;\nconst b = a;\nloadAllSkillsInDir(a);`), []);
    const calls = `${ADK}import { join } from 'path';\n${'loadAllSkillsInDir(join('.repeat(5_000)}${'))'.repeat(5_000)}`;
    assert.deepEqual(named(calls), []);
  });
});
