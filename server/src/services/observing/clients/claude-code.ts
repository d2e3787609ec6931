/** Claude Code: `claude -p`, with an API key and the address of the model in variables. */
import type { ObservedClient, Run } from '../observed-client.ts';

/** The client knows the context of each model: 1,000,000 tokens for its default, 200,000 for this one. */
const SMALL = 'claude-sonnet-4-5';

export const QUIET_CLAUDE = {
  ANTHROPIC_API_KEY: 'none',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

export const variables = ({ model }: Run) => ({ ...QUIET_CLAUDE, ANTHROPIC_BASE_URL: model });

export const claudeCode: ObservedClient = {
  id: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  npm: '@anthropic-ai/claude-code',
  skills: { project: '.claude/skills', home: '.claude/skills' },
  // The default model, with which the list has room for these.
  context: 1_000_000,
  start: (run) => ({
    args: [
      '-p',
      run.prompt,
      ...(run.context < 1_000_000 ? ['--model', SMALL] : []),
      ...(run.isApproved ? ['--allowedTools', 'Skill'] : []),
    ],
    env: variables(run),
  }),
  region: /available for use with the Skill tool:\n\n(?<list>[\s\S]*?)(?:\n<\/system-reminder>|\n\n|$)/,
  // Entries of its own skills may have several lines.
  entry: /(?<=^|\n)- (?<name>[^\n]+?)(?:: [\s\S]*?)?(?=\n- |$)/g,
  load: ({ name }, args) => ({ tool: 'Skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
