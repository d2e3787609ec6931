/** The state of the parsing functions: the tokens, the problems so far, and the depth of nesting. */
import { type Span, span } from '../../text.ts';
import {
  type Expression,
  type MissingExpression,
  type Name,
  type NewerFeature,
  type NewerUse,
  type ProblemExtras,
  type ProblemKind,
  problemAt,
  replacement,
  type TemplateProblem,
} from './ast.ts';
import type { BlockKind } from './keywords.ts';
import { Lexer, type TokenKind } from './lexer.ts';

/** MiniJinja's limit for the total depth of blocks, expressions and brackets. */
export const DEPTH_LIMIT = 150;

/** The maximum number of problems, which limits the memory for hostile text. */
const PROBLEM_LIMIT = 1000;

const CLOSING_BRACKETS: ReadonlyMap<string, string> = new Map(Object.entries({ '(': ')', '[': ']', '{': '}' }));

export abstract class TagParser extends Lexer {
  readonly base: number;
  readonly problems: TemplateProblem[] = [];
  readonly newerSyntax: NewerUse[] = [];
  /** The nesting depth as in the engine: every open block, expression and operand counts as one level. */
  depth = 0;
  /** The innermost open block. */
  openBlock: BlockKind | undefined = undefined;
  /** The depth of keyword arguments. The engine does not limit it, but recursion must be limited here. */
  keywordDepth = 0;
  /** The number of characters that were read more than once because they follow broken tags. */
  rereadLength = 0;
  /** The first problem of the current tag. Later problems would only be consequences of this problem. */
  failure: TemplateProblem | undefined = undefined;
  /** The offset of the current tag in the text. */
  tagStart = 0;
  /** The offset in the text of the token at which parsing failed. */
  failedAt = -1;

  constructor(text: string, base: number) {
    super(text);
    this.base = base;
  }

  /** Parses an expression, one level deeper. */
  abstract expression(): Expression;

  /** Parses an expression at the current level. */
  abstract conditional(): Expression;

  /** Returns the span in the file for two offsets in the text. */
  spanAt(start: number, end: number): Span {
    return span(this.base + start, this.base + end);
  }

  /** Returns the span of the current token. */
  tokenSpan(): Span {
    return this.spanAt(this.start, this.end);
  }

  /** Returns the span from `start` to the end of the last consumed token. */
  spanSince(start: number): Span {
    return this.spanAt(start, Math.max(start, this.lastEnd));
  }

  report(problem: TemplateProblem): void {
    if (this.problems.length >= PROBLEM_LIMIT) return;
    if (problem.kind === 'too-deep' && this.problems.some(({ kind }) => kind === 'too-deep')) return;
    this.problems.push(problem);
  }

  /** Records the first problem of the tag. After a problem, no token matches, so every parsing loop ends. */
  fail(kind: ProblemKind, place: Span, message: string, extras?: ProblemExtras): void {
    if (this.kind === 'failed') return;
    this.failedAt = this.start;
    this.failure = problemAt(kind, place, message, extras);
    this.kind = 'failed';
  }

  /** Fails at the current token. `expected` is the text after "Expected" in the message. */
  failHere(expected: string): void {
    const { kind, problem } = this;
    if (kind === 'bad' && problem !== undefined) {
      const place = this.spanAt(problem.start, problem.end);
      const { right } = problem;
      this.fail(problem.kind, place, problem.message, right === undefined ? {} : { fix: replacement(place, right) });
    } else if (kind === 'wrong-end') this.failWrongEnd();
    else if (kind === 'end' || kind === 'eof') this.failAtEnd(expected);
    else this.fail('unexpected', this.tokenSpan(), `Expected ${expected}, found ${this.describe()}.`);
  }

  /** Fails at the unclosed bracket, or at the last token of the tag. */
  private failAtEnd(expected: string): void {
    const { text, brackets, lastStart, lastEnd, mode } = this;
    const open = brackets.at(-1) ?? -1;
    const closer = CLOSING_BRACKETS.get(text[open] ?? '');
    if (closer !== undefined && expected.endsWith(`\`${closer}\``)) {
      const message = `\`${text[open]}\` is not closed. Add \`${closer}\`.`;
      this.fail('unexpected', this.spanAt(open, open + 1), message);
      return;
    }
    const isTag = mode !== 'expression';
    const whole = isTag ? this.spanAt(this.tagStart, this.end) : this.spanAt(0, text.length);
    const place = lastStart < lastEnd ? this.spanAt(lastStart, lastEnd) : whole;
    this.fail('unexpected', place, `Expected ${expected}, but the ${isTag ? 'tag' : 'expression'} ends.`);
  }

