/** Notes on a skill's upkeep for a registry review (docs/registry.md, "Upkeep"). */

import type { Analysis } from '../analysis/analysis.ts';
import { formatNumber } from '../format-amounts.ts';
import type { SkillSummary, SkillWords } from '../skill/summary.ts';
import { isDate } from '../vocabulary/formats.ts';
import { amountIn, findDeclared } from '../workspace/budgets.ts';
import { mentionsOf } from '../workspace/composition-lookups.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Measured, Measurement, UpkeepNote } from './calls.ts';

/** The number of calls per day below which a skill may not be worth its upkeep. */
const FEW_CALLS = 100;

/**
 * Yields the notes on a skill. `words` are the words of its file; `calls` is undefined without
 * measurements.
 */
export function* upkeepOf(
  analysis: Analysis,
  skill: IndexedSkill,
  words: SkillWords,
  calls: Measured | undefined,
): Iterable<UpkeepNote> {
  const { summary } = skill;
  if (!words.hasOwner) yield { severity: 'info', why: 'has no owner' };
  if (summary.deprecated) yield* deprecationNotes(analysis, skill);
  else if (!calls && isIdle(analysis, skill, words)) {
    yield { severity: 'info', why: 'is not used by other skills, and has no triggers, routing cases or samples' };
  }
  if (summary.name === undefined) return;
  const { uri } = skill;
  yield* calls?.notes.get(uri) ?? [];
  const measured = calls?.byUri.get(uri);
  if (measured) yield* callNotes(skill, measured);
  // A line without a version may count the calls of all versions.
  else if (calls && !calls.byNameOnly.has(summary.name)) yield { severity: 'info', why: 'was not called' };
}

function* deprecationNotes(analysis: Analysis, { summary, uri }: IndexedSkill): Iterable<UpkeepNote> {
  const { sunset } = summary;
  const users = usersOf(analysis, summary, uri);
  if (users.length > 0) {
    const shown = users.slice(0, 3).map((user) => `\`${user}\``);
    const more = users.length > 3 ? ` and ${users.length - 3} more` : '';
    yield { severity: 'warning', why: `is deprecated and still used by ${shown.join(', ')}${more}` };
  }
  const { today } = analysis;
  if (sunset !== undefined && isDate(sunset) && today !== undefined && sunset < today) {
    yield { severity: 'warning', why: `had to be removed by ${sunset}` };
  }
}

/** Returns the sorted names of the other skills that mention a skill. */
function usersOf({ graph }: Analysis, summary: SkillSummary, uri: string): readonly string[] {
  const users = [...mentionsOf(graph, summary)].filter((user) => user !== uri);
  const names = users.flatMap((user) => graph.skills.get(user)?.summary.name ?? []);
  return [...new Set(names)].sort();
}

/** Returns whether the workspace refers to the skill only by its description. */
function isIdle(analysis: Analysis, { summary, uri }: IndexedSkill, words: SkillWords): boolean {
  if (summary.name === undefined || words.hasSamples || words.hasRoutingCases) return false;
  if (words.triggerPhrases.length + words.intentPatterns.length > 0) return false;
  return usersOf(analysis, summary, uri).length === 0;
}

function* callNotes({ summary }: IndexedSkill, lines: readonly Measurement[]): Iterable<UpkeepNote> {
  const counts = lines.flatMap(({ callsPerDay }) => callsPerDay ?? []);
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (counts.length > 0 && count < FEW_CALLS) {
    yield { severity: 'info', why: `is called ${formatNumber(count)} times a day, fewer than ${FEW_CALLS}` };
  }
  const declared = findDeclared(summary, 'p95_ms');
  for (const { p95Ms, surface } of lines) {
    if (declared === undefined || p95Ms === undefined || p95Ms <= declared) continue;
    const [measured, promised] = [p95Ms, declared].map((ms) => amountIn('p95_ms', ms));
    const where = surface === undefined ? '' : ` on \`${surface}\``;
    yield { severity: 'warning', why: `takes ${measured} (p95)${where}, but declares ${promised}` };
  }
}
