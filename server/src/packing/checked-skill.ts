/** An installed skill, compared with the lock file (docs/installing.md, "Checking"). */
import type { CapabilityChange } from './difference.ts';

/** The differences between an installed skill and the lock file. */
export interface CheckedSkill {
  readonly name: string;
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly state: 'edited' | 'missing' | 'added' }[];
  readonly changes: readonly CapabilityChange[];
}

/** Returns whether a skill and its capabilities are as the lock file says. */
export const isAsLocked = ({ files, changes }: CheckedSkill): boolean => files.length === 0 && changes.length === 0;

/** Returns the differences between the digests of a skill's files in the lock file and on disk, by path. */
export function changedFiles(
  locked: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): CheckedSkill['files'] {
  const paths = [...new Set([...locked.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => {
    const [before, digest] = [locked.get(path), now.get(path)];
    if (before === digest) return [];
    return [{ path, state: digest === undefined ? 'missing' : before === undefined ? 'added' : 'edited' } as const];
  });
}
