/**
 * Finds the path and the role of a cursor in YAML. Because the YAML may be broken or incomplete, the functions read
 * the lines up to the cursor with their indentation, and use only the span of the parsed tree.
 */
import { type Span, span, touches } from '../../text.ts';
import { type BlockLine, closingQuote, columnOf, isEmptyLine, linesBelow, readLine, unquoted } from './lines.ts';
import type { YamlTree } from './node.ts';
import { MAX_YAML_LENGTH } from './parse.ts';

/** A map or a list that contains the current line. */
interface Frame {
  readonly column: number;
  readonly kind: 'map' | 'list';
  readonly keys: string[];
  /** The current key of a map. */
  key: string;
  /** The index of the current item of a list. */
  index: number;
  /** The line on which the value of the current entry begins. Lines with a deeper indentation continue that value. */
  holder: BlockLine | undefined;
}

/**
 * Returns the place at an offset in the YAML of `tree`; undefined in a comment, outside the YAML, and if the YAML is
 * too long. Never throws.
 */
export function yamlPlaceAt(tree: YamlTree, text: string, offset: number): YamlPlace | undefined {
  const { start, end: limit } = tree.span;
  if (!touches(tree.span, offset) || limit - start > MAX_YAML_LENGTH) return undefined;
  const frames: Frame[] = [];
  let line = readLine(text, start, limit);
  while (line.end < offset && line.next > line.end) {
    if (!isEmptyLine(line)) applyLine(frames, text, line);
    line = readLine(text, line.next, limit);
  }
  return placeOn(frames, text, line, offset, limit);
}

/** Updates `frames` with a line above the cursor. */
function applyLine(frames: Frame[], text: string, line: BlockLine): void {
  const column = columnOf(line, line.first);
  if (findHolder(frames, column)) return;
  leave(frames, column, line.dashes.length > 0);
  applyDashes(frames, line, line.end);
  const hasValue = line.value.end > line.value.start && !/^[&!]\S*$/.test(text.slice(line.value.start, line.value.end));
  if (line.key) {
    const frame = mapAt(frames, columnOf(line, line.key.start));
    frame.key = keyName(text, line.key);
    frame.keys.push(frame.key);
    frame.holder = hasValue ? line : undefined;
  } else {
    const top = frames.at(-1);
    if (top && hasValue && line.dashes.length > 0) top.holder = line;
  }
}

/** Returns the innermost frame if a line at the column continues its value. */
function findHolder(frames: Frame[], column: number): Frame | undefined {
  const top = frames.at(-1);
  return top?.holder && column > top.column ? top : undefined;
}

/**
 * Removes the frames that a line at `column` ends. A key may have the same column as the dashes of the list above it.
 */
function leave(frames: Frame[], column: number, hasDash: boolean): void {
  for (let top = frames.at(-1); top; top = frames.at(-1)) {
    const under = frames.at(-2);
    const endsList = top.column === column && top.kind === 'list' && !hasDash && under?.column === column;
    if (top.column <= column && !endsList) return;
    frames.pop();
  }
}

function applyDashes(frames: Frame[], line: BlockLine, before: number): void {
  for (const dash of line.dashes) {
    if (dash >= before) return;
    const column = columnOf(line, dash);
    const top = frames.at(-1);
    if (top?.kind === 'list' && top.column === column) {
      top.index++;
      top.holder = undefined;
    } else frames.push({ column, kind: 'list', keys: [], key: '', index: 0, holder: undefined });
  }
}

/** Returns the frame of the map whose keys are at the column, or adds a frame for a new map. */
function mapAt(frames: Frame[], column: number): Frame {
  const top = frames.at(-1);
  if (top?.kind === 'map' && top.column === column) return top;
  const frame: Frame = { column, kind: 'map', keys: [], key: '', index: 0, holder: undefined };
  frames.push(frame);
  return frame;
}

