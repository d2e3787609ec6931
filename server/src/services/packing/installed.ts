/** The installed skills: the skills in the lock file as they are on disk. */

import { UserError } from '../../io/user-error.ts';
import { type CheckedSkill, changedFiles } from '../../packing/checked-skill.ts';
import { type CapabilityChange, capabilityChanges } from '../../packing/difference.ts';
import { MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { indexAfterInstall, LOCK_NAME, type Lock, RESTORE, readLock } from '../../packing/lock.ts';
import type { OwnedFiles, PlannedUnit, Present } from '../../packing/plan.ts';
import { capabilitySurvey } from '../../packing/survey.ts';
import {
  filesOfFolder,
  foldersFor,
  isInFolder,
  isUnreadableSkill,
  linkedPaths,
  nameOf,
  parentOf,
  type UnitFile,
} from '../../packing/unit.ts';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import { bytesDigest } from '../../skill/content-digest.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { isAgentSkillName, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Index } from '../../workspace/workspace-index.ts';
import { filesFor, isOfWorkspace, SourceReader } from './collect.ts';
import { type FolderAccess, uriAt } from './folder-access.ts';
import { isProgram, type SourceFile, textIn } from './source.ts';

export interface LockFile {
  readonly lock: Lock;
  /** The text of the file. Undefined if it does not exist. */
  readonly text: string | undefined;
}

/** Reads the lock file. Throws a `UserError` if it exists and is invalid. */
export async function openLock(folder: FolderAccess): Promise<LockFile> {
  const read = await folder.read(LOCK_NAME, MAX_FILE_BYTES);
  if (read === 'absent') return { lock: new Map(), text: undefined };
  const text = typeof read === 'string' ? undefined : textIn(read.bytes);
  const found = text === undefined ? { problem: 'it is not readable text', advice: RESTORE } : readLock(text);
  if ('problem' in found) throw new UserError(`\`${LOCK_NAME}\` is invalid: ${found.problem}. ${found.advice}`);
  return { lock: found.value, text };
}

export interface Installed extends PlannedUnit {
  readonly before: NonNullable<PlannedUnit['before']>;
  /** The skill file. Undefined if it was deleted or is not a text file. */
  readonly file: SkillFile | undefined;
  /** The files that the skill file on disk needs, including itself. */
  readonly needed: readonly string[];
}

/** Returns the units in the lock file as they are now, including added files. Lists only the folders of these units. */
export async function readInstalled(folder: FolderAccess, lock: Lock): Promise<readonly Installed[]> {
  if (lock.size === 0) return [];
  const parts = await folder.openParts([...lock.values()].flatMap(({ path }) => foldersFor(path)));
  const own = parts.paths.filter((path) => !isOfWorkspace(path));
  const has = async (path: string): Promise<boolean> => !isOfWorkspace(path) && (await parts.has(path));
  const reading = new SourceReader(parts);
  const rooted = { root: folder.uri, has };
  return Promise.all(
    [...lock].map(async ([key, before]): Promise<Installed> => {
      const uri = uriAt(folder, before.path);
      const text = (await has(before.path)) ? (await reading.read(before.path)).text : undefined;
      const file = text === undefined ? undefined : new SkillFile(uri, text);
      const needed = file ? await filesFor(before.path, file, own, rooted, reading) : [];
      const paths: string[] = [];
      for (const path of [...new Set([...needed, ...before.files.keys()])].sort())
        if (await has(path)) paths.push(path);
      const files = await Promise.all(paths.map(async (path) => unitFile(path, await reading.read(path))));
      return { key, before, file, needed, unit: { uri, path: before.path, files } };
    }),
  );
}

/**
 * Returns which files of the installed skills an update to `units` may replace and remove (docs/installing.md,
 * "Updates"). `index` is the workspace before the update.
 */
export function ownedFiles(
  folder: FolderAccess,
  index: Index,
  installed: readonly Installed[],
  units: readonly PlannedUnit[],
): OwnedFiles {
  const paths = new Map(units.map(({ key, unit }) => [key, unit.path]));
  const wanted = new Set(units.flatMap(({ unit }) => unit.files.map(({ path }) => path)));
  const replaced = installed.filter(({ key, file }) => paths.has(key) && file && isNamed(key, file));
  const removable = new Set(
    replaced.flatMap(({ key, needed, before }) => needed.filter(isBelow(before.path, paths.get(key) ?? ''))),
  );
  for (const path of wanted) removable.delete(path);
  const own = new Set(replaced.map(({ unit }) => unit.uri));
  const others = removable.size === 0 ? [] : [...index.graph.skills.keys()].filter((uri) => !own.has(uri));
  for (const uri of others) {
    const file = new SkillFile(uri, index.files.get(uri)?.text ?? '');
    const path = folder.relativePathOfUri(uri);
    const used = [path, ...filesOfFolder(file, path, [...removable].sort()), ...linkedPaths(file, folder.uri)];
    for (const one of used) removable.delete(one);
  }
  return { used: new Set(replaced.flatMap(({ needed }) => needed)), removable };
}

/**
 * Returns a test for files below the folder of a skill. For a skill at the root, only its saved files are below it. The
 * folder of a `SKILL.md` keeps its name at the new path, so a folder with another name is not the folder of the skill.
 */
function isBelow(own: string, next: string): (path: string) => boolean {
  const folder = parentOf(own);
  const isOther = isAgentSkillName(nameOf(own)) && nameOf(folder) !== nameOf(parentOf(next));
  const folders = isOther ? [] : folder === '' ? foldersFor(own).filter((one) => one !== '') : [folder];
  return (path) => path === own || folders.some((one) => isInFolder(one, path));
}

/** Returns whether an entry of the lock file has the name of the skill at its path. */
const isNamed = (key: string, { uri, contract }: SkillFile): boolean => {
  const name = contract.name?.name ?? nameFromUri(uri);
  return key === name || key === `${name}@${contract.version?.name}`;
};

export const unitFile = (path: string, file: SourceFile): UnitFile => ({
  path,
  text: file.text,
  digest: file.digest,
  isExecutable: isProgram(file),
});

/** Returns the state of each path. Never follows a link. */
export async function presentAt(folder: FolderAccess, paths: readonly string[]): Promise<ReadonlyMap<string, Present>> {
  const found = new Map<string, Present>();
  for (const path of paths) {
    const read = await folder.read(path, MAX_ENTRY_BYTES);
    found.set(
      path,
      typeof read !== 'string' ? { digest: bytesDigest(read.bytes) } : read === 'absent' ? 'absent' : 'other',
    );
  }
  return found;
}

/** Compares the installed skills with the lock file. Throws a `UserError` if the lock file is invalid. */
export async function checkInstalled(folder: FolderAccess, index: Index): Promise<readonly CheckedSkill[]> {
  const { lock } = await openLock(folder);
  const installed = await readInstalled(folder, lock);
  const readable = installed.filter(({ file }) => file && !isUnreadableSkill(file));
  const units = readable.map(({ unit }) => unit);
  const future = indexAfterInstall(index, units, [], (path) => uriAt(folder, path));
  const byUri = new Map(units.map((unit) => [unit.uri, unit]));
  return installed.map(({ key, before, unit, file }) => {
    const skill = byUri.has(unit.uri) ? future.graph.skills.get(unit.uri) : undefined;
    const digests = new Map(unit.files.map(({ path, digest }) => [path, digest]));
    const changes: readonly CapabilityChange[] = skill
      ? capabilityChanges(
          future,
          unit.uri,
          { capabilities: before.capabilities, digests: before.files },
          { capabilities: capabilitySurvey(future, skill, byUri).capabilities, digests },
        )
      : file
        ? [{ kind: 'other', text: 'its frontmatter is not valid YAML, so its capabilities are unknown' }]
        : [];
    return { name: key, path: before.path, files: changedFiles(before.files, digests), changes };
  });
}
