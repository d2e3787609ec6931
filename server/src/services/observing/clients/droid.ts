/** Droid: `droid exec`, with a custom model in its settings. */

import { writeHome } from '../home.ts';
import type { ObservedClient } from '../observed-client.ts';

export const droid: ObservedClient = {
  id: 'droid',
  name: 'Droid',
  program: 'droid',
  npm: '@factory/cli',
  contacts: ['api.factory.ai', 'telemetry.factory.ai', 'a host of run.app'],
  skills: { project: '.factory/skills', home: '.factory/skills' },
  configure({ home, model, context }) {
    const lab = {
      model: 'lab',
      id: 'custom:lab',
      displayName: 'lab',
      baseUrl: `${model}/v1`,
      apiKey: 'none',
      provider: 'generic-chat-completion-api',
      maxContextLimit: context,
      maxOutputTokens: 4_096,
    };
    writeHome(home, '.factory/settings.json', { customModels: [lab], cloudSessionSync: false });
  },
  start: ({ prompt, isApproved }) => ({
    args: ['exec', '-m', 'custom:lab', ...(isApproved ? ['--auto', 'high'] : []), prompt],
    env: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
  }),
  region: /Available skills \(invoke[^\n]*\n(?<list>[\s\S]*?)\n<\/system-reminder>/,
  entry: /(?<=^|\n)(?<name>[^\n:]+)(?:: [^\n]*)?(?=\n|$)/g,
  load: ({ name }) => ({ tool: 'Skill', input: { skill: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
