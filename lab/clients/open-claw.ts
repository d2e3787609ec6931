/** OpenClaw. */

import { openClaw as observed, startWith } from '../../server/src/services/observing/clients/open-claw.ts';
import type { Start } from '../../server/src/services/observing/observed-client.ts';
import { type LabClient, type LabRun, NODE } from '../client.ts';

/** Saves a fifth of the time. */
const withCache = ({ installed }: LabRun, { args, env }: Start): Start => ({
  args,
  env: { ...env, NODE_COMPILE_CACHE: `${installed}/compile-cache` },
});

export const openClaw: LabClient = {
  ...observed,
  package: { name: observed.npm, version: '2026.9.6' },
  with: [NODE],
  // One run takes 15 seconds of processor time.
  batch: 30,
  start: (run) => withCache(run, observed.start(run)),
  diagnose: { name: 'openclaw skills check', start: (run) => withCache(run, startWith(['skills', 'check'])) },
};
