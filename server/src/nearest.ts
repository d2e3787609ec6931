/** Finds the known names that are similar to a misspelt name, and formats lists of names for messages. */
import { distance } from 'fastest-levenshtein';

/**
 * Returns at most `limit` known names that are most similar to `word`, best first. Skips names that are too different
 * to be misspellings. Ignores case and the difference between `-` and `_`.
 */
export function nearestNames(word: string, known: Iterable<string>, limit = 3): readonly string[] {
  const target = foldName(word);
  const most = Math.max(1, Math.floor(target.folded.length / 3));
  // The largest distance that is still accepted. This limit decreases as better names are found.
  let furthest = most;
  let near: Near[] = [];
  for (const name of known) {
    if (name === word) continue;
    const candidate = foldName(name);
    const { folded } = candidate;
    const score = distanceOf(target, candidate, furthest);
    // Two words without a common letter, such as `d` and `e`, are not misspellings of each other.
    if (score > furthest || score >= Math.max(target.folded.length, folded.length)) continue;
    near.push({ name, score });
    if (near.length < 2 * limit) continue;
    near = best(near, limit);
    furthest = near.at(-1)?.score ?? most;
  }
  return best(near, limit).map(({ name }) => name);
}

interface Near {
  readonly name: string;
  readonly score: number;
}

const best = (near: readonly Near[], limit: number): Near[] =>
  [...near].sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1)).slice(0, limit);

interface Folded {
  readonly name: string;
  readonly folded: string;
  /** The letters in the name, as a bit set. */
  readonly letters: number;
}

function foldName(name: string): Folded {
  const folded = name.toLowerCase().replaceAll('-', '_').slice(0, 100);
  let letters = 0;
  for (let at = 0; at < folded.length; at++) letters |= 1 << (folded.charCodeAt(at) & 31);
  return { name, folded, letters };
}

/**
 * Returns the number of edits between two words. Two swapped letters count as one edit. A missing ending of any length
 * also counts as one edit.
 */
function distanceOf(
  { folded: target, letters }: Folded,
  { folded: candidate, letters: others }: Folded,
  furthest: number,
): number {
  if (target.length >= 3 && candidate.startsWith(target)) return 1;
  if (Math.abs(candidate.length - target.length) > furthest) return Number.POSITIVE_INFINITY;
  // One edit of a word changes at most two of its bits.
  if (bitsOf(letters ^ others) > 2 * furthest) return Number.POSITIVE_INFINITY;
  if (candidate.length === target.length && isSwap(target, candidate)) return 1;
  return distance(target, candidate);
}

function bitsOf(number: number): number {
  let left = number;
  let bits = 0;
  for (; left !== 0; left &= left - 1) bits++;
  return bits;
}

function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/**
 * Returns the known name of which `word` is another spelling or a clear misspelling. This function is stricter than
 * `nearestNames`, because authors often use words of their own. Skips short words, and longer forms such as `models`
 * and `description_zh`.
 */
export function closestTypo(word: string, known: readonly string[]): string | undefined {
  const written = normalizedSpelling(word);
  return (
    known.find((name) => normalizedSpelling(name) === written) ??
    nearestNames(word, known, known.length).find((name) => isMisspelling(written, normalizedSpelling(name)))
  );
}

/**
 * Returns the known name that differs from `word` in one letter, in two swapped letters, or only in letter case and
 * hyphens. Unlike `closestTypo`, this function also finds names of three letters, so `known` should be a closed list.
 */
export function closestSlip(word: string, known: readonly string[]): string | undefined {
  const isNear = (name: string): boolean =>
    Math.min(word.length, name.length) >= 3 &&
    Math.abs(word.length - name.length) <= 1 &&
    name !== word &&
    (isSwap(word, name) || (name[0] === word[0] && differsByOne(word, name)));
  return (
    known.find((name) => name !== word && normalizedSpelling(name) === normalizedSpelling(word)) ?? known.find(isNear)
  );
}

/**
 * Returns the known name of a skill that `name` misspells. Names such as `report-v1` and `report-v2` are versions, and a name with
 * another word, or with more or fewer words, is another skill.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const meant = closestTypo(name, known) ?? closestSlip(name, known);
  if (meant === undefined || isOtherVersion(name, meant)) return undefined;
  const [words, right] = [name.split('-'), meant.split('-')];
  const isSame = words.length === right.length && words.every((word, at) => differsByOne(word, right[at] ?? ''));
  return isSame ? meant : undefined;
}

/** Returns whether two words differ in at most one letter, or in two swapped letters. */
const differsByOne = (a: string, b: string): boolean => a === b || isSwap(a, b) || distance(a, b) === 1;

/** Returns whether two names differ only in their digits, such as `report-v1` and `report-v2`. */
export const isOtherVersion = (a: string, b: string): boolean => a.replace(/\d/g, '') === b.replace(/\d/g, '');

/** Returns a normalized form. Spellings that differ only in letter case, hyphens and underscores have the same form. */
export const normalizedSpelling = (name: string): string => name.slice(0, 100).toLowerCase().replace(/[-_]/g, '');

/**
 * Returns whether two words differ in one letter, or two long words in at most two letters. Only a long word may lack
 * its last letter.
 */
function isMisspelling(written: string, right: string): boolean {
  const [shorter, longer] = written.length < right.length ? [written, right] : [right, written];
  const most = shorter.length >= 10 ? 2 : 1;
  if (shorter.length < 4) return false;
  if (longer.startsWith(shorter)) return most === 2 && longer.length - shorter.length === 1;
  return isSwap(written, right) || (shorter.length >= 6 && distance(written, right) <= most);
}

/** Returns " Did you mean `a`, `b` or `c`?" with a leading space; an empty string for no names. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${inWords(names, 'or')}?`;
}

/** Formats names as "`a`, `b` and `c`". */
export const inWords = (names: readonly string[], conjunction: 'and' | 'or'): string =>
  listed(
    names.map((name) => `\`${name}\``),
    conjunction,
  );

/** Formats words as "a, b and c". */
export function listed(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
/**
 * Returns whether a name contains the letters of a word in order, the way editors match. The name and the word must be
 * lowercase.
 */
export function hasLettersInOrder(name: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
