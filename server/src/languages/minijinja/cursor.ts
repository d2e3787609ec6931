/**
 * The syntax that is possible at a cursor, for completion and signature help. The source is the tokens before the
 * cursor and not the tree, so that completion works in a broken tag.
 */
import { type Span, span, touches } from '../../text.ts';
import { bodiesOf, type Node, type Tag, type Template, type TemplateExpression } from './ast.ts';
import type { PathSegment } from './defined-names.ts';
import { BLOCK_KINDS, type BlockKind, isLoadingStatement, requiresOperand } from './keywords.ts';
import { Lexer, type Mode, nameEnd, type TokenKind } from './lexer.ts';
import type { Scopes, Variable } from './scope-model.ts';
import { resolveScopes, visibleAt } from './scopes.ts';

/**
 * Returns what a cursor can expect, or undefined inside comments and delimiters. `offset` is an offset in the file, in
 * UTF-16 code units. Never throws.
 */
export function templateCursorAt(
  parsed: Template | TemplateExpression,
  offset: number,
  scopes: Scopes = resolveScopes(parsed),
): TemplateCursor | undefined {
  if (!touches(parsed.span, offset)) return undefined;
  const tag = tagAt(parsed, offset);
  if (tag === undefined || (tag.closed && offset >= tag.span.end)) return { kind: 'text' };
  if (tag.kind === 'comment' || !touches(tag.content, offset)) return undefined;
  if (tag.kind === 'raw') return { kind: 'text' };
  const { text, base } = parsed;
  const at = offset - base;
  const tokens = readTokens(text, tag.kind, tag.content.start - base, at);
  const last = tokens.at(-1);
  const view: View = { parsed, scopes, tag, offset };
  if (last?.kind === 'string' && last.open) return expectInString(view, tokens.slice(0, -1), last);
  if (last?.kind === 'number' && last.end === at) return undefined;
  const isTyped = last?.kind === 'name' && last.end === at;
  const start = isTyped ? last.start : at;
  const word = { span: span(base + start, base + nameEnd(text, at)), prefix: text.slice(start, at) };
  return expectWord(view, isTyped ? tokens.slice(0, -1) : tokens, word);
}

/**
 * Returns the innermost call around an offset in the file, even if the offset is in a string or after a number, or the
 * call is not closed.
 */
export function findCall(parsed: Template | TemplateExpression, offset: number): EnclosingCall | undefined {
  const { text, base } = parsed;
  const tag = touches(parsed.span, offset) ? tagAt(parsed, offset) : undefined;
  if (!tag || tag.kind === 'comment' || tag.kind === 'raw' || !touches(tag.content, offset)) return undefined;
  return callAt(readTokens(text, tag.kind, tag.content.start - base, offset - base), base);
}

/** A tag, or an expression without delimiters. */
interface TagAround extends Pick<Tag, 'span' | 'content' | 'closed'> {
  readonly kind: Tag['kind'] | 'expression';
}

/** Returns the last tag that starts before `offset` and extends to it. */
function tagAt(parsed: Template | TemplateExpression, offset: number): TagAround | undefined {
  const { span: whole } = parsed;
  if (parsed.kind === 'expression') return { kind: 'expression', span: whole, content: whole, closed: false };
  const tag = parsed.tags.findLast(({ span: place }) => place.start < offset);
  return tag !== undefined && offset <= tag.span.end ? tag : undefined;
}

interface View {
  readonly parsed: Template | TemplateExpression;
  readonly scopes: Scopes;
  readonly tag: TagAround;
  readonly offset: number;
}

function expectInString(view: View, before: readonly Token[], token: Token): TemplateCursor {
  const { text, base } = view.parsed;
  const start = base + token.start + 1;
  const quote = text[token.start] as string;
  const end = Math.max(closingQuote(text, token.start + 1, quote), view.offset - base);
  const word: TypedWord = { span: span(start, base + end), prefix: text.slice(token.start + 1, view.offset - base) };
  const call = callAt(before, base);
  const statement = before[0]?.word ?? '';
  if (
    view.tag.kind === 'block' &&
    call === undefined &&
    isLoadingStatement(statement) &&
    before.slice(1).every(namesTemplates)
  ) {
    return { kind: 'include-name', word };
  }
  return { kind: 'string', word, comparedWith: comparedWith(view, before), call };
}

