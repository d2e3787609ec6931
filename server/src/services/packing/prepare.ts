/**
 * Prepares an installation: makes the preview, and the data for installing exactly what the preview shows
 * (docs/installing.md, "Installing").
 */
import { createTwoFilesPatch } from 'diff';
import type { Analysis } from '../../analysis/analysis.ts';
import { UserError } from '../../io/user-error.ts';
import { indexAfterInstall, type Lock, type LockedSkill, printLock } from '../../packing/lock.ts';
import { concernedPaths, type FilePlan, type Present, planFiles } from '../../packing/plan.ts';
import { capabilitySurvey, type Survey } from '../../packing/survey.ts';
import type { Unit } from '../../packing/unit.ts';
import { installSkill } from '../../packing/view.ts';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import type { InstallSkill, InstallView } from '../../protocol/packing.ts';
import { bytesDigest } from '../../skill/content-digest.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import type { Index, IndexedSkill } from '../../workspace/workspace-index.ts';
import { collect } from './collect.ts';
import { withConvertedPackage } from './converted-package.ts';
import { type FolderAccess, uriAt } from './folder-access.ts';
import { type Installed, type LockFile, openLock, ownedFiles, presentAt, readInstalled } from './installed.ts';
import { originOf, type PlacedUnit, placedUnits } from './place-units.ts';
import { type SourceFile, textIn } from './source.ts';

export interface InstallOptions {
  /** The folder of the lock file. */
  readonly folder: FolderAccess;
  /** The index of the current workspace. */
  readonly index: Index;
  /** The source, as the user named it. */
  readonly source: string;
  readonly to?: string | undefined;
  /**
   * The names of the skills to install, together with the skills that they compose. Without names, all skills are
   * installed.
   */
  readonly names?: readonly string[];
}

export interface Prepared {
  readonly view: InstallView;
  readonly folder: FolderAccess;
  /** The files to write, by their new paths. */
  readonly write: readonly (SourceFile & { readonly path: string })[];
  readonly remove: readonly string[];
  /** The files of the skills that are already installed and unchanged. */
  readonly same: Prepared['write'];
  readonly present: ReadonlyMap<string, Present>;
  readonly lockFile: LockFile;
  readonly nextLock: Lock;
}

/** Prepares an installation without writing anything. Throws a `UserError` if the source cannot be installed. */
export async function prepareInstall(options: InstallOptions): Promise<Prepared> {
  const { folder, index, source: word, to, names = [] } = options;
  const lockFile = await openLock(folder);
  const { lock } = lockFile;
  const { source, conversion } = await withConvertedPackage(await folder.open(word));
  const collected = await collect(source, { names }, `\`${word}\``);
  const origin = originOf(folder, word);
  const units = placedUnits(folder, source, collected, to, lock, word);
  const keys = new Set(units.map(({ key }) => key));
  const installed = await readInstalled(folder, lock);
  const kept = installed.filter(({ key }) => !keys.has(key));
  const present = await presentAt(folder, concernedPaths(units));
  const files = planFiles(units, lock, present, ownedFiles(folder, index, installed, units));
  const future = futureFor(folder, index, units, kept, files);
  const surveys = new Map<string, Survey>();
  const byUri = new Map([...units, ...kept].map(({ unit }) => [unit.uri, unit]));
  for (const { key, unit } of [...units, ...kept]) {
    const skill = future.graph.skills.get(unit.uri);
    if (skill) surveys.set(key, capabilitySurvey(future, skill, byUri));
  }
  const affected = kept.filter(({ key, unit, before }) => isAffected(future, unit, before, units, surveys.get(key)));
  const placed = new Map(units.flatMap(({ sourceFiles }) => [...sourceFiles]));
  const changed = new Set(
    files.files.flatMap(({ path, state }) => (state === 'new' || state === 'changed' ? [path] : [])),
  );
  const nextLock = lockAfter(lock, units, affected, surveys, origin, future);
  const skills = await showAll(folder, future, units, affected, surveys, files, origin);
  const remove = files.files.flatMap(({ path, state }) => (state === 'removed' ? [path] : []));
  const all = [...placed].map(([path, file]) => ({ ...file, path }));
  const write = all.filter(({ path }) => changed.has(path));
  const same = all.filter(({ path }) => !changed.has(path));
  const view = {
    origin,
    skills,
    files: files.files,
    conflicts: files.conflicts,
    unremoved: files.unremoved,
    patches: await patchesFor(folder, write),
    leftOut: collected.leftOut,
    conversion,
  };
  const digest = bytesDigest(
    new TextEncoder().encode(
      JSON.stringify([view, [...placed].map(([path, file]) => [path, file.digest]), [...present], printLock(nextLock)]),
    ),
  );
  return {
    view: { ...view, digest },
    folder,
    write,
    remove,
    same,
    present,
    lockFile,
    nextLock,
  };
}

