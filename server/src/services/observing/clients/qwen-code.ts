/** Qwen Code: `qwen -p`, with an OpenAI key and the address of the model in variables. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Run, Start } from '../observed-client.ts';

export const startWith = ({ model }: Run, args: readonly string[]): Start => ({
  args,
  env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'lab' },
});

export const qwenCode: ObservedClient = {
  id: 'qwen-code',
  name: 'Qwen Code',
  program: 'qwen',
  npm: '@qwen-code/qwen-code',
  skills: { project: '.qwen/skills', home: '.qwen/skills' },
  configure({ home }) {
    writeHome(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  start: (run) => startWith(run, [...(run.isApproved ? ['-y'] : []), '-p', run.prompt]),
  entry: /<skill>\n<name>\n(?<name>.*)\n<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }, args) => ({ tool: 'skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
