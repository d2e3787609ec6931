/** Values within one line. Each reader gives undefined where the library must decide; see `quick-yaml.ts`. */
import { span } from '../../../text.ts';
import { skipBlanks } from '../lines.ts';
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from '../node.ts';

/** A value is read in the line that ends at `lineEnd`, from `at` on; its reader moves `at` behind it. */
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

/** Of brackets within brackets. */
const MAX_DEPTH = 10;

/** Below the length that YAML allows for a key. */
const MAX_KEY = 200;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isOneOf = (characters: string, code: number): boolean => characters.includes(String.fromCharCode(code));

/** Whether an unquoted scalar may begin with the character, which may be a letter of any script. */
const mayBegin = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code > 0xa0 || isOneOf('_$(/.+=^\\', code);

const isInKey = (code: number): boolean => isLetter(code) || isDigit(code) || isOneOf('_-.$/ ', code);

/** The colon behind a key of plain words that begins at `start`; -1 where there is none. */
export function colonOf({ text, lineEnd }: Cursor, start: number): number {
  const first = text.charCodeAt(start);
  if (!isLetter(first) && !isDigit(first) && !isOneOf('_$', first)) return -1;
  const limit = Math.min(lineEnd, start + MAX_KEY);
  let at = start + 1;
  while (at < limit && isInKey(text.charCodeAt(at))) at++;
  if (at >= limit || text.charCodeAt(at) !== COLON || text.charCodeAt(at - 1) === SPACE) return -1;
  return at + 1 === lineEnd || text.charCodeAt(at + 1) === SPACE ? at : -1;
}

/** The unquoted scalar that goes on to the end of the line or to a comment. */
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
/** Numbers and words that the library reads in ways of its own. */
const RARE_NUMBER = /^(?:0[ox]|[-+]?\.?(?:inf|nan)|[-+.]*[0-9.]+e)/i;
const WORD = /^(?:~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)$/;

/** The unquoted scalar between two offsets: text, a number, a boolean or null of the core schema. */
export function scalarOf(text: string, start: number, end: number): YamlScalar | undefined {
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

/** A scalar in quotes that close in its line. */
export function readQuoted(cursor: Cursor): YamlScalar | undefined {
  const { text, at: start, lineEnd } = cursor;
  const quote = text.charCodeAt(start);
  let value = '';
  let from = start + 1;
  for (let at = from; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (quote === QUOTE && code === BACKSLASH) {
      const meant = ESCAPES.get(text[at + 1] ?? '');
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
  cursor.at = skipBlanks(cursor.text, cursor.at, cursor.lineEnd);
}

function readFlowValue(cursor: Cursor, depth: number): YamlNode | undefined {
  const first = cursor.text[cursor.at];
  if (first === '[' || first === '{') return readFlow(cursor, depth + 1);
  return first === '"' || first === "'" ? readQuoted(cursor) : readFlowPlain(cursor);
}

/** Within brackets an unquoted scalar ends before `,`, a closing bracket or `: `; other marks are refused. */
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
  // The scalar may go on in the next line.
  if (at >= lineEnd) return undefined;
  let end = at;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  cursor.at = at;
  return scalarOf(text, start, end);
}
