/**
 * Plans an installation: the changed files, conflicts with local edits, and the keys in the lock file
 * (docs/installing.md, "Updates").
 */

import { foldedPath } from '../skill/kebab-name.ts';
import { sortedOnce } from './capabilities.ts';
import type { Lock, LockedSkill } from './lock.ts';
import type { Unit } from './unit.ts';

/** The state of a path: the digest of a file, `absent`, or `other` for anything that is not a readable file. */
export type Present = { readonly digest: string } | 'absent' | 'other';

export interface PlannedUnit {
  /** The key in the lock file. */
  readonly key: string;
  readonly unit: Unit;
  readonly before: LockedSkill | undefined;
}

/**
 * The files that an update may replace and remove. The lock file may come from elsewhere, so that it alone proves
 * nothing: the files must also belong to the skill as it is on disk.
 */
export interface OwnedFiles {
  /** The files that the installed skill uses. An update may replace them without a conflict. */
  readonly used: ReadonlySet<string>;
  /** The files that an update may remove, which are below the folder of the skill and which no other skill uses. */
  readonly removable: ReadonlySet<string>;
}

export interface FilePlan {
  readonly files: readonly { readonly path: string; readonly state: 'new' | 'changed' | 'same' | 'removed' }[];
  readonly conflicts: readonly { readonly path: string; readonly why: string }[];
  /** The files in the lock file that the new version does not contain and that stay. */
  readonly unremoved: readonly { readonly path: string; readonly why: string }[];
}

/** Returns the paths on whose state a plan depends. */
export const concernedPaths = (units: readonly PlannedUnit[]): readonly string[] =>
  sortedOnce(
    units.flatMap(({ unit, before }) => [...unit.files.map(({ path }) => path), ...(before?.files.keys() ?? [])]),
  );

/** Returns the state of each file after an installation, and the conflicts with existing files. */
export function planFiles(
  units: readonly PlannedUnit[],
  lock: Lock,
  present: ReadonlyMap<string, Present>,
  owned: OwnedFiles,
): FilePlan {
  const wanted = new Map(units.flatMap(({ unit }) => unit.files.map(({ path, digest }) => [path, digest] as const)));
  const written = new Set([...wanted.keys()].map(foldedPath));
  const replaced = new Set(units.map(({ key }) => key));
  const kept = new Map<string, string>();
  const locked = new Map<string, string>();
  for (const [key, { files }] of lock) {
    for (const [path, digest] of files) {
      if (!replaced.has(key)) kept.set(path, key);
      if (owned.used.has(path)) locked.set(path, digest);
    }
  }
  const files: FilePlan['files'][number][] = [];
  const conflicts: FilePlan['conflicts'][number][] = [];
  const unremoved: FilePlan['unremoved'][number][] = [];
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
    if (digest === undefined) {
      if (owner !== undefined) continue;
      // The file system may treat both names as one file.
      if (!owned.removable.has(path) || written.has(foldedPath(path))) {
        unremoved.push({ path, why: "is outside the skill's folder or may not belong to the skill" });
        continue;
      }
    }
    files.push({ path, state: digest === undefined ? 'removed' : 'changed' });
    const why = conflictAt(now, locked.get(path), owner);
    if (why !== undefined) conflicts.push({ path, why });
  }
  return { files, conflicts, unremoved };
}

function conflictAt(now: Present, locked: string | undefined, owner: string | undefined): string | undefined {
  if (now === 'other') return 'is not a regular file or cannot be read';
  if (owner !== undefined) return `belongs to the installed skill \`${owner}\``;
  if (locked === undefined) return 'already exists and was not installed';
  return now !== 'absent' && now.digest !== locked ? 'was edited since it was installed' : undefined;
}

/** Returns the keys for skills in the lock file: names, with the version if several skills have the same name. */
export function lockKeys(
  skills: readonly { readonly name: string; readonly version: string | undefined }[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  return skills.map(({ name, version }) =>
    version !== undefined && (counts.get(name) ?? 0) > 1 ? `${name}@${version}` : name,
  );
}
