/**
 * Tokens inside a tag, one at a time, and the places where tags begin. The reader knows what can never be valid
 * (`{%` inside a tag, `%}` inside `{{`): those become tokens of their own, so that a half-typed tag is noticed at
 * the next tag instead of swallowing it.
 */
import { numberEnd, numberValue, valueOfString } from './literals.ts';

/** What the text being read is inside of; an expression stands alone, without delimiters. */
export type Mode = 'output' | 'block' | 'expression';

/**
 * An operator is its own kind. `end` closes the tag, `wrong-end` is the other tag's closer, `opener` starts another
 * tag, `bad` is described by `defect`, and `failed` is what every token is after the first defect of a tag.
 */
export type TokenKind =
  | 'name'
  | 'string'
  | 'number'
  | 'end'
  | 'wrong-end'
  | 'opener'
  | 'bad'
  | 'eof'
  | 'failed'
  | Operator;

export type Operator =
  | '//'
  | '**'
  | '=='
  | '!='
  | '>='
  | '<='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '.'
  | ','
  | ':'
  | '~'
  | '|'
  | '='
  | '>'
  | '<'
  | '('
  | ')'
  | '['
  | ']'
  | '{'
  | '}';

export interface LexDefect {
  readonly kind: 'bad-character' | 'bad-escape' | 'bad-number' | 'unclosed-string';
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** The state of reading one tag: `kind`, `start`, `end` and `word` (of a name) are the current token's. */
export class Reader {
  readonly text: string;
  mode: Mode = 'output';
  /** Nothing is read from here on. */
  limit: number;
  /** A string cut off by `limit` counts as closed: set while a defective tag is read again for its tree. */
  lenient = false;
  /** A `{{` inside a tag is the next tag at once: set where too much has been read twice already. */
  impatient = false;
  /** Where the brackets stand that are open at the current token. */
  brackets: number[] = [];
  kind: TokenKind = 'eof';
  start = 0;
  end = 0;
  word = '';
  /** The token before the current one; an empty place at the start of the content where there is none. */
  lastStart = 0;
  lastEnd = 0;
  defect: LexDefect | undefined = undefined;
  /** The first `{{` seen inside this tag: a tree may begin with `{{`, but mostly it is the next tag. */
  innerOpener = -1;
  /** The first string of this tag that looks as if its closing quote belonged elsewhere. */
  oddString: { readonly start: number; readonly end: number } | undefined = undefined;

  constructor(text: string) {
    this.text = text;
    this.limit = text.length;
  }
}

/** Starts on a tag's content at `at` and reads its first token. */
export function beginTag(reader: Reader, mode: Mode, at: number, limit: number, lenient = false): void {
  reader.mode = mode;
  reader.limit = limit;
  reader.lenient = lenient;
  reader.brackets = [];
  reader.kind = 'eof';
  reader.start = at;
  reader.end = at;
  reader.defect = undefined;
  reader.innerOpener = -1;
  reader.oddString = undefined;
  advance(reader);
}

/** The next `{{`, `{%` or `{#` at or after `from`, or -1. */
export function findOpener(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next === 123 || next === 37 || next === 35) return at;
  }
  return -1;
}

const LETTER = 1;
const DIGIT = 2;
const SPACE = 4;
const CLASS = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') CLASS[char.charCodeAt(0)] = LETTER;
for (const char of '0123456789') CLASS[char.charCodeAt(0)] = DIGIT;
for (const char of ' \t\n\r\f') CLASS[char.charCodeAt(0)] = SPACE;

const classOf = (code: number): number => (code < 128 ? (CLASS[code] as number) : 0);

export const isSpace = (code: number): boolean => classOf(code) === SPACE;
export const isNamePart = (code: number): boolean => (classOf(code) & (LETTER | DIGIT)) !== 0;

/** The end of the name that starts at `at`; `at` itself where none does. Names are ASCII. */
export function nameEnd(text: string, at: number, limit = text.length): number {
  if (classOf(text.charCodeAt(at)) !== LETTER) return at;
  let end = at + 1;
  while (end < limit && isNamePart(text.charCodeAt(end))) end++;
  return end;
}

/** Reads the next token into the reader and says its kind. After a failure there are none. */
export function advance(reader: Reader): TokenKind {
  if (reader.kind === 'failed') return 'failed';
  const { text, limit } = reader;
  reader.lastStart = reader.start;
  reader.lastEnd = reader.end;
  let at = reader.end;
  while (at < limit && isSpace(text.charCodeAt(at))) at++;
  reader.start = at;
  if (at >= limit) return token(reader, 'eof', at);
  const code = text.charCodeAt(at);
  const class_ = classOf(code);
  if (class_ === LETTER) {
    const end = nameEnd(text, at, limit);
    if (end < limit && text.charCodeAt(end) >= 128 && wordEnd(text, end) > end) return strangeCharacter(reader, at);
    reader.word = text.slice(at, end);
    return token(reader, 'name', end);
  }
  if (class_ === DIGIT) return number(reader, at);
  if (code === 34 || code === 39) return string(reader, at, code);
  return operator(reader, at, text[at] as string, text[at + 1] ?? '');
}

function token(reader: Reader, kind: TokenKind, end: number): TokenKind {
  reader.kind = kind;
  reader.end = Math.min(end, reader.limit);
  return kind;
}

function bad(reader: Reader, kind: LexDefect['kind'], start: number, end: number, message: string): TokenKind {
  reader.defect = { kind, start, end, message };
  return token(reader, 'bad', Math.max(end, reader.start + 1));
}

