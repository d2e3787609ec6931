/**
 * Tokens inside a tag, one at a time, and the places where tags begin. What can never be valid (`{%` inside a tag, `%}`
 * inside `{{`) is a token of its own, so that a half-typed tag ends at the next tag instead of swallowing it.
 */

/** What is being read; an `expression` stands alone, without delimiters. */
export type Mode = 'output' | 'block' | 'expression';

const PAIRS = ['//', '**', '==', '!=', '>=', '<='] as const;
const SIGNS = [...'+-*/%.,:~|=><()[]{}'] as Sign[];
type Sign = '+' | '-' | '*' | '/' | '%' | '.' | ',' | ':' | '~' | '|' | '=' | '>' | '<' | Bracket;
type Bracket = '(' | ')' | '[' | ']' | '{' | '}';

/**
 * An operator is its own kind. `end` closes the tag, `wrong-end` is the other tag's closer, `opener` starts another
 * tag, `bad` is described by `problem`, and `failed` is what every token is after the first problem of a tag.
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
}

/** Reads one tag at a time; `kind`, `start`, `end` and `word` (of a name) are the current token's. */
export class Lexer {
  readonly text: string;
  mode: Mode = 'output';
  /** Nothing is read from here on. */
  limit: number;
  /** A string cut off by `limit` counts as closed: set while a broken tag is read again for its tree. */
  lenient = false;
  /** A `{{` inside a tag always starts another: set after too much text was read twice. */
  doubleBracesOpenTag = false;
  /** Where the brackets stand that are open at the current token. */
  brackets: number[] = [];
  kind: TokenKind = 'eof';
  start = 0;
  end = 0;
  word = '';
  /** The token before the current one; an empty place at the start of the content where there is none. */
  lastStart = 0;
  lastEnd = 0;
  problem: LexProblem | undefined = undefined;
  /** The first `{{` inside this tag: it opens two dicts or, more often, the next tag. */
  innerOpener = -1;
  /** The first string of this tag that spans lines or a closer: its closing quote may be another string's opening one. */
  oddString: { readonly start: number; readonly end: number } | undefined = undefined;

  constructor(text: string) {
    this.text = text;
    this.limit = text.length;
  }

  /** Starts on a tag's content at `at` and reads its first token. */
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
    this.oddString = undefined;
    this.advance();
  }

  /** Reads the next token. After a failure there are none. */
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

  private bad(kind: LexProblem['kind'], start: number, end: number, message: string): TokenKind {
    this.problem = { kind, start, end, message };
    return this.token('bad', Math.max(end, this.start + 1));
  }

  /** Names are ASCII: one that goes on with other letters is refused as a whole. */
  private name(at: number): TokenKind {
    const end = Math.min(nameEnd(this.text, at), this.limit);
    if (end < this.limit && endOf(WORD, this.text, end) > end) return this.strangeCharacter(at);
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
      return this.bad('unclosed-string', at, limit, `This string is never closed: add the closing \`${quote}\`.`);
    }
    if (odd) this.oddString ??= { start: at, end: end + 1 };
    const content = text.slice(at + 1, end);
    const problem = lenient || !content.includes('\\') ? undefined : valueOfString(content).problem;
    if (problem === undefined) return this.token('string', end + 1);
    return this.bad('bad-escape', at + 1 + problem.start, at + 1 + problem.end, problem.message);
  }

  /** True where the `}` at `at` ends a closer of this tag. */
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
    const operator = PAIRS.find((one) => one === pair) ?? SIGNS.find((one) => one === char);
    if (operator !== undefined) return this.token(operator, at + operator.length);
    if (char === '!') return this.bad('bad-character', at, at + 1, 'MiniJinja has no `!`: write `not`.');
    if (pair === '&&') return this.bad('bad-character', at, at + 2, 'MiniJinja has no `&&`: write `and`.');
    return this.strangeCharacter(at);
  }

  private closer(closer: '%}' | '}}', end: number): TokenKind {
    return this.token(this.mode === (closer === '%}' ? 'block' : 'output') ? 'end' : 'wrong-end', end);
  }

  /**
   * Whether the `}` of `}}` at `at` closes a dict. With one dict open and two braces either the dict or the tag stays
   * open; then the tag is taken to end, as an author who forgot a brace means it.
   */
  private closesDict(at: number): boolean {
    const { brackets, mode, text } = this;
    if (text[brackets.at(-1) ?? -1] !== '{') return false;
    return mode !== 'output' || brackets.length > 1 || text[at + 2] === '}';
  }

  private strangeCharacter(at: number): TokenKind {
    const { text, limit } = this;
    const word = endOf(WORD, text, at);
    if (word > at) {
      const end = Math.min(word, limit);
      const written = text.slice(at, end).slice(0, 40);
      const message = `\`${written}\` cannot be a name: MiniJinja's names are made of ASCII letters, digits and \`_\`. Quote it if it is text.`;
      return this.bad('bad-character', at, end, message);
    }
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    const isInvisible = char < ' ' || char === '\x7f' || char === '\xa0';
    const shown = isInvisible ? `U+${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}` : char;
    const message = `The character \`${shown}\` means nothing inside a tag: remove it, or quote it if it is text.`;
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

/** The end of the letters, digits and underscores that stand at `at`. */
export const nameEnd = (text: string, at: number): number => endOf(NAME, text, at);

/** The next `{{`, `{%` or `{#` at or after `from`, or -1. */
export function findOpener(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    const next = text[at + 1];
    if (next === '{' || next === '%' || next === '#') return at;
  }
  return -1;
}

