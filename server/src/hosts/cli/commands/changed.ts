/** `check --changed`: the files that differ from a commit, and those that depend on what differs (docs/ci.md). */
import { join } from 'node:path';
import { Workspace } from '../../../analysis/workspace.ts';
import { lookedFor } from '../../../workspace/looked-for.ts';
import { dependentsOf } from '../../../workspace/parts-and-composers.ts';
import type { Index } from '../../../workspace/workspace-index.ts';
import { toPath, toUri } from '../../disk/paths.ts';
import { isCatalog } from '../../disk/served-files.ts';
import { isCheckable } from '../find-skills.ts';
import { gitFor } from '../git.ts';
import { lookAround, type Project } from '../project.ts';
import { Stop } from '../stop.ts';
import { Commit, MAX_LIST } from './commit.ts';

/** The files whose findings a change since the commit that the history shares with `ref` may have caused. */
export async function changedSince(
  project: Project,
  ref: string,
  note: (line: string) => void,
): Promise<ReadonlySet<string>> {
  const { cwd, workspace, named, pathOf } = project;
  const git = await gitFor(join(cwd, 'any'), MAX_LIST);
  if (!git) throw new Stop('`--changed`: the working folder is in no git repository. Run `check` without it.');
  const commit = await Commit.read(git, ref, cwd, note);
  const known = new Set(workspace.index.files.keys());
  const gone = commit.paths.filter(isServed).map(toUri);
  const all = [...new Set([...known, ...gone])];
  const differing: string[] = [];
  for (const uri of all) if (await commit.differs(pathOf(uri))) differing.push(uri);
  if (differing.some(isCatalog)) return named;

  const concerned = await concernedBy(workspace.index, differing, (uri) => commit.text(toPath(uri)));
  if (concerned === 'all') return named;
  const changed = new Set<string>();
  for (const uri of named) {
    if (concerned.has(uri) || (await isBesideChange(project, uri, commit))) changed.add(uri);
  }
  return changed;
}

const isServed = (path: string): boolean => isCheckable(path) || isCatalog(toUri(path));

/** Takes the files back to what they were, and collects whose findings that may change. */
async function concernedBy(
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
  // The samples of who composes a skill depend on all of its text.
  for (const { graph } of [now, past.index]) {
    const names = differing.flatMap((uri) => graph.skills.get(uri)?.summary.name ?? []);
    for (const other of dependentsOf(graph, names)) concerned.add(other);
  }
  return concerned;
}

/** Whether something differs that is no skill, and that a skill names or has in its folder. */
async function isBesideChange(project: Project, uri: string, commit: Commit): Promise<boolean> {
  const { workspace, pathOf } = project;
  await lookAround(project, uri);
  const file = workspace.analysis.file(uri);
  const folder = workspace.analysis.folder(uri);
  workspace.apply({ kind: 'folder', uri, folder: undefined });
  if (!file) return false;
  const paths = lookedFor(file, workspace.index.facts.exists, folder).map(pathOf);
  if (folder) {
    const root = pathOf(folder.uri);
    paths.push(...folder.files.map((one) => join(root, one.path)), ...commit.below(root));
  }
  for (const path of paths) if (await commit.differs(path)) return true;
  return false;
}
