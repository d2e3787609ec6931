/** GitHub Copilot CLI. */
import { copilotCli as observed, startWith } from '../../server/src/services/observing/clients/copilot-cli.ts';
import type { LabClient } from '../client.ts';

export const copilotCli: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '1.0.102' },
  hasInstallScripts: true,
  contexts: [200_000, 1_000_000],
  terminal: {
    start: (run) => startWith(run, []),
    ready: /\/ commands|\? help|Type @/i,
    dialogs: [{ text: /Do you trust [^?\n]*\?/, keys: ['\r'] }],
  },
  diagnose: { name: 'copilot skill list', start: (run) => ({ ...startWith(run, []), args: ['skill', 'list'] }) },
};
