/** The files of a run, read into a workspace. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { networkCalls } from '../abilities/network.ts';
import { findMovedSkill } from '../analysis/moved-skill.ts';
import { frameworkFolders } from '../analysis/targets.ts';
import { Workspace } from '../analysis/workspace.ts';
import type { Client } from '../clients/facts/client.ts';
import { pathsOfClient } from '../clients/matrix/client-folders.ts';
import type { FileContent } from '../protocol.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { isServerFile, needsNetworkScan, urisToProbe } from '../skill-folder/referenced-files.ts';
import { isScriptFile, scriptUses } from '../skill-folder/script-calls.ts';
import { SkillFolder } from '../skill-folder/skill-folder.ts';
import { lineAt } from '../text.ts';
import { CATALOG_NAME, folderOf } from '../vocabulary/dialect.ts';
import { accountFolders } from '../workspace/account.ts';
import { BASELINE_NAME } from '../workspace/baseline.ts';
import type { Catalog } from '../workspace/catalog.ts';
import { SNAPSHOT_NAME } from '../workspace/tool-snapshot.ts';
import { UNREADABLE } from '../workspace/unreadable.ts';
import { existenceCheck, serverFiles } from './check-existence.ts';
import { type ClientSkillsOptions, clientSkillFile, findClientSkills } from './client-skills.ts';
import type { ExcludedPath } from './exclusions.ts';
import { changeOf, type Files, type LinkScope } from './files.ts';
import { isInSkillsFolder } from './find-files.ts';
import { isCatalog } from './globs.ts';
import { linkedSkillsOf } from './linked-skills.ts';
import { absolute, isWithin, toPath, toUri } from './paths.ts';
import { isThere, linkText, readFound, readNamed } from './read-file.ts';
import { inBatches, readFolder } from './read-folder.ts';
import { textIn } from './read-named.ts';
import { RunFiles } from './run-files.ts';
import { findBelow, selectFiles } from './select-files.ts';
import type { Progress } from './stderr.ts';
import { reasonOf, UserError } from './user-error.ts';

export interface Project {
  readonly cwd: string;
  readonly workspace: Workspace;
  /** The files on disk. */
  readonly files: Files;
  /** The URIs of the files for which findings are reported. */
  readonly named: ReadonlySet<string>;
  /**
   * The URIs of the files that lists of skills contain: the named files and, unless the paths select only a part of the
   * workspace, the files of the account.
   */
  readonly listed: ReadonlySet<string>;
  /** The files that are symbolic links. The base of relative links in a linked file is unknown. */
  readonly linked: ReadonlySet<string>;
  /** The paths that may be links: named paths, links below them, and links to files that are also read directly. */
  readonly links: readonly string[];
  /** The URIs of the `SKILL.md` files in named paths that only clients read, sorted (`Facts.clientSkills`). */
  readonly clientSkills: readonly string[];
  /** The places that were not searched for skills that only clients read, each with the reason as a sentence. */
  readonly unsearched: readonly { readonly path: string; readonly message: string }[];
  /** The URIs of the folders in which targets of links are read. */
  readonly roots: readonly string[];
  /** The folders that cannot be read, by their names in reports. */
  readonly unreadable: readonly { readonly folder: string; readonly message: string }[];
  /** The folders and files that were left out, such as linked git worktrees. */
  readonly excluded: readonly ExcludedPath[];
  /** The paths of the baselines that were read. */
  readonly baselines: readonly string[];
  /** Reads a file of the run again. */
  read(uri: string): Promise<void>;
  pathOf(uri: string): string;
  /** Returns the name of a file in reports: the path relative to the working folder, with `/`. */
  fileOf(uri: string): string;
}

export interface ProjectOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  /** The catalog to use for every file, instead of the catalogs in the folders. */
  readonly config: string | undefined;
  readonly progress: Progress;
  /** True to allow a folder without skills. */
  readonly mayBeEmpty?: boolean;
  /** Clients that are asked for, besides those of catalogs. */
  readonly clients?: readonly Client[];
  /** True to read skills in clients' folders through links that lead outside of the workspace (docs/security.md). */
  readonly readsOutside?: boolean;
}

/**
 * The amount of text, in UTF-16 code units, that stays parsed between reading and checking. Syntax trees are much
 * larger.
 */
const AWAITED_TEXT = 1 << 20;

/** The URI of the catalog that `--config` names. A catalog at the root governs all files. */
const CONFIG_URI = `file:///${CATALOG_NAME}`;

