/** OpenClaw: `openclaw agent --local`, with a provider in `openclaw.json`. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Start } from '../observed-client.ts';

export const startWith = (args: readonly string[]): Start => ({
  args,
  env: {
    OPENCLAW_DISABLE_TELEMETRY: '1',
    OPENCLAW_NO_UPDATE_CHECK: '1',
    OPENCLAW_SKIP_UPDATE_CHECK: '1',
    CI: '1',
  },
});

export const openClaw: ObservedClient = {
  id: 'openclaw',
  name: 'OpenClaw',
  program: 'openclaw',
  npm: 'openclaw',
  skills: { project: 'skills', home: '.openclaw/skills' },
  configure({ home, start, model, context }) {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const lab = {
      baseUrl: `${model}/v1`,
      apiKey: 'none',
      api: 'openai-completions',
      models: [
        { id: 'lab', name: 'lab', reasoning: false, input: ['text'], cost, contextWindow: context, maxTokens: 4_096 },
      ],
    };
    writeHome(home, '.openclaw/openclaw.json', {
      gateway: { mode: 'local' },
      update: { checkOnStart: false },
      models: { mode: 'replace', providers: { lab } },
      agents: { defaults: { workspace: start, model: { primary: 'lab/lab' }, skipBootstrap: true } },
      skills: { allowBundled: ['none'] },
    });
  },
  start: (run) => startWith(['agent', '--local', '--agent', 'main', '--session-id', 'lab', '--message', run.prompt]),
  entry: / {2}<skill>\n {4}<name>(?<name>.*)<\/name>\n[\s\S]*?\n {2}<\/skill>/g,
  load: ({ path }) => ({ tool: 'read', input: { path } }),
  invoke: ({ name }, args) => `/${name.replace(/\W/g, '_')} ${args}`,
};
