/**
 * Decides which folders and files are left out of a search for skills: copies in linked git worktrees, packages, and paths
 * that git ignores (docs/format.md, section 1, "Left out"). Every search uses this file.
 */
import { listed } from '../nearest.ts';
import type { FileContent } from '../protocol.ts';
import { CLIENT_PATHS, isCalled } from '../vocabulary/client-paths.ts';
import { decoded, dialectOf, folderOf, isInstructions, resolvePath } from '../vocabulary/dialect.ts';
import { IgnoreFile } from './gitignore.ts';

/** Why a path is left out: it is a linked worktree, a folder of packages, or git ignores it. */
export type ExclusionReason = 'worktree' | 'packages' | 'ignored';

/** A path that was left out. */
export interface ExcludedPath {
  readonly path: string;
  readonly reason: ExclusionReason;
}

/** The numbers of paths that were left out, by reason. */
export type ExcludedCounts = Readonly<Record<ExclusionReason, number>>;

export function countExcluded(paths: readonly Pick<ExcludedPath, 'reason'>[]): ExcludedCounts {
  const counts: Record<ExclusionReason, number> = { worktree: 0, packages: 0, ignored: 0 };
  for (const { reason } of paths) counts[reason]++;
  return counts;
}

/** Returns the sentence that says how many paths were left out, and why, without a period; empty if none was. */
export function excludedInWords(paths: readonly Pick<ExcludedPath, 'reason'>[]): string {
  const { worktree, packages, ignored } = countExcluded(paths);
  const parts = [
    ...(worktree > 0 ? [`${worktree} ${worktree === 1 ? 'linked git worktree' : 'linked git worktrees'}`] : []),
    ...(packages > 0 ? [`${packages} ${packages === 1 ? 'folder' : 'folders'} of Python packages`] : []),
    ...(ignored > 0 ? [`${ignored} ${ignored === 1 ? 'path' : 'paths'} that git ignores`] : []),
  ];
  return parts.length === 0 ? '' : `Left out: ${listed(parts)}`;
}

/** Access to the files that decide. */
export interface ExclusionAccess {
  /** Returns the content of a file; for a folder, the reason `folder`. */
  read(uri: string): Promise<FileContent>;
  /** Returns the URI of a folder without links. Not in every host. */
  real?(uri: string): Promise<string>;
  /** Returns the URIs of the tracked files of a repository that match its patterns, which git does not ignore. */
  tracked?(repository: string): Promise<readonly string[]>;
}

/** Folders into which package managers of Python install packages. */
const PACKAGES: ReadonlySet<string> = new Set(['.venv', 'venv', 'site-packages']);

/** The patterns of a file, and the names of the folder to which they are relative. */
interface Patterns {
  readonly names: readonly string[];
  readonly file: Pick<IgnoreFile, 'excludes'>;
}

/** A folder in which a search looks. */
export interface VisitedFolder {
  /** The names below the root, the outermost first. */
  readonly names: readonly string[];
  readonly uri: string;
  /** The patterns for its entries, the outermost first. */
  readonly patterns: readonly Patterns[];
  /** The URI of the repository that contains the folder. */
  readonly repository: string | undefined;
  /** True in an ignored folder, in which only tracked files and folders of clients count. */
  readonly isIgnored: boolean;
}

export class Exclusions {
  readonly #root: string;
  readonly #access: ExclusionAccess;
  readonly #tracked = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #folders = new Map<string, Promise<VisitedFolder | ExclusionReason>>();
  #common: Promise<string | undefined> | undefined;

  /** @param root the URI of a workspace folder, below which clients have their folders */
  constructor(root: string, access: ExclusionAccess) {
    this.#root = root;
    this.#access = access;
  }

  /** Returns why a file is left out; undefined for a file that counts, and for one that is not below the root. */
  async find(uri: string): Promise<ExclusionReason | undefined> {
    if (!uri.startsWith(`${this.#root}/`)) return undefined;
    const folder = await this.folder(folderOf(uri));
    return typeof folder === 'string' ? folder : this.excludesFile(folder, nameIn(folder.uri, uri));
  }

  /** Returns a folder at or below the root, or why it is left out. */
  folder(uri: string): Promise<VisitedFolder | ExclusionReason> {
    const known = this.#folders.get(uri);
    if (known) return known;
    const found = this.#findFolder(uri);
    this.#folders.set(uri, found);
    return found;
  }

