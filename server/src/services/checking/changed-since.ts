/** The files that differ from a commit, and the files that depend on them (docs/ci.md). */
import { join } from 'node:path';
import { Workspace } from '../../analysis/workspace.ts';
import { Commit, gitForFiles } from '../../io/git-commit.ts';
import { isCatalog } from '../../io/globs.ts';
import { toPath, toUri } from '../../io/paths.ts';
import { type Project, readSurroundings } from '../../io/project.ts';
import { isCheckable } from '../../io/select-files.ts';
import { UserError } from '../../io/user-error.ts';
import { urisToProbe } from '../../skill-folder/referenced-files.ts';
import { dependentsOf } from '../../workspace/composition-lookups.ts';
import type { Index } from '../../workspace/workspace-index.ts';

/**
 * Returns the URIs of the named files whose findings may differ because of changes since the merge base of `HEAD` and
 * `ref`. `note` receives what the user should know. Throws a `UserError` without a repository or such a commit.
 */
export async function changedSince(
  project: Project,
  ref: string,
  note: (line: string) => void,
): Promise<ReadonlySet<string>> {
  const { cwd, workspace, named, pathOf } = project;
  const git = await gitForFiles(cwd);
  if (!git)
    throw new UserError('`--changed`: the working folder is not in a git repository. Run `check` without `--changed`.');
  const commit = await Commit.read(git, ref, cwd, note);
  const known = new Set(workspace.index.files.keys());
  const gone = commit.paths.filter(isServed).map(toUri);
  const all = [...new Set([...known, ...gone])];
  const differing: string[] = [];
  for (const uri of all) if (await commit.differs(pathOf(uri))) differing.push(uri);
  if (differing.some(isCatalog)) return named;

  const concerned = await affectedByChanges(workspace.index, differing, (uri) => commit.text(toPath(uri)));
  if (concerned === 'all') return named;
  const changed = new Set<string>();
  for (const uri of named) {
    if (concerned.has(uri) || (await hasChangedDependency(project, uri, commit))) changed.add(uri);
  }
  return changed;
}

const isServed = (path: string): boolean => isCheckable(path) || isCatalog(toUri(path));

/** Applies the old text of the files, and returns the files whose findings may change as a result. */
async function affectedByChanges(
  now: Index,
  differing: readonly string[],
  textThen: (uri: string) => Promise<string | undefined>,
): Promise<ReadonlySet<string> | 'all'> {
  const past = new Workspace(now);
  const concerned = new Set(differing);
  for (const uri of differing) {
    const text = await textThen(uri);
    const affected = past.apply(text === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text });
    if (affected === 'all') return 'all';
    for (const other of affected) concerned.add(other);
  }
  // The samples of a composite depend on the whole text of the skills that it composes.
  for (const { graph } of [now, past.index]) {
    const names = differing.flatMap((uri) => graph.skills.get(uri)?.summary.name ?? []);
    for (const other of dependentsOf(graph, names)) concerned.add(other);
  }
  return concerned;
}

/** Returns whether a file that the skill links to, or a file in the skill's folder, differs from the commit. */
async function hasChangedDependency(project: Project, uri: string, commit: Commit): Promise<boolean> {
  const { workspace, pathOf } = project;
  await readSurroundings(project, uri);
  const file = workspace.analysis.file(uri);
  const folder = workspace.analysis.folder(uri);
  workspace.apply({ kind: 'folder', uri, folder: undefined });
  if (!file) return false;
  const paths = urisToProbe(file, workspace.index.facts.exists, folder, workspace.index.graph.roots).map(pathOf);
  if (folder) {
    const root = pathOf(folder.uri);
    paths.push(...folder.files.map((one) => join(root, one.path)), ...commit.below(root));
  }
  for (const path of paths) if (await commit.differs(path)) return true;
  return false;
}