/** Reads the files of a run. Throws a `UserError` for paths without skills or an unreadable catalog. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { cwd, paths, config, progress, mayBeEmpty, readsOutside = false, clients = [] } = options;
  const files = new RunFiles(cwd);
  const {
    named,
    read,
    roots,
    links: found,
    besides,
    unreadable,
    excluded,
  } = await selectFiles(cwd, paths, {
    mayBeEmpty,
    entriesOf: files.entries,
  });
  const lost = unreadable.map(({ folder, error }) => ({
    folder: nameOf(cwd, folder),
    message: `This folder cannot be read: ${reasonOf(error)}. Its files are left out.`,
  }));
  for (const { folder, message } of lost) progress.note?.(`\`${folder}\`: ${message}`);
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: outermost(roots).map(toUri) });
  workspace.apply({ kind: 'partial', partial: true });
  const configPath = config === undefined ? undefined : absolute(cwd, config);
  if (configPath !== undefined) await readConfig(workspace, configPath, `--config ${config}`);
  const isReplaced = (path: string) =>
    configPath !== undefined && (path === configPath || [CATALOG_NAME, SNAPSHOT_NAME].includes(basename(path)));
  const wanted = read.filter((path) => !isReplaced(path));
  const links = linksTo(roots, wanted);
  const linked = new Set<string>();
  const linksNamed = new Set(found);
  const places = new Set(besides);
  let room = AWAITED_TEXT;
  const left = new Set([...named].filter((path) => !isReplaced(path)));
  await readFiles(files, wanted, links, progress, (path, content) => {
    // The findings are reported for the target of the link.
    if (content.kind === 'same' && left.delete(path)) linksNamed.add(path);
    if (content.kind === 'same' || (content.kind === 'unreadable' && content.reason === 'outside')) places.add(path);
    if (content.kind === 'text' && content.target) linked.add(toUri(path));
    const isGone = content.kind === 'absent' && left.has(path);
    const change = changeOf(toUri(path), isGone ? { kind: 'unreadable', reason: 'gone' } : content);
    if (change.kind === 'text') room -= change.text.length;
    workspace.apply({ ...change, ...(room >= 0 && { isAwaited: true }) });
    if ('target' in content && content.target !== undefined) {
      const link = { folder: false, file: true, first: toUri(path), target: content.target };
      if (content.kind !== 'same') workspace.apply({ kind: 'link', uri: toUri(path), link });
    }
  });
  const { clientSkills, left: unsearched } = await readClientSkills(workspace, [...places].sort(), {
    roots,
    others: [
      ...frameworkFolders(workspace.analysis),
      ...clients.filter(({ framework }) => framework).flatMap(pathsOfClient),
    ],
    readsOutside,
  });
  const base = toUri(configPath === undefined ? cwd : dirname(configPath));
  await readAccount(workspace, files, base, progress);
  workspace.apply({ kind: 'partial', partial: false });
  for (const { uri, link } of await linkedSkillsOf(files, workspace.analysis, links)) {
    workspace.apply({ kind: 'link', uri, link });
  }

  const uris = new Set([...left].map(toUri));
  if (configPath !== undefined && named.has(configPath)) uris.add(CONFIG_URI);
  const pathOf = (uri: string) => (uri === CONFIG_URI && configPath ? configPath : toPath(uri));
  const readAgain = async (uri: string) => {
    workspace.apply(changeOf(uri, await readFound(pathOf(uri), links)));
  };
  const baselines = wanted.filter((path) => basename(path) === BASELINE_NAME);
  return {
    cwd,
    workspace,
    files,
    named: uris,
    listed: new Set([
      ...uris,
      ...filesBelow(
        workspace,
        accountOf(workspace, base, ({ uri, folder }) => uris.has(uri) || (paths.length === 0 && isAbove(folder, base))),
      ),
    ]),
    linked,
    links: [...linksNamed],
    unsearched,
    clientSkills:
      paths.length === 0
        ? clientSkills
        : await below([...paths.map((path) => absolute(cwd, path)), ...linksNamed], clientSkills),
    roots: roots.map(toUri),
    unreadable: lost,
    excluded,
    baselines,
    read: readAgain,
    pathOf,
    fileOf: (uri) => nameOf(cwd, pathOf(uri)),
  };
}

/** Reads the catalog that `--config` names, and the snapshot in the same folder. */
async function readConfig(workspace: Workspace, path: string, option: string): Promise<void> {
  const text = textIn(await readNamed(path), option, ' Name a catalog.');
  workspace.apply({ kind: 'text', uri: CONFIG_URI, text });
  const snapshot = join(dirname(path), SNAPSHOT_NAME);
  workspace.apply(changeOf(`file:///${SNAPSHOT_NAME}`, await readFound(snapshot, linksTo([dirname(path)], []))));
}

