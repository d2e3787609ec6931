/** What lies there of the skills that the lock file has. */
import { join } from 'node:path';
import { MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { LOCK_NAME, type Lock, readLock } from '../../packing/lock.ts';
import type { PlannedUnit, Present } from '../../packing/plan.ts';
import type { UnitFile } from '../../packing/unit.ts';
import { MAX_FILE_BYTES } from '../../protocol.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { toUri } from '../disk/paths.ts';
import { readBytes, textOf } from '../disk/read-file.ts';
import { filesFor, isOfWorkspace, Reading } from './collect.ts';
import { Refusal } from './refusal.ts';
import { digestOf, isProgram, openSource, type SourceFile } from './source.ts';

export interface LockFile {
  readonly lock: Lock;
  /** Undefined where there is none. */
  readonly text: string | undefined;
}

/** Throws a `Refusal` where the file is there and cannot be relied on. */
export async function openLock(root: string): Promise<LockFile> {
  const read = await readBytes(join(root, LOCK_NAME), MAX_FILE_BYTES);
  if (read === 'absent') return { lock: new Map(), text: undefined };
  const content = typeof read === 'string' ? undefined : textOf(read.bytes);
  const found = content?.kind === 'text' ? readLock(content.text) : { problem: 'it is no readable text' };
  if ('problem' in found) {
    throw new Refusal(
      `\`${LOCK_NAME}\` cannot be relied on: ${found.problem}. Restore it, or delete it and install the skills anew.`,
    );
  }
  return { lock: found.value, text: content?.kind === 'text' ? content.text : undefined };
}

export interface Installed extends PlannedUnit {
  readonly before: NonNullable<PlannedUnit['before']>;
  /** Undefined where the skill's own file is gone, or is no text. */
  readonly file: SkillFile | undefined;
}

/** The units of the lock as they are now, with files that came to them. */
export async function readInstalled(root: string, lock: Lock): Promise<readonly Installed[]> {
  if (lock.size === 0) return [];
  const source = await openSource(root, '.');
  const own = source.paths.filter((path) => !isOfWorkspace(path));
  const known = new Set(own);
  const reading = new Reading(source);
  const rooted = { root: toUri(root), paths: known };
  return Promise.all(
    [...lock].map(async ([key, before]): Promise<Installed> => {
      const uri = uriAt(root, before.path);
      const text = known.has(before.path) ? (await reading.read(before.path)).text : undefined;
      const file = text === undefined ? undefined : new SkillFile(uri, text);
      const needed = file ? await filesFor(before.path, file, own, rooted, reading) : [];
      const paths = [...new Set([...needed, ...before.files.keys()])].sort().filter((path) => known.has(path));
      const files = await Promise.all(paths.map(async (path) => unitFile(path, await reading.read(path))));
      return { key, before, file, unit: { uri, path: before.path, files } };
    }),
  );
}

export const uriAt = (root: string, path: string): string => toUri(join(root, path));

export const unitFile = (path: string, file: SourceFile): UnitFile => ({
  path,
  text: file.text,
  digest: file.digest,
  isExecutable: isProgram(file),
});

/** What lies at each path; nothing is read through a link. */
export async function presentAt(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, Present>> {
  const found = new Map<string, Present>();
  for (const path of paths) {
    const read = await readBytes(join(root, path), MAX_ENTRY_BYTES);
    found.set(
      path,
      typeof read !== 'string' ? { digest: digestOf(read.bytes) } : read === 'absent' ? 'absent' : 'other',
    );
  }
  return found;
}
