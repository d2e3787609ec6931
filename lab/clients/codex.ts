/** Codex: `codex exec`, with a provider in `config.toml`. */
import type { LabClient } from '../client.ts';
import { writeHome } from '../home.ts';

export const codex: LabClient = {
  id: 'codex',
  name: 'Codex',
  package: { name: '@openai/codex', version: '0.171.0' },
  skills: { project: '.agents/skills', home: '.agents/skills' },
  configure({ home, model, workspace }) {
    writeHome(
      home,
      '.codex/config.toml',
      `model = "lab"
model_provider = "lab"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"
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
  start: ({ home, installed, prompt }) => ({
    command: process.execPath,
    args: [`${installed}/node_modules/@openai/codex/bin/codex.js`, 'exec', '--skip-git-repo-check', prompt],
    env: { CODEX_HOME: `${home}/.codex`, LAB_KEY: 'none' },
  }),
  region: /### Available skills\n(?<list>[\s\S]*?)(?:\n###|\n<\/skills_instructions>|$)/,
  entry: /(?<=^|\n)- (?<name>[^\n]*?): [^\n]*/g,
  invoke: ({ name }, args) => `$${name} ${args}`,
};
