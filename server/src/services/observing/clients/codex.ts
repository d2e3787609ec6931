/** Codex: `codex exec`, with a provider in `config.toml`. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Run, Start } from '../observed-client.ts';

/** The client knows the context of each model: 500,000 tokens for its default, and it assumes 272,000 for other names. */
const DEFAULT = { name: 'gpt-6.2-sol', context: 500_000 };

export const startWith = ({ home }: Run, args: readonly string[]): Start => ({
  args,
  env: { CODEX_HOME: `${home}/.codex`, LAB_KEY: 'none' },
});

export const codex: ObservedClient = {
  id: 'codex',
  name: 'Codex',
  program: 'codex',
  npm: '@openai/codex',
  skills: { project: '.agents/skills', home: '.agents/skills' },
  context: 272_000,
  configure({ home, model, workspace, context }) {
    writeHome(
      home,
      '.codex/config.toml',
      `model = "${context === DEFAULT.context ? DEFAULT.name : 'lab'}"
model_provider = "lab"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "read-only"
[model_providers.lab]
name = "lab"
base_url = "${model}/v1"
env_key = "LAB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[otel]
exporter = "none"
[projects."${workspace}"]
trust_level = "trusted"
`,
    );
  },
  start: (run) => startWith(run, ['exec', '--skip-git-repo-check', run.prompt]),
  region: /### Available skills\n(?<list>[\s\S]*?)(?:\n###|\n<\/skills_instructions>|$)/,
  entry: /(?<=^|\n)- (?<name>[^\n]*?): [^\n]*/g,
  invoke: ({ name }, args) => `$${name} ${args}`,
};
