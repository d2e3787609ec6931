/** The skills of a source with all that they need. */
import { Workspace } from '../../analysis/workspace.ts';
import { MAX_ENTRIES, MAX_TOTAL_BYTES } from '../../packing/limits.ts';
import { LOCK_NAME } from '../../packing/lock.ts';
import {
  closureWithTools,
  filesOfFolder,
  isInFolder,
  isUnreadableSkill,
  linkedPaths,
  nameOf,
  parentOf,
  uriIn,
} from '../../packing/unit.ts';
import { DEFAULT_FILES } from '../../protocol/files.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { dialectOf } from '../../vocabulary/dialect.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { CATALOG_NAMES, servedTest } from '../files/globs.ts';
import { UserError } from '../user-error.ts';
import { tooLarge } from './entry-guard.ts';
import type { LeftOut, Source, SourceFile } from './source.ts';

export interface CollectedSkill {
  /** In the source. */
  readonly path: string;
  /** The paths of its files, its own among them. */
  readonly files: readonly string[];
}

export interface Collected {
  readonly skills: readonly CollectedSkill[];
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly leftOut: readonly LeftOut[];
}

/** Which skills are meant: by their names, or by the paths of their files; without either all of the source. */
export interface Wanted {
  readonly names?: readonly string[];
  readonly paths?: ReadonlySet<string>;
  /** The files and folders that the user has named, where `paths` were found in them. */
  readonly places?: readonly string[];
}

/** A folder called `skills`, so that plain Markdown at the root of an archive is what it will be when it is installed. */
const ROOT = 'file:///source/skills';

const isServed = servedTest({ folders: [], globs: DEFAULT_FILES });

/** Whether a path of a source may be that of a skill. */
export const isOfSkill = (path: string): boolean =>
  isServed(`${ROOT}/${path}`) && dialectOf(`${ROOT}/${path}`) !== undefined;

/** Longer Markdown is not looked through for links, in characters. */
const MAX_FOLLOWED = 200_000;

export async function collect(source: Source, wanted: Wanted, shown: string): Promise<Collected> {
  const reading = new Reading(source);
  const workspace = new Workspace();
  const paths = new Map<string, string>();
  const leftOut = [...source.leftOut];
  const own = source.paths.filter((path) => !isOfWorkspace(path));
  const known = new Set(own);
  /** What the skills link to, with the folders on the way. */
  const linked = new Set<string>();
  const has = async (path: string): Promise<boolean> => {
    for (let one = path; one !== ''; one = parentOf(one)) linked.add(one);
    return known.has(path);
  };
  for (const path of own) {
    const uri = uriIn(ROOT, path);
    if (!isServed(uri) && !wanted.paths?.has(path) && source.only !== path) continue;
    if (dialectOf(uri) === undefined) continue;
    const { text } = await reading.read(path);
    if (text === undefined) leftOut.push({ path, why: 'is no text in UTF-8' });
    else {
      workspace.apply({ kind: 'text', uri, text });
      paths.set(uri, path);
    }
  }
  const { analysis } = workspace;
  const skillAt = (path: string): IndexedSkill | undefined => {
    const uri = uriIn(ROOT, path);
    return analysis.file(uri)?.isSkill ? analysis.graph.skills.get(uri) : undefined;
  };
  const found = new Map<string, CollectedSkill>();
  const queue = rootsOf(
    [...paths.values()].flatMap((path) => {
      const skill = skillAt(path);
      return skill ? [{ path, skill }] : [];
    }),
    source,
    wanted,
    shown,
  );
  for (const path of queue) {
    const skill = found.has(path) ? undefined : skillAt(path);
    const file = skill && analysis.file(skill.uri);
    if (!skill || !file) continue;
    if (isUnreadableSkill(file)) {
      throw new UserError(
        `The frontmatter of \`${path}\` is not valid YAML, so nobody can say what the skill may do. Fix it, or leave it out.`,
      );
    }
    const files = await filesFor(path, file, own, { root: ROOT, has }, reading);
    found.set(path, { path, files });
    const parts = closureWithTools(analysis, skill).flatMap(({ uri }) => paths.get(uri) ?? []);
    queue.push(...parts, ...files.filter((one) => one !== path));
  }
  const files = new Map<string, SourceFile>();
  for (const path of new Set([...found.values()].flatMap((skill) => skill.files)))
    files.set(path, await reading.read(path));
  if (files.size > MAX_ENTRIES) throw new UserError(`${shown} has more than ${MAX_ENTRIES} files for its skills.`);
  const governing = source.paths.filter(isOfWorkspace);
  leftOut.push(...governing.map((path) => ({ path, why: 'is of a workspace, not of a skill' })));
  const skills = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lost = leftOut.map(({ path }) => path);
  const missed = new Set(
    skills.flatMap(({ path }) => filesOfFolder(analysis.file(uriIn(ROOT, path)) as SkillFile, path, lost)),
  );
  const isConcerned = ({ path }: LeftOut): boolean =>
    isMeant(path, source, wanted) || linked.has(path) || missed.has(path);
  return { skills, files, leftOut: leftOut.filter(isConcerned) };
}

