/** Cline CLI: one prompt, with a provider that `cline auth` saves. */
import type { ObservedClient } from '../observed-client.ts';

const QUIET = { CLINE_NO_AUTO_UPDATE: '1' };

export const cline: ObservedClient = {
  id: 'cline',
  name: 'Cline CLI',
  program: 'cline',
  npm: 'cline',
  contacts: ['otel.cline.bot', 'data.cline.bot'],
  skills: { project: '.cline/skills', home: '.cline/skills' },
  setUp: ({ model }) => ({
    args: ['auth', '-p', 'openai', '-k', 'none', '-m', 'lab', '-b', `${model}/v1`],
    env: QUIET,
  }),
  start: ({ prompt }) => ({ args: ['--json', prompt], env: QUIET }),
  // The list is one line of names in the description of the tool.
  region: /Available skills: (?<list>[^\n]*?)\.(?:\n|$)/,
  entry: /(?<=^|, )(?<name>[^,]+?)(?=, |$)/g,
  load: ({ name }, args) => ({ tool: 'skills', input: { skill: name, args } }),
  invoke: ({ name }, args) => `/${name} ${args}`,
};
