/** Droid: `droid exec`, with a custom model in its settings. */
import type { LabClient } from '../client.ts';
import { writeHome } from '../home.ts';

const program = `@factory/cli-${process.platform}-${process.arch}`;

export const droid: LabClient = {
  id: 'droid',
  name: 'Droid',
  package: { name: program, version: '0.225.2' },
  skills: { project: '.factory/skills', home: '.factory/skills' },
  contexts: [200_000, 1_000_000],
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
  start: ({ installed, prompt, isApproved }) => ({
    command: `${installed}/node_modules/${program}/bin/droid`,
    args: ['exec', '-m', 'custom:lab', ...(isApproved ? ['--auto', 'high'] : []), prompt],
    env: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
  }),
  region: /Available skills \(invoke[^\n]*\n(?<list>[\s\S]*?)\n<\/system-reminder>/,
  entry: /(?<=^|\n)(?<name>[^\n:]+)(?:: [^\n]*)?(?=\n|$)/g,
  load: ({ name }) => ({ tool: 'Skill', input: { skill: name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
