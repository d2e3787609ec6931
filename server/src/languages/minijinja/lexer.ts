/**
 * The lexer for tags. Invalid delimiters (`{%` inside a tag, `%}` inside `{{`) are separate tokens, so that an
 * incomplete tag ends before the next tag.
 */

/** The kind of source that is read. An `expression` has no delimiters. */
export type Mode = 'output' | 'block' | 'expression';

/** Operators of other languages, with those of MiniJinja. */
const FOREIGN_OPERATORS = [
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['||', 'or'],
  ['&&', 'and'],
] as const;

const PAIRS = ['//', '**', '==', '!=', '>=', '<='] as const;
const SIGNS = [...'+-*/%.,:~|=><()[]{}'] as Sign[];
type Sign = '+' | '-' | '*' | '/' | '%' | '.' | ',' | ':' | '~' | '|' | '=' | '>' | '<' | Bracket;
type Bracket = '(' | ')' | '[' | ']' | '{' | '}';

/**
 * The kind of a token. An operator is its own kind. `end` closes the tag, `wrong-end` closes the other kind of tag,
 * `opener` starts another tag, and `bad` is described by `problem`. All tokens after the first problem of a tag are
 * `failed`.
 */
export type TokenKind =
  | ('name' | 'string' | 'number' | 'end' | 'wrong-end' | 'opener' | 'bad' | 'eof' | 'failed')
  | (typeof PAIRS)[number]
  | Sign;

interface LexProblem {
  readonly kind: 'bad-character' | 'bad-escape' | 'bad-number' | 'unclosed-string';
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** The text to write instead. */
  readonly right?: string;
}

/** Reads one tag at a time. `kind`, `start`, `end` and `word` (of a name) belong to the current token. */
export class Lexer {
  readonly text: string;
  mode: Mode = 'output';
  /** The offset at which reading stops. */
  limit: number;
  /** True while a broken tag is read for the second time. A string that `limit` cuts off then counts as closed. */
  lenient = false;
  /** True after too much text was read twice. In this case, a `{{` inside a tag always starts another tag. */
  doubleBracesOpenTag = false;
  /** The offsets of the brackets that are open at the current token. */
  brackets: number[] = [];
  kind: TokenKind = 'eof';
  start = 0;
  end = 0;
  word = '';
  /** The offsets of the previous token. For the first token, both offsets are the start of the content. */
  lastStart = 0;
  lastEnd = 0;
  problem: LexProblem | undefined = undefined;
  /** The offset of the first `{{` inside this tag, which opens two dicts or, more often, the next tag. */
  innerOpener = -1;
  /** The first string with a line break or a closer. The closing quote may be the opening quote of another string. */
  suspectString: { readonly start: number; readonly end: number } | undefined = undefined;

  constructor(text: string) {
    this.text = text;
    this.limit = text.length;
  }

  /** Starts with the content of a tag at the offset `at` and reads its first token. */
  beginTag(mode: Mode, at: number, limit: number, lenient = false): void {
    this.mode = mode;
    this.limit = limit;
    this.lenient = lenient;
    this.brackets = [];
    this.kind = 'eof';
    this.start = at;
    this.end = at;
    this.problem = undefined;
    this.innerOpener = -1;
    this.suspectString = undefined;
    this.advance();
  }

  /** Reads the next token. Does nothing after a failure. */
  advance(): void {
    if (this.kind === 'failed') return;
    const { text, limit } = this;
    this.lastStart = this.start;
    this.lastEnd = this.end;
    const at = Math.min(endOf(SPACES, text, this.end), limit);
    this.start = at;
    this.kind = at < limit ? this.read(at, text[at] as string) : this.token('eof', at);
  }

  private read(at: number, char: string): TokenKind {
    if (/[A-Za-z_]/.test(char)) return this.name(at);
    if (/[0-9]/.test(char)) return this.number(at);
    return char === '"' || char === "'" ? this.string(at, char) : this.operator(at, char);
  }

  private token(kind: TokenKind, end: number): TokenKind {
    this.end = Math.min(end, this.limit);
    return kind;
  }

