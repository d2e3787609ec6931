/**
 * Parses YAML 1.2 (core schema) to a tree with a span for every key and value. If the parser reports errors, the cause
 * of the first error is replaced by a placeholder of the same length, and the text is parsed again. As a
 * result, each defect is reported once, and the valid values around it stay in the tree.
 */
import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';
import { type Span, sliceOf, span } from '../../text.ts';
import { type Builder, buildTree, unusedAnchorProblems } from './build-tree.ts';
import { CONFLICT_MESSAGE, findMergeConflicts } from './merge-conflict.ts';
import type { YamlComment, YamlProblem, YamlTree } from './node.ts';
import { type Grammar, type IntendedValues, replaceInvisible } from './placeholders.ts';
import type { FlowSpan, ParserError, Pass } from './problems.ts';
import { problemAt, shiftProblem, tagProblem } from './problems.ts';
import { readYamlQuickly } from './quick-yaml.ts';
import { MAX_PROBLEMS, repair } from './repair.ts';
import { verifyFixes } from './verify-fixes.ts';

/** The maximum length of YAML in UTF-16 code units. Parsing longer text would block the editor. */
export const MAX_YAML_LENGTH = 1_000_000;

/** The maximum nesting depth, which limits the recursion of the parser. */
const MAX_DEPTH = 200;

/** The maximum number of errors in one pass. Nearly all later errors are consequences of earlier errors. */
const MAX_ERRORS = 2_000;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  resolveKnownTags: false,
  logLevel: 'error',
} as const;

/**
 * Parses the span `place` of a string as one YAML document (YAML 1.2, core schema). All spans are offsets in UTF-16
 * code units into the whole text. Never throws: defects are in `problems`.
 */
export const parseYaml = (text: string, place: Span, grammar: Grammar = 'YAML'): YamlTree =>
  readYamlQuickly(text, place) ?? parseByLibrary(text, place, grammar);

/** Parses like `parseYaml`, but always with the library `yaml` instead of the quick reader. Never throws. */
export function parseByLibrary(text: string, place: Span, grammar: Grammar = 'YAML'): YamlTree {
  if (place.end - place.start > MAX_YAML_LENGTH) {
    return unread(text, place, 'This YAML has more than 1,000,000 characters, which is the limit. Split it.');
  }
  return treeOf(text, place, grammar, true);
}

function treeOf(text: string, place: Span, grammar: Grammar, verifies: boolean): YamlTree {
  try {
    return readTree(text, place, grammar, verifies);
  } catch (error) {
    // Any other error is a mistake in this program, and is not the author's.
    if (!(error instanceof LibraryError)) throw error;
    return unread(text, place, 'This YAML cannot be parsed.');
  }
}

/** An error that the library throws for a text, instead of reporting it. */
class LibraryError extends Error {}

/** Calls the library. Throws a `LibraryError` if it throws. */
function fromLibrary<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new LibraryError('The library `yaml` failed.', { cause: error });
  }
}

function unread(text: string, place: Span, message: string): YamlTree {
  const length = text.slice(place.start, Math.min(place.end, place.start + 200)).search(/[\r\n]|$/);
  const problems = [problemAt(span(place.start, place.start + length), message)];
  return { span: place, root: undefined, problems, comments: [], broken: true };
}

function readTree(text: string, place: Span, grammar: Grammar, verifies: boolean): YamlTree {
  const source = sliceOf(text, place);
  const { text: visible, problems: invisible } = replaceInvisible(source, grammar);
  const found: YamlProblem[] = [...invisible];
  const intended: IntendedValues = new Map();
  let pass = readPass(visible, source);
  if (pass.errors.length > 0) pass = repair(pass, readPass, found, intended);
  const builder: Builder = {
    source,
    base: place.start,
    intended,
    found,
    duplicates: [],
    anchors: new Map(),
    repeated: 0,
  };
  const root = pass.contents ? buildTree(builder, pass.contents) : undefined;
  for (const tag of pass.tags.slice(0, MAX_PROBLEMS)) found.push(tagProblem(source, tag));
  const all = [...found, ...unusedAnchorProblems(builder)];
  const problemsOf = (fixed: string): readonly YamlProblem[] => {
    const whole = span(0, fixed.length);
    return (readYamlQuickly(fixed, whole) ?? treeOf(fixed, whole, grammar, false)).problems;
  };
  const conflict = all.length > 0 ? conflictIn(text, place) : undefined;
  if (conflict) {
    const problems = [problemAt(conflict, CONFLICT_MESSAGE)];
    return { span: place, root, problems, comments: [], broken: true };
  }
  const problems = [
    ...(verifies ? verifyFixes(source, all, problemsOf) : all).map((problem) => shiftProblem(problem, place.start)),
    ...builder.duplicates,
  ]
    .sort((a, b) => a.span.start - b.span.start)
    .slice(0, MAX_PROBLEMS);
  const comments = pass.comments
    .filter(({ start }) => source[start] === '#')
    .map((comment) => commentOf(text, comment, place.start));
  return { span: place, root, problems, comments, broken: problems.some(({ kind }) => kind === 'syntax') };
}

