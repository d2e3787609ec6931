/** Gemini CLI: `gemini -p`, with an API key and the address of the model in variables. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Run, Start } from '../observed-client.ts';

export const startWith = ({ model }: Run, args: readonly string[]): Start => ({
  args: ['-m', 'gemini-2.5-pro', ...args],
  env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model },
});

export const geminiCli: ObservedClient = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  program: 'gemini',
  npm: '@google/gemini-cli',
  skills: { project: '.gemini/skills', home: '.gemini/skills' },
  configure({ home }) {
    writeHome(home, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      ui: { hideTips: true },
    });
  },
  start: (run) => startWith(run, [...(run.isApproved ? ['-y'] : ['--skip-trust']), '-p', run.prompt]),
  entry: / {2}<skill>\n {4}<name>(?<name>.*)<\/name>\n[\s\S]*?\n {2}<\/skill>/g,
  load: ({ name }) => ({ tool: 'activate_skill', input: { name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
