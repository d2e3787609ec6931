/** A light stemmer for English: enough that `merging`, `merged` and `merges` are one word. Other languages stay as they are. */

interface Ending {
  readonly ending: string;
  readonly instead: string;
  /** So many letters must be left before the ending. */
  readonly left: number;
}

const cut = (ending: string, instead: string, left: number): Ending => ({ ending, instead, left });

/** Of each group the first ending that fits is taken, one group after the other. */
const GROUPS: readonly (readonly Ending[])[] = [
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
];

const DOUBLE = /([bdgmnprt])\1$/;

/** `word` is in lower case. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = word;
  for (const group of GROUPS) {
    const fitting = group.find(({ ending, left }) => stem.length - ending.length >= left && stem.endsWith(ending));
    if (!fitting) continue;
    stem = stem.slice(0, stem.length - fitting.ending.length) + fitting.instead;
    if (/^(?:ing|ed)$/.test(fitting.ending)) stem = stem.replace(DOUBLE, '$1');
  }
  return stem;
}