// What string and number literals mean, and when MiniJinja refuses them.

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

/** `start` and `end` are offsets into the content that was given. */
interface EscapeProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** The value of a string's content. Escapes are JSON's, and `\x41`, `\101`; an unknown one is refused (until 2.18). */
export function valueOfString(content: string): { readonly value: string; readonly problem?: EscapeProblem } {
  let value = '';
  let at = 0;
  let problem: EscapeProblem | undefined;
  const refuse = (start: number, end: number, message: string) => {
    problem ??= { start, end, message };
  };
  // A high surrogate written as an escape must be followed by an escaped low one at once.
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
  `\`${content.slice(at, at + 6)}\` is half of a surrogate pair: write both halves, or the character itself.`;

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
    return { length, text: '', message: `\`\\${octal}\` is beyond \`\\377\`, the last octal escape.` };
  }
  const length = 1 + (String.fromCodePoint(content.codePointAt(slash + 1) ?? 0).length || 1);
  const written = content.slice(slash, slash + length);
  const message = `\`${written}\` is not an escape that MiniJinja knows: double the backslash (\`\\${written}\`) to write one.`;
  return { length, text: written, message };
}

/** The engine reads the digits with a routine that admits a leading `+`; so `\u+123` is as good as `\u0123`. */
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
    message: `\`\\${letter}\` takes exactly ${digits} hexadecimal digits.`,
  };
}

const DECIMAL = /[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE]_*[+-]?[0-9_]*)?/y;
const RADIX = /0(?:[bB][0-9_]*|[oO][0-9_]*|[xX][0-9a-fA-F_]*)/y;
const FLOAT = /^[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/;
const LARGEST = 2n ** 128n - 1n;

/** The end of the number that starts at `at`, as far as the engine's lexer would read. */
function numberEnd(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === 48 && /[bBoOxX]/.test(text[at + 1] ?? '') ? RADIX : DECIMAL;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at + 1;
}

/** The value of a number as written, or why the engine refuses it. */
export function numberValue(written: string): { readonly value: number; readonly message?: string } {
  if (written.endsWith('_')) return { value: 0, message: `A number cannot end with \`_\`.` };
  const plain = written.replaceAll('_', '');
  const radix = /^0([bBoOxX])/.exec(plain)?.[1]?.toLowerCase();
  const isInteger = radix !== undefined || /^[0-9]+$/.test(plain);
  if (!isInteger) {
    if (FLOAT.test(plain)) return { value: Number(plain) };
    return { value: 0, message: `\`${written}\` is not a number: the exponent has no digits.` };
  }
  const digits = radix === undefined ? plain : plain.slice(2);
  const allowed = radix === 'b' ? /^[01]+$/ : radix === 'o' ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/;
  if (!allowed.test(digits))
    return { value: 0, message: `\`${written}\` is not a number in the notation \`0${radix}\`.` };
  const significant = digits.replace(/^0+/, '').length;
  if (significant > 128 || (significant > 15 && BigInt(plain) > LARGEST)) {
    return { value: 0, message: 'This number is too large: integers end at 2^128.' };
  }
  return { value: Number(plain) };
}
