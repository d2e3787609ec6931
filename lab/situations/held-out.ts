/**
 * Questions that no client was asked while its steps were described. Their predictions are committed before a client runs;
 * then the situations move into `index.ts` (lab/README.md, "Held-out questions").
 */
import type { Situation } from './situation.ts';

/** The questions whose skills may share a workspace. */
export const HELD_OUT: readonly Situation[] = [];
/** The questions whose skills affect each other. */
export const HELD_OUT_ALONE: readonly Situation[] = [];
