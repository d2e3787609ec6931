/** The files of a run, read into a workspace. */
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { networkCalls } from '../../abilities/network.ts';
import { Workspace } from '../../analysis/workspace.ts';
import type { FileContent } from '../../protocol.ts';
import { lineAt } from '../../text.ts';
import { CATALOG_NAME, folderOf } from '../../vocabulary/dialect.ts';
import { accountFolders } from '../../workspace/account.ts';
import { BASELINE_NAME } from '../../workspace/known-findings.ts';
import { asksForCalls, lookedFor } from '../../workspace/neighbours.ts';
import { SkillFolder } from '../../workspace/skill-folder.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { changeOf, type LinkScope } from '../files/files.ts';
import { isCatalog } from '../files/globs.ts';
import { lookFor, serverFiles } from '../files/look-for.ts';
import { readFolder } from '../files/read-folder.ts';
import { UserError } from '../user-error.ts';
import { nodeFiles } from './node-files.ts';
import { absolute, toPath, toUri } from './paths.ts';
import { readFound, readNamed } from './read-file.ts';
import { textIn } from './read-named.ts';
import { findBelow, selectFiles } from './select-files.ts';
import type { Progress } from './stderr.ts';

export interface Project {
  readonly cwd: string;
  readonly workspace: Workspace;
  /** The URIs of the files that findings are reported for. */
  readonly named: ReadonlySet<string>;
  /** The files that are links: whether their own links are relative to them or to their target is not known. */
  readonly linked: ReadonlySet<string>;
  /** The links among what is named, as paths: folders, and files whose target is read by itself. */
  readonly links: readonly string[];
  /** The URIs of the folders that links may lead to. */
  readonly roots: readonly string[];
  /** The baselines that were read, as paths. */
  readonly baselines: readonly string[];
  /** Reads a file of the run anew. */
  read(uri: string): Promise<void>;
  pathOf(uri: string): string;
  /** The name that a report calls a file by: relative to the working folder, with `/`. */
  fileOf(uri: string): string;
}

export interface ProjectOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  /** A catalog that governs every file, in place of all that would be found. */
  readonly config: string | undefined;
  readonly progress: Progress;
  /** Whether a folder without a skill is one to work in. */
  readonly mayBeEmpty?: boolean;
}

/** So much text, in UTF-16 units, stays parsed between reading the files and looking at each; a tree takes a multiple of it. */
const AWAITED_TEXT = 1 << 20;

/** A catalog at the root of everything governs everything; `--config` puts its file there. */
const CONFIG_URI = `file:///${CATALOG_NAME}`;

/** Reads the files that a run concerns; throws a `UserError` where one cannot be read. */
export async function openProject({ cwd, paths, config, progress, mayBeEmpty }: ProjectOptions): Promise<Project> {
  const { named, read, roots, links: found } = await selectFiles(cwd, paths, mayBeEmpty);
  const workspace = new Workspace();
  workspace.apply({ kind: 'partial', partial: true });
  const configPath = config === undefined ? undefined : absolute(cwd, config);
  if (configPath !== undefined) await readConfig(workspace, configPath, `--config ${config}`);
  const isReplaced = (path: string) =>
    configPath !== undefined && (path === configPath || [CATALOG_NAME, SNAPSHOT_NAME].includes(basename(path)));
  const wanted = read.filter((path) => !isReplaced(path));
  const links = linksTo(roots, wanted);
  const linked = new Set<string>();
  const linksNamed = new Set(found);
  let room = AWAITED_TEXT;
  const left = new Set([...named].filter((path) => !isReplaced(path)));
  await readFiles(wanted, links, progress, (path, content) => {
    // The file that a link leads to has the findings.
    if (content.kind === 'same' && left.delete(path)) linksNamed.add(path);
    if (content.kind === 'text' && content.target) linked.add(toUri(path));
    const isGone = content.kind === 'absent' && left.has(path);
    const change = changeOf(toUri(path), isGone ? { kind: 'unreadable', reason: 'gone' } : content);
    if (change.kind === 'text') room -= change.text.length;
    workspace.apply({ ...change, ...(room >= 0 && { isAwaited: true }) });
    if (content.kind === 'text' && content.target) {
      workspace.apply({ kind: 'link', uri: toUri(path), link: { folder: false, file: true, target: content.target } });
    }
  });
  await readAccount(workspace, configPath === undefined ? cwd : dirname(configPath), progress);
  workspace.apply({ kind: 'partial', partial: false });

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
    named: uris,
    linked,
    links: [...linksNamed],
    roots: roots.map(toUri),
    baselines,
    read: readAgain,
    pathOf,
    fileOf: (uri) => nameOf(cwd, pathOf(uri)),
  };
}

