/** Observations that were made with other code or other files than the lab has now. */
import { createHash } from 'node:crypto';
import type { Observation } from './observation.ts';
import { LATER, LONG, SITUATIONS } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';

/**
 * Raise it if a change of the lab's code changes what is recorded. A change of a comment does not make an observation
 * out of date.
 */
export const FORMAT = 2;

/** Returns eight hexadecimal digits for the files and the start folder of a situation. */
export function digestOf({ files, start }: Pick<Situation, 'files' | 'start'> = { files: {} }): string {
  const contents = Object.entries(files).map(([path, content]) => [
    path,
    content instanceof Uint8Array ? Buffer.from(content).toString('base64') : content,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([contents, start]))
    .digest('hex')
    .slice(0, 8);
}

/** The situations that are in no list. */
const ONLY_CALLED: ReadonlySet<string> = new Set([LATER, ...LONG].map(({ id }) => id));

/** Returns the reasons to observe a client again; none if its observation is up to date. */
export function outdatedParts({ format = 1, situations }: Observation): readonly string[] {
  const isChanged = ({ id }: Situation): boolean => {
    const files = situations[id]?.files;
    return files !== undefined && files !== digestOf(SITUATIONS.get(id));
  };
  const all = [...SITUATIONS.values()].filter(({ words }) => words.length > 0);
  const changed = all.filter(isChanged).map(({ id }) => id);
  const missing = all.filter(({ id }) => situations[id] === undefined && !ONLY_CALLED.has(id)).map(({ id }) => id);
  return [
    ...(format === FORMAT ? [] : [`recorded in format ${format}, now ${FORMAT}`]),
    ...(changed.length === 0 ? [] : [`other files now: ${changed.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`not observed: ${missing.join(', ')}`]),
  ];
}
