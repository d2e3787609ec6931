/** Qwen Code: `qwen -p`, with an OpenAI key and the address of the model in variables. */
import type { LabClient } from '../client.ts';
import { writeHome } from '../home.ts';

export const qwenCode: LabClient = {
  id: 'qwen-code',
  name: 'Qwen Code',
  package: { name: '@qwen-code/qwen-code', version: '0.24.4' },
  skills: { project: '.qwen/skills', home: '.qwen/skills' },
  // Its own skills take most of a list of 8,000 characters; in a longer one each entry is shortened.
  batch: 6,
  configure({ home }) {
    writeHome(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  start: ({ model, prompt, isApproved }) => ({
    command: 'qwen',
    args: [...(isApproved ? ['-y'] : []), '-p', prompt],
    env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'lab' },
  }),
  entry: /<skill>\n<name>\n(?<name>.*)\n<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }, args) => ({ tool: 'skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
