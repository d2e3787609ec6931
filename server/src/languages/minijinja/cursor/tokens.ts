/** The tokens of a tag up to a cursor. */
import { Lexer, type Mode, type TokenKind } from '../lexer.ts';

/** Offsets count from the start of the text. `open` is a string that the cursor stands in. */
export interface Token {
  readonly kind: TokenKind;
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly open: boolean;
}

/** Characters that no token begins with are left out. */
export function readTokens(text: string, mode: Mode, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  const lexer = new Lexer(text);
  for (lexer.beginTag(mode, from, to, true); lexer.kind !== 'eof'; lexer.advance()) {
    const { kind, start, end } = lexer;
    if (kind === 'bad') continue;
    tokens.push({ kind, word: wordOf(text, kind, start, end), start, end, open: isOpen(text, kind, start, end, to) });
  }
  return tokens;
}

function isOpen(text: string, kind: TokenKind, start: number, end: number, to: number): boolean {
  if (kind !== 'string' || end < to) return false;
  if (end === start + 1 || text[end - 1] !== text[start]) return true;
  // An escaped quote does not close: count the backslashes before it.
  let slashes = 0;
  while (text[end - 2 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** A name, or the content of a string or number. */
function wordOf(text: string, kind: TokenKind, start: number, end: number): string {
  if (kind === 'string') return text.slice(start + 1, end - 1);
  return kind === 'name' || kind === 'number' ? text.slice(start, end) : '';
}
