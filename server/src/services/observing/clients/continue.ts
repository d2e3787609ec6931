/** Continue CLI: `cn -p`, with a model in `config.yaml`. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Run, Start } from '../observed-client.ts';

export const startWith = ({ home }: Run, args: readonly string[]): Start => ({
  args: ['--config', `${home}/.continue/config.yaml`, ...args],
  env: {
    CONTINUE_TELEMETRY_ENABLED: '0',
    CONTINUE_METRICS_ENABLED: '0',
    CONTINUE_ALLOW_ANONYMOUS_TELEMETRY: '0',
  },
});

export const continueCli: ObservedClient = {
  id: 'continue-cli',
  name: 'Continue CLI',
  program: 'cn',
  npm: '@continuedev/cli',
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
  start: (run) => startWith(run, [...(run.isApproved ? ['--auto'] : []), '-p', run.prompt]),
  entry: /\nname: (?<name>.*)\ndescription: [\s\S]*?\n(?=,\nname: |$)/g,
  load: ({ name }) => ({ tool: 'Skills', input: { skill_name: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
