/** Which known names a misspelt one is likely to mean. */
import { distance } from 'fastest-levenshtein';

/**
 * The known names nearest to `word`, best first, at most `limit`; none that is too far off to be a misspelling.
 * Letters count alike in either case, and `-` and `_` count alike.
 */
export function nearestNames(word: string, known: Iterable<string>, limit = 3): readonly string[] {
  const target = fold(word);
  const furthest = Math.max(1, Math.floor(target.length / 3));
  const near: { name: string; score: number }[] = [];
  for (const name of known) {
    if (name === word || name.length + furthest < target.length) continue;
    const score = unlikeness(target, fold(name), furthest);
    // Of two words that have nothing in common (`d` and `e`) neither is a misspelling of the other.
    if (score <= furthest && score < Math.max(target.length, name.length)) near.push({ name, score });
  }
  near.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return near.slice(0, limit).map(({ name }) => name);
}

/** How far two words are apart: edits, but two letters that changed places count as one, and so does an end left off. */
function unlikeness(target: string, candidate: string, furthest: number): number {
  if (target.length >= 3 && candidate.startsWith(target)) return 1;
  if (Math.abs(candidate.length - target.length) > furthest) return Number.POSITIVE_INFINITY;
  if (candidate.length === target.length && isSwap(target, candidate)) return 1;
  return distance(target, candidate);
}

function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

const fold = (word: string): string => word.toLowerCase().replaceAll('-', '_').slice(0, 100);

/** "Did you mean `a`, `b` or `c`?" with a leading blank; empty where nothing is near. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${inWords(names, 'or')}?`;
}

/** "`a`, `b` and `c`". */
export function inWords(names: readonly string[], conjunction: 'and' | 'or'): string {
  const quoted = names.map((name) => `\`${name}\``);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}
