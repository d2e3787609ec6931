/** The workspace as it will be once units are installed. */
import { networkCalls } from '../abilities/network.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { Workspace } from '../analysis/workspace.ts';
import { dialectOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { SkillFolder } from '../workspace/skill-folder.ts';
import type { Index } from '../workspace/workspace-index.ts';
import { nameOf, parentOf, type Unit } from './unit.ts';

/** `uriOf` gives the place of a path below the workspace. Nothing of the index itself changes. */
export function futureOf(
  index: Index,
  units: readonly Unit[],
  removed: readonly string[],
  uriOf: (path: string) => string,
): Analysis {
  const workspace = new Workspace(index);
  for (const path of removed) workspace.apply({ kind: 'delete', uri: uriOf(path) });
  for (const { files } of units) {
    for (const { path, text } of files) {
      const uri = uriOf(path);
      if (text !== undefined && isOwnFile(path, units)) workspace.apply({ kind: 'text', uri, text });
    }
  }
  for (const { uri, path, files } of units) {
    if (!isAgentSkillName(nameOf(path))) continue;
    const folder = parentOf(path);
    const beside = files
      .filter((file) => file.path !== path)
      .map((file) => ({ path: folder === '' ? file.path : file.path.slice(folder.length + 1), text: file.text }));
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), beside) });
    workspace.apply({ kind: 'network-calls', uri, calls: networkCalls(beside) });
  }
  return workspace.analysis;
}

const isOwnFile = (path: string, units: readonly Unit[]): boolean =>
  dialectOf(path) !== undefined && units.some((unit) => unit.path === path);
