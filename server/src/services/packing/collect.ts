/** Collects the skills of a source with all files that they need. */
import { Workspace } from '../../analysis/workspace.ts';
import { CATALOG_NAMES, servedTest } from '../../io/globs.ts';
import { UserError } from '../../io/user-error.ts';
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
import type { ExcludedFile, Source, SourceFile } from './source.ts';

export interface CollectedSkill {
  /** The path in the source. */
  readonly path: string;
  /** The paths of the skill's files, including the skill file. */
  readonly files: readonly string[];
}

export interface Collected {
  readonly skills: readonly CollectedSkill[];
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly leftOut: readonly ExcludedFile[];
}

/** The selected skills, by name or by path. If neither is given, all skills in the source are selected. */
export interface Wanted {
  readonly names?: readonly string[];
  readonly paths?: ReadonlySet<string>;
  /** The files and folders that the user named, in which `paths` were found. */
  readonly namedPaths?: readonly string[];
}

/**
 * The virtual root: a folder named `skills`, so that plain Markdown at the root of an archive is a skill, as after
 * installing.
 */
const ROOT = 'file:///source/skills';

const isServed = servedTest({ folders: [], globs: DEFAULT_FILES });

/** Returns whether a path in a source may be a skill file. */
export const isOfSkill = (path: string): boolean =>
  isServed(`${ROOT}/${path}`) && dialectOf(`${ROOT}/${path}`) !== undefined;

/** The maximum length of Markdown that is searched for links, in UTF-16 code units. */
const MAX_FOLLOWED = 200_000;

/** Collects the selected skills. `shown` is the name of the source in messages. Throws a `UserError`. */
export async function collect(source: Source, wanted: Wanted, shown: string): Promise<Collected> {
  const reading = new SourceReader(source);
  const workspace = new Workspace();
  const paths = new Map<string, string>();
  const leftOut = [...source.leftOut];
  const own = source.paths.filter((path) => !isOfWorkspace(path)).sort();
  const tooMany = (): UserError =>
    new UserError(`The skills in ${shown} have more than ${MAX_ENTRIES} files. Select fewer skills.`);
  if (wanted.paths && wanted.paths.size > MAX_ENTRIES) throw tooMany();
  const known = new Set(own);
  /** The paths that the skills link to, and the folders above them. */
  const linked = new Set<string>();
  const has = async (path: string): Promise<boolean> => {
    for (let one = path; one !== ''; one = parentOf(one)) linked.add(one);
    return known.has(path);
  };
  for (const path of own) {
    const uri = uriIn(ROOT, path);
    if (!isServed(uri) && !wanted.paths?.has(path) && source.only !== path) continue;
    const dialect = dialectOf(uri);
    if (dialect === undefined) continue;
    if (dialect === 'package') {
      leftOut.push({ path, why: 'is a package in an earlier format. Convert it, or install it by its file name' });
      continue;
    }
    const { text } = await reading.read(path);
    if (text === undefined) leftOut.push({ path, why: 'is not valid UTF-8' });
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
  const needed = new Set<string>();
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
        `The frontmatter of \`${path}\` is not valid YAML, so its capabilities are unknown. Fix or exclude it.`,
      );
    }
    const files = await filesFor(path, file, own, { root: ROOT, has }, reading);
    found.set(path, { path, files });
    for (const one of files) needed.add(one);
    if (needed.size > MAX_ENTRIES) throw tooMany();
    const parts = closureWithTools(analysis, skill).flatMap(({ uri }) => paths.get(uri) ?? []);
    queue.push(...parts, ...files.filter((one) => one !== path));
  }
  const files = new Map<string, SourceFile>();
  for (const path of needed) files.set(path, await reading.read(path));
  const governing = source.paths.filter(isOfWorkspace);
  leftOut.push(...governing.map((path) => ({ path, why: 'belongs to the workspace, not to a skill' })));
  const skills = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lost = leftOut.map(({ path }) => path).sort();
  const missed = new Set(
    skills.flatMap(({ path }) => filesOfFolder(analysis.file(uriIn(ROOT, path)) as SkillFile, path, lost)),
  );
  const isConcerned = ({ path }: ExcludedFile): boolean =>
    isMeant(path, source, wanted) || linked.has(path) || missed.has(path);
  return { skills, files, leftOut: leftOut.filter(isConcerned) };
}

/** Returns whether the user selected a path or a folder above the path. */
const isMeant = (path: string, { only }: Source, { names = [], paths, namedPaths = [] }: Wanted): boolean =>
  paths
    ? namedPaths.some((one) => one === path || isInFolder(one, path))
    : names.length === 0 && (only === undefined || only === path);

/** Returns whether a path is a catalog or a lock file, which apply only to their own workspace. */
export const isOfWorkspace = (path: string): boolean => [...CATALOG_NAMES, LOCK_NAME].includes(nameOf(path));

/**
 * Returns the paths of the selected skills. The caller adds the composed skills. Throws a `UserError` if no skill
 * matches.
 */
function rootsOf(
  all: readonly { readonly path: string; readonly skill: IndexedSkill }[],
  { only }: Source,
  { names = [], paths }: Wanted,
  shown: string,
): string[] {
  const isEmpty = paths ? !all.some(({ path }) => paths.has(path)) : all.length === 0;
  if (isEmpty)
    throw new UserError(`${shown} contains no skills. Name a skill file, or a folder or an archive with skills.`);
  if (only !== undefined) {
    if (!all.some(({ path }) => path === only))
      throw new UserError(`${shown} is not a skill: its frontmatter must have \`name\` and \`description\`.`);
    return [only];
  }
  if (paths) return all.flatMap(({ path }) => (paths.has(path) ? [path] : []));
  const missing = names.find((name) => !all.some(({ skill }) => skill.summary.name === name));
  if (missing !== undefined) throw new UserError(`${shown} has no skill \`${missing}\`.`);
  const isWanted = (name: string | undefined) => names.length === 0 || (name !== undefined && names.includes(name));
  return all.flatMap(({ path, skill }) => (isWanted(skill.summary.name) ? [path] : []));
}

/** A root folder, and a function that returns whether a path below it exists. */
export interface Rooted {
  readonly root: string;
  readonly has: (path: string) => Promise<boolean>;
}

/**
 * Returns the paths of the files that a skill needs: the files in its folder, and the files that it links to directly
 * or indirectly.
 */
export async function filesFor(
  path: string,
  file: SkillFile,
  all: readonly string[],
  { root, has }: Rooted,
  reading: SourceReader,
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

/**
 * A cache that reads each file once. Reading throws a `UserError` if the files together exceed the limit for archives.
 */
export class SourceReader {
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
    if (this.#left < 0)
      throw new UserError(
        `The files are too large: together they have more than ${MAX_TOTAL_BYTES / 2 ** 20} MiB. Select fewer skills.`,
      );
    this.#known.set(path, file);
    return file;
  }
}
