/** Continue CLI: `cn -p`, with a model in `config.yaml`. */
import type { LabClient } from '../client.ts';
import { writeHome } from '../home.ts';

export const continueCli: LabClient = {
  id: 'continue-cli',
  facts: 'continue',
  name: 'Continue CLI',
  package: { name: '@continuedev/cli', version: '1.5.47' },
  skills: { project: '.continue/skills', home: '.continue/skills' },
  configure({ home, model }) {
    writeHome(
      home,
      '.continue/config.yaml',
      `name: lab
version: 1.0.0
schema: v1
models:
  - name: lab
    provider: openai
    model: lab
    apiKey: none
    apiBase: ${model}/v1
    roles: [chat]
    capabilities: [tool_use]
`,
    );
  },
  start: ({ home, prompt, isApproved }) => ({
    command: 'cn',
    args: ['--config', `${home}/.continue/config.yaml`, ...(isApproved ? ['--auto'] : []), '-p', prompt],
    env: {
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_METRICS_ENABLED: '0',
      CONTINUE_ALLOW_ANONYMOUS_TELEMETRY: '0',
    },
  }),
  entry: /\nname: (?<name>.*)\ndescription: [\s\S]*?\n(?=,\nname: |$)/g,
  load: ({ name }) => ({ tool: 'Skills', input: { skill_name: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
