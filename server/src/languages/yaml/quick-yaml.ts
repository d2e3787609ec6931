/**
 * A quick reader for common YAML. The reader reads the text once and returns exactly the same tree as
 * `parseByLibrary`, or undefined if the library must parse the text. The test
 * `test/properties/yaml-quick.test.ts` checks that the trees are equal; bench/README.md contains the time that it saves.
 */
import { endOfLine, type Span, span } from '../../text.ts';
import { skipBlanks } from './lines.ts';
import {
  nullAt,
  type YamlComment,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlProblem,
  type YamlScalar,
  type YamlTree,
} from './node.ts';
import { problemAt, STRAY_LINE } from './problems.ts';

/** Control characters, tabs, `\r`, other line breaks, byte order marks, halves of surrogate pairs. */
const ODD =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const MAX_LENGTH = 200_000;
const MAX_DEPTH = 30;

const HASH = 35;
const DASH = 45;

/** The state of the reader. `first`, `lineEnd` and `indent` belong to the current line; `indent` is -1 at the end. */
interface Walk extends Cursor {
  readonly comments: YamlComment[];
  /** The problem with a line that has only a word and no colon. The reader accepts at most one line without a colon. */
  stray: YamlProblem | undefined;
  /** True if a key has several words. */
  hasLongKey: boolean;
  /** True if the last value is a literal or folded block. */
  isAfterBlock: boolean;
  /** The start of the next line. */
  next: number;
  lineStart: number;
  first: number;
  indent: number;
  depth: number;
}

/** Returns the tree of the YAML at `place` in a file; undefined if the library must parse the YAML. Never throws. */
export function readYamlQuickly(text: string, place: Span): YamlTree | undefined {
  if (place.end - place.start > MAX_LENGTH || ODD.test(text.slice(place.start, place.end))) return undefined;
  const { start, end } = place;
  const walk: Walk = {
    text,
    end,
    at: start,
    lineEnd: start,
    comments: [],
    stray: undefined,
    hasLongKey: false,
    isAfterBlock: false,
    next: start,
    lineStart: start,
    first: start,
    indent: -1,
    depth: 0,
  };
  toContent(walk);
  if (walk.indent !== 0) return undefined;
  const root = readBlock(walk);
  if (!root || walk.indent >= 0) return undefined;
  const { comments, stray, hasLongKey } = walk;
  // In broken YAML, several words before a colon may be prose.
  if (stray && hasLongKey) return undefined;
  return { span: place, root, problems: stray ? [stray] : [], comments, broken: stray !== undefined };
}

/** Moves to the next line that is neither empty nor a comment, and collects the skipped comments. */
function toContent(walk: Walk): void {
  const { text, end } = walk;
  while (walk.next < end) {
    const start = walk.next;
    const lineEnd = endOfLine(text, start, end);
    walk.next = Math.min(lineEnd + 1, end);
    const first = skipBlanks(text, start, lineEnd);
    if (first === lineEnd) continue;
    if (text.charCodeAt(first) === HASH) {
      addComment(walk, first, lineEnd);
      continue;
    }
    walk.lineStart = start;
    walk.lineEnd = lineEnd;
    walk.first = first;
    walk.indent = first - start;
    return;
  }
  walk.indent = -1;
}

function addComment({ text, comments }: Walk, start: number, end: number): void {
  comments.push({ span: span(start, end), text: text.slice(start, end) });
}

const isDash = ({ text }: Walk, at: number, lineEnd: number): boolean =>
  text.charCodeAt(at) === DASH && (at + 1 === lineEnd || text[at + 1] === ' ');

/** Reads the value that begins with the content of the line. */
function readBlock(walk: Walk): YamlNode | undefined {
  if (++walk.depth > MAX_DEPTH) return undefined;
  const node = isDash(walk, walk.first, walk.lineEnd) ? readList(walk) : readMap(walk);
  walk.depth--;
  return node;
}

