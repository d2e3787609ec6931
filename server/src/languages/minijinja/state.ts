/** What the parsing functions share: the reader, the defects found so far, and how to fail at a place. */
import { type Span, span } from '../../text.ts';
import type {
  Expression,
  MissingExpression,
  Name,
  NewerFeature,
  NewerUse,
  ProblemKind,
  TemplateProblem,
} from './ast.ts';
import type { BlockKind } from './keywords.ts';
import { advance, Reader, type TokenKind } from './lexer.ts';

/** MiniJinja's limit on nested blocks, expressions and brackets together. */
export const DEPTH_LIMIT = 150;

/** The rules of the grammar that others are made of. The parser carries them, so that no two files need each other. */
export interface Grammar {
  /** A whole expression, one level deeper. */
  readonly expression: (parser: Parser) => Expression;
  /** The same, at the level where it stands. */
  readonly conditional: (parser: Parser) => Expression;
}

/** A class, since an object made of a reader's parts took a twentieth of the reading of a template. */
export class Parser extends Reader {
  readonly grammar: Grammar;
  readonly base: number;
  readonly problems: TemplateProblem[] = [];
  readonly newer: NewerUse[] = [];
  /** Counts as the engine counts: every open block, expression and operand is one. */
  depth = 0;
  /** The innermost open block. */
  openBlock: BlockKind | undefined = undefined;
  /** How many keyword arguments stand in one another: the engine (2.11) does not count those, our stack does. */
  keywordDepth = 0;
  /** How much has been read in vain, behind where a defective tag turned out to end. */
  wasted = 0;
  /** The first defect of the current tag; what follows it in the tag would be its echo. */
  failure: TemplateProblem | undefined = undefined;
  /** Where the current tag's delimiter stands, in the text. */
  tagStart = 0;
  /** Where the token stands that could not be read on from, in the text. */
  failedAt = -1;

  constructor(text: string, base: number, grammar: Grammar) {
    super(text);
    this.base = base;
    this.grammar = grammar;
  }
}

/** A span of the file from two offsets into the text. */
export const at = (parser: Parser, start: number, end: number): Span => span(parser.base + start, parser.base + end);

/** From `start` to the end of the last token that was consumed. */
export const since = (parser: Parser, start: number): Span => at(parser, start, Math.max(start, parser.lastEnd));

/** Enough for any author; a hostile text would fill the memory. */
const PROBLEM_LIMIT = 1000;

export function report(parser: Parser, problem: TemplateProblem | undefined): void {
  if (problem === undefined || parser.problems.length >= PROBLEM_LIMIT) return;
  if (problem.kind === 'too-deep' && parser.problems.some(({ kind }) => kind === 'too-deep')) return;
  parser.problems.push(problem);
}

export interface ProblemExtras {
  readonly related?: TemplateProblem['related'];
  readonly fix?: TemplateProblem['fix'];
}

export function problemAt(
  kind: ProblemKind,
  place: Span,
  message: string,
  extras: ProblemExtras = {},
): TemplateProblem {
  const { related = [], fix } = extras;
  return fix === undefined ? { kind, span: place, message, related } : { kind, span: place, message, related, fix };
}

/** Records the tag's first defect and stops reading: from here on no token matches, so every loop ends. */
export function fail(parser: Parser, kind: ProblemKind, place: Span, message: string, extras?: ProblemExtras): void {
  if (parser.kind === 'failed') return;
  parser.failedAt = parser.start;
  parser.failure = problemAt(kind, place, message, extras);
  parser.kind = 'failed';
}

