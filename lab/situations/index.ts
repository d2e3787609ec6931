/** All situations, by their IDs. */
import { ALONE, MANY } from './alone.ts';
import { READING } from './reading.ts';
import type { Situation } from './situation.ts';

export { ALONE, MANY, READING };

export const SITUATIONS: ReadonlyMap<string, Situation> = new Map(
  [...READING, ...ALONE, MANY].map((situation) => [situation.id, situation]),
);
