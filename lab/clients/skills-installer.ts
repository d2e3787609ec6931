/** `npx skills`, which installs skills for other clients and asks no model: its own list is read. */
import { type LabClient, NODE } from '../client.ts';

export const skillsInstaller: LabClient = {
  id: 'skills',
  name: 'npx skills',
  program: 'sh',
  package: { name: 'skills', version: '1.7.4' },
  with: [NODE],
  skills: { project: 'skills', home: '.agents/skills' },
  start: ({ workspace, home }) => ({
    args: ['-c', 'cd "$1" && skills add "$2" --list', 'sh', home, workspace],
    env: { CI: '1' },
  }),
  source: 'output',
  region: /Available Skills\n(?<list>[\s\S]*)/,
  entry: /│ {4}(?! )(?<name>.*)\n│\n(?:│ {6}.*\n?)+/g,
};