  private failWrongEnd(): void {
    const place = this.tokenSpan();
    if (this.mode === 'expression') {
      this.fail('unexpected', place, 'Only an expression is allowed here. Remove the `{{ }}` and `{% %}`.');
      return;
    }
    const [opener, closer] = delimitersOf(this.mode);
    const mark = /^[-+]/.exec(this.text.slice(this.start, this.end))?.[0] ?? '';
    const message = `A tag that starts with \`${opener}\` ends with \`${closer}\`. Write \`${mark}${closer}\`.`;
    this.fail('unclosed-tag', place, message, { fix: replacement(place, mark + closer) });
  }

  /** Returns a description of the current token for a message. */
  describe(): string {
    if (this.kind === 'opener') return 'another tag';
    if (this.kind === 'string') return 'a string';
    return `\`${this.text.slice(this.start, Math.min(this.end, this.start + 40))}\``;
  }

  isWord(word: string): boolean {
    return this.kind === 'name' && this.word === word;
  }

  /**
   * Returns true if the current token has this kind. A call does not narrow the type of `kind`, which `advance`
   * changes.
   */
  is(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  /** Consumes the current token if it has this kind. */
  take(kind: TokenKind): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.advance();
    return true;
  }

  expect(kind: TokenKind, expected: string): void {
    if (!this.take(kind)) this.failHere(expected);
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) this.failHere(`\`${word}\``);
  }

  /** Consumes a name or a keyword. Fails and returns an empty name if the current token is of another kind. */
  expectName(expected: string): Name {
    const { kind, word, lastEnd } = this;
    if (kind !== 'name') {
      this.failHere(expected);
      return { text: '', span: this.spanAt(lastEnd, lastEnd) };
    }
    const name = { text: word, span: this.tokenSpan() };
    this.advance();
    return name;
  }

  /** Fails unless the tag ends at the current token. */
  expectEnd(): void {
    const { kind } = this;
    if (kind === 'end' || kind === 'failed') return;
    const [, closer] = delimitersOf(this.mode);
    if (kind === 'bad' || kind === 'wrong-end' || kind === 'eof' || kind === 'opener') {
      this.failHere(`\`${closer}\``);
    } else if (kind === '=') {
      this.failAssigning('Only `{% set %}` and `{% with %}` can assign a value. Write `==` to compare.');
    } else if (this.isFString()) {
      const message = 'MiniJinja has no f-strings. Join the parts with `~`, such as `"Dear " ~ name`.';
      this.fail('unexpected', this.spanAt(this.lastStart, this.end), message);
    } else {
      const isBracket = kind === ')' || kind === ']' || kind === '}';
      const message = isBracket
        ? `${this.describe()} has no matching opening bracket. Remove it.`
        : `Expected \`${closer}\` or an operator, found ${this.describe()}.`;
      this.fail('unexpected', this.tokenSpan(), message);
    }
  }

  /** Returns whether the current token is a string directly after the name `f`, as in Python. */
  private isFString(): boolean {
    const { text, lastStart, lastEnd, start } = this;
    return this.kind === 'string' && lastEnd === start && /^f$/i.test(text.slice(lastStart, start));
  }

  /** Fails at an `=` that should have been `==`. */
  failAssigning(message: string): void {
    const place = this.tokenSpan();
    this.fail('unexpected', place, message, { fix: replacement(place, '==') });
  }

  missing(): MissingExpression {
    return { kind: 'missing', span: this.spanAt(this.lastEnd, this.lastEnd) };
  }

  recordNewerSyntax(feature: NewerFeature, place: Span): void {
    this.newerSyntax.push({ feature, span: place });
  }

  /** Calls `read` one level deeper. Fails if the nesting exceeds the limit of MiniJinja. */
  nested<Result>(read: (parser: this) => Result): Result {
    this.depth++;
    if (this.depth > DEPTH_LIMIT) {
      const message = `Blocks and brackets have more than ${DEPTH_LIMIT} levels, the limit of MiniJinja. Move a part into a \`{% set %}\` or an include.`;
      this.fail('too-deep', this.tokenSpan(), message);
    }
    const result = read(this);
    this.depth--;
    return result;
  }
}

/** Returns the delimiters for a kind of tag. */
export const delimitersOf = (mode: string): readonly [opener: string, closer: string] =>
  mode === 'output' ? ['{{', '}}'] : ['{%', '%}'];