function readMap(walk: Walk): YamlMap | undefined {
  const { indent } = walk;
  const entries: YamlEntry[] = [];
  const names = new Set<string>();
  while (walk.indent === indent) {
    const start = walk.first;
    const colon = colonOf(walk, start);
    if (colon < 0) {
      if (entries.length === 0 || !passStray(walk)) return undefined;
      continue;
    }
    const key = scalarOf(walk.text, start, colon);
    // Only `parseByLibrary` reports duplicate keys.
    if (!key || names.size === names.add(String(key.value)).size) return undefined;
    walk.hasLongKey ||= key.source.includes(' ');
    const value = readValue(walk, colon + 1, indent);
    if (!value) return undefined;
    entries.push({ key, value, span: span(start, Math.max(colon, value.span.end)) });
  }
  // A line with a deeper indentation would continue the last value.
  if (walk.indent > indent) return undefined;
  const [first] = entries;
  const last = entries.at(-1);
  return first && last && { kind: 'map', span: span(first.span.start, last.span.end), flow: false, entries };
}

const STRAY = /^[A-Za-z][\w-]*$/;

/** Skips an incomplete key: a word without a colon. The library would parse the whole text twice for such a key. */
function passStray(walk: Walk): boolean {
  const { text, indent, first: start, lineEnd } = walk;
  // For a word below a block scalar, the library reports a problem with the block scalar instead.
  if (walk.stray || walk.isAfterBlock || !STRAY.test(text.slice(start, lineEnd))) return false;
  walk.stray = problemAt(span(start, lineEnd), STRAY_LINE);
  toContent(walk);
  // A line with a deeper indentation would belong to the word.
  return walk.indent <= indent;
}

function readList(walk: Walk): YamlList | undefined {
  const { indent, first: start } = walk;
  const items: YamlNode[] = [];
  while (walk.indent === indent && isDash(walk, walk.first, walk.lineEnd)) {
    const item = readItem(walk, indent);
    if (!item) return undefined;
    items.push(item);
  }
  if (walk.indent > indent) return undefined;
  const last = items.at(-1);
  return last && { kind: 'list', span: span(start, last.span.end), flow: false, items };
}

/** Reads the item after a dash. */
function readItem(walk: Walk, indent: number): YamlNode | undefined {
  const dashEnd = walk.first + 1;
  const at = skipBlanks(walk.text, dashEnd, walk.lineEnd);
  if (at === walk.lineEnd) {
    const comments = walk.comments.length;
    toContent(walk);
    return walk.indent <= indent && walk.comments.length === comments ? nullAt(dashEnd) : undefined;
  }
  if (isDash(walk, at, walk.lineEnd)) return undefined;
  return colonOf(walk, at) < 0 ? readInline(walk, at, indent) : readMapAt(walk, at);
}

/** Reads the map that begins after a dash. The column of the first key is the indentation of the map. */
function readMapAt(walk: Walk, at: number): YamlNode | undefined {
  walk.first = at;
  walk.indent = at - walk.lineStart;
  if (++walk.depth > MAX_DEPTH) return undefined;
  const map = readMap(walk);
  walk.depth--;
  return map;
}

/** Reads the value after the colon of a key. */
function readValue(walk: Walk, colonEnd: number, indent: number): YamlNode | undefined {
  const at = skipBlanks(walk.text, colonEnd, walk.lineEnd);
  if (at < walk.lineEnd && walk.text.charCodeAt(at) !== HASH) return readInline(walk, at, indent);
  const comments = walk.comments.length;
  if (at < walk.lineEnd) addComment(walk, at, walk.lineEnd);
  toContent(walk);
  if (walk.indent > indent || (walk.indent === indent && isDash(walk, walk.first, walk.lineEnd))) {
    return readBlock(walk);
  }
  // Only the library knows the offset of an empty value between comments.
  return walk.comments.length === comments ? nullAt(colonEnd) : undefined;
}

