/** A refactoring is offered only if the workspace would have no new finding after it. */
import type { Analysis } from '../../analysis/analysis.ts';
import { check } from '../../rules/check.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sameSummary } from '../../skill/summary.ts';
import type { RefactoringContext, Rewriting } from './refactoring.ts';

/** How many of the files that mention the skill are checked at most, so that the menu comes soon. */
const MAX_CHECKED = 30;

/** Whether a rewriting adds no finding to its file or to one that mentions the skill. */
export function addsNoFinding({ analysis, file }: RefactoringContext, { result, reveals }: Rewriting): boolean {
  const { uri, summary } = file;
  const after = analysis.edited([result.file]);
  if (!hasNoMore(countByRule(analysis, file, reveals), countByRule(after, result.file, reveals))) return false;
  if (summary.name === undefined || sameSummary(summary, result.file.summary)) return true;
  return [...(analysis.graph.mentionedBy.get(summary.name) ?? [])]
    .filter((one) => one !== uri)
    .sort()
    .slice(0, MAX_CHECKED)
    .every((one) => {
      const other = analysis.file(one);
      return !other || hasNoMore(countByRule(analysis, other), countByRule(after, other));
    });
}

function countByRule(analysis: Analysis, file: SkillFile, withoutUnused = false): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { rule, tag } of check(file, analysis)) {
    if (!withoutUnused || tag !== 'unnecessary') counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts;
}

const hasNoMore = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean =>
  [...after].every(([rule, count]) => count <= (before.get(rule) ?? 0));
