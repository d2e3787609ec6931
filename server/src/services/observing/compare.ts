/** A list that was sent, compared with its prediction. */
import type { PredictedSkill } from './predicted-list.ts';
import type { Entry, List } from './read-list.ts';

/** `unknown`: the product states no exact prediction. */
export type Verdict = 'same' | 'different' | 'unknown';

export interface ComparedSkill {
  /** The path in the workspace. */
  readonly path: string;
  readonly verdict: Verdict;
  /** Undefined if the product predicts that the skill is not in the list. */
  readonly predicted: string | undefined;
  /** Undefined if it was not in the list. */
  readonly seen: string | undefined;
  /** Why the product predicts this. */
  readonly reasons: readonly string[];
}

export interface Comparison {
  readonly skills: readonly ComparedSkill[];
  /** The entries of the client's own skills. */
  readonly others: readonly Entry[];
}

/** The text that arrived after the model called a skill. */
export interface DeliveredText {
  readonly path: string;
  readonly verdict: Verdict;
  /** Undefined if it is not known. */
  readonly predicted: string | undefined;
  /** Undefined if no text arrived. */
  readonly seen: string | undefined;
  readonly note: string | undefined;
}

/** Compares a list. Each entry belongs to at most one skill: to the one with its text, else to one with its name. */
export function compareList(list: List | undefined, predicted: readonly PredictedSkill[]): Comparison {
  const left = [...(list?.entries ?? [])];
  const take = (isWanted: (entry: Entry) => boolean): string | undefined => {
    const at = left.findIndex(isWanted);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.text.trim();
  };
  const seen = new Map<PredictedSkill, string | undefined>();
  const rounds: readonly ((skill: PredictedSkill, entry: Entry) => boolean)[] = [
    ({ text }, entry) => text.trim() !== '' && entry.text.trim() === text.trim(),
    ({ path }, entry) => entry.text.includes(`{workspace}/${path}`),
    ({ row }, entry) => entry.name.trim() === row.name,
    ({ path }, entry) => entry.name.trim() === path.split('/').at(-2),
  ];
  // A skill that is predicted takes an entry first: another one may have the same name.
  const inOrder = [...predicted].sort((a, b) => Number(a.listed === 'no') - Number(b.listed === 'no'));
  for (const isOwn of rounds) {
    for (const skill of inOrder) {
      if (seen.get(skill) === undefined)
        seen.set(
          skill,
          take((entry) => isOwn(skill, entry)),
        );
    }
  }
  return {
    skills: predicted.map((skill): ComparedSkill => {
      const { path, listed, text, row } = skill;
      const entry = seen.get(skill);
      const reasons = [...row.found.reasons, ...row.loaded.reasons, ...row.listed.reasons];
      return {
        path,
        verdict: verdictOf(skill, entry),
        predicted: listed === 'no' ? undefined : text.trim(),
        seen: entry,
        reasons: [...new Set(reasons.filter(({ cause }) => cause !== undefined).map((one) => one.text))],
      };
    }),
    others: left,
  };
}

function verdictOf({ listed, text, isExact }: PredictedSkill, entry: string | undefined): Verdict {
  if (listed === 'no') return entry === undefined ? 'same' : 'different';
  if (entry === text.trim()) return 'same';
  if (entry === undefined) return listed === 'yes' ? 'different' : 'unknown';
  return isExact ? 'different' : 'unknown';
}
