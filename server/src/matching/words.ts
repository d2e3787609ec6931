/**
 * Text cut into words, the same on every machine. Writing without spaces between words (Chinese, Japanese, Thai and their
 * like) is cut into characters, which are searched for in pairs.
 */
import { stemOf } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

export interface Unit {
  /** As it is compared: folded, and a word as its stem. */
  readonly key: string;
  /** As it is written. */
  readonly text: string;
  readonly kind: 'word' | 'stop' | 'character';
  /** Whether the unit before it belongs to the same run of characters. */
  readonly goesOn: boolean;
}

/** Scripts that put no spaces between words, and Korean, which puts what others give in words of their own at their ends. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const RUNS = new RegExp(`(?:${UNSPACED.source})+|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** A word longer than this is no word. */
const MAX_WORD = 64;

export function unitsOf(text: string): readonly Unit[] {
  const units: Unit[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(RUNS)) {
    if (UNSPACED.test(run)) {
      let goesOn = false;
      for (const character of run) {
        units.push({ key: character, text: character, kind: 'character', goesOn });
        goesOn = true;
      }
    } else if (run.length <= MAX_WORD) {
      const folded = fold(run);
      const isStop = STOP_WORDS.has(folded);
      units.push({ key: isStop ? folded : stemOf(folded), text: run, kind: isStop ? 'stop' : 'word', goesOn: false });
    }
  }
  return units;
}

/** In lower case, without accents: `Über` is `uber`. */
const fold = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');

export interface Term {
  readonly key: string;
  readonly text: string;
}

/** What a text is found by: its words without stop words, and the pairs of characters of unspaced writing. */
export function termsOf(text: string): readonly Term[] {
  const units = unitsOf(text);
  return units.flatMap((unit, at): readonly Term[] => {
    if (unit.kind === 'stop') return [];
    if (unit.kind === 'word') return [unit];
    const next = units[at + 1];
    if (next?.goesOn) return [{ key: unit.key + next.key, text: unit.text + next.text }];
    // A character that stands alone.
    return unit.goesOn ? [] : [unit];
  });
}

/** Whether a term is a pair of characters, in which nothing is misspelt. */
export const isPair = (key: string): boolean => UNSPACED.test(key);
