/** GitHub Copilot CLI: `copilot -p`, offline, with a provider in variables (`copilot help environment`). */
import type { LabClient, Run, Start } from '../client.ts';

const startWith = ({ home, model, installed }: Run, args: readonly string[]): Start => ({
  command: process.execPath,
  args: [`${installed}/node_modules/@github/copilot/npm-loader.js`, ...args, '--no-color', '--log-dir', `${home}/logs`],
  env: {
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'lab',
  },
});

export const copilotCli: LabClient = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  package: { name: '@github/copilot', version: '1.0.102' },
  hasInstallScripts: true,
  skills: { project: '.github/skills', home: '.copilot/skills' },
  contexts: [200_000, 1_000_000],
  start: (run) => startWith(run, ['-p', run.prompt, ...(run.isApproved ? ['--allow-all-tools'] : [])]),
  terminal: {
    start: (run) => startWith(run, []),
    ready: /\/ commands|\? help|Type @/i,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'copilot skill list',
    start: (run) => ({ ...startWith(run, []), args: [...startWith(run, []).args.slice(0, 1), 'skill', 'list'] }),
  },
  entry: /<skill>\n {2}<name>(?<name>.*)<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }) => ({ tool: 'skill', input: { skill: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
