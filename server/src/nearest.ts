/** The known names that a misspelt one is likely to mean, and lists of names in messages. */
import { distance } from 'fastest-levenshtein';

/**
 * The known names nearest to `word`, best first, at most `limit`; none that is too far off to be a misspelling.
 * Letters count alike in either case, and `-` and `_` count alike.
 */
export function nearestNames(word: string, known: Iterable<string>, limit = 3): readonly string[] {
  const target = foldedOf(word);
  const most = Math.max(1, Math.floor(target.folded.length / 3));
  // Names that are further off than the worst of the best so far are left out.
  let furthest = most;
  let near: Near[] = [];
  for (const name of known) {
    if (name === word) continue;
    const candidate = foldedOf(name);
    const { folded } = candidate;
    const score = distanceOf(target, candidate, furthest);
    // Of two words that have nothing in common (`d` and `e`) neither is a misspelling of the other.
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
  /** A bit for each letter that is in it. */
  readonly letters: number;
}

function foldedOf(name: string): Folded {
  const folded = name.toLowerCase().replaceAll('-', '_').slice(0, 100);
  let letters = 0;
  for (let at = 0; at < folded.length; at++) letters |= 1 << (folded.charCodeAt(at) & 31);
  return { name, folded, letters };
}

/** The edits between two words; two letters that changed places count as one edit, and so does a missing end. */
function distanceOf(
  { folded: target, letters }: Folded,
  { folded: candidate, letters: others }: Folded,
  furthest: number,
): number {
  if (target.length >= 3 && candidate.startsWith(target)) return 1;
  if (Math.abs(candidate.length - target.length) > furthest) return Number.POSITIVE_INFINITY;
  // One edit changes at most two of these bits.
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
 * The one known name that `word` plainly is in another spelling or misspelt, where words of the author's own are usual.
 * Fewer words pass than for `nearestNames`: neither a longer one (`models`, `description_zh`) nor a short one.
 */
export function plainlyMeant(word: string, known: readonly string[]): string | undefined {
  const written = spelt(word);
  return (
    known.find((name) => spelt(name) === written) ??
    nearestNames(word, known, known.length).find((name) => isMisspelling(written, spelt(name)))
  );
}

/** The same for all spellings that differ only in letter case, hyphens and underscores. */
const spelt = (name: string): string => name.slice(0, 100).toLowerCase().replace(/[-_]/g, '');

/** One wrong letter, two in long words; of a long word also its last letter. */
function isMisspelling(written: string, right: string): boolean {
  const [shorter, longer] = written.length < right.length ? [written, right] : [right, written];
  const most = shorter.length >= 10 ? 2 : 1;
  if (shorter.length < 4) return false;
  if (longer.startsWith(shorter)) return most === 2 && longer.length - shorter.length === 1;
  return isSwap(written, right) || (shorter.length >= 6 && distance(written, right) <= most);
}

/** "Did you mean `a`, `b` or `c`?" with a leading blank; empty where nothing is near. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${inWords(names, 'or')}?`;
}

/** "`a`, `b` and `c`". */
export const inWords = (names: readonly string[], conjunction: 'and' | 'or'): string =>
  listed(
    names.map((name) => `\`${name}\``),
    conjunction,
  );

/** The same without quotes: "a, b and c". */
export function listed(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
