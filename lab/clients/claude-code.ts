/** Claude Code: `claude -p`, with an API key and the address of the model in variables. */
import type { LabClient, Run } from '../client.ts';

const platform = `${process.platform}-${process.arch}`;

/** The client knows the context of each model: 1,000,000 tokens for its default, 200,000 for this one. */
const SMALL = 'claude-sonnet-4-5';

export const QUIET_CLAUDE = {
  ANTHROPIC_API_KEY: 'none',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

export const claudeCode: LabClient = {
  id: 'claude-code',
  name: 'Claude Code',
  package: { name: '@anthropic-ai/claude-code', version: '2.1.332' },
  skills: { project: '.claude/skills', home: '.claude/skills' },
  // The default model, with which the list has room for these.
  context: 1_000_000,
  contexts: [1_000_000, 200_000],
  start: ({ installed, model, context, prompt, isApproved }: Run) => ({
    command: `${installed}/node_modules/@anthropic-ai/claude-code-${platform}/claude`,
    args: [
      '-p',
      prompt,
      ...(context < 1_000_000 ? ['--model', SMALL] : []),
      ...(isApproved ? ['--allowedTools', 'Skill'] : []),
    ],
    env: { ...QUIET_CLAUDE, ANTHROPIC_BASE_URL: model },
  }),
  region: /available for use with the Skill tool:\n\n(?<list>[\s\S]*?)(?:\n<\/system-reminder>|\n\n|$)/,
  entry: /(?<=^|\n)- (?<name>[^\n]+?)(?:: [^\n]*)?(?=\n|$)/g,
  load: ({ name }, args) => ({ tool: 'Skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
