/** What has changed in a skill's contract since git's HEAD (docs/mcp.md, "Since the last commit"). */
import { type ComparisonView, compareContracts, viewOfComparison } from '../../authoring/compare-contracts.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { readFromGit } from '../cli/commands/baseline.ts';
import { toPath } from '../disk/paths.ts';
import type { ServedFolders } from './served-folders.ts';

/** Null where nothing can be told: there is no repository, HEAD does not have the file, or one of the two does not parse. */
export async function sinceHead(
  { workspace, linked }: ServedFolders,
  uri: string,
  now: SkillFile | undefined,
): Promise<ComparisonView | null> {
  // Git has the history of the file that a link leads to, which may lie elsewhere.
  if (!now || now.dialect === 'agent-skill' || !workspace.index.files.has(uri) || linked.has(uri)) return null;
  // A failure of git does not fail the call.
  const committed = await readFromGit(toPath(uri), 'HEAD').catch(() => undefined);
  if (committed === undefined) return null;
  const before = new SkillFile(uri, committed);
  if (before.frontmatter.tree.broken || now.frontmatter.tree.broken) return null;
  return viewOfComparison(compareContracts(before, now), before, now);
}
