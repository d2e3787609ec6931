/** Pi: `pi -p`, with a provider in `models.json`. */
import { type LabClient, NODE, type Start } from '../client.ts';
import { writeHome } from '../home.ts';

const startWith = (args: readonly string[]): Start => ({
  command: 'pi',
  args: ['--offline', '--no-session', '--model', 'lab/lab', ...args],
  env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
});

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
  start: ({ prompt, isApproved }) => startWith([...(isApproved ? ['--approve'] : []), '-p', prompt]),
  terminal: {
    start: () => startWith([]),
    ready: /\(lab\) lab|lab \(lab\)|\$0\.000|0\.0%/,
    dialogs: [{ text: /[Tt]rust (?:this )?(?:project|folder)[^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'pi --verbose --approve -p PROMPT',
    start: ({ prompt }) => startWith(['--verbose', '--approve', '-p', prompt]),
  },
  entry: /<skill>\s*<name>(?<name>[^<]*)<\/name>[\s\S]*?<\/skill>/g,
  load: ({ path }) => ({ tool: 'read', input: { path } }),
  invoke: ({ name }, args) => `/skill:${name} ${args}`,
};
