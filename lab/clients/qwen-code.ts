/** Qwen Code: `qwen -p`, with an OpenAI key and the address of the model in variables. */
import type { LabClient, Run, Start } from '../client.ts';
import { writeHome } from '../home.ts';

const startWith = ({ model }: Run, args: readonly string[]): Start => ({
  command: 'qwen',
  args,
  env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'lab' },
});

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
  start: (run) => startWith(run, [...(run.isApproved ? ['-y'] : []), '-p', run.prompt]),
  terminal: {
    start: (run) => startWith(run, []),
    ready: /Type your message/,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'qwen -d -p PROMPT',
    start: (run) => startWith(run, ['-d', '-p', run.prompt]),
    logs: /(?:^|\/)debug\/[^/]*\.txt$/,
  },
  entry: /<skill>\n<name>\n(?<name>.*)\n<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }, args) => ({ tool: 'skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
