/**
 * Measures for how many requests a right skill is the first match, among the first three, and among the first eight,
 * compared with plain BM25.
 */
import MiniSearch from 'minisearch';
import { matchSkills } from '../../server/src/analysis/match-skills.ts';
import type { Workspace } from '../../server/src/analysis/workspace.ts';
import { termsOf } from '../../server/src/matching/words.ts';
import { type MatchRequest, requests, workspaceOfSkills } from './data.ts';

/** The names of the best eight skills, the best first. */
type Ranker = (request: string) => readonly string[];

const DEPTHS = [1, 3, 8] as const;
const DEEPEST = 8;

function ours({ analysis }: Workspace): Ranker {
  return (request) =>
    matchSkills(analysis, { request, top: DEEPEST, source: 'agent-selected' }).matches.map(({ name }) => name);
}

/**
 * BM25 over descriptions only. Splits text into lower-case words at spaces and punctuation, or into words as Skill
 * Composer does.
 */
function plain({ index }: Workspace, isCutAsOurs = false): Ranker {
  const search = new MiniSearch({
    fields: ['description'],
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
    ...(isCutAsOurs && { tokenize: (text: string) => termsOf(text).map(({ key }) => key) }),
  });
  for (const [uri, { summary, words }] of [...index.files].sort()) {
    if (summary.name) search.add({ id: `${summary.name} ${uri}`, description: words.description });
  }
  return (request) =>
    search
      .search(request)
      // The library multiplies the score by the number of matched words, but BM25 does not.
      .map(({ id, score, queryTerms }) => ({ name: String(id).split(' ')[0] ?? '', score: score / queryTerms.length }))
      .sort((a, b) => b.score - a.score)
      .slice(0, DEEPEST)
      .map(({ name }) => name);
}

/** Returns the percentage of requests with a right skill among the first `depth` results. */
function recall(rank: Ranker, asked: readonly MatchRequest[], depth: number): number {
  const found = asked.filter(({ request, answers }) =>
    rank(request)
      .slice(0, depth)
      .some((name) => answers.includes(name)),
  );
  return (100 * found.length) / asked.length;
}

/**
 * Returns the percentages for each group and for each half of the requests. For example, `german at 3` is the result of
 * Skill Composer, and `german at 3, plain` is the result of BM25.
 */
export function measureQuality(root: string): Readonly<Record<string, number>> {
  const workspace = workspaceOfSkills(root);
  const rankers = { '': ours(workspace), ', plain': plain(workspace), ', plain in our words': plain(workspace, true) };
  const asked = requests(root);
  const groups = new Set(asked.flatMap(({ group, isHeldOut }) => [group, isHeldOut ? 'held-out half' : 'tuning half']));
  const figures: Record<string, number> = {};
  for (const name of groups) {
    const some = asked.filter(({ group, isHeldOut }) =>
      [group, isHeldOut ? 'held-out half' : 'tuning half'].includes(name),
    );
    for (const [ranker, rank] of Object.entries(rankers)) {
      for (const depth of DEPTHS) figures[`${name} at ${depth}${ranker}`] = recall(rank, some, depth);
    }
  }
  return figures;
}
