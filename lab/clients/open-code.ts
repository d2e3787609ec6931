/** OpenCode and Kilo CLI. */
import {
  kilo as observedKilo,
  openCode as observedOpenCode,
  startKilo,
  startOpenCode,
} from '../../server/src/services/observing/clients/open-code.ts';
import { type LabClient, RIPGREP } from '../client.ts';

const platform = `${process.platform}-${process.arch}`;
const ready = /Ask anything|ctrl\+p|tab agents/;

export const openCode: LabClient = {
  ...observedOpenCode,
  package: { name: observedOpenCode.npm, version: '1.18.33' },
  programIn: (installed) => `${installed}/node_modules/opencode-${platform}/bin/opencode`,
  with: [RIPGREP],
  terminal: { start: () => startOpenCode([]), ready },
  diagnose: { name: 'opencode debug skill', start: () => startOpenCode(['debug', 'skill', '--print-logs']) },
};

export const kilo: LabClient = {
  ...observedKilo,
  id: 'kilo-cli',
  facts: observedKilo.id,
  package: { name: `@kilocode/cli-${platform}`, version: '7.7.9' },
  programIn: (installed) => `${installed}/node_modules/@kilocode/cli-${platform}/bin/kilo`,
  with: [RIPGREP],
  terminal: { start: () => startKilo([]), ready },
  diagnose: { name: 'kilo debug skill', start: () => startKilo(['debug', 'skill', '--print-logs']) },
};
