/** Frameworks: each runs a small program, which names `.agents/skills` of the workspace. */
import { QUIET_CLAUDE } from '../../server/src/services/observing/clients/claude-code.ts';
import { type LabClient, type LabRun, NODE, type Package } from '../client.ts';

const AI_SDK: Package = { name: '@ai-sdk/openai-compatible', version: '3.0.92' };

const skills = { project: '.agents/skills', home: '.agents/skills' };

const startWith =
  (env: Readonly<Record<string, string>> = {}): LabClient['start'] =>
  ({ installed, start, model, prompt, isApproved }: LabRun) => ({
    args: [`${installed}/lab.mjs`, start, model, prompt, String(isApproved)],
    env,
  });

/** The form that several frameworks share: one element per skill, with or without indentation. */
const ELEMENT = /<skill>\n\s*<name>(?<name>.*)<\/name>[\s\S]*?\n\s*<\/skill>/g;

export const deepagents: LabClient = {
  id: 'deepagents',
  name: 'LangChain deepagents',
  package: { name: 'deepagents', version: '1.14.1' },
  with: [{ name: '@langchain/openai', version: '1.6.0' }, { name: '@langchain/core', version: '1.4.0' }, NODE],
  program: 'node',
  script: 'deepagents.mjs',
  skills,
  start: startWith({ LANGSMITH_TRACING: 'false' }),
  entry: /(?<=^|\n)- \*\*(?<name>.*?)\*\*: [\s\S]*?\n {2}→ Read .*/g,
  load: ({ path, workspace }) => ({
    tool: 'read_file',
    input: { file_path: path.slice(workspace.length), limit: 1_000 },
  }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};

export const googleAdk: LabClient = {
  id: 'google-adk',
  name: 'Google ADK',
  package: { name: '@google/adk', version: '2.0.0' },
  with: [NODE],
  program: 'node',
  script: 'google-adk.mjs',
  skills,
  start: startWith({ GEMINI_API_KEY: 'none', GOOGLE_API_KEY: 'none', OTEL_SDK_DISABLED: 'true' }),
  // The list is only in the result of this tool.
  listWith: { tool: 'list_skills', input: {} },
  entry: /<skill>\s*<name>\s*(?<name>.*?)\s*<\/name>[\s\S]*?<\/skill>/g,
  load: ({ name }) => ({ tool: 'load_skill', input: { name } }),
};

export const strands: LabClient = {
  id: 'strands',
  name: 'Strands Agents',
  package: { name: '@strands-agents/sdk', version: '1.19.0' },
  with: [{ name: 'openai', version: '6.45.0' }, NODE],
  program: 'node',
  script: 'strands.mjs',
  skills,
  start: startWith({ OTEL_SDK_DISABLED: 'true' }),
  entry: ELEMENT,
  load: ({ name }) => ({ tool: 'skills', input: { skill_name: name } }),
};

export const mastra: LabClient = {
  id: 'mastra',
  name: 'Mastra',
  package: { name: '@mastra/core', version: '1.71.0' },
  with: [AI_SDK, NODE],
  program: 'node',
  script: 'mastra.mjs',
  skills,
  start: startWith({ MASTRA_TELEMETRY_DISABLED: '1' }),
  entry: ELEMENT,
  load: ({ name }) => ({ tool: 'skill', input: { name } }),
};

export const openaiAgents: LabClient = {
  id: 'openai-agents',
  name: 'OpenAI Agents SDK',
  package: { name: '@openai/agents', version: '0.20.0' },
  with: [{ name: 'zod', version: '4.6.7' }, NODE],
  program: 'node',
  script: 'openai-agents.mjs',
  skills,
  start: startWith({ OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }),
  region: /### Available skills\n(?<list>[\s\S]*?)\n\n###/,
  entry: /(?<=^|\n)- (?<name>.*?): [\s\S]*?\(file: .*\)/g,
  load: ({ name }) => ({ tool: 'load_skill', input: { skill_name: name } }),
};

export const aiSdk: LabClient = {
  id: 'ai-sdk',
  name: 'AI SDK with bash-tool',
  package: { name: 'bash-tool', version: '1.3.19' },
  with: [{ name: 'ai', version: '7.0.173' }, AI_SDK, { name: 'zod', version: '4.6.7' }, NODE],
  program: 'node',
  script: 'ai-sdk.mjs',
  skills,
  start: startWith(),
  entry: /(?<=\n) {2}- skill\("(?<name>.*?)"\): [\s\S]*?(?=\n {2}- skill\(|\n\nAfter loading a skill|$)/g,
  load: ({ name }) => ({ tool: 'skill', input: { skillName: name } }),
};

export const claudeAgentSdk: LabClient = {
  id: 'claude-agent-sdk',
  name: 'Claude Agent SDK',
  package: { name: '@anthropic-ai/claude-agent-sdk', version: '0.3.332' },
  program: 'node',
  script: 'claude-agent-sdk.mjs',
  skills: { project: '.claude/skills', home: '.claude/skills' },
  context: 1_000_000,
  start: startWith(QUIET_CLAUDE),
  region: /available for use with the Skill tool:\n\n(?<list>[\s\S]*?)(?:\n<\/system-reminder>|\n\n|$)/,
  entry: /(?<=^|\n)- (?<name>[^\n]+?)(?:: [^\n]*)?(?=\n|$)/g,
  load: ({ name }, args) => ({ tool: 'Skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
