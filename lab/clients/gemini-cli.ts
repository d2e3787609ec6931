/** Gemini CLI: `gemini -p`, with an API key and the address of the model in variables. */
import type { LabClient, Run, Start } from '../client.ts';
import { writeHome } from '../home.ts';

const startWith = ({ model }: Run, args: readonly string[]): Start => ({
  command: 'gemini',
  args: ['-m', 'gemini-2.5-pro', ...args],
  env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model },
});

export const geminiCli: LabClient = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  package: { name: '@google/gemini-cli', version: '0.61.0' },
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
  terminal: {
    start: (run) => startWith(run, []),
    ready: /Type your message/,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'gemini skills list --all',
    start: (run) => ({ ...startWith(run, []), args: ['skills', 'list', '--all'] }),
  },
  entry: / {2}<skill>\n {4}<name>(?<name>.*)<\/name>\n[\s\S]*?\n {2}<\/skill>/g,
  load: ({ name }) => ({ tool: 'activate_skill', input: { name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
