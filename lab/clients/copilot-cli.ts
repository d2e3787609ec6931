/** GitHub Copilot CLI: `copilot -p`, offline, with a provider in variables (`copilot help environment`). */
import type { LabClient } from '../client.ts';

export const copilotCli: LabClient = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  package: { name: '@github/copilot', version: '1.0.102' },
  hasInstallScripts: true,
  skills: { project: '.github/skills', home: '.copilot/skills' },
  contexts: [200_000, 1_000_000],
  start: ({ home, model, prompt, isApproved, installed }) => ({
    command: process.execPath,
    args: [
      `${installed}/node_modules/@github/copilot/npm-loader.js`,
      '-p',
      prompt,
      '--no-color',
      '--log-dir',
      `${home}/logs`,
      ...(isApproved ? ['--allow-all-tools'] : []),
    ],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'lab',
    },
  }),
  entry: /<skill>\n {2}<name>(?<name>.*)<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }) => ({ tool: 'skill', input: { skill: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
