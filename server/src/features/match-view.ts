/**
 * Converts a ranking (docs/matching.md) to the form that the command line and the protocol share.
 */
import type { Analysis } from '../analysis/analysis.ts';
import { type MatchQuery, matchSkills } from '../analysis/match-skills.ts';
import type { MatchReply } from '../protocol/skill-list.ts';

/** The default number of ranked skills. */
export const USUAL_TOP = 10;

export function matchView(analysis: Analysis, query: MatchQuery): MatchReply {
  const { matches, excluded } = matchSkills(analysis, query);
  return {
    request: query.request,
    matches: matches.map(({ id, name, version, score, ambiguous, reasons }) => ({
      ...{ name, version: version ?? null, uri: id },
      ...{ score, ambiguous, reasons },
    })),
    excluded: excluded.map(({ id, name, reason }) => ({ name, uri: id, reason })),
  };
}