function number(reader: Reader, at: number): TokenKind {
  const end = numberEnd(reader.text, at);
  const { message } = end === at + 1 ? { message: undefined } : numberValue(reader.text.slice(at, end));
  if (message === undefined || reader.lenient) return token(reader, 'number', end);
  return bad(reader, 'bad-number', at, end, message);
}

function string(reader: Reader, at: number, quote: number): TokenKind {
  const { text, limit } = reader;
  let end = at + 1;
  let escapes = false;
  let odd = false;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) break;
    if (code === 92) {
      escapes = true;
      end++;
    } else if (code === 10 || code === 13 || (code === 125 && closesHere(reader, end))) odd = true;
  }
  if (end >= limit) {
    if (reader.lenient) return token(reader, 'string', limit);
    const written = text.slice(at, at + 1);
    return bad(reader, 'unclosed-string', at, limit, `This string is never closed: add the closing \`${written}\`.`);
  }
  if (odd) reader.oddString ??= { start: at, end: end + 1 };
  const { defect } = escapes && !reader.lenient ? valueOfString(text.slice(at + 1, end)) : { defect: undefined };
  if (defect === undefined) return token(reader, 'string', end + 1);
  return bad(reader, 'bad-escape', at + 1 + defect.start, at + 1 + defect.end, defect.message);
}

/** True where the `}` at `at` ends a closer of this tag. */
function closesHere({ text, mode }: Reader, at: number): boolean {
  return text.charCodeAt(at - 1) === (mode === 'block' ? 37 : 125);
}

function operator(reader: Reader, at: number, char: string, next: string): TokenKind {
  const { brackets, mode, text } = reader;
  if ((char === '-' || char === '+') && brackets.length === 0 && mode !== 'expression') {
    const closer = text.slice(at + 1, at + 3);
    if (closer === (mode === 'block' ? '%}' : '}}')) return token(reader, 'end', at + 3);
    if (closer === '%}' || closer === '}}') return token(reader, 'wrong-end', at + 3);
  }
  switch (char) {
    case '%':
      if (next === '}') return token(reader, mode === 'block' ? 'end' : 'wrong-end', at + 2);
      return token(reader, '%', at + 1);
    case '{':
      if (next === '%' || next === '#') return token(reader, 'opener', at + 2);
      if (next === '{' && reader.impatient) return token(reader, 'opener', at + 2);
      if (next === '{' && reader.innerOpener < 0) reader.innerOpener = at;
      brackets.push(at);
      return token(reader, '{', at + 1);
    case '}':
      if (next === '}' && !inDict(reader, at)) return token(reader, mode === 'output' ? 'end' : 'wrong-end', at + 2);
      brackets.pop();
      return token(reader, '}', at + 1);
    case '(':
    case '[':
      brackets.push(at);
      return token(reader, char, at + 1);
    case ')':
    case ']':
      brackets.pop();
      return token(reader, char, at + 1);
    case '/':
    case '*':
      if (next === char) return token(reader, char === '/' ? '//' : '**', at + 2);
      return token(reader, char, at + 1);
    case '=':
      return next === '=' ? token(reader, '==', at + 2) : token(reader, '=', at + 1);
    case '>':
      return next === '=' ? token(reader, '>=', at + 2) : token(reader, '>', at + 1);
    case '<':
      return next === '=' ? token(reader, '<=', at + 2) : token(reader, '<', at + 1);
    case '+':
    case '-':
    case '.':
    case ',':
    case ':':
    case '~':
    case '|':
      return token(reader, char, at + 1);
    case '!':
      if (next === '=') return token(reader, '!=', at + 2);
      return bad(reader, 'bad-character', at, at + 1, 'MiniJinja has no `!`: write `not`.');
  }
  if (char === '&' && next === '&')
    return bad(reader, 'bad-character', at, at + 2, 'MiniJinja has no `&&`: write `and`.');
  return strangeCharacter(reader, at);
}

/**
 * Whether the `}` of `}}` at `at` closes a dict. With one dict open and just two braces it does as little good as
 * closing the tag, and an author who forgot one brace meant the tag.
 */
function inDict({ brackets, text, mode }: Reader, at: number): boolean {
  if (text[brackets[brackets.length - 1] ?? -1] !== '{') return false;
  return mode !== 'output' || brackets.length > 1 || text.charCodeAt(at + 2) === 125;
}

const WORD = /[\p{L}\p{M}\p{N}_]+/uy;

function wordEnd(text: string, at: number): number {
  WORD.lastIndex = at;
  return WORD.test(text) ? WORD.lastIndex : at;
}

function strangeCharacter(reader: Reader, at: number): TokenKind {
  const { text } = reader;
  const word = wordEnd(text, at);
  if (word > at) {
    const end = Math.min(word, reader.limit);
    const written = text.slice(at, end).slice(0, 40);
    const message = `\`${written}\` cannot be a name: MiniJinja's names are made of ASCII letters, digits and \`_\`. Quote it if it is text.`;
    return bad(reader, 'bad-character', at, end, message);
  }
  const char = String.fromCodePoint(text.codePointAt(at) as number);
  const shown =
    char < ' ' || char === '\x7f' || char === '\xa0'
      ? `U+${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`
      : char;
  const message = `The character \`${shown}\` means nothing inside a tag: remove it, or quote it if it is text.`;
  return bad(reader, 'bad-character', at, at + char.length, message);
}
