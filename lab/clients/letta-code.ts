/** Letta Code: `letta -p` with its local backend, and a llama.cpp provider that `letta connect` saves. */
import type { Start } from '../../server/src/services/observing/observed-client.ts';
import { type LabClient, NODE } from '../client.ts';

const startWith = (args: readonly string[]): Start => ({
  args: ['--backend', 'local', ...args],
  env: { LETTA_CODE_TELEM: '0', DISABLE_AUTOUPDATER: '1' },
});

/** The home has no agent. */
const withModel = (args: readonly string[]): Start => startWith(['--new-agent', '--model', 'llama.cpp/lab', ...args]);

export const lettaCode: LabClient = {
  id: 'letta-code',
  name: 'Letta Code',
  program: 'letta',
  package: { name: '@letta-ai/letta-code', version: '0.32.18' },
  // The program starts and runs without them.
  absent: ['@letta-ai/letta-agent-sdk', '@letta-ai/trajectory', '@janhapke/sharp-electron'],
  with: [NODE],
  skills: { project: '.skills', home: '.letta/skills' },
  // The size that it assumes for a model of an unknown size.
  context: 128_000,
  setUp: ({ model }) => startWith(['connect', 'llama-cpp', '--base-url', `${model}/v1`]),
  start: ({ prompt, isApproved }) => withModel([...(isApproved ? ['--yolo'] : []), '-p', prompt]),
  region: /<available_skills>\n(?<list>[\s\S]*?)\n<\/available_skills>/,
  entry: /(?<=^|\n)- `(?<name>[^\n]*?)`(?::[^\n]*)?(?=\n|$)/g,
  load: ({ name }, args) => ({ tool: 'Skill', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