const namesTemplates = ({ kind, word }: Token) =>
  kind === '[' || kind === '(' || kind === ',' || kind === 'string' || word === 'else' || word === 'if';

/** Returns the end of a string: its closing quote or the end of its line. */
function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === quote || char === '\n' || char === '\r') return at;
    if (char === '\\') at++;
  }
  return text.length;
}

const COMPARISONS: readonly TokenKind[] = ['==', '!=', '<', '>', '<=', '>='];

/**
 * Returns the value that an operand after these tokens is compared with by an operator or `in`, as in `tone in ["grim",
 * "|"]`.
 */
function comparedWith({ scopes, parsed }: View, before: readonly Token[]): FilterInput | undefined {
  const start = before.findLastIndex(({ kind }, i) => i === 0 || (kind !== ',' && kind !== 'string'));
  const inList = before[start]?.kind === '[' || before[start]?.kind === '(';
  const index = inList ? start - 1 : before.length - 1;
  const operator = before[index];
  if (operator === undefined) return undefined;
  if (inList ? operator.word !== 'in' : !COMPARISONS.includes(operator.kind)) return undefined;
  const negated = before[index - 1]?.word === 'not' && endsOperand(before, index - 2) ? 1 : 0;
  return filteredBefore(before.slice(0, index - negated), scopes, parsed.base);
}

/** Returns the kind of value that fits as the operand after these tokens; undefined if every value fits. */
function expectedValue(view: View, before: readonly Token[]): ExpectedValue | undefined {
  const last = before.at(-1);
  const word = last?.kind === 'name' ? last.word : undefined;
  if (word === 'in') return { kind: 'items' };
  const isCondition = last === undefined ? view.tag.kind === 'expression' : CONDITION_WORDS.includes(word ?? '');
  if (isCondition) return { kind: 'condition' };
  const input = comparedWith(view, before);
  return input && { kind: 'compared', input };
}

const CONDITION_WORDS: readonly string[] = ['if', 'elif', 'and', 'or', 'not'];

/** Returns whether these tokens end in the value that a `for` goes through. */
const isLoopedOver = ([statement, ...tokens]: readonly Token[]): boolean =>
  statement?.word === 'for' &&
  tokens.some(({ word }) => word === 'in') &&
  isOutsideBrackets(tokens) &&
  !tokens.some(({ word }) => word === 'if');

function expectWord(view: View, before: readonly Token[], word: TypedWord): TemplateCursor {
  const { offset, scopes, parsed, tag } = view;
  const { base } = parsed;
  const call = callAt(before, base);
  const last = before.at(-1);
  if (tag.kind === 'block') {
    // The tag may close a block, so the open blocks are the blocks that are open at the start of the tag.
    if (last === undefined) return { kind: 'statement', word, open: openBlocksAt(parsed, tag.span.start) };
    const special = expectInStatement(before, last);
    if (special === 'filter') return { kind: 'filter', word, input: undefined, isLoopedOver: false, call };
    if (special === 'operator') return { kind: 'operator', word, call: undefined };
    if (special === 'name') return { kind: 'name', word };
  }
  if (last?.kind === '|') {
    const input = filteredBefore(before.slice(0, -1), scopes, base);
    return { kind: 'filter', word, input, isLoopedOver: tag.kind === 'block' && isLoopedOver(before), call };
  }
  if (last?.kind === '.') {
    return { kind: 'attribute', word, receiver: receiverBefore(before.slice(0, -1), scopes, base), call };
  }
  if (isAtTestName(before)) return { kind: 'test', word, call };
  if (endsOperand(before, before.length - 1)) return { kind: 'operator', word, call };
  return { kind: 'expression', word, visible: visibleAt(scopes, offset), expected: expectedValue(view, before), call };
}

function isAtTestName(before: readonly Token[]): boolean {
  const index = before.at(-1)?.word === 'not' ? before.length - 2 : before.length - 1;
  return before[index]?.word === 'is' && endsOperand(before, index - 1);
}

