/** What stands at a cursor within `[…]` and `{…}`, closed or not. */
import { type Span, span } from '../../text.ts';
import type { Path, YamlPlace } from './cursor-place.ts';
import { closingQuote, unquoted } from './lines.ts';

interface Level {
  readonly kind: 'map' | 'list';
  readonly keys: string[];
  index: number;
  /** The key whose value is being read; undefined before its colon. */
  key: string | undefined;
}

/** As `parse.ts` has it. */
const MAX_DEPTH = 200;

type FlowPlace = Pick<YamlPlace, 'path' | 'role' | 'span' | 'siblings'>;

/** Undefined where the value is not in brackets, or the brackets do not hold the cursor. */
export function findFlowPlace(text: string, value: Span, offset: number, base: Path): FlowPlace | undefined {
  if (!/[[{]/.test(text[value.start] ?? '') || offset <= value.start) return undefined;
  const levels: Level[] = [];
  let word: Span = span(value.start, value.start);
  for (let at = value.start; at < offset; ) {
    const next = step(levels, text, at, value.end, word);
    if (levels.length === 0 || levels.length > MAX_DEPTH) return undefined;
    if (next.word && next.word.end >= offset) return placeAt(levels, text, next.word, base, offset, value.end);
    word = next.word ?? (next.keepsWord ? word : span(next.at, next.at));
    at = Math.max(next.at, at + 1);
  }
  const isOpenWord = word.end > word.start && word.end >= offset;
  return placeAt(levels, text, isOpenWord ? word : wordFrom(text, offset, value.end), base, offset, value.end);
}

interface Step {
  readonly at: number;
  /** The scalar that was read. */
  readonly word?: Span;
  readonly keepsWord?: boolean;
}

/** Reads one token. `word` is the scalar before it, which a colon makes a key. */
function step(levels: Level[], text: string, at: number, end: number, word: Span): Step {
  const character = text[at] as string;
  const level = levels.at(-1);
  if (character === '[' || character === '{') {
    levels.push({ kind: character === '[' ? 'list' : 'map', keys: [], index: 0, key: undefined });
    return { at: at + 1 };
  }
  if (character === ']' || character === '}') {
    levels.pop();
    return { at: at + 1 };
  }
  if (character === ',') {
    if (level) {
      level.index++;
      level.key = undefined;
    }
    return { at: at + 1 };
  }
  if (character === ':' && level && endsKey(text, at, word)) {
    level.key = nameOf(text, word);
    level.keys.push(level.key);
    return { at: at + 1 };
  }
  if (character === '#' && /\s/.test(text[at - 1] ?? '')) return { at: lineEndFrom(text, at, end) };
  if (/\s/.test(character)) return { at: at + 1, keepsWord: true };
  const scalar = wordAt(text, at, end);
  return { at: scalar.end, word: scalar };
}

const endsKey = (text: string, at: number, word: Span): boolean =>
  /^(?:[\s,[\]{}]|$)/.test(text.slice(at + 1, at + 2)) || /["']/.test(text[word.start] ?? '');

function lineEndFrom(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && text[i] !== '\n' && text[i] !== '\r') i++;
  return i;
}

/** The scalar that starts at `at`, with its quotes; empty where none does. */
function wordAt(text: string, at: number, limit: number): Span {
  if (text[at] === '"' || text[at] === "'") {
    const close = closingQuote(text, at, limit);
    // A quote on a later line more likely opens another value.
    if (close !== undefined && !/[\r\n]/.test(text.slice(at, close))) return span(at, close + 1);
  }
  let i = at;
  while (i < limit && !/[,[\]{}\r\n]/.test(text[i] as string)) {
    if (text[i] === ':' && /^(?:[\s,[\]{}]|$)/.test(text.slice(i + 1, i + 2))) break;
    if (text[i] === '#' && /\s/.test(text[i - 1] ?? '')) break;
    i++;
  }
  while (i > at && /\s/.test(text[i - 1] as string)) i--;
  return span(at, i);
}

/** The word that the cursor stands directly in front of. */
const wordFrom = (text: string, offset: number, limit: number): Span =>
  /\s/.test(text[offset] ?? ' ') ? span(offset, offset) : wordAt(text, offset, limit);

const nameOf = (text: string, { start, end }: Span): string => text.slice(start, end).replace(/^(["'])(.*)\1$/s, '$2');

function placeAt(levels: Level[], text: string, word: Span, base: Path, offset: number, limit: number): FlowPlace {
  const level = levels.at(-1) as Level;
  const path = [...base, ...levels.slice(0, -1).flatMap(stepOf)];
  const place = unquoted(text, word, offset);
  if (level.kind === 'map' && level.key === undefined) {
    return { path, role: 'key', span: place, siblings: [...new Set([...level.keys, ...keysAfter(text, word, limit)])] };
  }
  const role = level.key === undefined ? 'item' : 'value';
  return { path: [...path, ...stepOf(level)], role, span: place, siblings: [] };
}

/** `[a: b]` is a list whose item is a map of one entry. */
const stepOf = ({ kind, key, index }: Level): Path =>
  kind === 'map' ? [key ?? ''] : key === undefined ? [index] : [index, key];

/** The keys of the same map that stand behind the cursor on the same line. */
function keysAfter(text: string, { start, end }: Span, limit: number): string[] {
  const lineEnd = lineEndFrom(text, end, limit);
  const own: Level = { kind: 'map', keys: [], index: 0, key: undefined };
  const levels = [own];
  let word = span(start, end);
  for (let at = end; at < lineEnd && levels.length > 0; ) {
    const next = step(levels, text, at, lineEnd, word);
    word = next.word ?? (next.keepsWord ? word : span(next.at, next.at));
    at = Math.max(next.at, at + 1);
  }
  // The word at the cursor is no sibling of itself.
  const name = nameOf(text, span(start, end));
  return own.keys.filter((key, i) => !(i === 0 && key === name && end > start) && key !== '');
}