  async #findFolder(uri: string): Promise<VisitedFolder | ExclusionReason> {
    if (uri === this.#root || !uri.startsWith(`${this.#root}/`)) return this.#openRoot();
    const parent = await this.folder(folderOf(uri));
    return typeof parent === 'string' ? parent : this.enter(parent, nameIn(parent.uri, uri));
  }

  /**
   * Returns a folder that the user named, even if it would be left out. The patterns of its parents then do not count. Returns
   * undefined for a folder of packages, in which every file counts.
   */
  async named(uri: string): Promise<VisitedFolder | undefined> {
    const found = await this.folder(uri);
    if (found === 'packages') return undefined;
    if (typeof found !== 'string' && !found.isIgnored) return found;
    const names = uri === this.#root ? [] : namesBelow(this.#root, uri);
    return this.#open({ uri, names, patterns: [], repository: undefined, isIgnored: false });
  }

  /** Returns a folder in another one, or why it is left out. */
  async enter(parent: VisitedFolder, name: string): Promise<VisitedFolder | ExclusionReason> {
    const passed = await this.pass(parent, name);
    return typeof passed === 'string' ? passed : this.look(passed);
  }

  /** Decides about a folder in another one by its path, so that an ignored folder is not read. */
  async pass(parent: VisitedFolder, name: string): Promise<VisitedFolder | ExclusionReason> {
    const { patterns, repository } = parent;
    const names = [...parent.names, name];
    const folder = { names, uri: resolvePath(parent.uri, name), patterns, repository };
    const place = placeAtRoot(names);
    if (place === 'inside') return { ...folder, isIgnored: false };
    const isIgnored = parent.isIgnored || excludes(patterns, names, true);
    const isKept = !isIgnored || place === 'above' || (await this.#hasTracked(folder));
    return isKept ? { ...folder, isIgnored } : 'ignored';
  }

  /**
   * Decides about a folder by its content.
   *
   * @param entries the names of its entries, if they are known
   */
  async look(folder: VisitedFolder, entries?: ReadonlySet<string>): Promise<VisitedFolder | ExclusionReason> {
    const name = folder.names.at(-1) ?? '';
    // A folder with this name may be that of a skill.
    if (PACKAGES.has(name) && !(await this.#has(folder, 'SKILL.md', entries))) return 'packages';
    const mark = entries && !entries.has('.git') ? undefined : await this.#access.read(`${folder.uri}/.git`);
    if (mark?.kind === 'text' && (await this.#isCopy(folder, mark.text))) return 'worktree';
    const isRepository = mark !== undefined && mark.kind !== 'absent';
    return this.#open(isRepository ? { ...folder, repository: folder.uri, patterns: [] } : folder, entries);
  }

  /** Returns why a file of a folder is left out; undefined if it counts. */
  async excludesFile({ names, uri, patterns, isIgnored, repository }: VisitedFolder, name: string) {
    const path = [...names, name];
    const file = resolvePath(uri, name);
    const place = placeAtRoot(path);
    // Settings for the whole workspace count, even if they are only for one author.
    if (place === 'inside' || !isLeftOutAlone(file)) return isIgnored && place !== 'inside' ? 'ignored' : undefined;
    if (!isIgnored && !excludes(patterns, path, false)) return undefined;
    return (await this.#trackedIn(repository)).has(file) ? undefined : 'ignored';
  }

  /** Adds the patterns of a folder, and those of its repository if it is one. */
  async #open(folder: VisitedFolder, entries?: ReadonlySet<string>): Promise<VisitedFolder> {
    const { names, uri, repository } = folder;
    // Clients read all files in their folders.
    if (placeAtRoot(names) === 'inside') return { ...folder, patterns: [] };
    const own = [
      ...(repository === uri ? await this.#patternsIn(`${uri}/.git/info/exclude`, names) : []),
      ...(entries && !entries.has('.gitignore') ? [] : await this.#patternsIn(`${uri}/.gitignore`, names)),
    ];
    return own.length === 0 ? folder : { ...folder, patterns: [...folder.patterns, ...own] };
  }

  async #patternsIn(uri: string, names: readonly string[]): Promise<readonly Patterns[]> {
    const content = await this.#access.read(uri);
    const text = content.kind === 'text' ? content.text : content.kind === 'unreadable' ? content.replaced : undefined;
    return text === undefined ? [] : [{ names, file: new IgnoreFile(text) }];
  }

  /** Opens the root with the patterns of the folders above it in its repository, unless they ignore it. */
  async #openRoot(): Promise<VisitedFolder> {
    let repository: string | undefined;
    for (let one = this.#root; repository === undefined; one = folderOf(one)) {
      if (await this.#exists(`${one}/.git`)) repository = one;
      if (!/^[^/]+:(?:\/\/[^/]*)?\/[^/]/.test(folderOf(one))) break;
    }
    const root = { uri: this.#root, names: [], patterns: [], repository: undefined, isIgnored: false };
    if (repository === undefined) return this.#open(root);
    const outer = new Exclusions(repository, { read: (uri) => this.#access.read(uri) });
    const lifted = repository === this.#root ? undefined : await outer.#patternsAbove(this.#root);
    return this.#open({ ...root, repository, patterns: lifted ?? [] });
  }

  /** Returns the patterns of the folders above `root`, with names relative to it; undefined if they ignore it. */
  async #patternsAbove(root: string): Promise<readonly Patterns[] | undefined> {
    let folder = await this.#open({
      ...{ uri: this.#root, names: [], patterns: [], repository: this.#root, isIgnored: false },
    });
    const names = namesBelow(this.#root, root);
    for (const [at, name] of names.entries()) {
      const path = [...folder.names, name];
      if (excludes(folder.patterns, path, true)) return undefined;
      const next = { ...folder, names: path, uri: resolvePath(folder.uri, name) };
      if (at < names.length - 1) folder = await this.#open(next);
    }
    return folder.patterns.map(({ names: own, file }) => ({
      names: [],
      file: { excludes: (path, isFolder) => file.excludes([...names.slice(own.length), ...path], isFolder) },
    }));
  }

  async #has({ uri }: VisitedFolder, name: string, entries: ReadonlySet<string> | undefined): Promise<boolean> {
    return entries ? entries.has(name) : this.#exists(`${uri}/${name}`);
  }

  async #exists(uri: string): Promise<boolean> {
    return (await this.#access.read(uri)).kind !== 'absent';
  }

  // Tracked files, which git does not ignore even if they match a pattern.

  #trackedIn(repository: string | undefined): Promise<ReadonlySet<string>> {
    if (repository === undefined) return Promise.resolve(new Set());
    const known = this.#tracked.get(repository);
    if (known) return known;
    const found = (this.#access.tracked?.(repository) ?? Promise.resolve([])).then(withFolders);
    this.#tracked.set(repository, found);
    return found;
  }

  async #hasTracked({ uri, repository }: Pick<VisitedFolder, 'uri' | 'repository'>): Promise<boolean> {
    return (await this.#trackedIn(repository)).has(uri);
  }

  // Linked worktrees (git's documentation, "gitrepository-layout").

  /**
   * Returns whether a folder with this `.git` file is a worktree of the repository of the root, or of a repository that the
   * search finds. Reads no file outside of these repositories, because the text of the file is not trusted.
   */
  async #isCopy({ uri, names }: VisitedFolder, text: string): Promise<boolean> {
    const [, written] = /^gitdir: *(.+?)\s*$/m.exec(text) ?? [];
    const [, folder, name] = /^(.+)[\\/]worktrees[\\/]([^\\/]+)[\\/]?$/.exec(written ?? '') ?? [];
    if (folder === undefined || name === undefined) return false;
    const root = await this.#real(this.#root);
    const common = isAbsolute(folder) ? asUri(folder, root) : resolvePath(resolveNames(root, names), folder);
    this.#common ??= this.#findCommon();
    const own = await this.#common;
    if (own !== undefined && (own === common || (await this.#isMoved(own, name, uri)))) return true;
    if (!common.startsWith(`${root}/`) || !common.endsWith('/.git')) return false;
    const inside = resolveNames(this.#root, namesBelow(root, common));
    return (await this.#isFolder(inside)) && !(await this.#isBare(inside));
  }

  /** Returns the URI of the common folder of the root's repository; undefined if it has no work tree. */
  async #findCommon(): Promise<string | undefined> {
    const opened = await this.folder(this.#root);
    const repository = typeof opened === 'string' ? undefined : opened.repository;
    if (repository === undefined) return undefined;
    const mark = await this.#access.read(`${repository}/.git`);
    if (mark.kind !== 'text')
      return (await this.#isBare(`${repository}/.git`)) ? undefined : `${await this.#real(repository)}/.git`;
    const [, written] = /^gitdir: *(.+?)\s*$/m.exec(mark.text) ?? [];
    if (written === undefined) return undefined;
    const [, shared] = /^(.+)[\\/]worktrees[\\/][^\\/]+[\\/]?$/.exec(written) ?? [];
    const real = await this.#real(repository);
    const common = isAbsolute(shared ?? written)
      ? asUri(shared ?? written, real)
      : resolvePath(real, shared ?? written);
    // Folders with a bare repository contain worktrees only, and none of them is a copy of another.
    return shared === undefined && common.startsWith(`${real}/`) ? undefined : common;
  }

  /** Returns whether a worktree is one of the repository, although one of them was moved. */
  async #isMoved(common: string, name: string, uri: string): Promise<boolean> {
    const back = await this.#access.read(`${common}/worktrees/${encodeURIComponent(name)}/gitdir`);
    const tail = `/${namesBelow(this.#root, uri).join('/')}/.git`;
    return back.kind === 'text' && back.text.trim().replaceAll('\\', '/').endsWith(tail);
  }

  async #isFolder(uri: string): Promise<boolean> {
    const content = await this.#access.read(uri);
    return content.kind === 'unreadable' && content.reason === 'folder';
  }

  async #isBare(common: string): Promise<boolean> {
    const config = await this.#access.read(`${common}/config`);
    return config.kind === 'text' && /^\s*bare\s*=\s*true\b/im.test(config.text);
  }

  async #real(uri: string): Promise<string> {
    return (await this.#access.real?.(uri)) ?? uri;
  }
}

/** The exclusions of several workspace folders, each made when it is needed. */
export class ExclusionsOf {
  readonly #within: readonly string[];
  readonly #make: (root: string) => Exclusions;
  readonly #made = new Map<string, Exclusions>();

  /**
   * @param within the URIs of the workspace folders
   * @param make returns the exclusions below one of them
   */
  constructor(within: readonly string[], make: (root: string) => Exclusions) {
    this.#within = within;
    this.#make = make;
  }

  /** Returns the exclusions for a folder or a file; undefined outside of the workspace folders. */
  of(uri: string): Exclusions | undefined {
    // A workspace folder in another one was opened on purpose.
    const roots = this.#within.filter((one) => uri === one || uri.startsWith(`${one}/`));
    const root = roots.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    if (root === '') return undefined;
    const made = this.#made.get(root) ?? this.#make(root);
    this.#made.set(root, made);
    return made;
  }

  /** Returns the files that are not left out. */
  async keep(uris: readonly string[]): Promise<readonly string[]> {
    const reasons = await Promise.all(uris.map((uri) => this.of(uri)?.find(uri)));
    return uris.filter((_, at) => reasons[at] === undefined);
  }
}

/**
 * Returns whether a path is in a folder that some client reads at the root of a workspace, or is above such a folder.
 *
 * @param names the names of the path below the workspace folder, the outermost first
 */
function placeAtRoot(names: readonly string[]): 'inside' | 'above' | undefined {
  const reached = CLIENT_PATHS.filter((path) =>
    path.every((name, at) => at >= names.length || isCalled(names[at] ?? '', name)),
  );
  if (reached.length === 0) return undefined;
  return reached.some((path) => path.length <= names.length) ? 'inside' : 'above';
}

/** Returns whether the innermost patterns that match a path exclude it. */
function excludes(patterns: readonly Patterns[], path: readonly string[], isFolder: boolean): boolean {
  for (let at = patterns.length - 1; at >= 0; at--) {
    const { names, file } = patterns[at] as Patterns;
    const result = file.excludes(path.slice(names.length), isFolder);
    if (result !== undefined) return result;
  }
  return false;
}

/** Returns whether a single file is left out if git ignores it: not a catalog, and not the instructions of a project. */
const isLeftOutAlone = (uri: string): boolean =>
  !isInstructions(uri) && dialectOf(uri) !== undefined && dialectOf(uri) !== 'catalog';

/** Adds the folders of files. */
function withFolders(uris: readonly string[]): ReadonlySet<string> {
  const all = new Set(uris);
  for (const uri of uris) {
    for (let folder = folderOf(uri); !all.has(folder) && folder.includes('/'); folder = folderOf(folder))
      all.add(folder);
  }
  return all;
}

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[a-z]:[\\/])/i.test(path);

/** Returns an absolute path as a URI of the same host as another one. */
function asUri(path: string, other: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(other) ?? [];
  return resolvePath(
    scheme,
    path.replace(/^([A-Z]):/, (drive) => drive.toLowerCase()),
  );
}

const resolveNames = (folder: string, names: readonly string[]): string => resolvePath(folder, names.join('/'));

const namesBelow = (folder: string, uri: string): readonly string[] =>
  uri
    .slice(folder.length + 1)
    .split('/')
    .map(decoded);

const nameIn = (folder: string, uri: string): string => decoded(uri.slice(folder.length + 1));