/**
 * Reads the skills of the account. If `--config` names a catalog, the paths in the catalog are relative to the
 * catalog's folder, which the caller passes as the URI `base`.
 */
async function readAccount(workspace: Workspace, run: RunFiles, base: string, progress: Progress): Promise<void> {
  const { files } = workspace.index;
  const folders = accountOf(workspace, base, () => true);
  if (folders.length === 0) return;
  workspace.apply({ kind: 'account', folders });
  const found = await Promise.all(folders.map((folder) => findBelow(toPath(folder))));
  const paths = found.flatMap(({ paths }) => paths).filter((path) => !files.has(toUri(path)));
  const roots = folders.map(toPath);
  await readFiles(run, paths, linksTo(roots, paths), progress, (path, content) => {
    workspace.apply(changeOf(toUri(path), content));
  });
}

/** Reads the skills that only clients find. Returns their URIs, sorted, and the places that were left out. */
async function readClientSkills(workspace: Workspace, places: readonly string[], options: ClientSkillsOptions) {
  const { skills, left } = await findClientSkills(places, options);
  const clientSkills: string[] = [];
  for (const { uri, text, link } of skills.flatMap(clientSkillFile)) {
    workspace.apply({ kind: 'client-skill', uri, file: new SkillFile(uri, text) });
    workspace.apply({ kind: 'link', uri, link });
    clientSkills.push(uri);
  }
  return { clientSkills, left };
}

/** Notes the places that were not searched, because the answer about clients is then not complete. */
export function noteUnsearched({ cwd, unsearched }: Project, note: (line: string) => void): void {
  for (const { path, message } of unsearched) note(`\`${nameOf(cwd, path)}\`: ${message}`);
}

/** Returns the files that are below a path, or below the path without the links in it. */
async function below(paths: readonly string[], uris: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return uris.filter((uri) => [...paths, ...real].some((path) => isWithin(path, toPath(uri))));
}

/** Returns the folders that are not in another one. Each is a workspace folder of its own. */
const outermost = (folders: readonly string[]): readonly string[] =>
  folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(other, folder)));

/** Returns the URIs of the account's folders that the selected catalogs name. */
function accountOf({ index }: Workspace, base: string, isSelected: (catalog: Catalog) => boolean): readonly string[] {
  const catalogs = index.catalogs
    .map((catalog) => (catalog.uri === CONFIG_URI ? { ...catalog, folder: base } : catalog))
    .filter(isSelected);
  const options = { home: toUri(homedir()), roots: [base], setting: undefined, trustsCatalogs: true };
  return accountFolders({ graph: index.graph, catalogs }, options).map((folder) => toUri(toPath(folder)));
}

const isAbove = (folder: string, uri: string): boolean => `${uri}/`.startsWith(`${folder}/`);

const filesBelow = ({ index }: Workspace, folders: readonly string[]): readonly string[] =>
  folders.length === 0 ? [] : [...index.graph.skills.keys()].filter((uri) => folders.some((one) => isAbove(one, uri)));

/** Returns a scope that follows links to targets below the roots, except links to one of `files`. */
export function linksTo(roots: readonly string[], files: readonly string[]): LinkScope {
  // A catalog applies to its own folder, so a link to a catalog is a separate catalog.
  const uris = new Set(files.map(toUri).filter((uri) => !isCatalog(uri)));
  return { folders: roots.map(toUri), isReadDirectly: (uri) => uris.has(uri) };
}

const AT_ONCE = 32;

/** Reads files in batches, and passes each file to `take` in order. */
async function readFiles(
  files: RunFiles,
  paths: readonly string[],
  links: LinkScope,
  progress: Progress,
  take: (path: string, content: FileContent) => void,
): Promise<void> {
  for (let done = 0; done < paths.length; done += AT_ONCE) {
    progress.step('Reading', done, paths.length);
    const batch = paths.slice(done, done + AT_ONCE);
    const contents = await Promise.all(
      batch.map(async (path) => ({ path, content: await files.readPath(path, links) })),
    );
    for (const { path, content } of contents) take(path, content);
  }
}

/** Returns a path relative to `cwd`, with `/`. On Unix, a backslash may be part of a file name. */
export const nameOf = (cwd: string, path: string): string => relative(cwd, path).replaceAll(sep, '/');