/** Returns what a statement expects instead of an expression. `last` is the token before the cursor. */
function expectInStatement(before: readonly Token[], last: Token): 'filter' | 'name' | 'operator' | undefined {
  const [statement, ...rest] = before;
  const has = (found: string) => rest.some(({ kind, word }) => kind === found || word === found);
  const nameIf = (condition: boolean) => (condition ? 'name' : undefined);
  switch (statement?.word) {
    case 'filter':
      return rest.length === 0 ? 'filter' : undefined;
    case 'set':
      return nameIf(!has('=') && !has('|') && last.kind !== '.');
    case 'for':
      if (has('in')) return undefined;
      return last.kind === 'name' && rest.length > 0 ? 'operator' : 'name';
    case 'with':
      return nameIf(rest.length === 0 || (last.kind === ',' && isOutsideBrackets(before)));
    case 'block':
    case 'endblock':
      return 'name';
    case 'macro':
      return nameIf(rest.length === 0 || last.kind === '(' || last.kind === ',');
    case 'import':
      return nameIf(last.word === 'as');
    case 'from':
      return nameIf(last.word === 'as' || rest.slice(1).some(({ word }) => word === 'import'));
    case 'include':
      return ['ignore', 'with', 'without'].includes(last.word) ? 'operator' : undefined;
    default:
      return undefined;
  }
}

function isOutsideBrackets(tokens: readonly Token[]): boolean {
  const opened = tokens.filter(({ kind }) => kind === '(' || kind === '[' || kind === '{');
  const closed = tokens.filter(({ kind }) => kind === ')' || kind === ']' || kind === '}');
  return opened.length === closed.length;
}

// The syntax before a cursor: an operand, the receiver of an attribute, the call around the cursor.

/** Words before an operand. */
const CONNECTING: readonly string[] = 'and or not in is if else elif recursive as'.split(' ');
const CLOSING: readonly string[] = ['string', 'number', ')', ']', '}'];

/** Returns true if the token at `index` ends an operand, so that an operator can follow. */
function endsOperand(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (token.kind !== 'name') return CLOSING.includes(token.kind);
  if (index === 0 && requiresOperand(token.word)) return false;
  const before = tokens[index - 1];
  // After `.`, `|` or `is`, a keyword is an ordinary name.
  if (before?.kind === '.' || before?.kind === '|' || before?.word === 'is') return token.word !== 'not';
  return !CONNECTING.includes(token.word);
}

/** Returns the name and path that end with the last token, or undefined if they are computed. */
function receiverBefore(tokens: readonly Token[], scopes: Scopes, base: number): ReceiverPath | undefined {
  const segments: { kind: 'attribute' | 'item' | 'index'; name: string }[] = [];
  let index = tokens.length - 1;
  for (;;) {
    const token = tokens[index];
    if (token === undefined) return undefined;
    if (token.kind === 'name') {
      if (tokens[index - 1]?.kind !== '.') return rootOf(token, segments.reverse(), scopes, base);
      segments.push({ kind: 'attribute', name: token.word });
      index -= 2;
    } else {
      // Only a constant subscript is supported: `["name"]` or `[0]`.
      const inside = tokens[index - 1];
      if (token.kind !== ']' || tokens[index - 2]?.kind !== '[' || inside === undefined) return undefined;
      if (inside.kind !== 'string' && inside.kind !== 'number') return undefined;
      segments.push({ kind: inside.kind === 'number' ? 'index' : 'item', name: inside.word });
      index -= 3;
    }
  }
}

/** Returns the value and its filters that end with the last token, or undefined if the value is computed. */
function filteredBefore(tokens: readonly Token[], scopes: Scopes, base: number): FilterInput | undefined {
  const filters: string[] = [];
  let end = tokens.length;
  for (;;) {
    const name = tokens[end - 1]?.kind === ')' ? openingBefore(tokens, end - 1) - 1 : end - 1;
    const token = tokens[name];
    if (token?.kind !== 'name' || tokens[name - 1]?.kind !== '|') break;
    filters.unshift(token.word);
    end = name - 1;
  }
  const receiver = receiverBefore(tokens.slice(0, end), scopes, base);
  return receiver && { receiver, filters };
}

/** Returns the index of the `(` that matches the `)` at `close`, or -1. */
function openingBefore(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (tokens[at]?.kind === ')') depth++;
    else if (tokens[at]?.kind === '(' && --depth === 0) return at;
  }
  return -1;
}

function rootOf(
  { word, start, end }: Token,
  segments: ReceiverPath['segments'],
  scopes: Scopes,
  base: number,
): ReceiverPath {
  const use = scopes.uses.find(({ span: place }) => place.start === base + start && place.end === base + end);
  const variable = use === undefined ? visibleAt(scopes, base + start).find(({ name }) => name === word) : use.variable;
  return { name: word, variable, segments };
}

