/** Gemini CLI. */
import { geminiCli as observed, startWith } from '../../server/src/services/observing/clients/gemini-cli.ts';
import type { LabClient } from '../client.ts';

export const geminiCli: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '0.61.0' },
  terminal: {
    start: (run) => startWith(run, []),
    ready: /Type your message/,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'gemini skills list --all',
    start: (run) => ({ ...startWith(run, []), args: ['skills', 'list', '--all'] }),
  },
};
