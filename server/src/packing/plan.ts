/** What an installation changes: files, local edits in its way, and the next lock (docs/installing.md, "Updates"). */

import { sortedOnce } from './capabilities.ts';
import type { Lock, LockedSkill } from './lock.ts';
import type { Unit } from './unit.ts';

/** What lies at a path: the digest of a file, nothing, or something that is no readable file. */
export type Present = { readonly digest: string } | 'absent' | 'other';

export interface PlannedUnit {
  /** In the lock. */
  readonly key: string;
  readonly unit: Unit;
  readonly before: LockedSkill | undefined;
}

export interface FilePlan {
  readonly files: readonly { readonly path: string; readonly state: 'new' | 'changed' | 'same' | 'removed' }[];
  readonly conflicts: readonly { readonly path: string; readonly why: string }[];
}

/** The paths whose state a plan depends on. */
export const concernedPaths = (units: readonly PlannedUnit[]): readonly string[] =>
  sortedOnce(
    units.flatMap(({ unit, before }) => [...unit.files.map(({ path }) => path), ...(before?.files.keys() ?? [])]),
  );

export function planFiles(units: readonly PlannedUnit[], lock: Lock, present: ReadonlyMap<string, Present>): FilePlan {
  const wanted = new Map(units.flatMap(({ unit }) => unit.files.map(({ path, digest }) => [path, digest] as const)));
  const replaced = new Set(units.map(({ key }) => key));
  const kept = new Map<string, string>();
  const locked = new Map<string, string>();
  for (const [key, { files }] of lock) {
    for (const [path, digest] of files) {
      if (!replaced.has(key)) kept.set(path, key);
      locked.set(path, digest);
    }
  }
  const files: FilePlan['files'][number][] = [];
  const conflicts: FilePlan['conflicts'][number][] = [];
  for (const path of concernedPaths(units)) {
    const now = present.get(path) ?? 'absent';
    const digest = wanted.get(path);
    if (now === 'absent') {
      if (digest !== undefined) files.push({ path, state: 'new' });
      continue;
    }
    if (now !== 'other' && now.digest === digest) {
      files.push({ path, state: 'same' });
      continue;
    }
    const owner = kept.get(path);
    if (digest === undefined && owner !== undefined) continue;
    files.push({ path, state: digest === undefined ? 'removed' : 'changed' });
    const why = conflictAt(now, locked.get(path), owner);
    if (why !== undefined) conflicts.push({ path, why });
  }
  return { files, conflicts };
}

function conflictAt(now: Present, locked: string | undefined, owner: string | undefined): string | undefined {
  if (now === 'other') return 'is no regular file, or cannot be read';
  if (owner !== undefined) return `is a file of \`${owner}\`, which is another installed skill`;
  if (locked === undefined) return 'is there, and was not installed';
  return now !== 'absent' && now.digest !== locked ? 'was edited since it was installed' : undefined;
}

/** The keys of the lock: names, with the version where several skills of a name come together. */
export function lockKeys(
  skills: readonly { readonly name: string; readonly version: string | undefined }[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  return skills.map(({ name, version }) =>
    version !== undefined && (counts.get(name) ?? 0) > 1 ? `${name}@${version}` : name,
  );
}