  private bad(kind: LexProblem['kind'], start: number, end: number, message: string, right?: string): TokenKind {
    this.problem = { kind, start, end, message, ...(right !== undefined && { right }) };
    return this.token('bad', Math.max(end, this.start + 1));
  }

  /** Names are ASCII. A name that contains other letters is one invalid token. */
  private name(at: number): TokenKind {
    const end = Math.min(nameEnd(this.text, at), this.limit);
    if (end < this.limit && endOf(WORD, this.text, end) > end) return this.invalidCharacter(at);
    this.word = this.text.slice(at, end);
    return this.token('name', end);
  }

  private number(at: number): TokenKind {
    const end = numberEnd(this.text, at);
    const { message } = numberValue(this.text.slice(at, end));
    if (message === undefined || this.lenient) return this.token('number', end);
    return this.bad('bad-number', at, end, message);
  }

  private string(at: number, quote: string): TokenKind {
    const { text, limit, lenient } = this;
    let end = at + 1;
    let odd = false;
    for (; end < limit && text[end] !== quote; end++) {
      const char = text[end];
      if (char === '\\') end++;
      else if (char === '\n' || char === '\r' || (char === '}' && this.closesHere(end))) odd = true;
    }
    if (end >= limit) {
      if (lenient) return this.token('string', limit);
      return this.bad('unclosed-string', at, limit, `This string is not closed. Add the closing \`${quote}\`.`);
    }
    if (odd) this.suspectString ??= { start: at, end: end + 1 };
    const content = text.slice(at + 1, end);
    const problem = lenient || !content.includes('\\') ? undefined : valueOfString(content).problem;
    if (problem === undefined) return this.token('string', end + 1);
    return this.bad('bad-escape', at + 1 + problem.start, at + 1 + problem.end, problem.message);
  }

  /** Returns true if the `}` at the offset `at` ends a closer of this tag. */
  private closesHere(at: number): boolean {
    return this.text[at - 1] === (this.mode === 'block' ? '%' : '}');
  }

  private operator(at: number, char: string): TokenKind {
    const { brackets, mode, text } = this;
    const pair = text.slice(at, at + 2);
    if ((char === '-' || char === '+') && brackets.length === 0 && mode !== 'expression') {
      const closer = text.slice(at + 1, at + 3);
      if (closer === '%}' || closer === '}}') return this.closer(closer, at + 3);
    }
    if (pair === '%}' || (pair === '}}' && !this.closesDict(at))) return this.closer(pair, at + 2);
    if (pair === '{%' || pair === '{#' || (pair === '{{' && this.doubleBracesOpenTag))
      return this.token('opener', at + 2);
    if (pair === '{{' && this.innerOpener < 0) this.innerOpener = at;
    if (char === '(' || char === '[' || char === '{') brackets.push(at);
    else if (char === ')' || char === ']' || char === '}') brackets.pop();
    const foreign = FOREIGN_OPERATORS.find(([one]) => text.startsWith(one, at));
    if (foreign) {
      const [written, right] = foreign;
      const message = `MiniJinja has no operator \`${written}\`. Write \`${right}\`.`;
      const end = at + written.length;
      return this.bad('bad-character', at, end, message, this.spaced(right, at, end));
    }
    const operator = PAIRS.find((one) => one === pair) ?? SIGNS.find((one) => one === char);
    if (operator !== undefined) return this.token(operator, at + operator.length);
    if (char === '!') {
      const right = this.spaced('not', at, at + 1);
      return this.bad('bad-character', at, at + 1, 'MiniJinja has no operator `!`. Write `not`.', right);
    }
    if (pair === '??') {
      const message = 'MiniJinja has no operator `??`. Use the filter `default`, such as `notes | default("none")`.';
      return this.bad('bad-character', at, at + 2, message);
    }
    if (char === '?') {
      return this.bad('bad-character', at, at + 1, 'MiniJinja has no operator `?`. Write `a if condition else b`.');
    }
    return this.invalidCharacter(at);
  }

