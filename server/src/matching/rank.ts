/**
 * Returns the skills that match a request, best first, and the skills that are left out, with reasons
 * (docs/matching.md).
 */
import { compare, valid } from 'semver';
import {
  FIELDS,
  type Field,
  type Hit,
  readRequest,
  type SearchableSkill,
  type SearchIndex,
  wordsWithKeys,
} from './search-index.ts';

export interface Reason {
  /** A key of the frontmatter. */
  readonly field: Field | 'deprecated';
  /** The matching text, as written in the field. */
  readonly text: string;
}

export interface Match {
  readonly id: string;
  readonly name: string;
  readonly version: string | undefined;
  /** A number from 0 to 1. */
  readonly score: number;
  /** True if the score differs too little from the best score to decide between the two skills. */
  readonly ambiguous: boolean;
  readonly reasons: readonly Reason[];
}

export interface ExcludedSkill {
  readonly id: string;
  readonly name: string;
  /** The reason as a clause that continues "left out:": no capital letter, no period. */
  readonly reason: string;
}

export interface Ranking {
  readonly matches: readonly Match[];
  /** True if no match is good enough to say that the request selects it (docs/matching.md, "Score"). */
  readonly isWeak: boolean;
  readonly excluded: readonly ExcludedSkill[];
}

/** Scores below this, which are shown as 1 %, are weak. Of 191 first matches that are right in `bench/matching`, 9 are. */
const WEAK_BELOW = 0.015;

/** The reason why a skill is left out, and the ID of its replacement. */
export interface Exclusion {
  readonly reason: string;
  readonly instead?: string;
}

export interface RankOptions {
  /** The maximum number of matches. */
  readonly top: number;
  /** Returns the smallest difference to the best score that is not ambiguous. `best` is the ID of the best skill. */
  readonly marginOf: (best: string) => number;
  /** Returns whether a skill is a candidate. */
  readonly isCandidate: (id: string) => boolean;
  readonly exclude: (id: string) => Exclusion | undefined;
}

interface Ranked extends Hit {
  /** The skill whose words matched. */
  readonly skill: SearchableSkill;
  /** The skill that replaces `skill` in the result. */
  readonly successor?: SearchableSkill;
}

/**
 * Ranks the skills for a request. A skill that is left out is replaced by the skill `instead` of its exclusion, if that
 * skill is a candidate.
 */
export function rank(index: SearchIndex, text: string, { top, marginOf, isCandidate, exclude }: RankOptions): Ranking {
  const hits = index.search(readRequest(text)).filter(({ id }) => isCandidate(id));
  const chosen = new Map<string, Ranked>();
  const excluded: ExcludedSkill[] = [];
  for (const hit of bestFirst(index, hits)) {
    // The second match is needed to decide whether the first match is ambiguous.
    if (chosen.size >= Math.max(2, top)) break;
    const exclusion = exclude(hit.id);
    if (!exclusion) {
      if (!chosen.has(hit.id)) chosen.set(hit.id, hit);
      continue;
    }
    excluded.push({ id: hit.id, name: hit.skill.name, reason: exclusion.reason });
    const { instead } = exclusion;
    const successor = instead !== undefined && isCandidate(instead) ? index.get(instead) : undefined;
    if (instead === undefined || !successor || chosen.has(instead) || exclude(instead)) continue;
    chosen.set(instead, { ...hit, id: instead, successor });
  }
  const ranked = [...chosen.values()];
  const [first] = ranked;
  const margin = first ? marginOf(first.id) : 0;
  const isNear = (hit: Ranked): boolean =>
    first !== undefined && isTriggered(hit) === isTriggered(first) && Math.abs(first.score - hit.score) < margin;
  const isAmbiguous = ranked.filter(isNear).length > 1;
  const matches = ranked.map((hit) => ({
    id: hit.id,
    name: (hit.successor ?? hit.skill).name,
    version: (hit.successor ?? hit.skill).version,
    score: hit.score,
    ambiguous: isAmbiguous && isNear(hit),
    reasons: reasonsOf(hit),
  }));
  const isWeak = first === undefined || (!isTriggered(first) && first.score < WEAK_BELOW);
  return { matches: matches.slice(0, top), isWeak, excluded };
}

const isTriggered = ({ trigger }: Hit): boolean => trigger !== undefined;

/** The number of hits that are sorted first. More hits are sorted when they are requested. */
const FIRST = 50;

/** Yields the hits in order. Sorts the hits in batches, because usually only the best hits are requested. */
function* bestFirst(index: SearchIndex, hits: readonly Hit[]): Iterable<Ranked> {
  // A hit with a trigger ranks above every hit without one.
  const keyOf = (hit: Hit): number => (isTriggered(hit) ? 2 + hit.score : hit.score);
  const keys = Float64Array.from(hits, keyOf).sort();
  let above = Number.POSITIVE_INFINITY;
  for (let end = FIRST; above > 0 && hits.length > 0; end *= 4) {
    const bound = keys[keys.length - end] ?? 0;
    const next = hits.filter((hit) => keyOf(hit) < above && keyOf(hit) >= bound);
    yield* next.flatMap((hit) => ({ ...hit, skill: index.get(hit.id) as SearchableSkill })).sort(byRank);
    above = bound;
  }
}

const byRank = (a: Ranked, b: Ranked): number =>
  Number(isTriggered(b)) - Number(isTriggered(a)) ||
  b.score - a.score ||
  inOrder(a.skill.name, b.skill.name) ||
  compare(valid(b.skill.version) ?? '0.0.0', valid(a.skill.version) ?? '0.0.0') ||
  inOrder(a.id, b.id);

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function reasonsOf({ skill, trigger, found, successor }: Ranked): readonly Reason[] {
  const reasons: Reason[] = [];
  if (trigger) reasons.push(trigger);
  if (successor) reasons.push({ field: 'deprecated', text: skill.name });
  for (const field of FIELDS) {
    const keys = new Set(Object.keys(found).filter((key) => found[key]?.includes(field)));
    if (keys.size === 0) continue;
    for (const text of new Set(wordsWithKeys(skill, field, keys))) reasons.push({ field, text });
  }
  return reasons;
}
