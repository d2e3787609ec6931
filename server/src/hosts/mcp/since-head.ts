/** What has changed in a skill's contract since git's HEAD (docs/mcp.md, "Since the last commit"). */
import { type ComparisonView, compareContracts, viewOfComparison } from '../../authoring/compare-contracts.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { readFromGit } from '../cli/commands/baseline.ts';
import { toPath } from '../disk/paths.ts';
import type { ServedFolders } from './served-folders.ts';

/** Null where nothing can be told: without a repository, for a file that HEAD does not have, or one of them does not parse. */
export async function sinceHead(
  { workspace, linked }: ServedFolders,
  uri: string,
  now: SkillFile | undefined,
): Promise<ComparisonView | null> {
  // Of a link it is another file that has a history, and that one may stand elsewhere.
  if (!now || now.dialect === 'agent-skill' || !workspace.index.files.has(uri) || linked.has(uri)) return null;
  // Whatever git says of its troubles, it is no trouble of the call.
  const committed = await readFromGit(toPath(uri), 'HEAD').catch(() => undefined);
  if (committed === undefined) return null;
  const before = new SkillFile(uri, committed);
  if (before.frontmatter.tree.broken || now.frontmatter.tree.broken) return null;
  return viewOfComparison(compareContracts(before, now), before, now);
}
