/** What an installation would do: the preview, and all that is needed to do exactly that. */
import { join, relative, resolve, sep } from 'node:path';
import type { Analysis } from '../../analysis/analysis.ts';
import { pathProblem } from '../../packing/archive-path.ts';
import { futureOf } from '../../packing/future.ts';
import { type Lock, type LockedSkill, printLock } from '../../packing/lock.ts';
import { type Bases, placeFiles, USUAL } from '../../packing/placing.ts';
import {
  concernedPaths,
  type FilePlan,
  lockKeys,
  type PlannedUnit,
  type Present,
  planFiles,
} from '../../packing/plan.ts';
import { type Survey, surveyOf } from '../../packing/survey.ts';
import type { Unit } from '../../packing/unit.ts';
import { installSkill } from '../../packing/view.ts';
import type { InstallSkill, InstallView } from '../../protocol/install.ts';
import { MAX_FILE_BYTES } from '../../protocol.ts';
import { isName, promisedName } from '../../skill/kebab-name.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import type { Index, IndexedSkill } from '../../workspace/workspace-index.ts';
import { isWithin, toPath } from '../disk/paths.ts';
import { readBytes, textOf } from '../disk/read-file.ts';
import { type Collected, collect } from './collect.ts';
import { type Installed, type LockFile, openLock, presentAt, readInstalled, unitFile, uriAt } from './installed.ts';
import { Refusal } from './refusal.ts';
import { digestOf, openSource, type Source, type SourceFile } from './source.ts';

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
  /** The texts that change, for a reader: of what comes no old one, of what goes no new one. */
  readonly texts: readonly {
    readonly path: string;
    readonly old: string | undefined;
    readonly now: string | undefined;
  }[];
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
  const skills = await showAll(root, future, units, affected, surveys, files);
  const remove = files.files.flatMap(({ path, state }) => (state === 'removed' ? [path] : []));
  const write = [...changed].flatMap((path) => {
    const file = placed.get(path);
    return file ? [{ ...file, path }] : [];
  });
  const view = { origin, skills, files: files.files, conflicts: files.conflicts, leftOut: collected.leftOut };
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
    texts: await textsOf(root, write, remove),
  };
}

interface PlacedUnit extends PlannedUnit {
  readonly name: string;
  readonly sourceFiles: ReadonlyMap<string, SourceFile>;
}

function basesFor(cwd: string, root: string, to: string | undefined): Bases {
  if (to === undefined) return USUAL;
  const folder = resolve(cwd, to);
  if (!isWithin(root, folder)) {
    throw new Refusal(
      `\`--to ${to}\` is outside the workspace, whose lock file names only what is in it: run the command there, or with \`--cwd\`.`,
    );
  }
  const base = relative(root, folder).replaceAll(sep, '/');
  const problem = base === '' ? undefined : pathProblem(base);
  if (problem !== undefined) throw new Refusal(`\`--to ${to}\` ${problem}.`);
  return { skills: base, agentSkills: base };
}

/** Relative to the workspace, so that the lock file says the same on every machine; else as it is. */
function originOf(root: string, path: string): string {
  const way = relative(root, path).replaceAll(sep, '/');
  return way === '' ? '.' : way;
}

function placedUnits(
  root: string,
  source: Source,
  { skills, files }: Collected,
  bases: Bases,
  lock: Lock,
  word: string,
): readonly PlacedUnit[] {
  const placed = placeFiles([...files.keys()], bases, rootNameOf(source, files));
  if ('problem' in placed) throw new Refusal(`\`${word}\` cannot be installed: ${placed.problem}.`);
  const at = (path: string) => placed.places.get(path) as string;
  const parsed = skills.map((skill) => {
    const uri = uriAt(root, at(skill.path));
    const file = new SkillFile(uri, files.get(skill.path)?.text ?? '');
    const sourceFiles = new Map(skill.files.map((path) => [at(path), files.get(path) as SourceFile]));
    return {
      name: file.contract.name?.name ?? promisedName(uri),
      version: file.contract.version?.name,
      uri,
      path: at(skill.path),
      sourceFiles,
    };
  });
  const keys = lockKeys(parsed);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    throw new Refusal(`\`${word}\` has two skills called \`${twice}\`: choose one of their files.`);
  return parsed.map(({ name, uri, path, sourceFiles }, index) => {
    const key = keys[index] as string;
    const list = [...sourceFiles].map(([to, file]) => unitFile(to, file)).sort((a, b) => (a.path < b.path ? -1 : 1));
    return { key, name, before: lock.get(key), unit: { uri, path, files: list }, sourceFiles };
  });
}

/** A `SKILL.md` at the root of an archive has a folder of its own name; that of a folder keeps the folder's. */
function rootNameOf({ kind, name }: Source, files: ReadonlyMap<string, SourceFile>): string {
  const text = kind === 'archive' ? files.get('SKILL.md')?.text : undefined;
  const own = text === undefined ? undefined : new SkillFile('file:///SKILL.md', text).contract.name?.name;
  return own !== undefined && isName(own) ? own : name;
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
        { name, unit, survey, before, old: state === 'new' ? undefined : oldFile, state },
        shownPath,
      ),
    );
  }
  for (const { key, unit, before } of affected) {
    const survey = surveys.get(key) as Survey;
    shown.push(
      installSkill(
        future,
        { name: nameIn(future, unit) ?? key, unit, survey, before, old: undefined, state: 'affected' },
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

async function textsOf(root: string, write: Prepared['write'], remove: readonly string[]): Promise<Prepared['texts']> {
  const texts: Prepared['texts'][number][] = [];
  for (const { path, text } of write) texts.push({ path, old: await textAt(root, path), now: text });
  for (const path of remove) texts.push({ path, old: await textAt(root, path), now: undefined });
  return texts.sort((a, b) => (a.path < b.path ? -1 : 1));
}
