/** GitHub Copilot CLI: `copilot -p`, offline, with a provider in variables (`copilot help environment`). */
import type { ObservedClient, Run, Start } from '../observed-client.ts';

export const startWith = ({ home, model }: Run, args: readonly string[]): Start => ({
  args: [...args, '--no-color', '--log-dir', `${home}/logs`],
  env: {
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'lab',
  },
});

export const copilotCli: ObservedClient = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  program: 'copilot',
  npm: '@github/copilot',
  skills: { project: '.github/skills', home: '.copilot/skills' },
  start: (run) => startWith(run, ['-p', run.prompt, ...(run.isApproved ? ['--allow-all-tools'] : [])]),
  entry: /<skill>\n {2}<name>(?<name>.*)<\/name>[\s\S]*?\n<\/skill>/g,
  load: ({ name }) => ({ tool: 'skill', input: { skill: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
