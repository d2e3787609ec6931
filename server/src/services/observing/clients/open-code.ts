/** OpenCode and Kilo CLI, which began as a copy of it: `run`, with a provider in the user's settings. */

import { writeHome } from '../home.ts';
import type { ObservedClient, Run, Start } from '../observed-client.ts';

const settings = ({ model, context, isApproved }: Run) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'lab/lab',
  small_model: 'lab/lab',
  enabled_providers: ['lab'],
  ...(isApproved && { permission: 'allow' }),
  provider: {
    lab: {
      npm: '@ai-sdk/openai-compatible',
      name: 'lab',
      options: { baseURL: `${model}/v1`, apiKey: 'none' },
      models: { lab: { name: 'lab', limit: { context, output: 8_000 } } },
    },
  },
});

/** OpenCode's own `/NAME` is a command of its interface; without one, `run --command NAME` is the same. */
const COMMAND = /^\/(?<name>\S+) (?<args>.*)$/;

const argsOf = (prompt: string): readonly string[] => {
  const called = COMMAND.exec(prompt)?.groups;
  // Words of their own, because an argument with a space is put in quotation marks.
  return called ? ['run', '--command', called.name ?? '', ...(called.args ?? '').split(' ')] : ['run', prompt];
};

const common = {
  needs: 'rg',
  entry: / {2}<skill>\n {4}<name>(?<name>.*)<\/name>\n[\s\S]*?\n {2}<\/skill>/g,
  load: ({ name }) => ({ tool: 'skill', input: { name } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
} satisfies Partial<ObservedClient>;

export const startOpenCode = (args: readonly string[]): Start => ({
  args,
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  },
});

export const openCode: ObservedClient = {
  ...common,
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  npm: 'opencode-ai',
  skills: { project: '.opencode/skills', home: '.config/opencode/skills' },
  configure(run) {
    writeHome(run.home, '.config/opencode/opencode.json', { ...settings(run) });
  },
  start: (run) => startOpenCode(argsOf(run.prompt)),
};

export const startKilo = (args: readonly string[]): Start => ({
  args,
  env: {
    KILO_TELEMETRY_LEVEL: 'off',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
  },
});

export const kilo: ObservedClient = {
  ...common,
  id: 'kilo-code',
  name: 'Kilo CLI',
  program: 'kilo',
  npm: '@kilocode/cli',
  skills: { project: '.kilo/skills', home: '.kilo/skills' },
  configure(run) {
    writeHome(run.home, '.config/kilo/kilo.json', { ...settings(run), experimental: { openTelemetry: false } });
  },
  start: (run) => startKilo(argsOf(run.prompt)),
};
