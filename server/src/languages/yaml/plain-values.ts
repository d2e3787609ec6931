/** The values of plain YAML that stand in one line. Each reader gives undefined where the library must decide. */
import { span } from '../../text.ts';
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from './node.ts';

/** Where a value is read: in the line that ends at `lineEnd`, from `at` on, which a reader moves behind what it read. */
export interface Cursor {
  readonly text: string;
  readonly end: number;
  at: number;
  lineEnd: number;
}

const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

/** No flow collection of one line is deeper. */
const MAX_DEPTH = 10;

/** YAML takes no longer key without `?`. */
const MAX_KEY = 200;

/** The offset of the first character from `at` on that is no space. */
export function skipSpaces(text: string, at: number, end: number): number {
  let from = at;
  while (from < end && text.charCodeAt(from) === SPACE) from++;
  return from;
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** What a plain scalar may begin with here: a letter of any script, a digit, or one of `_ $ ( / . + = ^ \`. */
const mayBegin = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  code === 95 ||
  code === 36 ||
  code === 40 ||
  (code >= 46 && code <= 47) ||
  code === 43 ||
  code === 61 ||
  code === 94 ||
  code === BACKSLASH ||
  code > 0xa0;

const isWordPart = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  code === 95 ||
  code === 45 ||
  code === 46 ||
  code === 36 ||
  code === 47 ||
  code === SPACE;

/** The colon behind a key of plain words that begins at `start`; -1 where there is none. */
export function colonOf({ text, lineEnd }: Cursor, start: number): number {
  const first = text.charCodeAt(start);
  if (!isLetter(first) && !isDigit(first) && first !== 95 && first !== 36) return -1;
  const limit = Math.min(lineEnd, start + MAX_KEY);
  let at = start + 1;
  while (at < limit && isWordPart(text.charCodeAt(at))) at++;
  if (at >= limit || text.charCodeAt(at) !== COLON || text.charCodeAt(at - 1) === SPACE) return -1;
  return at + 1 === lineEnd || text.charCodeAt(at + 1) === SPACE ? at : -1;
}

/** The plain scalar of the line: up to a comment or the end. */
export function readPlain(cursor: Cursor): YamlScalar | undefined {
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
const RARE_NUMBER = /^(?:0[ox]|[-+]?\.?(?:inf|nan)|[-+.]*[0-9.]+e)/i;
const WORD = /^(?:~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)$/;

/** The plain scalar between two offsets: text, a number, a boolean or null of the core schema. */
export function scalarOf(text: string, start: number, end: number): YamlScalar | undefined {
  const source = text.slice(start, end);
  const place = span(start, end);
  const code = source.charCodeAt(0);
  if (isDigit(code) || code === 43 || code === 45 || code === 46) {
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

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', '/': '/' };

/** A scalar in quotes that close in its line. */
export function readQuoted(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  const quote = text.charCodeAt(start);
  let value = '';
  let from = start + 1;
  for (let at = from; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (quote === QUOTE && code === BACKSLASH) {
      const meant = ESCAPES[text[at + 1] ?? ''];
      if (meant === undefined) return undefined;
      value += text.slice(from, at) + meant;
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

/** A list or a map in brackets that close in its line. */
export function readFlow(cursor: Cursor, depth: number): YamlNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
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
  cursor.at = skipSpaces(cursor.text, cursor.at, cursor.lineEnd);
}

function readFlowValue(cursor: Cursor, depth: number): YamlNode | undefined {
  const first = cursor.text[cursor.at];
  if (first === '[' || first === '{') return readFlow(cursor, depth + 1);
  return first === '"' || first === "'" ? readQuoted(cursor) : readFlowPlain(cursor);
}

/** Within brackets a plain scalar ends before `,`, a bracket or `: `; other marks that may mean something are refused. */
function readFlowPlain(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  if (!mayBegin(text.charCodeAt(start)) && !isNegative(text, start)) return undefined;
  let at = start;
  for (; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === 93 || code === 125) break;
    if (code === COLON) {
      const next = text.charCodeAt(at + 1);
      if (next === SPACE) break;
      if (!isLetter(next) && !isDigit(next) && next !== 47) return undefined;
    } else if (code === HASH || code === 91 || code === 123) return undefined;
  }
  // Where the line ends within brackets, the scalar may go on below.
  if (at >= lineEnd) return undefined;
  let end = at;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  cursor.at = at;
  return scalarOf(text, start, end);
}
