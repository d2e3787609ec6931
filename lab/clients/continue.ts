/** Continue CLI. */
import { continueCli as observed, startWith } from '../../server/src/services/observing/clients/continue.ts';
import type { LabClient } from '../client.ts';

export const continueCli: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '1.5.47' },
  terminal: { start: (run) => startWith(run, []), ready: /Ask anything|@ for context/ },
  diagnose: {
    name: 'cn --verbose -p PROMPT',
    start: (run) => startWith(run, ['--verbose', '-p', run.prompt]),
    logs: /\.log$/,
  },
};
