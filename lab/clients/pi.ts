/** Pi. */
import { pi as observed, startWith } from '../../server/src/services/observing/clients/pi.ts';
import { type LabClient, NODE } from '../client.ts';

export const pi: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '1.6.0' },
  with: [NODE],
  terminal: {
    start: () => startWith([]),
    ready: /\(lab\) lab|lab \(lab\)|\$0\.000|0\.0%/,
    dialogs: [{ text: /[Tt]rust (?:this )?(?:project|folder)[^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: {
    name: 'pi --verbose --approve -p PROMPT',
    start: ({ prompt }) => startWith(['--verbose', '--approve', '-p', prompt]),
  },
};
