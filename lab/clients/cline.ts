/** Cline CLI: one prompt, with a provider that `cline auth` saves. */
import type { LabClient } from '../client.ts';

const program = (installed: string): string =>
  `${installed}/node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`;

const QUIET = { CLINE_NO_AUTO_UPDATE: '1' };

export const cline: LabClient = {
  id: 'cline-cli',
  facts: 'cline',
  name: 'Cline CLI',
  package: { name: 'cline', version: '3.0.65' },
  skills: { project: '.cline/skills', home: '.cline/skills' },
  setUp: ({ installed, model }) => ({
    command: program(installed),
    args: ['auth', '-p', 'openai', '-k', 'none', '-m', 'lab', '-b', `${model}/v1`],
    env: QUIET,
  }),
  start: ({ installed, prompt }) => ({ command: program(installed), args: ['--json', prompt], env: QUIET }),
  // The list is one line of names in the description of the tool.
  region: /Available skills: (?<list>[^\n]*?)\.(?:\n|$)/,
  entry: /(?<=^|, )(?<name>[^,]+?)(?=, |$)/g,
  load: ({ name }, args) => ({ tool: 'skills', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
