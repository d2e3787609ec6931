/** All situations, by their IDs. */
import { ALONE, LATER, MANY, MANY_LENGTH } from './alone.ts';
import { AUTHORS } from './authors.ts';
import { READING as FIRST } from './reading.ts';
import { SETTINGS } from './settings.ts';
import type { Situation } from './situation.ts';

export { ALONE, LATER, MANY, MANY_LENGTH };

/** The situations that may share a workspace. */
export const READING: readonly Situation[] = [...FIRST, ...AUTHORS, ...SETTINGS];

export const SITUATIONS: ReadonlyMap<string, Situation> = new Map(
  [...READING, ...ALONE, MANY, LATER].map((situation) => [situation.id, situation]),
);