/** Reads a value that begins at `at`, in a map or list with the indentation `indent`, and moves to the next line. */
function readInline(walk: Walk, at: number, indent: number): YamlNode | undefined {
  walk.at = at;
  const first = walk.text[at];
  walk.isAfterBlock = first === '|' || first === '>';
  if (walk.isAfterBlock) {
    const block = blockScalar(walk.text, span(at, walk.end), walk.lineEnd, walk.next, indent);
    if (!block) return undefined;
    walk.next = block.next;
    toContent(walk);
    return block.scalar;
  }
  let node: YamlNode | undefined;
  if (first === '"' || first === "'") node = readQuoted(walk);
  else if (first === '[' || first === '{') node = readFlow(walk, 0);
  else node = readPlain(walk);
  return node && endLine(walk) ? node : undefined;
}

/** Moves to the next line; returns false if text other than a comment follows the value. */
function endLine(walk: Walk): boolean {
  const at = skipBlanks(walk.text, walk.at, walk.lineEnd);
  if (at < walk.lineEnd) {
    if (walk.text.charCodeAt(at) !== HASH || at === walk.at) return false;
    addComment(walk, at, walk.lineEnd);
  }
  toContent(walk);
  return true;
}

// Literal and folded blocks (`|` and `>`).

/** A block, and the start of the line after it. */
interface BlockScalar {
  readonly scalar: YamlScalar;
  readonly next: number;
}

const HEADER = /^[|>]-?$/;

/**
 * Reads the block whose indicator is at the start of `rest`, which extends to the end of the YAML. `next` is the start
 * of the line below the indicator, `indent` the indentation of the containing map or list. Returns undefined if the
 * library must parse the text.
 */
function blockScalar(text: string, rest: Span, lineEnd: number, next: number, indent: number): BlockScalar | undefined {
  const header = text.slice(rest.start, lineEnd);
  if (!HEADER.test(header)) return undefined;
  const isFolded = header[0] === '>';
  const lines: string[] = [];
  let margin = -1;
  let end = rest.start;
  let at = next;
  for (; at < rest.end; ) {
    const lineBreak = text.indexOf('\n', at);
    // The library has its own rules for a last line without a line break.
    if (lineBreak < 0 || lineBreak >= rest.end) return undefined;
    const first = skipBlanks(text, at, lineBreak);
    if (first === lineBreak) {
      if (first > at || margin < 0) return undefined;
      lines.push('');
    } else {
      if (margin < 0) margin = first - at;
      if (margin <= indent) return undefined;
      if (first - at < margin) break;
      if (isFolded && (first - at > margin || text[lineBreak - 1] === ' ')) return undefined;
      lines.push(text.slice(at + margin, lineBreak));
      end = lineBreak;
    }
    at = lineBreak + 1;
  }
  if (margin < 0) return undefined;
  while (lines.at(-1) === '') lines.pop();
  while (end > rest.start && /\s/.test(text[end - 1] as string)) end--;
  const value = (isFolded ? folded(lines) : lines.join('\n')) + (header.length === 1 ? '\n' : '');
  const scalar: YamlScalar = {
    kind: 'scalar',
    span: span(rest.start, end),
    value,
    style: isFolded ? 'folded' : 'literal',
    source: value,
  };
  return { scalar, next: at };
}

/** Folds lines: replaces a single line break with a space, and removes the first of several line breaks. */
function folded(lines: readonly string[]): string {
  let result = lines[0] ?? '';
  let breaks = 0;
  for (const line of lines.slice(1)) {
    if (line === '') breaks++;
    else {
      result += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
      breaks = 0;
    }
  }
  return result;
}

// Values on one line. Each reader returns undefined if the library must parse the text.

/**
 * The position of a reader: the offset `at` on the line that ends at `lineEnd`. A reader moves `at` to the end of the
 * value that it reads.
 */
interface Cursor {
  readonly text: string;
  readonly end: number;
  at: number;
  lineEnd: number;
}

