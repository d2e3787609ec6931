/** The files of a run, read into a workspace. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Workspace } from '../../analysis/workspace.ts';
import { lineAt } from '../../text.ts';
import { CATALOG_NAME } from '../../vocabulary/dialect.ts';
import { accountFolders } from '../../workspace/account.ts';
import { SNAPSHOT_NAME } from '../../workspace/catalog.ts';
import { linkTargets } from '../../workspace/links.ts';
import { nodeFiles, toPath, toUri } from '../disk/node-files.ts';
import { findBelow } from './find-skills.ts';
import type { Progress } from './progress.ts';
import { selectFiles } from './selection.ts';
import { reasonOf, Stop } from './stop.ts';

export interface Project {
  readonly cwd: string;
  readonly workspace: Workspace;
  /** The URIs of the files that findings are reported for. */
  readonly named: ReadonlySet<string>;
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
}

/** A catalog at the root of everything governs everything; `--config` puts its file there. */
const CONFIG_URI = `file:///${CATALOG_NAME}`;

/** Reads the files that a run concerns; throws a `Stop` where one cannot be read. */
export async function openProject({ cwd, paths, config, progress }: ProjectOptions): Promise<Project> {
  const { named, read } = await selectFiles(cwd, paths);
  const workspace = new Workspace();
  workspace.apply({ kind: 'partial', partial: true });
  const configPath = config === undefined ? undefined : resolve(cwd, config);
  if (configPath !== undefined) readConfig(workspace, configPath, `--config ${config}`);
  const isReplaced = (path: string) =>
    configPath !== undefined && (path === configPath || [CATALOG_NAME, SNAPSHOT_NAME].includes(basename(path)));
  const wanted = read.filter((path) => !isReplaced(path));
  readFilesInto(workspace, wanted, progress, (path, error) => {
    // A file may have been deleted since it was found, and a snapshot is optional.
    if (error.code === 'ENOENT' && !named.has(path)) return;
    throw new Stop(`\`${nameOf(cwd, path)}\` cannot be read: ${reasonOf(error)}.`);
  });
  await readAccount(workspace, configPath === undefined ? cwd : dirname(configPath), progress);
  workspace.apply({ kind: 'partial', partial: false });

  const uris = new Set([...named].filter((path) => !isReplaced(path)).map(toUri));
  if (configPath !== undefined && named.has(configPath)) uris.add(CONFIG_URI);
  const pathOf = (uri: string) => (uri === CONFIG_URI && configPath ? configPath : toPath(uri));
  return { cwd, workspace, named: uris, pathOf, fileOf: (uri: string) => nameOf(cwd, pathOf(uri)) };
}

/** Reads the catalog of `--config`, and the snapshot that stands beside it. */
function readConfig(workspace: Workspace, path: string, option: string): void {
  readFileInto(workspace, CONFIG_URI, path, (error) => {
    throw new Stop(`\`${option}\` cannot be read: ${reasonOf(error)}. Name a catalog's file.`);
  });
  readFileInto(workspace, `file:///${SNAPSHOT_NAME}`, join(dirname(path), SNAPSHOT_NAME), () => {});
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
  readFilesInto(workspace, paths, progress, () => {});
}

/** Reads files into the workspace, one after the other. */
function readFilesInto(
  workspace: Workspace,
  paths: readonly string[],
  progress: Progress,
  onError: (path: string, error: NodeJS.ErrnoException) => void,
): void {
  for (const [done, path] of paths.entries()) {
    progress.step('Reading', done, paths.length);
    readFileInto(workspace, toUri(path), path, (error) => onError(path, error));
  }
}

function readFileInto(
  workspace: Workspace,
  uri: string,
  path: string,
  onError: (error: NodeJS.ErrnoException) => void,
): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    onError(error as NodeJS.ErrnoException);
    return;
  }
  workspace.apply({ kind: 'text', uri, text });
}

/** On Unix a file's name may have a backslash. */
const nameOf = (cwd: string, path: string): string => relative(cwd, path).replaceAll(sep, '/');

/** Finds out whether the targets of a skill's links are there. */
export async function lookForLinks(workspace: Workspace, uri: string): Promise<void> {
  const { analysis } = workspace;
  const file = analysis.file(uri);
  if (!file?.isSkill) return;
  const targets = new Set(linkTargets(file).map((target) => target.uri));
  const lookFor = async (target: string): Promise<void> => {
    workspace.apply({ kind: 'exists', uri: target, exists: await nodeFiles.exists(target) });
  };
  await Promise.all([...targets].filter((target) => analysis.exists(target) === undefined).map(lookFor));
}

/** Throws a `Stop` where a catalog that governs a named file is not YAML: findings under it could not be relied on. */
export function assertCatalogsParse({ workspace: { analysis }, named, fileOf }: Project): void {
  const catalogs = new Set([...named].flatMap((uri) => analysis.findCatalog(uri)?.uri ?? []));
  for (const uri of catalogs) {
    const file = analysis.file(uri);
    if (!file?.frontmatter.tree.broken) continue;
    const problem = file.frontmatter.tree.problems.find(({ kind }) => kind === 'syntax');
    const line = problem ? `:${lineAt(file.lines, problem.span.start) + 1}` : '';
    const message = problem ? ` ${problem.message}` : '';
    throw new Stop(`The catalog \`${fileOf(uri)}${line}\` is not valid YAML; mend it first.${message}`);
  }
}