/** Reads the folder of a `SKILL.md`, and checks whether the targets of links in the file exist. */
export async function readSurroundings(
  { workspace, linked, files }: Pick<Project, 'workspace' | 'linked' | 'files'>,
  uri: string,
): Promise<void> {
  const file = workspace.analysis.file(uri);
  if (!file || linked.has(uri)) return;
  if (file.dialect === 'agent-skill') {
    const read = await readFolder(files, folderOf(uri));
    const scripts = new Set(read.filter(isScriptFile).map(({ path }) => path));
    // Git is started only if the code of a skill names a script.
    const isUsed = scripts.size > 0 && scriptUses(file, (path) => scripts.has(path)).length > 0;
    const all = isUsed && files.withModes ? await files.withModes(folderOf(uri), read) : read;
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), all) });
    if (needsNetworkScan(file)) workspace.apply({ kind: 'network-calls', uri, calls: networkCalls(all) });
  }
  const ofServers = serverFiles([file]);
  const { roots } = workspace.index.graph;
  const findOne = existenceCheck(files, (target) => ofServers.has(target) || isServerFile(target, roots));
  for (;;) {
    const { exists } = workspace.index.facts;
    const { analysis } = workspace;
    const findMoved = (missing: string) => findMovedSkill(analysis, file, missing)?.uri;
    const wanted = urisToProbe(file, exists, analysis.folder(uri), roots, findMoved);
    const unknown = wanted.filter((target) => !exists.has(target));
    if (unknown.length === 0) return;
    for (const one of await Promise.all(unknown.map(findOne))) workspace.apply(one);
  }
}

/** Throws a `UserError` if a catalog that governs a named file is invalid, since findings would be unreliable. */
export function assertCatalogsParse({
  workspace: { analysis },
  named,
  fileOf,
}: Pick<Project, 'named' | 'fileOf'> & { readonly workspace: Pick<Workspace, 'analysis'> }): void {
  const catalogs = new Set([...named].flatMap((uri) => analysis.findCatalog(uri)?.uri ?? []));
  for (const uri of catalogs) {
    const reason = analysis.unreadable(uri);
    if (reason) {
      const { reason: why, advice } = UNREADABLE[reason];
      throw new UserError(`The catalog \`${fileOf(uri)}\` cannot be read: ${why}. ${advice}`);
    }
    const file = analysis.file(uri);
    if (!file?.frontmatter.tree.broken) continue;
    const problem = file.frontmatter.tree.problems.find(({ kind }) => kind === 'syntax');
    const line = problem ? `:${lineAt(file.lines, problem.span.start) + 1}` : '';
    const message = problem ? ` ${problem.message}` : '';
    throw new UserError(`The catalog \`${fileOf(uri)}${line}\` is not valid YAML. Fix it first.${message}`);
  }
}

// Links that lead nowhere.

/** A link in a folder of skills that leads nowhere. */
export interface DeadLink {
  readonly path: string;
  readonly message: string;
}

/**
 * Returns the links in the clients' folders of skills that lead nowhere, and files that contain only a path, because git
 * checked a link out as text (docs/rules/unreadable-file.md).
 */
export async function deadLinks({ links, cwd }: Pick<Project, 'links' | 'cwd'>): Promise<readonly DeadLink[]> {
  const dead: DeadLink[] = [];
  for await (const one of inBatches(links.filter(isInSkillsFolder), async (path) => deadLink(cwd, path))) {
    if (one) dead.push(one);
  }
  return dead;
}

async function deadLink(cwd: string, path: string): Promise<DeadLink | undefined> {
  const written = await linkText(path);
  if (!written) return undefined;
  const target = resolve(dirname(path), written.target);
  if (written.isText) {
    return {
      path,
      message: `This file contains only the path \`${written.target}\`: git checked a link out as text, so clients find no skill. Set \`core.symlinks\` to true, and check the file out again.`,
    };
  }
  if (await isThere(target)) return undefined;
  // Links are relative to their own folder, not to the repository.
  const meant = ['..', join('..', '..')].map((up) => join(up, written.target));
  const found = await Promise.all(meant.map((one) => isThere(resolve(dirname(path), one))));
  const near = meant.find((_, at) => found[at]);
  const advice =
    near === undefined ? 'Correct its target, or remove it.' : `Did you mean \`${near.replaceAll(sep, '/')}\`?`;
  const shown = isWithin(cwd, target) ? nameOf(cwd, target) : written.target;
  return {
    path,
    message: `This link leads to \`${shown}\`, which does not exist, so clients find no skill. ${advice}`,
  };
}