const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

/** The maximum depth of nested brackets. */
const MAX_FLOW_DEPTH = 10;

/** The maximum length of a key that this reader accepts, which is less than YAML's own limit. */
const MAX_KEY = 200;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isOneOf = (characters: string, code: number): boolean => characters.includes(String.fromCharCode(code));

/** Returns whether an unquoted scalar may begin with the character. Letters of all scripts are accepted. */
const mayBegin = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code > 0xa0 || isOneOf('_$(/.+=^\\', code);

const isInKey = (code: number): boolean => isLetter(code) || isDigit(code) || isOneOf('_-.$/ ', code);

/**
 * Returns the offset of the colon after the key that begins at `start`, or -1 if the key is not made of plain words.
 */
function colonOf({ text, lineEnd }: Cursor, start: number): number {
  const first = text.charCodeAt(start);
  if (!isLetter(first) && !isDigit(first) && !isOneOf('_$', first)) return -1;
  const limit = Math.min(lineEnd, start + MAX_KEY);
  let at = start + 1;
  while (at < limit && isInKey(text.charCodeAt(at))) at++;
  if (at >= limit || text.charCodeAt(at) !== COLON || text.charCodeAt(at - 1) === SPACE) return -1;
  return at + 1 === lineEnd || text.charCodeAt(at + 1) === SPACE ? at : -1;
}

/** Reads the unquoted scalar that ends at the end of the line or before a comment. */
function readPlain(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  if (!mayBegin(text.charCodeAt(start)) && !isNegative(text, start)) return undefined;
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) {
      if (at + 1 === lineEnd || text.charCodeAt(at + 1) === SPACE) return undefined;
    } else if (code === HASH && text.charCodeAt(at - 1) === SPACE) {
      end = at;
      break;
    }
  }
  while (text.charCodeAt(end - 1) === SPACE) end--;
  cursor.at = end;
  return scalarOf(text, start, end);
}

const isNegative = (text: string, at: number): boolean => text[at] === '-' && isDigit(text.charCodeAt(at + 1));

const INTEGER = /^[-+]?[0-9]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/;
/** Numbers and words for which the library has special rules. */
const RARE_NUMBER = /^(?:0[ox]|[-+]?\.?(?:inf|nan)|[-+.]*[0-9.]+e)/i;
const WORD = /^(?:~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)$/;

/** Returns the unquoted scalar between two offsets: a string, number, boolean or null of the core schema. */
function scalarOf(text: string, start: number, end: number): YamlScalar | undefined {
  const source = text.slice(start, end);
  const place = span(start, end);
  const code = source.charCodeAt(0);
  if (isDigit(code) || isOneOf('+-.', code)) {
    if (INTEGER.test(source) || FLOAT.test(source)) {
      const value = Number(source);
      if (!Number.isFinite(value)) return undefined;
      return { kind: 'scalar', span: place, value, style: 'plain', source };
    }
    if (RARE_NUMBER.test(source)) return undefined;
  } else if (source.length <= 5 && WORD.test(source)) {
    const first = source[0];
    const value = first === 't' || first === 'T' ? true : first === 'f' || first === 'F' ? false : null;
    return { kind: 'scalar', span: place, value, style: 'plain', source };
  }
  return { kind: 'scalar', span: place, value: source, style: 'plain', source };
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', n: '\n', t: '\t', '/': '/' }),
);

/** Reads a quoted scalar that is closed on its line. */
function readQuoted(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  const quote = text.charCodeAt(start);
  let value = '';
  let from = start + 1;
  for (let at = from; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (quote === QUOTE && code === BACKSLASH) {
      const character = ESCAPES.get(text[at + 1] ?? '');
      if (character === undefined) return undefined;
      value += text.slice(from, at) + character;
      from = ++at + 1;
    } else if (code === quote) {
      if (quote === APOSTROPHE && text.charCodeAt(at + 1) === APOSTROPHE) {
        value += text.slice(from, ++at);
        from = at + 1;
        continue;
      }
      cursor.at = at + 1;
      value = from === start + 1 ? text.slice(from, at) : value + text.slice(from, at);
      const style = quote === QUOTE ? 'double' : 'single';
      return { kind: 'scalar', span: span(start, at + 1), value, style, source: value };
    }
  }
  return undefined;
}

