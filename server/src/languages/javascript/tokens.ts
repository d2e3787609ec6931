/**
 * The tokens of a JavaScript or TypeScript file without its comments, for code that looks for a few literal calls. No
 * syntax tree: the text may have errors, types and JSX, and every text has tokens in linear time.
 */

export interface Token {
  /**
   * `string`: a string or a template without substitutions, with its value in `text`. `other`: a number, a regular
   * expression, a part of a template, or a string that is not closed.
   */
  readonly kind: 'name' | 'string' | 'sign' | 'other';
  readonly text: string;
  readonly start: number;
}

const SPACE = /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\//y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
/** A string on one line. */
const STRING = /"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*'/y;
const TEMPLATE_PART = /[^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*(?:`|\$\{)/y;
const REGEX = /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[\w$]*/y;

/** Words after which `/` begins a regular expression. */
const BEFORE_REGEX: ReadonlySet<string> = new Set(
  'return typeof case do else in of instanceof new void delete throw await yield'.split(' '),
);

/** Returns the tokens of a text. In a comment or template that is not closed, they end. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  /** The open braces inside each open substitution of a template. */
  const substitutions: number[] = [];
  let at = text.startsWith('#!') ? Math.max(0, text.search(/[\n\r]|$/)) : 0;
  /** The end of the line in which a string or an expression with this first character was not closed. */
  const unclosed = new Map<string, number>();
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  /** As `match`, for a pattern that ends on the line. Tries each opening character once in a line that has no closing one. */
  const matchInLine = (pattern: RegExp, opening: string): string | undefined => {
    if (at < (unclosed.get(opening) ?? 0)) return undefined;
    const found = match(pattern);
    if (found !== undefined) return found;
    const end = text.slice(at).search(/[\n\r]/);
    unclosed.set(opening, end < 0 ? text.length : at + end);
    return undefined;
  };
  const push = (kind: Token['kind'], value: string, length: number): void => {
    tokens.push({ kind, text: value, start: at });
    at += length;
  };
  /** Reads a part of a template, from its backquote or the end of a substitution. Returns false if it is not closed. */
  const readTemplate = (isStart: boolean): boolean => {
    const start = at++;
    const part = match(TEMPLATE_PART);
    at = start;
    if (part === undefined) return false;
    const isWhole = isStart && part.endsWith('`');
    if (part.endsWith('${')) substitutions.push(0);
    push(isWhole ? 'string' : 'other', isWhole ? unescaped(part.slice(0, -1)) : '', part.length + 1);
    return true;
  };
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const character = text[at] ?? '';
    if (character === '`' || (character === '}' && substitutions.at(-1) === 0)) {
      if (character === '}') substitutions.pop();
      if (!readTemplate(character === '`')) break;
      continue;
    }
    if (character === '/' && text[at + 1] === '*') break;
    const isQuote = character === '"' || character === "'";
    const string = isQuote ? matchInLine(STRING, character) : undefined;
    const name = isQuote ? undefined : match(NAME);
    if (string !== undefined) push('string', unescaped(string.slice(1, -1)), string.length);
    else if (isQuote) push('other', character, 1);
    else if (name !== undefined) push('name', name, name.length);
    else {
      const number = match(NUMBER);
      const regex =
        number === undefined && character === '/' && isRegexAfter(tokens.at(-1))
          ? matchInLine(REGEX, character)
          : undefined;
      const other = number ?? regex;
      if (other !== undefined) push('other', other, other.length);
      else {
        const depth = substitutions.length - 1;
        if (depth >= 0 && character === '{') substitutions[depth] = (substitutions[depth] ?? 0) + 1;
        if (depth >= 0 && character === '}') substitutions[depth] = (substitutions[depth] ?? 0) - 1;
        push('sign', character, 1);
      }
    }
  }
  return tokens;
}

/** Returns whether `/` after a token begins a regular expression, and does not divide. */
function isRegexAfter(token: Token | undefined): boolean {
  if (token === undefined) return true;
  if (token.kind === 'name') return BEFORE_REGEX.has(token.text);
  return token.kind === 'sign' && token.text !== ')' && token.text !== ']';
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...[['n', '\n'] as const, ['r', '\r'] as const, ['t', '\t'] as const, ['b', '\b'] as const],
  ...[['f', '\f'] as const, ['v', '\v'] as const, ['0', '\0'] as const],
  // A template may continue on the next line.
  ...['\n', '\r', '\r\n', '\u2028', '\u2029'].map((lineBreak) => [lineBreak, ''] as const),
]);

/** Returns the value of the text between quotes. */
const unescaped = (written: string): string =>
  written.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi,
    (all: string, braced?: string, four?: string, two?: string, one?: string) => {
      if (one !== undefined) return CHARACTERS.get(one) ?? one;
      const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );

/** Returns for each opening bracket the index of its closing bracket. A bracket without its partner has none. */
export function bracketsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: { readonly index: number; readonly closes: string }[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    const closes = CLOSES.get(text);
    if (closes !== undefined) open.push({ index, closes });
    else if (text === open.at(-1)?.closes) closing.set(open.pop()?.index ?? -1, index);
    // After brackets that do not match, no pair is certain.
    else if (CLOSING.has(text)) open.length = 0;
  }
  return closing;
}

const CLOSES: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const CLOSING: ReadonlySet<string> = new Set(CLOSES.values());
