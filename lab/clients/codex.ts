/** Codex. */
import { codex as observed, startWith } from '../../server/src/services/observing/clients/codex.ts';
import type { LabClient } from '../client.ts';

export const codex: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '0.171.0' },
  contexts: [500_000, 272_000],
  // The model reads skills with a shell.
  harmless: { tool: 'exec_command', input: { cmd: 'true' } },
  terminal: {
    start: (run) => startWith(run, ['--no-daemon']),
    ready: /% left|\? for shortcuts|context left|OpenAI Codex/,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: { name: 'codex exec PROMPT', start: observed.start },
};