/** Returns the innermost call whose parentheses are open after the last token. */
function callAt(tokens: readonly Token[], base: number): EnclosingCall | undefined {
  let depth = 0;
  let index = 0;
  let keyword: string | undefined;
  let first = true;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i] as Token;
    if (token.kind === ')' || token.kind === ']' || token.kind === '}') depth++;
    else if (token.kind === '(' || token.kind === '[' || token.kind === '{') {
      if (depth > 0) depth--;
      else if (token.kind !== '(' || !endsOperand(tokens, i - 1) || !isCallee(tokens, i - 1)) {
        // The elements of a list or a dict in an argument are not arguments.
        index = 0;
        keyword = undefined;
        first = true;
      } else return calleeOf(tokens, i - 1, base, index, keyword);
    } else if (depth > 0) continue;
    else if (token.kind === ',') {
      index++;
      first = false;
    } else if (token.kind === '=' && first && tokens[i - 1]?.kind === 'name') keyword = tokens[i - 1]?.word;
  }
  return undefined;
}

/** Returns false for `{% macro name(` and `{% call(`, which declare parameters. */
function isCallee(tokens: readonly Token[], index: number): boolean {
  return !(index === 1 && tokens[0]?.word === 'macro') && !(index === 0 && tokens[0]?.word === 'call');
}

function calleeOf(
  tokens: readonly Token[],
  end: number,
  base: number,
  index: number,
  keyword: string | undefined,
): EnclosingCall {
  const token = tokens[end] as Token;
  const place = span(base + token.start, base + token.end);
  const before = tokens[end - 1];
  const common = { span: place, index, keyword };
  if (token.kind !== 'name') return { kind: 'function', path: [], ...common };
  const filters = before?.kind === '|' || (end === 1 && before?.word === 'filter');
  if (filters) return { kind: 'filter', path: [token.word], ...common };
  const negated = before?.word === 'not' ? 1 : 0;
  const is = tokens[end - 1 - negated]?.word === 'is' && endsOperand(tokens, end - 2 - negated);
  if (is) return { kind: 'test', path: [token.word], ...common };
  const path = [token.word];
  for (let i = end; tokens[i - 1]?.kind === '.'; i -= 2) {
    const receiver = tokens[i - 2];
    if (receiver?.kind !== 'name') return { kind: 'function', path: [], ...common };
    path.unshift(receiver.word);
  }
  return { kind: 'function', path, ...common };
}

// The results of `templateCursorAt`.

/** The word at the cursor: `span` is the whole word, `prefix` the text before the cursor. */
export interface TypedWord {
  readonly span: Span;
  readonly prefix: string;
}

/** The innermost call around the cursor, for signature help. */
export interface EnclosingCall {
  readonly kind: 'function' | 'filter' | 'test';
  /** The name and, for a method, the names before it. Empty if the callee is an expression. */
  readonly path: readonly string[];
  /** The span of the callee's name. */
  readonly span: Span;
  /** The number of arguments before the argument at the cursor. */
  readonly index: number;
  /** The name of the keyword argument at the cursor. */
  readonly keyword: string | undefined;
}

/** A block that is open at the cursor. */
export interface OpenBlock {
  readonly kind: BlockKind;
  readonly span: Span;
  /** The name of a `block` or macro. */
  readonly name: string | undefined;
  /** True if `else` is allowed here. */
  readonly allowsElse: boolean;
  /** True if `elif` is allowed here. */
  readonly allowsElif: boolean;
}

export interface ReceiverPath {
  readonly name: string;
  readonly variable: Variable | undefined;
  readonly segments: readonly Pick<PathSegment, 'kind' | 'name'>[];
}

/** A value, and the filters that are applied to it. */
export interface FilterInput {
  readonly receiver: ReceiverPath;
  readonly filters: readonly string[];
}

export type ExpectedValue =
  /** A value with items, after `in`. */
  | { readonly kind: 'items' }
  /** A value that is tested, after `if`, `and`, `or` or `not`. */
  | { readonly kind: 'condition' }
  /** A value that is compared with `input`. */
  | { readonly kind: 'compared'; readonly input: FilterInput };