function futureFor(
  folder: FolderAccess,
  index: Index,
  units: readonly PlacedUnit[],
  kept: readonly Installed[],
  { files }: FilePlan,
): Analysis {
  const gone = files.flatMap(({ path, state }) => (state === 'removed' ? [path] : []));
  const all = [...kept.filter(({ file }) => file), ...units].map(({ unit }) => unit);
  return indexAfterInstall(index, all, gone, (path) => uriAt(folder, path));
}

/** Returns whether an installed skill composes a new skill and therefore has other capabilities than before. */
function isAffected(
  future: Analysis,
  unit: Unit,
  before: LockedSkill,
  units: readonly PlacedUnit[],
  survey: Survey | undefined,
): boolean {
  if (!survey || !future.graph.skills.has(unit.uri)) return false;
  const { parts, others } = before.capabilities;
  const composes = new Set([...parts, ...others, ...survey.capabilities.parts]);
  const isUnedited = unit.files.every(({ path, digest }) => before.files.get(path) === digest);
  return (
    isUnedited &&
    units.some(({ name }) => composes.has(name)) &&
    JSON.stringify(survey.capabilities) !== JSON.stringify(before.capabilities)
  );
}

function lockAfter(
  lock: Lock,
  units: readonly PlacedUnit[],
  affected: readonly Installed[],
  surveys: ReadonlyMap<string, Survey>,
  origin: string,
  future: Analysis,
): Lock {
  const next = new Map(lock);
  for (const { key, before } of affected) {
    next.set(key, { ...before, capabilities: surveys.get(key)?.capabilities ?? before.capabilities });
  }
  for (const { key, unit } of units) {
    const survey = surveys.get(key);
    if (!survey) {
      const why = `\`${unit.path}\` would not be a skill at its new path`;
      throw new UserError(`${why}. Select another folder.`, `${why}. Use another folder with \`--to\`.`);
    }
    next.set(key, {
      path: unit.path,
      origin,
      version: future.graph.skills.get(unit.uri)?.summary.version,
      files: new Map(unit.files.map(({ path, digest }) => [path, digest])),
      capabilities: survey.capabilities,
    });
  }
  return next;
}

async function showAll(
  folder: FolderAccess,
  future: Analysis,
  units: readonly PlacedUnit[],
  affected: readonly Installed[],
  surveys: ReadonlyMap<string, Survey>,
  { files }: FilePlan,
  origin: string,
): Promise<readonly InstallSkill[]> {
  const states = new Map(files.map(({ path, state }) => [path, state]));
  const shownPath = (uri: string) => folder.relativePathOfUri(uri);
  const shown: InstallSkill[] = [];
  for (const { name, key, unit, before } of units) {
    const paths = [...unit.files.map(({ path }) => path), ...(before?.files.keys() ?? [])];
    const isSame = paths.every((path) => (states.get(path) ?? 'same') === 'same');
    const old = await textAt(folder, before?.path ?? unit.path);
    const state = before ? (isSame ? 'same' : 'update') : 'new';
    const oldFile = old === undefined ? undefined : new SkillFile(unit.uri, old);
    const survey = surveys.get(key) as Survey;
    shown.push(
      installSkill(
        future,
        { name, unit, survey, before, old: state === 'new' ? undefined : oldFile, state, origin },
        shownPath,
      ),
    );
  }
  for (const { key, unit, before } of affected) {
    const survey = surveys.get(key) as Survey;
    shown.push(
      installSkill(
        future,
        {
          name: nameIn(future, unit) ?? key,
          unit,
          survey,
          before,
          old: undefined,
          state: 'affected',
          origin: undefined,
        },
        shownPath,
      ),
    );
  }
  return shown.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

/** The order of the skills in the preview: changes first. */
const STATES: readonly InstallSkill['state'][] = ['update', 'affected', 'new', 'same'];

const nameIn = ({ graph }: Analysis, { uri }: Unit): string | undefined =>
  (graph.skills.get(uri) as IndexedSkill).summary.name;

async function textAt(folder: FolderAccess, path: string): Promise<string | undefined> {
  const read = await folder.read(path, MAX_FILE_BYTES);
  return typeof read === 'string' ? undefined : textIn(read.bytes);
}

/** The maximum number of edits in a patch. A comparison with more edits would take too long. */
const MAX_EDITS = 2000;

/** The maximum length of all patches together, in UTF-16 code units. */
const MAX_PATCHES = 500_000;

async function patchesFor(folder: FolderAccess, write: Prepared['write']): Promise<InstallView['patches']> {
  let left = MAX_PATCHES;
  const patches: InstallView['patches'][number][] = [];
  for (const { path, text } of write) {
    const old = await textAt(folder, path);
    if (old === undefined || text === undefined || old === text) continue;
    const patch = createTwoFilesPatch(path, path, old, text, 'current', 'new', { maxEditLength: MAX_EDITS });
    left -= patch?.length ?? 0;
    patches.push({ path, patch: left < 0 ? null : (patch ?? null) });
  }
  return patches;
}