  /** Puts spaces around a word in place of a sign, where the text beside it would become a part of the word. */
  private spaced(right: string, start: number, end: number): string {
    const isWord = /^\w/.test(right);
    const before = isWord && /\w/.test(this.text[start - 1] ?? '') ? ' ' : '';
    const after = isWord && /\w/.test(this.text[end] ?? '') ? ' ' : '';
    return `${before}${right}${after}`;
  }

  private closer(closer: '%}' | '}}', end: number): TokenKind {
    return this.token(this.mode === (closer === '%}' ? 'block' : 'output') ? 'end' : 'wrong-end', end);
  }

  /**
   * Returns true if the first `}` of `}}` at the offset `at` closes a dict. If only one dict is open, either the dict
   * or the tag is not closed. The tag then ends here, because the author probably forgot a brace.
   */
  private closesDict(at: number): boolean {
    const { brackets, mode, text } = this;
    if (text[brackets.at(-1) ?? -1] !== '{') return false;
    return mode !== 'output' || brackets.length > 1 || text[at + 2] === '}';
  }

  private invalidCharacter(at: number): TokenKind {
    const { text, limit } = this;
    const word = endOf(WORD, text, at);
    if (word > at) {
      const end = Math.min(word, limit);
      const written = text.slice(at, end).slice(0, 40);
      const message = `\`${written}\` is not a valid name: names consist of ASCII letters, digits and \`_\`. If it is text, put it in quotes.`;
      return this.bad('bad-character', at, end, message);
    }
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    const isInvisible = char < ' ' || char === '\x7f' || char === '\xa0';
    const shown = isInvisible ? `U+${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}` : char;
    const message = `The character \`${shown}\` is not allowed in a tag. Remove it, or put it in quotes if it is text.`;
    return this.bad('bad-character', at, at + char.length, message);
  }
}

const SPACES = /[ \t\n\r\f]*/y;
const NAME = /[A-Za-z0-9_]*/y;
const WORD = /[\p{L}\p{M}\p{N}_]+/uy;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the end of the ASCII letters, digits and underscores that start at the offset `at`. */
export const nameEnd = (text: string, at: number): number => endOf(NAME, text, at);

/** Returns the offset of the next `{{`, `{%` or `{#` at or after `from`, or -1. */
export function findOpener(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    const next = text[at + 1];
    if (next === '{' || next === '%' || next === '#') return at;
  }
  return -1;
}

// The values of string and number literals, and the literals that MiniJinja rejects.

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '"': '"',
    "'": "'",
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }),
);

/** `start` and `end` are offsets in the content of the string. */
interface EscapeProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/**
 * Returns the value of a string, given its content, and the first invalid escape. Escapes are the JSON escapes, `\x41`
 * and `\101`. MiniJinja before 2.18 rejects other escapes.
 */
export function valueOfString(content: string): { readonly value: string; readonly problem?: EscapeProblem } {
  let value = '';
  let at = 0;
  let problem: EscapeProblem | undefined;
  const refuse = (start: number, end: number, message: string) => {
    problem ??= { start, end, message };
  };
  // An escaped low surrogate must directly follow an escaped high surrogate.
  let pending = -1;
  while (at < content.length) {
    const slash = content.indexOf('\\', at);
    const next = slash < 0 ? content.length : slash;
    if (next > at) {
      if (pending >= 0) refuse(pending, pending + 6, halfPair(content, pending));
      pending = -1;
      value += content.slice(at, next);
    }
    if (slash < 0) break;
    const { length, text, message } = escapeAt(content, slash);
    if (message !== undefined) refuse(slash, slash + length, message);
    const unit = text.length === 1 ? text.charCodeAt(0) : 0;
    const half = content[slash + 1] === 'u' && unit >= 0xd800 && unit <= 0xdfff;
    if (pending >= 0) {
      const pairs = half && unit >= 0xdc00 && value.charCodeAt(value.length - 1) < 0xdc00;
      if (!pairs) refuse(pending, pending + 6, halfPair(content, pending));
      pending = -1;
    } else if (half) pending = slash;
    value += text;
    at = slash + length;
  }
  if (pending >= 0) refuse(pending, pending + 6, halfPair(content, pending));
  return problem === undefined ? { value } : { value, problem };
}

