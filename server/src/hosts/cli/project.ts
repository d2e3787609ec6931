/** The files of a run in a workspace, as the language server would hold them. */
import { readFile } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { URI } from 'vscode-uri';
import { type SkillDocument, unread } from '../../skill/document.ts';
import { lineAt } from '../../text.ts';
import { CATALOG_NAME } from '../../vocabulary/dialect.ts';
import { accountFolders } from '../../workspace/account.ts';
import { SNAPSHOT_NAME } from '../../workspace/catalog.ts';
import { linkTargets } from '../../workspace/links.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { findCatalog } from '../../workspace/workspace-index.ts';
import { findBelow, isThere, pathFrom, uriOf } from './find-files.ts';
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
  /** Called when it is known what to read. */
  readonly beforeReading?: () => void;
}

/** A catalog at the root of everything governs everything; `--config` puts its file there. */
const CONFIG_URI = `file:///${CATALOG_NAME}`;

export async function openProject({ cwd, paths, config, progress, beforeReading }: ProjectOptions): Promise<Project> {
  const selection = await selectFiles(cwd, paths);
  beforeReading?.();
  const configPath = config === undefined ? undefined : resolve(cwd, config);
  const uriIn = (path: string) => (path === configPath ? CONFIG_URI : uriOf(path));
  const isReplaced = (path: string) =>
    configPath !== undefined && path !== configPath && [CATALOG_NAME, SNAPSHOT_NAME].includes(basename(path));

  const workspace = new Workspace();
  // Until all is read nothing is concluded from it, which spares looking at every file of a chain for each one read.
  workspace.apply({ kind: 'partial', partial: true });
  if (configPath !== undefined) {
    const text = await readText(configPath).catch((error: unknown) => {
      throw new Stop(`\`--config ${config}\` cannot be read: ${reasonOf(error)}. Name a catalog's file.`);
    });
    workspace.apply({ kind: 'text', uri: CONFIG_URI, text });
    const tools = await readText(join(dirname(configPath), SNAPSHOT_NAME)).catch(() => undefined);
    if (tools !== undefined) workspace.apply({ kind: 'text', uri: `file:///${SNAPSHOT_NAME}`, text: tools });
  }
  const wanted = selection.read.filter((path) => path !== configPath && !isReplaced(path));
  await inBatches(wanted, async (path, done) => {
    const text = await readText(path).catch((error: NodeJS.ErrnoException) => {
      // What went away since it was found is no longer there; a snapshot need not be.
      if (error.code === 'ENOENT' && !selection.named.has(path)) return undefined;
      throw new Stop(`\`${nameOf(cwd, path)}\` cannot be read: ${reasonOf(error)}.`);
    });
    if (text !== undefined) workspace.apply({ kind: 'text', uri: uriIn(path), text });
    progress.step('Reading', done, wanted.length);
  });
  await readAccount(workspace, configPath === undefined ? cwd : dirname(configPath), progress);
  workspace.apply({ kind: 'partial', partial: false });

  const named = new Set([...selection.named].filter((path) => !isReplaced(path)).map(uriIn));
  const pathOf = (uri: string) => (uri === CONFIG_URI && configPath ? configPath : pathFrom(uri));
  return { cwd, workspace, named, pathOf, fileOf: (uri: string) => nameOf(cwd, pathOf(uri)) };
}

/** Reads the skills of the account scope; a catalog of `--config` names their folder from where its file stands. */
async function readAccount(workspace: Workspace, cwd: string, progress: Progress): Promise<void> {
  const base = uriOf(cwd);
  const { catalogs } = workspace.index();
  const placed = catalogs.mapEntries(([folder, catalog]) => [
    folder,
    catalog.uri === CONFIG_URI ? { ...catalog, folder: base } : catalog,
  ]);
  const folders = accountFolders(
    { ...workspace.index(), catalogs: placed },
    { home: uriOf(homedir()), roots: [base], setting: undefined, trustsCatalogs: true },
  ).map((folder) => URI.parse(folder).toString());
  if (folders.length === 0) return;
  workspace.apply({ kind: 'account', folders });
  const known = workspace.index().documents;
  const found = await Promise.all(folders.map((folder) => findBelow(pathFrom(folder))));
  const paths = found.flatMap(({ paths }) => paths).filter((path) => !known.has(uriOf(path)));
  await inBatches(paths, async (path, done) => {
    const text = await readText(path).catch(() => undefined);
    if (text !== undefined) workspace.apply({ kind: 'text', uri: uriOf(path), text });
    progress.step('Reading', done, paths.length);
  });
}

/** `fs/promises` takes three times as long for a file: 0.1 s of the work for 1,000. */
const readFileAsync = promisify(readFile);

const readText = (path: string): Promise<string> => readFileAsync(path, 'utf8');

/** On Unix a backslash is a letter like any other. */
const nameOf = (cwd: string, path: string): string => relative(cwd, path).replaceAll(sep, '/');

/** Finds out whether the targets of the skills' links are there. */
export const lookForLinks = (workspace: Workspace, uris: Iterable<string>): Promise<void> =>
  lookForLinksOf(workspace, read(workspace, uris));

/** One after the other, so that what is read of a body is held no longer than somebody looks at it. */
function* read(workspace: Workspace, uris: Iterable<string>): Iterable<SkillDocument> {
  const { documents } = workspace.index();
  for (const uri of uris) {
    const document = documents.get(uri);
    if (document?.isSkill) yield unread(document);
  }
}

export async function lookForLinksOf(workspace: Workspace, documents: Iterable<SkillDocument>): Promise<void> {
  const { exists } = workspace.index();
  const unknown = new Set<string>();
  for (const document of documents) {
    for (const target of linkTargets(document)) if (!exists.has(target.uri)) unknown.add(target.uri);
  }
  await inBatches([...unknown], async (uri) => {
    workspace.apply({ kind: 'exists', uri, exists: await isThere(pathFrom(uri)) });
  });
}

const AT_ONCE = 64;

async function inBatches(
  items: readonly string[],
  work: (item: string, number: number) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map((item, number) => work(item, at + number)));
  }
}

/** Stops where a catalog that governs a named file is not YAML: nothing said under it could be relied on. */
export function assertCatalogsParse({ workspace, named, fileOf }: Project): void {
  const index = workspace.index();
  const governing = new Set([...named].flatMap((uri) => findCatalog(index, uri)?.uri ?? []));
  for (const uri of governing) {
    const document = index.documents.get(uri);
    if (!document?.frontmatter.tree.broken) continue;
    const { lines, frontmatter } = document;
    const problem = frontmatter.tree.problems.find(({ kind }) => kind === 'syntax');
    const line = problem ? `:${lineAt(lines, problem.span.start) + 1}` : '';
    const message = problem ? ` ${problem.message}` : '';
    throw new Stop(`The catalog \`${fileOf(uri)}${line}\` is not valid YAML; mend it first.${message}`);
  }
}