/** Whether a path is among what the user has named as a whole. */
const isMeant = (path: string, { only }: Source, { names = [], paths, places = [] }: Wanted): boolean =>
  paths
    ? places.some((place) => place === path || isInFolder(place, path))
    : names.length === 0 && (only === undefined || only === path);

/** Catalogs and lock files say what holds in their own workspace. */
export const isOfWorkspace = (path: string): boolean => [...CATALOG_NAMES, LOCK_NAME].includes(nameOf(path));

/** Paths of skills; more come as parts of these are found. */
function rootsOf(
  all: readonly { readonly path: string; readonly skill: IndexedSkill }[],
  { only }: Source,
  { names = [], paths }: Wanted,
  shown: string,
): string[] {
  const isEmpty = paths ? !all.some(({ path }) => paths.has(path)) : all.length === 0;
  if (isEmpty)
    throw new UserError(`${shown} holds no skill: name a skill's file, a folder with some, or an archive of them.`);
  if (only !== undefined) {
    if (!all.some(({ path }) => path === only))
      throw new UserError(`${shown} is no skill: it has no frontmatter with a name and a description.`);
    return [only];
  }
  if (paths) return all.flatMap(({ path }) => (paths.has(path) ? [path] : []));
  const missing = names.find((name) => !all.some(({ skill }) => skill.summary.name === name));
  if (missing !== undefined) throw new UserError(`${shown} has no skill called \`${missing}\`.`);
  const isWanted = (name: string | undefined) => names.length === 0 || (name !== undefined && names.includes(name));
  return all.flatMap(({ path, skill }) => (isWanted(skill.summary.name) ? [path] : []));
}

/** Paths below a root, where there are such files. */
export interface Rooted {
  readonly root: string;
  readonly has: (path: string) => Promise<boolean>;
}

/** What the skill links to, and what the pages link to that it leads to. */
export async function filesFor(
  path: string,
  file: SkillFile,
  all: readonly string[],
  { root, has }: Rooted,
  reading: Reading,
): Promise<readonly string[]> {
  const files = new Set([path, ...filesOfFolder(file, path, all)]);
  if (file.dialect === 'agent-skill') return [...files].sort();
  const pages = [file];
  for (const page of pages) {
    for (const linked of linkedPaths(page, root)) {
      if (files.has(linked) || !(await has(linked))) continue;
      files.add(linked);
      const { text } = /\.(?:md|markdown)$/i.test(linked) ? await reading.read(linked) : { text: undefined };
      if (text !== undefined && text.length <= MAX_FOLLOWED) pages.push(new SkillFile(uriIn(root, linked), text));
    }
  }
  return [...files].sort();
}

/** Reads each file once, and no more than an archive may have. */
export class Reading {
  readonly #source: Pick<Source, 'read'>;
  readonly #known = new Map<string, SourceFile>();
  #left = MAX_TOTAL_BYTES;

  constructor(source: Pick<Source, 'read'>) {
    this.#source = source;
  }

  async read(path: string): Promise<SourceFile> {
    const known = this.#known.get(path);
    if (known) return known;
    const file = await this.#source.read(path);
    this.#left -= file.bytes.length;
    if (this.#left < 0) throw new UserError(`That is too much for one run: ${tooLarge(MAX_TOTAL_BYTES)}.`);
    this.#known.set(path, file);
    return file;
  }
}
