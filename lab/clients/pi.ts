/** Pi: `pi -p`, with a provider in `models.json`. */
import { type LabClient, NODE } from '../client.ts';
import { writeHome } from '../home.ts';

export const pi: LabClient = {
  id: 'pi',
  name: 'Pi',
  package: { name: '@earendil-works/pi-coding-agent', version: '1.6.0' },
  with: [NODE],
  skills: { project: '.pi/skills', home: '.pi/agent/skills' },
  configure({ home, model, context }) {
    const models = [{ id: 'lab', contextWindow: context }];
    const provider = { baseUrl: `${model}/v1`, api: 'openai-completions', apiKey: 'none', models };
    writeHome(home, '.pi/agent/models.json', { providers: { lab: provider } });
  },
  start: ({ prompt, isApproved }) => ({
    command: 'pi',
    args: ['--offline', ...(isApproved ? ['--approve'] : []), '--no-session', '--model', 'lab/lab', '-p', prompt],
    env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
  }),
  entry: /<skill>\s*<name>(?<name>[^<]*)<\/name>[\s\S]*?<\/skill>/g,
  load: ({ path }) => ({ tool: 'read', input: { path } }),
  invoke: ({ name }, args) => `/skill:${name} ${args}`,
};
