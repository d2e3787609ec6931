/** All situations, by their IDs. */
import { ALONE as FIRST_ALONE, LATER, MANY, MANY_LENGTH } from './alone.ts';
import { AUTHORS } from './authors.ts';
import { FORMS, FORMS_ALONE } from './forms.ts';
import { LONG } from './long.ts';
import { PLUGINS } from './plugins.ts';
import { READING as FIRST } from './reading.ts';
import { SETTINGS } from './settings.ts';
import type { Situation } from './situation.ts';

export { LATER, LONG, MANY, MANY_LENGTH };

/** The situations that may share a workspace. */
export const READING: readonly Situation[] = [...FIRST, ...AUTHORS, ...SETTINGS, ...FORMS];

/** The situations that affect each other. */
export const ALONE: readonly Situation[] = [...FIRST_ALONE, ...FORMS_ALONE, ...PLUGINS];

export const SITUATIONS: ReadonlyMap<string, Situation> = new Map(
  [...READING, ...ALONE, ...LONG, MANY, LATER].map((situation) => [situation.id, situation]),
);