const halfPair = (content: string, at: number) =>
  `\`${content.slice(at, at + 6)}\` is half of a surrogate pair. Write both halves, or the character itself.`;

function escapeAt(content: string, slash: number): { length: number; text: string; message?: string } {
  const letter = content[slash + 1] ?? '';
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { length: 2, text: simple };
  if (letter === 'u') return hexEscape(content, slash, 4);
  if (letter === 'x') return hexEscape(content, slash, 2);
  const octal = /^[0-7]{1,3}/.exec(content.slice(slash + 1, slash + 4))?.[0];
  if (octal !== undefined) {
    const code = Number.parseInt(octal, 8);
    const length = 1 + octal.length;
    if (code <= 255) return { length, text: String.fromCharCode(code) };
    return { length, text: '', message: `\`\\${octal}\` is above \`\\377\`, the largest octal escape. Use \`\\u\`.` };
  }
  const length = 1 + (String.fromCodePoint(content.codePointAt(slash + 1) ?? 0).length || 1);
  const written = content.slice(slash, slash + length);
  const message = `MiniJinja has no escape \`${written}\`. For a backslash, write \`\\${written}\`.`;
  return { length, text: written, message };
}

/** Reads a `\u` or `\x` escape. The engine accepts a leading `+`, so `\u+123` equals `\u0123`. */
function hexEscape(content: string, slash: number, digits: number): { length: number; text: string; message?: string } {
  const written = content.slice(slash + 2, slash + 2 + digits);
  if (written.length === digits && /^\+?[0-9a-fA-F]+$/.test(written)) {
    return { length: 2 + digits, text: String.fromCharCode(Number.parseInt(written, 16)) };
  }
  const letter = content[slash + 1] ?? '';
  const good = /^[0-9a-fA-F]*/.exec(written)?.[0].length ?? 0;
  return {
    length: 2 + good,
    text: '',
    message: `\`\\${letter}\` requires exactly ${digits} hexadecimal digits.`,
  };
}

const DECIMAL = /[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE]_*[+-]?[0-9_]*)?/y;
const RADIX = /0(?:[bB][0-9_]*|[oO][0-9_]*|[xX][0-9a-fA-F_]*)/y;
const FLOAT = /^[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/;
const LARGEST = 2n ** 128n - 1n;

/** Returns the end of the number at the offset `at`, as in the engine's lexer. */
function numberEnd(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === 48 && /[bBoOxX]/.test(text[at + 1] ?? '') ? RADIX : DECIMAL;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at + 1;
}

const RADIX_NAMES: ReadonlyMap<string, string> = new Map([
  ['b', 'binary'],
  ['o', 'octal'],
  ['x', 'hexadecimal'],
]);

/** Returns the value of a number literal, with a message if the engine rejects it. */
export function numberValue(written: string): { readonly value: number; readonly message?: string } {
  if (written.endsWith('_')) return { value: 0, message: 'A number cannot end with `_`. Remove it.' };
  const plain = written.replaceAll('_', '');
  const radix = /^0([bBoOxX])/.exec(plain)?.[1]?.toLowerCase();
  const isInteger = radix !== undefined || /^[0-9]+$/.test(plain);
  if (!isInteger) {
    if (FLOAT.test(plain)) return { value: Number(plain) };
    return { value: 0, message: `\`${written}\` is not a number: its exponent has no digits.` };
  }
  const digits = radix === undefined ? plain : plain.slice(2);
  const allowed = radix === 'b' ? /^[01]+$/ : radix === 'o' ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/;
  if (!allowed.test(digits))
    return { value: 0, message: `\`${written}\` is not a valid ${RADIX_NAMES.get(radix ?? '')} number.` };
  const significant = digits.replace(/^0+/, '').length;
  if (significant > 128 || (significant > 15 && BigInt(plain) > LARGEST)) {
    return { value: 0, message: 'This number is too large. The largest integer is 2^128 - 1.' };
  }
  return { value: Number(plain) };
}