const keyName = (text: string, { start, end }: Span): string => {
  const source = text.slice(start, end);
  return /^(["']).*\1$/s.test(source) ? source.slice(1, -1) : source;
};

/** Returns the path of the current entry or item in the innermost frame. */
const pathOf = (frames: readonly Frame[]): KeyPath =>
  frames.map(({ kind, key, index }) => (kind === 'map' ? key : index));

function placeOn(frames: Frame[], text: string, line: BlockLine, offset: number, limit: number): YamlPlace | undefined {
  const isEmpty = line.first === line.end;
  const column = isEmpty ? columnOf(line, Math.max(offset, line.start)) : columnOf(line, line.first);
  const holder = findHolder(frames, column);
  if (holder?.holder) return placeInOpenValue(frames, text, holder, holder.holder, offset, limit);
  if (line.comment !== undefined && offset > line.comment) return undefined;
  const { key, dashes, value, colon } = line;
  leave(frames, column, dashes.length > 0);
  applyDashes(frames, line, line.end);
  if (key && colon !== undefined) {
    const frame = mapAt(frames, columnOf(line, key.start));
    if (offset <= colon) return keyPlace(frames, text, line, key, offset, limit);
    frame.key = keyName(text, key);
    const before = offset === colon + 1 ? ' ' : '';
    return valuePlace(pathOf(frames), 'value', text, value, offset, frame.column, before);
  }
  if (dashes.length > 0) {
    const list = frames.at(-1) as Frame;
    const before = offset === (dashes.at(-1) as number) + 1 ? ' ' : '';
    return valuePlace(pathOf(frames), 'item', text, value, offset, list.column, before);
  }
  return placeWithoutIndicator(frames, text, line, column, offset, limit);
}

/** Returns the place on an empty line, or in a word that is not yet a key or an item. */
function placeWithoutIndicator(
  frames: Frame[],
  text: string,
  line: BlockLine,
  column: number,
  offset: number,
  limit: number,
): YamlPlace {
  const top = frames.at(-1);
  const { value } = line;
  const typed = withBlanks(text, value, offset);
  const word = typed.end > typed.start && touches(typed, offset) ? typed : span(offset, offset);
  if (/[[{]/.test(text[word.start] ?? '') && word.end > word.start) {
    return valuePlace(pathOf(frames), 'value', text, word, offset, column, '');
  }
  if (top?.kind === 'list' && top.column === column) {
    top.index++;
    return { path: pathOf(frames), role: 'item', span: word, siblings: [], indent: column, before: '- ', flow: false };
  }
  mapAt(frames, column);
  return keyPlace(frames, text, line, word, offset, limit);
}

function keyPlace(
  frames: readonly Frame[],
  text: string,
  line: BlockLine,
  word: Span,
  offset: number,
  limit: number,
): YamlPlace {
  const map = frames.at(-1) as Frame;
  const siblings = [...new Set([...map.keys, ...keysBelow(text, line, map.column, limit)])];
  const place = touches(word, offset) ? unquoted(text, word, offset) : span(offset, offset);
  return {
    path: pathOf(frames.slice(0, -1)),
    role: 'key',
    span: place,
    siblings,
    indent: map.column,
    before: '',
    flow: false,
  };
}

/** Returns the keys that are at the column on later lines of the same map. */
function keysBelow(text: string, from: BlockLine, column: number, limit: number): string[] {
  const keys: string[] = [];
  for (const line of linesBelow(text, from, limit)) {
    if (isEmptyLine(line)) continue;
    const first = columnOf(line, line.first);
    if (first < column) break;
    if (first === column && line.key && line.dashes.length === 0) keys.push(keyName(text, line.key));
  }
  return keys;
}

/** Returns the place of a cursor after a colon or a dash on the same line. */
function valuePlace(
  path: KeyPath,
  role: 'value' | 'item',
  text: string,
  value: Span,
  offset: number,
  indent: number,
  before: '' | ' ',
): YamlPlace {
  const flow = value.end > value.start && findFlowPlace(text, value, offset, path);
  if (flow) return { ...flow, indent, before: '', flow: true };
  const typed = role === 'item' ? withBlanks(text, value, offset) : value;
  const isIn = typed.end > typed.start && typed.start <= offset && offset <= typed.end;
  const place = isIn ? unquoted(text, typed, offset) : span(offset, offset);
  return { path, role, span: place, siblings: [], indent, before, flow: false };
}

/** Extends a plain word to a cursor after its blanks, because what is typed next belongs to the same text. */
function withBlanks(text: string, word: Span, offset: number): Span {
  const isPlain = /^\w/.test(text.slice(word.start, word.end));
  return isPlain && /^[ \t]+$/.test(text.slice(word.end, offset)) ? span(word.start, offset) : word;
}

/** Returns the place of a cursor in the brackets or the text of a value that begins on an earlier line. */
function placeInOpenValue(
  frames: readonly Frame[],
  text: string,
  frame: Frame,
  line: BlockLine,
  offset: number,
  limit: number,
): YamlPlace {
  const path = pathOf(frames);
  const flow = findFlowPlace(text, span(line.value.start, limit), offset, path);
  if (flow) return { ...flow, indent: frame.column, before: '', flow: true };
  let start = offset;
  let end = offset;
  while (isWord(text[start - 1])) start--;
  while (end < limit && isWord(text[end])) end++;
  const role = frame.kind === 'list' ? 'item' : 'value';
  return { path, role, span: span(start, end), siblings: [], indent: frame.column, before: '', flow: false };
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w.-]/.test(character);

// The place of a cursor inside `[…]` and `{…}`, which may be unclosed.

interface Level {
  readonly kind: 'map' | 'list';
  readonly keys: string[];
  index: number;
  /** The key of the current value; undefined until the colon after the key is read. */
  key: string | undefined;
}

/** The maximum nesting depth, the same as in `parse.ts`. */
const MAX_DEPTH = 200;

type FlowPlace = Pick<YamlPlace, 'path' | 'role' | 'span' | 'siblings'>;

/** Returns undefined if the value is not in brackets, or the cursor is not inside the brackets. */
function findFlowPlace(text: string, value: Span, offset: number, base: KeyPath): FlowPlace | undefined {
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
  /** The span of the scalar that was read. */
  readonly word?: Span;
  readonly keepsWord?: boolean;
}

/** Reads one token. `word` is the scalar before the token; it is a key if the token is a colon. */
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

/** Returns the span of the scalar that starts at `at`, with its quotes; otherwise an empty span. */
function wordAt(text: string, at: number, limit: number): Span {
  if (text[at] === '"' || text[at] === "'") {
    const close = closingQuote(text, at, limit);
    // A quote on a later line probably opens another value.
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

/** Returns the span of the word directly after the cursor. */
const wordFrom = (text: string, offset: number, limit: number): Span =>
  /\s/.test(text[offset] ?? ' ') ? span(offset, offset) : wordAt(text, offset, limit);

const nameOf = (text: string, { start, end }: Span): string => text.slice(start, end).replace(/^(["'])(.*)\1$/s, '$2');

function placeAt(levels: Level[], text: string, word: Span, base: KeyPath, offset: number, limit: number): FlowPlace {
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
const stepOf = ({ kind, key, index }: Level): KeyPath =>
  kind === 'map' ? [key ?? ''] : key === undefined ? [index] : [index, key];

/** Returns the keys of the same map that are after the cursor on the same line. */
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
  // The key at the cursor is not a sibling of itself.
  const name = nameOf(text, span(start, end));
  return own.keys.filter((key, i) => !(i === 0 && key === name && end > start) && key !== '');
}

/** The path of keys and indices from a root to a value. */
export type KeyPath = readonly (string | number)[];

/** The position of a cursor in YAML, at existing text or at text that the author may type. */
export interface YamlPlace {
  /**
   * For a `key`, the path of the map; for a `value` or an `item`, the path of the value or item. On a new line below
   * `a:`, the place is a `key` in `a`, since it is not yet known whether the value is a map or a list.
   */
  readonly path: KeyPath;
  readonly role: 'key' | 'value' | 'item';
  /** The span of the word to replace, without quotes; an empty span at the cursor if there is no word. */
  readonly span: Span;
  /** The other keys of the map, for a `key`. */
  readonly siblings: readonly string[];
  /** The column of the keys or dashes in the map or list that contains the cursor. */
  readonly indent: number;
  /** The text to insert before the word: a space directly after `key:`, or a dash on a new line in a list. */
  readonly before: '' | ' ' | '- ';
  /** True inside `[…]` and `{…}`, where commas and brackets need quotes. */
  readonly flow: boolean;
}
