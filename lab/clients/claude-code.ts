/** Claude Code. */
import { claudeCode as observed, variables } from '../../server/src/services/observing/clients/claude-code.ts';
import type { LabClient } from '../client.ts';

export const claudeCode: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '2.1.332' },
  // Without its install script, the package has no program.
  programIn: (installed) =>
    `${installed}/node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  contexts: [1_000_000, 200_000],
  diagnose: {
    name: 'claude -p --debug-file FILE PROMPT',
    start: (run) => ({ args: ['-p', '--debug-file', `${run.home}/debug.txt`, run.prompt], env: variables(run) }),
    logs: /^debug\.txt$/,
  },
};