export type TemplateCursor =
  /** Outside of tags, or in a raw block. */
  | { readonly kind: 'text' }
  /** An operand. `visible` contains the variables of the template that are in scope. */
  | ({
      readonly kind: 'expression';
      readonly word: TypedWord;
      readonly visible: readonly Variable[];
      readonly expected: ExpectedValue | undefined;
    } & InCall)
  /** After an operand: `|`, `is`, `and`, `else` or the end of the tag. */
  | ({ readonly kind: 'operator'; readonly word: TypedWord } & InCall)
  /** The name of a filter. `input` is undefined if the filtered value is computed. A `for` may loop over the result. */
  | ({
      readonly kind: 'filter';
      readonly word: TypedWord;
      readonly input: FilterInput | undefined;
      readonly isLoopedOver: boolean;
    } & InCall)
  /** The name of a test. */
  | ({ readonly kind: 'test'; readonly word: TypedWord } & InCall)
  /** A name after a dot. `receiver` is undefined if it is computed. */
  | ({ readonly kind: 'attribute'; readonly word: TypedWord; readonly receiver: ReceiverPath | undefined } & InCall)
  /** The first word of a block tag. `open` contains the blocks around the tag, innermost last. */
  | { readonly kind: 'statement'; readonly word: TypedWord; readonly open: readonly OpenBlock[] }
  /** Inside the string of `include`, `extends`, `import` or `from`. */
  | { readonly kind: 'include-name'; readonly word: TypedWord }
  /** Inside another string. `comparedWith` is the other side of a comparison. */
  | ({ readonly kind: 'string'; readonly word: TypedWord; readonly comparedWith: FilterInput | undefined } & InCall)
  /** The name of a new variable, macro or block. */
  | { readonly kind: 'name'; readonly word: TypedWord };

interface InCall {
  readonly call: EnclosingCall | undefined;
}

// The open blocks at an offset, which an end tag at this offset can close.

/** Returns the open blocks, innermost last. `offset` is the start of a tag. */
function openBlocksAt(parsed: Template | TemplateExpression, offset: number): readonly OpenBlock[] {
  const open: OpenBlock[] = [];
  let nodes: readonly Node[] = parsed.kind === 'template' ? parsed.nodes : [];
  for (;;) {
    const node = nodes.find((candidate) => candidate.kind in BLOCK_KINDS && isOpenAt(candidate, offset));
    if (node === undefined) return open;
    const kind = BLOCK_KINDS[node.kind as keyof typeof BLOCK_KINDS];
    const bodies = bodiesOf(node);
    const within = bodies.findLastIndex(({ span }) => span.start <= offset);
    const inElse =
      (node.kind === 'if' || node.kind === 'for') && node.otherwise !== undefined && within === bodies.length - 1;
    open.push({
      kind,
      span: node.span,
      name: node.kind === 'block' || node.kind === 'macro' ? node.name.text : undefined,
      allowsElse: (kind === 'if' || kind === 'for') && !inElse,
      allowsElif: kind === 'if' && !inElse,
    });
    nodes = bodies[within]?.nodes ?? [];
  }
}

/** Returns true for an offset from the end of the opening tag to the end of the closing tag. */
function isOpenAt(node: Node, offset: number): boolean {
  return 'tag' in node && node.tag.span.end <= offset && offset <= node.span.end && !isBehind(node, offset);
}

/**
 * Returns true for the offset directly after the closing tag. A block without a closing tag ends with its body and is
 * still open.
 */
function isBehind(node: Node, offset: number): boolean {
  return offset === node.span.end && bodiesOf(node).at(-1)?.span.end !== node.span.end;
}

// The tokens of a tag up to a cursor.

/**
 * A token before the cursor. `start` and `end` are offsets in the text. `open` marks a string that contains the cursor.
 */
interface Token {
  readonly kind: TokenKind;
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly open: boolean;
}

/** Returns the tokens between two offsets in the text. Skips invalid characters. */
function readTokens(text: string, mode: Mode, from: number, to: number): readonly Token[] {
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
  // An escaped quote does not close the string: count the backslashes before it.
  let slashes = 0;
  while (text[end - 2 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Returns a name, or the content of a string or number. */
function wordOf(text: string, kind: TokenKind, start: number, end: number): string {
  if (kind === 'string') return text.slice(start + 1, end - 1);
  return kind === 'name' || kind === 'number' ? text.slice(start, end) : '';
}
