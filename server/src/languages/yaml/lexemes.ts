/** Comments, outermost brackets and unclosed quotes, collected from the stream of lexemes. */
import { type Span, span } from '../../text.ts';
import type { FlowSpan } from './parser-errors.ts';

const HASH = 35;
const DOUBLE = 34;
const SINGLE = 39;

/** Control lexemes: the next lexeme is a scalar; a flow collection was given up. */
const SCALAR = '\x1f';
const FLOW_END = '\x18';

export class LexemeReader {
  readonly found = { comments: [] as Span[], flows: [] as FlowSpan[], openQuotes: [] as Span[] };
  private readonly brackets: number[] = [];
  private isScalarNext = false;

  add(lexeme: string, start: number): void {
    if (!this.isScalarNext) this.addToken(lexeme, start);
    this.isScalarNext = lexeme === SCALAR;
  }

  /** Ends the brackets that are open at `offset`. */
  end(offset: number): void {
    const [open] = this.brackets;
    if (open !== undefined) this.found.flows.push({ start: open, end: offset, closed: false });
    this.brackets.length = 0;
  }

  private addToken(lexeme: string, start: number): void {
    const { comments, flows, openQuotes } = this.found;
    const end = start + lexeme.length;
    const code = lexeme.charCodeAt(0);
    if (code === HASH) comments.push(span(start, end));
    else if (code === DOUBLE || code === SINGLE) {
      if (!isClosed(lexeme)) openQuotes.push(span(start, end));
    } else if (lexeme === '[' || lexeme === '{') this.brackets.push(start);
    else if (lexeme === ']' || lexeme === '}') {
      const open = this.brackets.pop();
      if (open !== undefined && this.brackets.length === 0) flows.push({ start: open, end, closed: true });
    } else if (lexeme === FLOW_END) this.end(start);
  }
}

function isClosed(lexeme: string): boolean {
  const last = lexeme.length - 1;
  if (last < 1 || lexeme[last] !== lexeme[0]) return false;
  let backslashes = 0;
  while (lexeme[0] === '"' && lexeme[last - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 0;
}
