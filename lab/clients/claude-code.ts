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

const program = (installed: string): string => `${installed}/node_modules/@anthropic-ai/claude-code-${platform}/claude`;

const variables = ({ model }: Run) => ({ ...QUIET_CLAUDE, ANTHROPIC_BASE_URL: model });

export const claudeCode: LabClient = {
  id: 'claude-code',
  name: 'Claude Code',
  package: { name: '@anthropic-ai/claude-code', version: '2.1.332' },
  skills: { project: '.claude/skills', home: '.claude/skills' },
  // The default model, with which the list has room for these.
  context: 1_000_000,
  contexts: [1_000_000, 200_000],
  start: (run) => ({
    command: program(run.installed),
    args: [
      '-p',
      run.prompt,
      ...(run.context < 1_000_000 ? ['--model', SMALL] : []),
      ...(run.isApproved ? ['--allowedTools', 'Skill'] : []),
    ],
    env: variables(run),
  }),
  diagnose: {
    name: 'claude -p --debug-file FILE PROMPT',
    start: (run) => ({
      command: program(run.installed),
      args: ['-p', '--debug-file', `${run.home}/debug.txt`, run.prompt],
      env: variables(run),
    }),
    logs: /^debug\.txt$/,
  },
  region: /available for use with the Skill tool:\n\n(?<list>[\s\S]*?)(?:\n<\/system-reminder>|\n\n|$)/,
  // Entries of its own skills may have several lines.
  entry: /(?<=^|\n)- (?<name>[^\n]+?)(?:: [\s\S]*?)?(?=\n- |$)/g,
  load: ({ name }, args) => ({ tool: 'Skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
