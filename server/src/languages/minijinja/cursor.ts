/**
 * What the author may type at a place, also in the middle of a broken tag: it is read from the tokens before the
 * cursor, not from the tree.
 */
import { type Span, span, touches } from '../../text.ts';
import { bodiesOf, type Node, type Tag, type Template, type TemplateExpression } from './ast.ts';
import type { PathSegment } from './defined-names.ts';
import { BLOCK_KINDS, type BlockKind, isLoading, takesMore } from './keywords.ts';
import { Lexer, type Mode, nameEnd, type TokenKind } from './lexer.ts';
import type { Scopes, Variable } from './scope-model.ts';
import { resolveScopes, visibleAt } from './scopes.ts';

/** `offset` is a place of the file. Undefined inside comments and delimiters. */
export function expectAt(
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

/** The innermost call around a place of the file: also in a string, behind a number, and where nothing closes it yet. */
export function findCall(parsed: Template | TemplateExpression, offset: number): CallAt | undefined {
  const { text, base } = parsed;
  const tag = touches(parsed.span, offset) ? tagAt(parsed, offset) : undefined;
  if (!tag || tag.kind === 'comment' || tag.kind === 'raw' || !touches(tag.content, offset)) return undefined;
  return callAt(readTokens(text, tag.kind, tag.content.start - base, offset - base), base);
}

/** A tag, or an expression that stands alone. */
interface TagAround extends Pick<Tag, 'span' | 'content' | 'closed'> {
  readonly kind: Tag['kind'] | 'expression';
}

/** The last tag that starts before `offset` and reaches it. */
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
    isLoading(statement) &&
    before.slice(1).every(namesTemplates)
  ) {
    return { kind: 'include-name', word };
  }
  return { kind: 'string', word, comparedWith: comparedWith(view, before), call };
}

const namesTemplates = ({ kind, word }: Token) =>
  kind === '[' || kind === '(' || kind === ',' || kind === 'string' || word === 'else' || word === 'if';

/** The string ends at its closing quote, or with its line. */
function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === quote || char === '\n' || char === '\r') return at;
    if (char === '\\') at++;
  }
  return text.length;
}

/** What the string behind these tokens is compared with: by `==` or `!=`, or by `in` as in `tone in ["grim", "|"]`. */
function comparedWith({ scopes, parsed }: View, before: readonly Token[]): ReceiverPath | undefined {
  const start = before.findLastIndex(({ kind }, i) => i === 0 || (kind !== ',' && kind !== 'string'));
  const inList = before[start]?.kind === '[' || before[start]?.kind === '(';
  const index = inList ? start - 1 : before.length - 1;
  const operator = before[index];
  if (operator === undefined) return undefined;
  if (inList ? operator.word !== 'in' : operator.kind !== '==' && operator.kind !== '!=') return undefined;
  const negated = before[index - 1]?.word === 'not' && endsOperand(before, index - 2) ? 1 : 0;
  return receiverBefore(before.slice(0, index - negated), scopes, parsed.base);
}

function expectWord(view: View, before: readonly Token[], word: TypedWord): TemplateCursor {
  const { offset, scopes, parsed, tag } = view;
  const { base } = parsed;
  const call = callAt(before, base);
  const last = before.at(-1);
  if (tag.kind === 'block') {
    // The blocks around a tag are those that are open where it begins: it may be the end of one.
    if (last === undefined) return { kind: 'statement', word, open: openBlocksAt(parsed, tag.span.start) };
    const special = expectInStatement(before, last);
    if (special === 'filter') return { kind: 'filter', word, input: undefined, call };
    if (special === 'operator') return { kind: 'operator', word, call: undefined };
    if (special === 'name') return { kind: 'name', word };
  }
  if (last?.kind === '|')
    return { kind: 'filter', word, input: filteredBefore(before.slice(0, -1), scopes, base), call };
  if (last?.kind === '.') {
    return { kind: 'attribute', word, receiver: receiverBefore(before.slice(0, -1), scopes, base), call };
  }
  if (isTestPlace(before)) return { kind: 'test', word, call };
  if (endsOperand(before, before.length - 1)) return { kind: 'operator', word, call };
  return { kind: 'expression', word, visible: visibleAt(scopes, offset), call };
}

function isTestPlace(before: readonly Token[]): boolean {
  const index = before.at(-1)?.word === 'not' ? before.length - 2 : before.length - 1;
  return before[index]?.word === 'is' && endsOperand(before, index - 1);
}

/** What a statement expects where it takes no expression; `last` is the token before the cursor. */
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

// What stands to the left of a cursor: an operand, the value that a dot is put behind, the call around it.

/** Words behind which an operand follows. */
const CONNECTING: readonly string[] = 'and or not in is if else elif recursive as'.split(' ');
const CLOSING: readonly string[] = ['string', 'number', ')', ']', '}'];

/** Whether the token at `index` ends an operand, so that an operator may follow. */
function endsOperand(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (token.kind !== 'name') return CLOSING.includes(token.kind);
  if (index === 0 && takesMore(token.word)) return false;
  const before = tokens[index - 1];
  // Behind a dot, a bar or `is` a keyword is a name like any other.
  if (before?.kind === '.' || before?.kind === '|' || before?.word === 'is') return token.word !== 'not';
  return !CONNECTING.includes(token.word);
}

