/** What an installation would do: the preview, and all that is needed to do exactly that. */
import { join, relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Analysis } from '../../analysis/analysis.ts';
import { futureOf } from '../../packing/future.ts';
import { type Lock, type LockedSkill, printLock } from '../../packing/lock.ts';
import { concernedPaths, type FilePlan, type Present, planFiles } from '../../packing/plan.ts';
import { type Survey, surveyOf } from '../../packing/survey.ts';
import type { Unit } from '../../packing/unit.ts';
import { installSkill } from '../../packing/view.ts';
import type { InstallSkill, InstallView } from '../../protocol/install.ts';
import { MAX_FILE_BYTES } from '../../protocol.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import type { Index, IndexedSkill } from '../../workspace/workspace-index.ts';
import { toPath } from '../disk/paths.ts';
import { readBytes, textOf } from '../disk/read-file.ts';
import { collect } from './collect.ts';
import { type Installed, type LockFile, openLock, presentAt, readInstalled, uriAt } from './installed.ts';
import { basesFor, originOf, type PlacedUnit, placedUnits } from './place-units.ts';
import { Refusal } from './refusal.ts';
import { digestOf, openSource, type SourceFile } from './source.ts';

export interface InstallOptions {
  /** The folder of the lock file, as an absolute path. */
  readonly root: string;
  /** The workspace as it is. */
  readonly index: Index;
  /** As the user wrote it; relative to `cwd`. */
  readonly source: string;
  readonly cwd: string;
  readonly to?: string | undefined;
  /** Only these skills, and what they compose. */
  readonly names?: readonly string[];
}

export interface Prepared {
  readonly view: InstallView;
  readonly root: string;
  /** The files to write, by their new paths. */
  readonly write: readonly (SourceFile & { readonly path: string })[];
  readonly remove: readonly string[];
  readonly present: ReadonlyMap<string, Present>;
  readonly lockFile: LockFile;
  readonly nextLock: Lock;
}

/** Throws a `Refusal` where nothing of the source may be installed. */
export async function prepareInstall(options: InstallOptions): Promise<Prepared> {
  const { root, index, cwd, source: word, to, names = [] } = options;
  const lockFile = await openLock(root);
  const { lock } = lockFile;
  const bases = basesFor(cwd, root, to);
  const source = await openSource(cwd, word);
  const collected = await collect(source, { names }, `\`${word}\``);
  const origin = originOf(root, resolve(cwd, word));
  const units = placedUnits(root, source, collected, bases, lock, word);
  const keys = new Set(units.map(({ key }) => key));
  const kept = (await readInstalled(root, lock)).filter(({ key }) => !keys.has(key));
  const present = await presentAt(root, concernedPaths(units));
  const files = planFiles(units, lock, present);
  const future = futureFor(root, index, units, kept, files);
  const surveys = new Map<string, Survey>();
  const byUri = new Map([...units, ...kept].map(({ unit }) => [unit.uri, unit]));
  for (const { key, unit } of [...units, ...kept]) {
    const skill = future.graph.skills.get(unit.uri);
    if (skill) surveys.set(key, surveyOf(future, skill, byUri));
  }
  const affected = kept.filter(({ key, unit, before }) => isAffected(future, unit, before, units, surveys.get(key)));
  const placed = new Map(units.flatMap(({ sourceFiles }) => [...sourceFiles]));
  const changed = new Set(
    files.files.flatMap(({ path, state }) => (state === 'new' || state === 'changed' ? [path] : [])),
  );
  const nextLock = lockAfter(lock, units, affected, surveys, origin, future);
  const skills = await showAll(root, future, units, affected, surveys, files, origin);
  const remove = files.files.flatMap(({ path, state }) => (state === 'removed' ? [path] : []));
  const write = [...changed].flatMap((path) => {
    const file = placed.get(path);
    return file ? [{ ...file, path }] : [];
  });
  const view = {
    origin,
    skills,
    files: files.files,
    conflicts: files.conflicts,
    patches: await patchesFor(root, write),
    leftOut: collected.leftOut,
  };
  const digest = digestOf(
    Buffer.from(
      JSON.stringify([view, [...placed].map(([path, file]) => [path, file.digest]), [...present], printLock(nextLock)]),
    ),
  );
  return {
    view: { ...view, digest },
    root,
    write,
    remove,
    present,
    lockFile,
    nextLock,
  };
}

function futureFor(
  root: string,
  index: Index,
  units: readonly PlacedUnit[],
  kept: readonly Installed[],
  { files }: FilePlan,
): Analysis {
  const gone = files.flatMap(({ path, state }) => (state === 'removed' ? [path] : []));
  const all = [...kept.filter(({ file }) => file), ...units].map(({ unit }) => unit);
  return futureOf(index, all, gone, (path) => uriAt(root, path));
}

/** Whether a skill that stays composes one that comes, and may do something else now. */
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
    if (!survey) throw new Refusal(`\`${unit.path}\` is no skill at its new place: give another folder with \`--to\`.`);
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
  root: string,
  future: Analysis,
  units: readonly PlacedUnit[],
  affected: readonly Installed[],
  surveys: ReadonlyMap<string, Survey>,
  { files }: FilePlan,
  origin: string,
): Promise<readonly InstallSkill[]> {
  const states = new Map(files.map(({ path, state }) => [path, state]));
  const shownPath = (uri: string) => relative(root, toPath(uri)).replaceAll(sep, '/');
  const shown: InstallSkill[] = [];
  for (const { name, key, unit, before } of units) {
    const isSame = unit.files.every(({ path }) => states.get(path) === 'same');
    const old = await textAt(root, before?.path ?? unit.path);
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
  return shown;
}

const nameIn = ({ graph }: Analysis, { uri }: Unit): string | undefined =>
  (graph.skills.get(uri) as IndexedSkill).summary.name;

async function textAt(root: string, path: string): Promise<string | undefined> {
  const read = await readBytes(join(root, path), MAX_FILE_BYTES);
  const content = typeof read === 'string' ? undefined : textOf(read.bytes);
  return content?.kind === 'text' ? content.text : undefined;
}

/** Two texts that differ more are not compared line by line, which would take long. */
const MAX_EDITS = 2000;

/** Of all patches together, in characters: more is read in the files themselves. */
const MAX_PATCHES = 500_000;

async function patchesFor(root: string, write: Prepared['write']): Promise<InstallView['patches']> {
  let left = MAX_PATCHES;
  const patches: InstallView['patches'][number][] = [];
  for (const { path, text } of write) {
    const old = await textAt(root, path);
    if (old === undefined || text === undefined || old === text) continue;
    const patch = createTwoFilesPatch(path, path, old, text, 'as it is', 'as it comes', { maxEditLength: MAX_EDITS });
    left -= patch?.length ?? 0;
    patches.push({ path, patch: left < 0 ? null : (patch ?? null) });
  }
  return patches;
}
