/**
 * Finds the path and the role of a cursor in JSON from the tokens before the cursor, because the JSON may be broken or
 * incomplete.
 */
import { span } from '../../text.ts';
import type { YamlPlace } from './cursor.ts';

/** An open map or list; `next` is the kind of the expected token. */
interface Frame {
  readonly kind: 'map' | 'list';
  readonly keys: string[];
  step: string | number;
  next: 'key' | 'colon' | 'value' | 'comma';
}

const TOKENS = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The maximum length of a file in UTF-16 code units. */
const MAX_LENGTH = 1_000_000;

/**
 * Returns the place at an offset in JSON; undefined if only a comma, a colon or a bracket is allowed at the offset, or
 * if the text is too long. Never throws.
 */
export function jsonPlaceAt(text: string, offset: number): YamlPlace | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const frames: Frame[] = [];
  let word = '';
  let start = offset;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (index >= offset) break;
    if (isInsideToken(token, index, offset)) {
      [word, start] = [token, index];
      break;
    }
    applyToken(frames, token);
  }
  const top = frames.at(-1);
  if (!top || top.next === 'comma' || top.next === 'colon') return undefined;
  const isKey = top.next === 'key';
  const isQuoted = word.startsWith('"');
  const from = isQuoted ? start + 1 : start;
  const to = Math.max(from, start + word.length - (isQuoted && isClosed(word) ? 1 : 0));
  const following = isKey ? keysAfter(text, start + word.length) : [];
  return {
    path: (isKey ? frames.slice(0, -1) : frames).map(({ step }) => step),
    role: isKey ? 'key' : top.kind === 'list' ? 'item' : 'value',
    span: span(from, to),
    siblings: [...top.keys, ...following],
    indent: 0,
    before: '',
    flow: true,
  };
}

const isClosed = (text: string): boolean => /^"(?:[^"\\\n]|\\.)*"$/.test(text);

/** Returns whether the cursor is inside a string or another word. The position after a closing quote is outside. */
function isInsideToken(token: string, index: number, offset: number): boolean {
  if (/^[{}[\],:]$/.test(token)) return false;
  const end = index + token.length;
  return offset < end || (offset === end && !isClosed(token));
}

function applyToken(frames: Frame[], token: string): void {
  const top = frames.at(-1);
  switch (token) {
    case '{':
      frames.push({ kind: 'map', keys: [], step: '', next: 'key' });
      return;
    case '[':
      frames.push({ kind: 'list', keys: [], step: 0, next: 'value' });
      return;
    case '}':
    case ']': {
      frames.pop();
      const above = frames.at(-1);
      if (above) above.next = 'comma';
      return;
    }
    case ',':
      if (!top) return;
      top.next = top.kind === 'map' ? 'key' : 'value';
      if (typeof top.step === 'number') top.step++;
      return;
    case ':':
      if (top?.kind === 'map') top.next = 'value';
      return;
  }
  if (!top) return;
  if (top.next === 'key') {
    top.step = wordOf(token);
    top.keys.push(top.step);
    top.next = 'colon';
  } else top.next = 'comma';
}

const wordOf = (token: string): string => token.replace(/^"|"$/g, '');

/** Returns the keys that follow the offset `from` in the innermost map. */
function keysAfter(text: string, from: number): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.slice(from).matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth++;
    else if ((token === '}' || token === ']') && --depth < 0) break;
    else if (token === ':' && depth === 0 && last !== '') keys.push(wordOf(last));
    last = token.startsWith('"') ? token : '';
  }
  return keys;
}