/** The name and path that end with the last token; undefined where they are computed. */
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
      // Only a constant subscript can be followed: `["name"]` or `[0]`.
      const inside = tokens[index - 1];
      if (token.kind !== ']' || tokens[index - 2]?.kind !== '[' || inside === undefined) return undefined;
      if (inside.kind !== 'string' && inside.kind !== 'number') return undefined;
      segments.push({ kind: inside.kind === 'number' ? 'index' : 'item', name: inside.word });
      index -= 3;
    }
  }
}

/** The value and its filters that end with the last token; undefined where the value is computed. */
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

/** Where the parenthesis is opened that the token at `close` closes; -1 where none is. */
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

/** The innermost call whose parentheses are open behind the last token. */
function callAt(tokens: readonly Token[], base: number): CallAt | undefined {
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
        // A list or a dict in an argument: what it holds is no argument of its own.
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

/** `{% macro name(` and `{% call(` declare parameters, they call nothing. */
function isCallee(tokens: readonly Token[], index: number): boolean {
  return !(index === 1 && tokens[0]?.word === 'macro') && !(index === 0 && tokens[0]?.word === 'call');
}

function calleeOf(
  tokens: readonly Token[],
  end: number,
  base: number,
  index: number,
  keyword: string | undefined,
): CallAt {
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

// What a cursor in a template can expect: the data that `expectAt` returns.

/** The word that is being typed: `span` is all of it, `prefix` what stands before the cursor. */
export interface TypedWord {
  readonly span: Span;
  readonly prefix: string;
}

/** The innermost call around the cursor, for signature help. */
export interface CallAt {
  readonly kind: 'function' | 'filter' | 'test';
  /** The name and, for a method, what it is taken of; empty where the callee is an expression. */
  readonly path: readonly string[];
  /** The place of the callee's name. */
  readonly span: Span;
  /** How many arguments stand before the cursor's. */
  readonly index: number;
  /** The name of the keyword argument that the cursor stands in. */
  readonly keyword: string | undefined;
}

/** A block that is open at the cursor. */
export interface OpenBlock {
  readonly kind: BlockKind;
  readonly span: Span;
  /** The name of a `block` or macro. */
  readonly name: string | undefined;
  /** Whether `else` may stand here, and `elif`. */
  readonly takesElse: boolean;
  readonly takesElif: boolean;
}

export interface ReceiverPath {
  readonly name: string;
  readonly variable: Variable | undefined;
  readonly segments: readonly Pick<PathSegment, 'kind' | 'name'>[];
}

/** A value, and the filters that it has been through. */
export interface FilterInput {
  readonly receiver: ReceiverPath;
  readonly filters: readonly string[];
}

export type TemplateCursor =
  /** Outside every tag, or in a raw block. */
  | { readonly kind: 'text' }
  /** An operand; `visible` are the template's own variables here. */
  | ({ readonly kind: 'expression'; readonly word: TypedWord; readonly visible: readonly Variable[] } & InCall)
  /** Behind an operand, where `|`, `is`, `and`, `else` or the end of the tag may follow. */
  | ({ readonly kind: 'operator'; readonly word: TypedWord } & InCall)
  /** The name of a filter; no `input` where what it is put behind is computed. */
  | ({ readonly kind: 'filter'; readonly word: TypedWord; readonly input: FilterInput | undefined } & InCall)
  /** The name of a test. */
  | ({ readonly kind: 'test'; readonly word: TypedWord } & InCall)
  /** A name behind a dot; no `receiver` where that is computed. */
  | ({ readonly kind: 'attribute'; readonly word: TypedWord; readonly receiver: ReceiverPath | undefined } & InCall)
  /** The first word of a block tag; `open` are the blocks around it, the innermost last. */
  | { readonly kind: 'statement'; readonly word: TypedWord; readonly open: readonly OpenBlock[] }
  /** Inside the string of `include`, `extends`, `import` or `from`. */
  | { readonly kind: 'include-name'; readonly word: TypedWord }
  /** Inside another string; `comparedWith` is the other side of `==`, `!=` or `in`. */
  | ({ readonly kind: 'string'; readonly word: TypedWord; readonly comparedWith: ReceiverPath | undefined } & InCall)
  /** Where something new is given a name. */
  | { readonly kind: 'name'; readonly word: TypedWord };

interface InCall {
  readonly call: CallAt | undefined;
}

// The blocks that are open at a place: those that an end tag there could close.

/** `offset` is where a tag begins. */
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
      takesElse: (kind === 'if' || kind === 'for') && !inElse,
      takesElif: kind === 'if' && !inElse,
    });
    nodes = bodies[within]?.nodes ?? [];
  }
}

/** Open from behind the opening tag up to the end of the closing one. */
function isOpenAt(node: Node, offset: number): boolean {
  return 'tag' in node && node.tag.span.end <= offset && offset <= node.span.end && !isBehind(node, offset);
}

/** Behind a closing tag nothing is open; a block without one reaches as far as its body. */
function isBehind(node: Node, offset: number): boolean {
  return offset === node.span.end && bodiesOf(node).at(-1)?.span.end !== node.span.end;
}

// The tokens of a tag up to a cursor.

/** Offsets count from the start of the text. `open` is a string that the cursor stands in. */
interface Token {
  readonly kind: TokenKind;
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly open: boolean;
}

/** Characters that no token begins with are left out. */
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
