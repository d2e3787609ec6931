/** The words of generated skills, and seeded random choices. */

export interface Chooser {
  /** Returns an integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(all: readonly T[]): T;
  /** Returns up to `count` different items. */
  some<T>(all: readonly T[], count: number): readonly T[];
}

/** Returns a chooser that makes the same choices for the same seed on every machine (mulberry32). */
export function chooserOf(seed: number): Chooser {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(all: readonly T[]): T => all[int(0, all.length - 1)] as T;
  const some = <T>(all: readonly T[], count: number): readonly T[] => {
    const found = new Set<T>();
    for (let tries = 0; found.size < count && tries < count * 8; tries++) found.add(pick(all));
    return [...found];
  };
  return { int, pick, some };
}

const split = (words: string): readonly string[] => words.split(' ');

export const NOUNS = split(
  'invoice ticket customer incident report deploy release review calendar dataset query pipeline contract budget ledger shipment order profile survey campaign backlog cluster',
);
export const VERBS = split(
  'triage summarize draft classify extract reconcile validate route escalate plan audit compare translate enrich rank forecast redact merge archive publish',
);
const PROSE = split(
  'the agent should first collect every relevant record then compare it with prior results before writing a short answer that cites each source and lists open questions when data is missing stop and ask prefer small steps over large ones keep the tone neutral never invent values check limits twice and report totals in a table',
);

export function sentence(choose: Chooser, words: number): string {
  const text = Array.from({ length: words }, () => choose.pick(PROSE)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const paragraph = (choose: Chooser, sentences: number): string =>
  Array.from({ length: sentences }, () => sentence(choose, choose.int(8, 16))).join(' ');
