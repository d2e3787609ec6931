/**
 * Splits text into words, with the same result on every machine. Scripts without spaces between words, such as Chinese,
 * Japanese and Thai, are split into characters, which are searched in pairs.
 */

export interface Unit {
  /** The text for comparisons: folded (lower case, no accents) and, for a word, reduced to its stem. */
  readonly key: string;
  readonly text: string;
  readonly kind: 'word' | 'stop' | 'character';
  /** True if the previous unit is in the same run of characters. */
  readonly continuesRun: boolean;
}

/** Scripts without spaces between words, and Korean, which appends particles to words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const RUNS = new RegExp(`(?:${UNSPACED.source})+|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Letters other than those of English. */
const NOT_PLAIN = /\P{ASCII}/u;

/** The maximum length of a word, in UTF-16 code units. Longer words are ignored. */
const MAX_WORD = 64;

/** Splits a string into words, stop words and single characters. */
export function unitsOf(text: string): readonly Unit[] {
  const units: Unit[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(RUNS)) {
    if (NOT_PLAIN.test(run) && UNSPACED.test(run)) {
      let goesOn = false;
      for (const character of run) {
        units.push({ key: character, text: character, kind: 'character', continuesRun: goesOn });
        goesOn = true;
      }
    } else if (run.length <= MAX_WORD) {
      const folded = fold(run);
      const isStop = STOP_WORDS.has(folded);
      units.push({
        key: isStop ? folded : stemOf(folded),
        text: run,
        kind: isStop ? 'stop' : 'word',
        continuesRun: false,
      });
    }
  }
  return units;
}

/** Converts a word to lower case and removes accents: `Über` becomes `uber`. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  if (IS_PLAIN.test(lower)) return lower;
  return lower
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

const IS_PLAIN = /^[a-z\d]*$/;

export interface Term {
  readonly key: string;
  readonly text: string;
}

/**
 * Returns the search terms of a string: words except stop words, and pairs of characters in scripts without spaces.
 */
export function termsOf(text: string): readonly Term[] {
  const units = unitsOf(text);
  return units.flatMap((unit, at): readonly Term[] => {
    if (unit.kind === 'stop') return [];
    if (unit.kind === 'word') return [unit];
    const next = units[at + 1];
    if (next?.continuesRun) return [{ key: unit.key + next.key, text: unit.text + next.text }];
    // A run of a single character has no pair, so the character itself is a term.
    return unit.continuesRun ? [] : [unit];
  });
}

/** Returns whether a term is a pair of characters. A pair is never treated as a misspelling. */
export const isPair = (key: string): boolean => UNSPACED.test(key);

// A light stemmer for English: `merging`, `merged` and `merges` have the same stem. Words in other alphabets are
// unchanged.

interface Ending {
  readonly ending: string;
  readonly instead: string;
  /** The number of letters that must remain before the ending. */
  readonly left: number;
}

const cut = (ending: string, instead: string, left: number): Ending => ({ ending, instead, left });

const lastOf = (text: string): string => text.charAt(text.length - 1);

/**
 * Groups of endings by their last letter. The groups are applied in order; in each one, only the first matching ending is
 * replaced.
 */
const GROUPS: readonly ReadonlyMap<string, readonly Ending[]>[] = [
  [
    cut('sses', 'ss', 2),
    cut('ches', 'ch', 2),
    cut('shes', 'sh', 2),
    cut('xes', 'x', 2),
    cut('ies', 'y', 2),
    cut('ss', 'ss', 1),
    cut('us', 'us', 1),
    cut('is', 'is', 1),
    cut('s', '', 3),
  ],
  [cut('eed', 'ee', 2), cut('ied', 'y', 2), cut('ing', '', 3), cut('ed', '', 3)],
  [
    cut('ization', 'iz', 3),
    cut('isation', 'iz', 3),
    cut('ption', 'pt', 2),
    cut('tion', 't', 3),
    cut('sion', 's', 3),
    cut('ment', '', 5),
    cut('ly', '', 4),
  ],
  [cut('e', '', 3)],
  [cut('is', 'iz', 4), cut('yse', 'yz', 3), cut('ys', 'yz', 3), cut('our', 'or', 3)],
].map(
  (group) =>
    new Map(group.map(({ ending }) => [lastOf(ending), group.filter((one) => one.ending.endsWith(lastOf(ending)))])),
);

const DOUBLE = /([bdgmnprt])\1$/;

/** `word` is in lower case. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = word;
  for (const group of GROUPS) {
    const fitting = group
      .get(lastOf(stem))
      ?.find(({ ending, left }) => stem.length - ending.length >= left && stem.endsWith(ending));
    if (!fitting) continue;
    stem = stem.slice(0, stem.length - fitting.ending.length) + fitting.instead;
    if (/^(?:ing|ed)$/.test(fitting.ending)) stem = stem.replace(DOUBLE, '$1');
  }
  return stem;
}

/** English words that do not change what a request means, including polite words such as "please". */
const WORDS =
  'a about above after again all also am an and any are as at be because been before being between both but by can could did do does doing done down during each else ever every few for from further get gets getting give go goes going got had has have having he help her here hers him his how i if in into is it its just kindly let lets like me might more most must my no nor not now of off on once one only or other ought our ours out over own please same shall she should so some such than thank thanks that the their theirs them then there these they this those through to too under until up us very want wants was we were what when where which while who whom whose why will with within without would yes you your yours need needs';

const STOP_WORDS: ReadonlySet<string> = new Set([
  ...WORDS.split(' '),
  // The parts of contractions such as `I'm`, `don't` and `we'll`.
  ...['m', 's', 't', 'd', 'll', 're', 've', 'don', 'doesn', 'didn', 'isn', 'aren', 'won', 'couldn'],
]);

/** The stop words that do not change the meaning of a phrase. */
export const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
