/** Letta Code: `letta -p` with its local backend, and a llama.cpp provider that `letta connect` saves. */
import { basename, dirname } from 'node:path';
import type { CalledSkill, Start } from '../../server/src/services/observing/observed-client.ts';
import { type LabClient, NODE } from '../client.ts';

const startWith = (args: readonly string[]): Start => ({
  args: ['--backend', 'local', ...args],
  env: { LETTA_CODE_TELEM: '0', DISABLE_AUTOUPDATER: '1' },
});

/** The home has no agent. */
const withModel = (args: readonly string[]): Start => startWith(['--new-agent', '--model', 'llama.cpp/lab', ...args]);

/** Returns the name with which a skill is called: its folder, not the name in its frontmatter. */
const folderOf = ({ path }: CalledSkill): string => basename(dirname(path));

export const lettaCode: LabClient = {
  id: 'letta-code',
  name: 'Letta Code',
  program: 'letta',
  // Later versions have dependencies that are not in the registry.
  package: { name: '@letta-ai/letta-code', version: '0.25.9' },
  with: [NODE],
  // `.agents/skills` is listed, too, but the tool does not find the skills in it.
  skills: { project: '.skills', home: '.letta/skills' },
  // The size that it assumes for a model of an unknown size.
  context: 128_000,
  setUp: ({ model }) => startWith(['connect', 'llama-cpp', '--base-url', `${model}/v1`]),
  start: ({ prompt, isApproved }) => withModel([...(isApproved ? ['--yolo'] : []), '-p', prompt]),
  terminal: {
    start: () => withModel([]),
    ready: /Press \/ for commands/,
  },
  region: /<available_skills>\n(?<list>[\s\S]*?)\n<\/available_skills>/,
  // The tree of each folder of skills, below its path. A file that is not `SKILL.md` in letter case has a tree of its own.
  entry: /(?:(?<=── |\/)(?<name>[^\n/]+)\/?\n)?[│ ]*[├└]── SKILL\.md(?: \([^\n]*)?/gi,
  load: (skill, args) => ({ tool: 'Skill', input: { skill: folderOf(skill), args } }),
  invoke: (skill, args) => `/${folderOf(skill)} ${args}`,
};