/** Reads the catalog of `--config`, and the snapshot that stands beside it. */
async function readConfig(workspace: Workspace, path: string, option: string): Promise<void> {
  const text = textIn(await readNamed(path), option, " Name a catalog's file.");
  workspace.apply({ kind: 'text', uri: CONFIG_URI, text });
  const snapshot = join(dirname(path), SNAPSHOT_NAME);
  workspace.apply(changeOf(`file:///${SNAPSHOT_NAME}`, await readFound(snapshot, linksTo([dirname(path)], []))));
}

/** Reads the skills of the account scope; a catalog of `--config` names their folder from where its file stands. */
async function readAccount(workspace: Workspace, cwd: string, progress: Progress): Promise<void> {
  const base = toUri(cwd);
  const { catalogs, graph, files } = workspace.index;
  const placed = catalogs.map((catalog) => (catalog.uri === CONFIG_URI ? { ...catalog, folder: base } : catalog));
  const folders = accountFolders(
    { graph, catalogs: placed },
    { home: toUri(homedir()), roots: [base], setting: undefined, trustsCatalogs: true },
  ).map((folder) => toUri(toPath(folder)));
  if (folders.length === 0) return;
  workspace.apply({ kind: 'account', folders });
  const found = await Promise.all(folders.map((folder) => findBelow(toPath(folder))));
  const paths = found.flatMap(({ paths }) => paths).filter((path) => !files.has(toUri(path)));
  const roots = folders.map(toPath);
  await readFiles(paths, linksTo(roots, paths), progress, (path, content) => {
    workspace.apply(changeOf(toUri(path), content));
  });
}

/** Links may lead below the roots; those to one of the files are passed over. */
export function linksTo(roots: readonly string[], files: readonly string[]): LinkScope {
  // A catalog counts where it stands, so a link to one is a catalog of its own.
  const uris = new Set(files.map(toUri).filter((uri) => !isCatalog(uri)));
  return { folders: roots.map(toUri), readsItself: (uri) => uris.has(uri) };
}

const AT_ONCE = 32;

/** Reads files, some at once, and hands them on in their order. */
async function readFiles(
  paths: readonly string[],
  links: LinkScope,
  progress: Progress,
  take: (path: string, content: FileContent) => void,
): Promise<void> {
  for (let done = 0; done < paths.length; done += AT_ONCE) {
    progress.step('Reading', done, paths.length);
    const batch = paths.slice(done, done + AT_ONCE);
    const contents = await Promise.all(batch.map(async (path) => ({ path, content: await readFound(path, links) })));
    for (const { path, content } of contents) take(path, content);
  }
}

/** On Unix a file's name may have a backslash. */
export const nameOf = (cwd: string, path: string): string => relative(cwd, path).replaceAll(sep, '/');

/** Reads the folder of a `SKILL.md`, and finds out whether the targets of its links are there. */
export async function lookAround(
  { workspace, linked }: Pick<Project, 'workspace' | 'linked'>,
  uri: string,
): Promise<void> {
  const file = workspace.analysis.file(uri);
  if (!file || linked.has(uri)) return;
  if (file.dialect === 'agent-skill') {
    const files = await readFolder(nodeFiles, folderOf(uri));
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), files) });
    if (asksForCalls(file)) workspace.apply({ kind: 'network-calls', uri, calls: networkCalls(files) });
  }
  const ofServers = serverFiles([file]);
  for (;;) {
    const { exists } = workspace.index.facts;
    const unknown = lookedFor(file, exists, workspace.analysis.folder(uri)).filter((target) => !exists.has(target));
    if (unknown.length === 0) return;
    const found = await Promise.all(unknown.map((target) => lookFor(nodeFiles, target, ofServers.has(target))));
    for (const one of found) workspace.apply(one);
  }
}

/** Throws a `UserError` where a catalog that governs a named file cannot be read: findings under it could not be relied on. */
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
    throw new UserError(`The catalog \`${fileOf(uri)}${line}\` is not valid YAML; fix it first.${message}`);
  }
}
