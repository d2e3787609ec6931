/** Cline CLI. */
import { cline as observed } from '../../server/src/services/observing/clients/cline.ts';
import type { LabClient } from '../client.ts';

export const cline: LabClient = {
  ...observed,
  id: 'cline-cli',
  facts: observed.id,
  package: { name: observed.npm, version: '3.0.65' },
  programIn: (installed) => `${installed}/node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`,
};
