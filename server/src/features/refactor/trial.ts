/** A refactoring is tried on a copy of the index before it is offered: what would be wrong after it and was not before. */
import type { Analysis } from '../../analysis/analysis.ts';
import { check } from '../../rules/check.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sameSummary } from '../../skill/summary.ts';

import type { Place, Rewriting } from './refactoring.ts';

/** Beyond this many files that mention the skill nobody waits for the menu. */
const MAX_CHECKED = 30;

/** How many findings there are of each rule; of those that only tell what nothing uses, apart. */
interface Counts {
  readonly defects: ReadonlyMap<string, number>;
  readonly unused: ReadonlyMap<string, number>;
}

/** Judges rewritings of one file: true where it has no finding more than before, and no file that mentions the skill has. */
export function trialOf({ analysis, file }: Place): (rewriting: Rewriting) => boolean {
  const { uri, summary } = file;
  let known: Counts | undefined;
  return ({ steps, reveals }) => {
    const { file: after } = steps;
    const isSeen = !sameSummary(summary, after.summary);
    const next = analysis.edited([after]);
    known ??= countByRule(analysis, file);
    if (!hasNoMore(known, countByRule(next, after), reveals)) return false;
    const mentioning =
      isSeen && summary.name !== undefined ? [...(analysis.graph.mentionedBy.get(summary.name) ?? [])] : [];
    return mentioning
      .filter((one) => one !== uri)
      .sort()
      .slice(0, MAX_CHECKED)
      .every((one) => {
        const other = analysis.file(one);
        return !other || hasNoMore(countByRule(analysis, other), countByRule(next, other), false);
      });
  };
}

function countByRule(analysis: Analysis, file: SkillFile): Counts {
  const counts = { defects: new Map<string, number>(), unused: new Map<string, number>() };
  for (const { rule, tag } of check(file, analysis)) {
    const kind = tag === 'unnecessary' ? counts.unused : counts.defects;
    kind.set(rule, (kind.get(rule) ?? 0) + 1);
  }
  return counts;
}

const hasNoMore = (before: Counts, after: Counts, reveals: boolean | undefined): boolean =>
  isWithin(after.defects, before.defects) && (reveals === true || isWithin(after.unused, before.unused));

const isWithin = (counts: ReadonlyMap<string, number>, limits: ReadonlyMap<string, number>): boolean =>
  [...counts].every(([rule, count]) => count <= (limits.get(rule) ?? 0));