/** Reads a list or a map in brackets that is closed on its line. */
function readFlow(cursor: Cursor, depth: number): YamlNode | undefined {
  if (depth > MAX_FLOW_DEPTH) return undefined;
  return cursor.text[cursor.at] === '[' ? readFlowList(cursor, depth) : readFlowMap(cursor, depth);
}

function readFlowList(cursor: Cursor, depth: number): YamlList | undefined {
  const { text, at: start } = cursor;
  const items: YamlNode[] = [];
  for (cursor.at++; ; cursor.at++) {
    toToken(cursor);
    if (items.length === 0 && text[cursor.at] === ']') break;
    const item = readFlowValue(cursor, depth);
    if (!item) return undefined;
    items.push(item);
    toToken(cursor);
    if (text.charCodeAt(cursor.at) !== COMMA) break;
  }
  if (cursor.at >= cursor.lineEnd || text[cursor.at] !== ']') return undefined;
  cursor.at++;
  return { kind: 'list', span: span(start, cursor.at), flow: true, items };
}

function readFlowMap(cursor: Cursor, depth: number): YamlMap | undefined {
  const { text, at: start } = cursor;
  const entries: YamlEntry[] = [];
  const names = new Set<string>();
  for (cursor.at++; ; cursor.at++) {
    toToken(cursor);
    if (entries.length === 0 && text[cursor.at] === '}') break;
    const first = text[cursor.at];
    const key = first === '"' || first === "'" ? readQuoted(cursor) : readFlowPlain(cursor);
    if (!key || names.size === names.add(String(key.value)).size) return undefined;
    if (text.charCodeAt(cursor.at) !== COLON || text.charCodeAt(cursor.at + 1) !== SPACE) return undefined;
    cursor.at++;
    toToken(cursor);
    const value = readFlowValue(cursor, depth);
    if (!value) return undefined;
    entries.push({ key, value, span: span(key.span.start, Math.max(key.span.end, value.span.end)) });
    toToken(cursor);
    if (text.charCodeAt(cursor.at) !== COMMA) break;
  }
  if (cursor.at >= cursor.lineEnd || text[cursor.at] !== '}') return undefined;
  cursor.at++;
  return { kind: 'map', span: span(start, cursor.at), flow: true, entries };
}

function toToken(cursor: Cursor): void {
  cursor.at = skipBlanks(cursor.text, cursor.at, cursor.lineEnd);
}

function readFlowValue(cursor: Cursor, depth: number): YamlNode | undefined {
  const first = cursor.text[cursor.at];
  if (first === '[' || first === '{') return readFlow(cursor, depth + 1);
  return first === '"' || first === "'" ? readQuoted(cursor) : readFlowPlain(cursor);
}

/**
 * Reads an unquoted scalar inside brackets. The scalar ends before `,`, a closing bracket or `: `. Returns undefined at
 * other indicator characters.
 */
function readFlowPlain(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  if (!mayBegin(text.charCodeAt(start)) && !isNegative(text, start)) return undefined;
  let at = start;
  for (; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (isOneOf(',]}', code)) break;
    if (code === COLON) {
      const next = text.charCodeAt(at + 1);
      if (next === SPACE) break;
      if (!isLetter(next) && !isDigit(next) && !isOneOf('/', next)) return undefined;
    } else if (isOneOf('#[{', code)) return undefined;
  }
  // The scalar may continue on the next line.
  if (at >= lineEnd) return undefined;
  let end = at;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  cursor.at = at;
  return scalarOf(text, start, end);
}