/** Fails at the current token, which should have been `expected` (words that follow "expected"). */
export function failHere(parser: Parser, expected: string): void {
  const { kind, start, end, defect } = parser;
  if (kind === 'bad' && defect !== undefined) {
    fail(parser, defect.kind, at(parser, defect.start, defect.end), defect.message);
  } else if (kind === 'wrong-end') failWrongEnd(parser);
  else if (kind === 'end' || kind === 'eof') failAtEnd(parser, expected);
  else fail(parser, 'unexpected', at(parser, start, end), `Expected ${expected}, found ${describe(parser)}.`);
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** What is missing is not there to be marked: mark the bracket that stays open, or the token that leads nowhere. */
function failAtEnd(parser: Parser, expected: string): void {
  const { text, brackets, lastStart, lastEnd, mode } = parser;
  const open = brackets[brackets.length - 1] ?? -1;
  const closer = CLOSERS[text[open] ?? ''];
  if (closer !== undefined && expected.endsWith(`\`${closer}\``)) {
    const place = at(parser, open, open + 1);
    fail(parser, 'unexpected', place, `This \`${text[open]}\` is never closed: add \`${closer}\`.`);
    return;
  }
  const whole = mode === 'expression' ? at(parser, 0, text.length) : at(parser, parser.tagStart, parser.end);
  const place = lastStart < lastEnd ? at(parser, lastStart, lastEnd) : whole;
  fail(
    parser,
    'unexpected',
    place,
    `Expected ${expected}, but the ${mode === 'expression' ? 'expression' : 'tag'} ends.`,
  );
}

function failWrongEnd(parser: Parser): void {
  const { start, end, mode } = parser;
  const place = at(parser, start, end);
  if (mode === 'expression') {
    fail(parser, 'unexpected', place, 'An expression stands alone here: leave out the `{{ }}` and `{% %}`.');
    return;
  }
  const [opener, closer] = mode === 'output' ? ['{{', '}}'] : ['{%', '%}'];
  const mark = /^[-+]/.exec(parser.text.slice(start, end))?.[0] ?? '';
  const message = `A tag that \`${opener}\` opens is closed by \`${closer}\`: write \`${mark}${closer}\`.`;
  const edit = { span: place, newText: mark + closer };
  fail(parser, 'unclosed-tag', place, message, { fix: { title: `Replace with \`${mark}${closer}\``, edit } });
}

/** The current token, in words. */
export function describe({ kind, text, start, end }: Parser): string {
  if (kind === 'opener') return 'another tag';
  if (kind === 'string') return 'a string';
  const written = text.slice(start, Math.min(end, start + 40));
  return `\`${written}\``;
}

export const isWord = (parser: Parser, word: string): boolean => parser.kind === 'name' && parser.word === word;

/** Says it without narrowing the type of `kind`, which `advance` changes. */
export const isToken = (parser: Parser, kind: TokenKind): boolean => parser.kind === kind;

/** Consumes the token if it is of this kind. */
export function take(parser: Parser, kind: TokenKind): boolean {
  if (parser.kind !== kind) return false;
  advance(parser);
  return true;
}

export function takeWord(parser: Parser, word: string): boolean {
  if (!isWord(parser, word)) return false;
  advance(parser);
  return true;
}

export function expect(parser: Parser, kind: TokenKind, expected: string): void {
  if (!take(parser, kind)) failHere(parser, expected);
}

export function expectWord(parser: Parser, word: string): void {
  if (!takeWord(parser, word)) failHere(parser, `\`${word}\``);
}

/** Fails unless the tag ends at the current token. */
export function expectEnd(parser: Parser): void {
  const { kind, start, end, mode } = parser;
  const closer = mode === 'output' ? '}}' : '%}';
  const place = at(parser, start, end);
  if (kind === 'end' || kind === 'failed') return;
  if (kind === 'bad' || kind === 'wrong-end' || kind === 'eof' || kind === 'opener') failHere(parser, `\`${closer}\``);
  else if (kind === '=') {
    const fix = { title: 'Replace with `==`', edit: { span: place, newText: '==' } };
    const message = 'Only `{% set %}` and `{% with %}` assign: write `==` to compare.';
    fail(parser, 'unexpected', place, message, { fix });
  } else {
    const closes = kind === ')' || kind === ']' || kind === '}';
    const reason = closes ? 'which closes no bracket' : 'which does not continue what stands before it';
    fail(parser, 'unexpected', place, `Expected \`${closer}\`, found ${describe(parser)}, ${reason}.`);
  }
}

/** Any name at all, keywords included; an empty one where there is none. */
export function expectName(parser: Parser, expected: string): Name {
  const { kind, word, start, end, lastEnd } = parser;
  if (kind !== 'name') {
    failHere(parser, expected);
    return { text: '', span: at(parser, lastEnd, lastEnd) };
  }
  advance(parser);
  return { text: word, span: at(parser, start, end) };
}

export function missing(parser: Parser): MissingExpression {
  return { kind: 'missing', span: at(parser, parser.lastEnd, parser.lastEnd) };
}

export function noteNewer(parser: Parser, feature: NewerFeature, place: Span): void {
  parser.newer.push({ feature, span: place });
}

/** One level deeper, or a failure where the engine gives up. Every `enter` has its `leave`. */
export function enter(parser: Parser): void {
  parser.depth++;
  if (parser.depth <= DEPTH_LIMIT) return;
  const message = `This is nested too deeply: MiniJinja gives up beyond ${DEPTH_LIMIT} levels of blocks and brackets. Move a part into a \`{% set %}\` or an include.`;
  fail(parser, 'too-deep', at(parser, parser.start, parser.end), message);
}

export function leave(parser: Parser): void {
  parser.depth--;
}
