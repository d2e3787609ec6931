/** Droid. */
import { droid as observed } from '../../server/src/services/observing/clients/droid.ts';
import type { LabClient } from '../client.ts';

const program = `@factory/cli-${process.platform}-${process.arch}`;

export const droid: LabClient = {
  ...observed,
  package: { name: program, version: '0.225.2' },
  programIn: (installed) => `${installed}/node_modules/${program}/bin/droid`,
  contexts: [200_000, 1_000_000],
};
