/** Notes on a skill's upkeep for a registry review (docs/registry.md, "Upkeep"). */

import type { Analysis } from '../analysis/analysis.ts';
import { formatNumber } from '../format-amounts.ts';
import type { SkillSummary, SkillWords } from '../skill/summary.ts';
import { isDate } from '../vocabulary/formats.ts';
import { amountIn, findDeclared } from '../workspace/budgets.ts';
import { mentionsOf } from '../workspace/composition-lookups.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

/** Measurements of a skill in production. */
export interface Calls {
  readonly callsPerDay: number | undefined;
  readonly p95Ms: number | undefined;
}

export interface UpkeepNote {
  /** `warning` if the author should act, `info` if it is enough to look at the skill. */
  readonly severity: 'warning' | 'info';
  /** The predicate of a sentence whose subject is the skill, such as `has no owner`. */
  readonly why: string;
}

/** The number of calls per day below which a skill may not be worth its upkeep. */
const FEW_CALLS = 100;

/**
 * Yields the notes on a skill. `words` are the words of its file; `calls` is keyed by skill name, and is undefined
 * without measurements.
 */
export function* upkeepOf(
  analysis: Analysis,
  skill: IndexedSkill,
  words: SkillWords,
  calls: ReadonlyMap<string, Calls> | undefined,
): Iterable<UpkeepNote> {
  const { summary } = skill;
  if (!words.hasOwner) yield { severity: 'info', why: 'has no owner' };
  if (summary.deprecated) yield* deprecationNotes(analysis, skill);
  else if (!calls && isIdle(analysis, skill, words)) {
    yield { severity: 'info', why: 'is not used by other skills, and has no triggers, routing cases or samples' };
  }
  if (summary.name === undefined) return;
  const measured = calls?.get(summary.name);
  if (measured) yield* callNotes(skill, measured);
  else if (calls) yield { severity: 'info', why: 'was not called' };
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

function* callNotes({ summary }: IndexedSkill, { callsPerDay, p95Ms }: Calls): Iterable<UpkeepNote> {
  if (callsPerDay !== undefined && callsPerDay < FEW_CALLS) {
    yield { severity: 'info', why: `is called ${formatNumber(callsPerDay)} times a day, fewer than ${FEW_CALLS}` };
  }
  const declared = findDeclared(summary, 'p95_ms');
  if (declared !== undefined && p95Ms !== undefined && p95Ms > declared) {
    const [measured, promised] = [p95Ms, declared].map((ms) => amountIn('p95_ms', ms));
    yield { severity: 'warning', why: `takes ${measured} (p95), but declares ${promised}` };
  }
}
