/** Whether a request says a trigger phrase, or is what an intent pattern describes. No pattern becomes a regular expression. */
import { ARTICLES } from './stop-words.ts';
import { type Unit, unitsOf } from './words.ts';

/** Whether the words of a phrase stand in the request in order; others may stand between them. */
export function saysPhrase(request: readonly Unit[], phrase: string): boolean {
  const units = wanted(unitsOf(phrase));
  let from = 0;
  for (let at = 0; at < units.length; ) {
    const end = endOfRun(units, at);
    const found = findRun(request, from, units.slice(at, end));
    if (found < 0) return false;
    from = found + (end - at);
    at = end;
  }
  return units.length > 0;
}

/** Articles aside, every word counts. */
const wanted = (units: readonly Unit[]): readonly Unit[] => units.filter(({ key }) => !ARTICLES.has(key));

/** Characters of one run stand together. */
function endOfRun(units: readonly Unit[], start: number): number {
  let end = start + 1;
  while (units[end]?.goesOn) end++;
  return end;
}

function findRun(request: readonly Unit[], from: number, run: readonly Unit[]): number {
  for (let at = from; at + run.length <= request.length; at++) {
    if (run.every(({ key }, i) => request[at + i]?.key === key && (i === 0 || request[at + i]?.goesOn))) return at;
  }
  return -1;
}

/** A `{name}` stands for so many words; of unspaced writing for so many characters. */
const MAX_WORDS = 6;
const MAX_CHARACTERS = 24;
/** Longer patterns are not looked at. */
const MAX_PARTS = 60;

/** Whether a pattern describes the whole request; stop words that only the request has do not count. */
export function fitsPattern(request: readonly Unit[], pattern: string): boolean {
  const parts = partsOf(pattern);
  if (parts.length > MAX_PARTS || !parts.some((part) => part !== 'any')) return false;
  // Where the request may go on after the parts so far.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) for (const end of endsOf(request, at, part)) next.add(end);
    if (next.size === 0) return false;
    reached = next;
  }
  return [...reached].some((at) => pastStops(request, at) === request.length);
}

type Part = Unit | 'any';

function partsOf(pattern: string): readonly Part[] {
  return pattern
    .slice(0, 1_000)
    .split(/(\{[^{}]*\})/)
    .flatMap((piece): readonly Part[] => (piece.startsWith('{') ? ['any'] : wanted(unitsOf(piece))));
}

function endsOf(request: readonly Unit[], start: number, part: Part): readonly number[] {
  if (part !== 'any') {
    const at = request[start]?.key === part.key ? start : pastStops(request, start);
    return request[at]?.key === part.key ? [at + 1] : [];
  }
  const ends: number[] = [];
  let size = 0;
  for (let at = start; at < request.length; at++) {
    size += request[at]?.kind === 'character' ? MAX_WORDS / MAX_CHARACTERS : 1;
    if (size > MAX_WORDS) break;
    ends.push(at + 1);
  }
  return ends;
}

function pastStops(request: readonly Unit[], from: number): number {
  let at = from;
  while (request[at]?.kind === 'stop') at++;
  return at;
}
