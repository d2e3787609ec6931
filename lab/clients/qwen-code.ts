/** Qwen Code. */
import { qwenCode as observed, startWith } from '../../server/src/services/observing/clients/qwen-code.ts';
import type { LabClient } from '../client.ts';

export const qwenCode: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '0.24.4' },
  // Its own skills take most of a list of 8,000 characters; in a longer one each entry is shortened.
  batch: 6,
  terminal: {
    start: (run) => startWith(run, []),
    ready: /Type your message/,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'qwen -d -p PROMPT',
    start: (run) => startWith(run, ['-d', '-p', run.prompt]),
    logs: /(?:^|\/)debug\/[^/]*\.txt$/,
  },
};
