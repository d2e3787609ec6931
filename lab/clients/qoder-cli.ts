/** Qoder CLI, which needs a login for every request to its model: only its own list of skills is read. */
import { type LabClient, NODE } from '../client.ts';

export const qoderCli: LabClient = {
  id: 'qoder-cli',
  name: 'Qoder CLI',
  program: 'qodercli',
  package: { name: '@qoder-ai/qodercli', version: '1.1.52' },
  with: [NODE],
  skills: { project: '.qoder/skills', home: '.qoder/skills' },
  start: () => ({ args: ['skills', 'list'], env: { CI: '1' } }),
  source: 'output',
  region: /Discovered Agent Skills:\n\n(?<list>[\s\S]*)/,
  ownList: {
    line: '{name} [Enabled]\n  Description: {description}\n  Location:    {path}',
    leftOut: /\n {2}(?:When to use|Tools|Model): [^\n]*/g,
  },
  entry: /(?<=^|\n)(?<name>\S[^\n]*?) \[(?:Enabled|Disabled)\]\n {2}Description:[\s\S]*?\n {2}Location: [^\n]*/g,
};