/** Returns the first line of a conflict that begins in a span; undefined without a conflict. */
const conflictIn = (text: string, { start, end }: Span): Span | undefined =>
  findMergeConflicts(text)
    .map(({ marker }) => marker)
    .find((marker) => marker.start >= start && marker.start < end);

const commentOf = (text: string, { start, end }: Span, by: number): YamlComment => ({
  span: span(start + by, end + by),
  text: text.slice(start + by, end + by),
});

interface Reading extends Pass {
  readonly contents: Document.Parsed['contents'] | undefined;
  /** The errors for tags that are unknown or do not fit their value. */
  readonly tags: readonly ParserError[];
  readonly comments: readonly Span[];
}

/** Parses the text once, lexeme by lexeme, to collect comments and brackets and to limit the depth. */
function readPass(text: string, source: string): Reading {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const errors: ParserError[] = [];
  const tags: ParserError[] = [];
  const report = (place: ErrorPlace, code: string, message: string, isWarning = false): void => {
    const start = typeof place === 'number' ? place : 'offset' in place ? place.offset : (place[0] ?? 0);
    const isTag = TAG_CODES.has(code);
    const list = isTag ? tags : errors;
    // One tag may have two errors: one for the tag and one for its value.
    if (isTag && tags.at(-1)?.start === start) return;
    if (list.length < MAX_ERRORS && (!isWarning || isTag || code === 'BAD_DIRECTIVE'))
      list.push({ code, message, start });
  };
  // The default handler of the composer creates an Error with a stack trace each time, which is slow for thousands of
  // errors.
  Object.assign(composer, { onError: report });
  const documents: Document.Parsed[] = [];
  const compose = (parse: () => Iterable<CST.Token>): void => {
    for (const token of fromLibrary(() => [...parse()])) {
      if (token.type === 'error') report(token, 'UNEXPECTED_TOKEN', token.message);
      else documents.push(...fromLibrary(() => [...(composer.next(token) as Iterable<Document.Parsed>)]));
    }
  };
  const lexemes = new LexemeReader();
  const lexing = fromLibrary(() => new Lexer().lex(text));
  for (let next = fromLibrary(() => lexing.next()); !next.done; next = fromLibrary(() => lexing.next())) {
    const lexeme = next.value;
    const start = parser.offset;
    lexemes.add(lexeme, start);
    compose(() => parser.next(lexeme));
    if (documents.length > 0) break;
    if (parser.stack.length > MAX_DEPTH) {
      report(start, 'TOO_DEEP', TOO_DEEP);
      break;
    }
  }
  lexemes.end(parser.offset);
  compose(() => parser.end());
  documents.push(...fromLibrary(() => [...(composer.end(true, text.length) as Iterable<Document.Parsed>)]));
  const [document, second] = documents;
  for (const { pos, code, message } of document?.errors ?? []) report(pos, code, message);
  const limit = second?.range[0] ?? text.length;
  const own = errors.filter(({ start }) => start <= limit).sort((a, b) => a.start - b.start);
  if (second) own.push({ code: 'MULTIPLE_DOCS', message: '', start: limit });
  const ownTags = tags.filter(({ start }) => start < limit);
  return { text, source, contents: document?.contents, errors: own, tags: ownTags, ...lexemes.found };
}

type ErrorPlace = number | readonly number[] | { readonly offset: number };

const TAG_CODES: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);
const TOO_DEEP = 'This value is nested more than 200 levels deep, which is the limit. Reduce the nesting.';

// Comments, outermost brackets and unclosed quotes, collected from the stream of lexemes.

const HASH = 35;
const DOUBLE = 34;
const SINGLE = 39;

/** The control lexemes before a scalar, and after a flow collection that the lexer stopped reading. */
const SCALAR = '\x1f';
const FLOW_END = '\x18';

class LexemeReader {
  readonly found = { comments: [] as Span[], flows: [] as FlowSpan[], openQuotes: [] as Span[] };
  private readonly brackets: number[] = [];
  private isScalarNext = false;

  add(lexeme: string, start: number): void {
    if (!this.isScalarNext) this.addToken(lexeme, start);
    this.isScalarNext = lexeme === SCALAR;
  }

  /** Records that the open brackets end, unclosed, at `offset`. */
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
