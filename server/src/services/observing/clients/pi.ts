/** Pi: `pi -p`, with a provider in `models.json`. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Start } from '../observed-client.ts';

export const startWith = (args: readonly string[]): Start => ({
  args: ['--offline', '--no-session', '--model', 'lab/lab', ...args],
  env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
});

export const pi: ObservedClient = {
  id: 'pi',
  name: 'Pi',
  program: 'pi',
  npm: '@earendil-works/pi-coding-agent',
  skills: { project: '.pi/skills', home: '.pi/agent/skills' },
  configure({ home, model, context }) {
    const models = [{ id: 'lab', contextWindow: context }];
    const provider = { baseUrl: `${model}/v1`, api: 'openai-completions', apiKey: 'none', models };
    writeHome(home, '.pi/agent/models.json', { providers: { lab: provider } });
  },
  start: ({ prompt, isApproved }) => startWith([...(isApproved ? ['--approve'] : []), '-p', prompt]),
  entry: /<skill>\s*<name>(?<name>[^<]*)<\/name>[\s\S]*?<\/skill>/g,
  load: ({ path }) => ({ tool: 'read', input: { path } }),
  invoke: ({ name }, args) => `/skill:${name} ${args}`,
};
