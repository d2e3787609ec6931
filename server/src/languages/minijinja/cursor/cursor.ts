/**
 * What the author may type at a place, also in the middle of a broken tag: it is read from the tokens before the
 * cursor, not from the tree.
 */
import { type Span, span } from '../../../text.ts';
import type { Tag, Template, TemplateExpression } from '../ast.ts';
import { isLoading } from '../keywords.ts';
import { nameEnd } from '../lexer.ts';
import type { Scopes } from '../scope-model.ts';
import { resolveScopes, visibleAt } from '../scopes.ts';
import { callAt, endsOperand, receiverBefore } from './context.ts';
import type { CallAt, ReceiverPath, TemplateCursor, TypedWord } from './model.ts';
import { openBlocksAt } from './open-blocks.ts';
import { readTokens, type Token } from './tokens.ts';

export type * from './model.ts';

/** `offset` is a place of the file. Undefined inside comments and delimiters. */
export function expectAt(
  parsed: Template | TemplateExpression,
  offset: number,
  scopes: Scopes = resolveScopes(parsed),
): TemplateCursor | undefined {
  if (offset < parsed.span.start || offset > parsed.span.end) return undefined;
  if (parsed.kind === 'expression') return expectInTag(parsed, parsed.span, 'expression', offset, scopes);
  const tag = tagAt(parsed.tags, offset);
  if (tag === undefined || offset <= tag.span.start || (tag.closed && offset >= tag.span.end)) return { kind: 'text' };
  if (offset < tag.content.start || offset > tag.content.end || tag.kind === 'comment') return undefined;
  if (tag.kind === 'raw') return { kind: 'text' };
  return expectInTag(parsed, tag.content, tag.kind, offset, scopes);
}

/** The innermost call around a place of the file: also in a string, behind a number, and where nothing closes it yet. */
export function findCall(parsed: Template | TemplateExpression, offset: number): CallAt | undefined {
  const { text, base } = parsed;
  if (offset < parsed.span.start || offset > parsed.span.end) return undefined;
  const tag = parsed.kind === 'template' ? tagAt(parsed.tags, offset) : undefined;
  const content = parsed.kind === 'template' ? tag?.content : parsed.span;
  const mode = parsed.kind === 'template' ? tag?.kind : 'expression';
  if (!content || (mode !== 'output' && mode !== 'block' && mode !== 'expression')) return undefined;
  if (offset < content.start || offset > content.end) return undefined;
  return callAt(readTokens(text, mode, content.start - base, offset - base), base);
}

/** The last tag that starts before `offset` and reaches it, found by bisection. */
function tagAt(tags: readonly Tag[], offset: number): Tag | undefined {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tags[middle] as Tag).span.start < offset) low = middle + 1;
    else high = middle;
  }
  const tag = tags[low - 1];
  return tag !== undefined && offset <= tag.span.end ? tag : undefined;
}

function expectInTag(
  parsed: Template | TemplateExpression,
  content: Span,
  mode: 'output' | 'block' | 'expression',
  offset: number,
  scopes: Scopes,
): TemplateCursor | undefined {
  const { text, base } = parsed;
  const at = offset - base;
  const tokens = readTokens(text, mode, content.start - base, at);
  const last = tokens.at(-1);
  const view: View = { parsed, scopes, offset, word: { span: span(offset, offset), prefix: '' } };
  if (last?.kind === 'string' && last.open) return expectInString(view, tokens.slice(0, -1), last, mode);
  if (last?.kind === 'number' && last.end === at) return undefined;
  const typed = last?.kind === 'name' && last.end === at;
  const before = typed ? tokens.slice(0, -1) : tokens;
  return expectAfter({ ...view, word: wordAt(text, base, typed ? last.start : at, at) }, before, mode);
}

/** The blocks around a tag are those that are open where it begins: it may be the end of one. */
function tagStart(parsed: Template | TemplateExpression, offset: number): number {
  return parsed.kind === 'template' ? (tagAt(parsed.tags, offset)?.span.start ?? offset) : offset;
}

interface View {
  readonly parsed: Template | TemplateExpression;
  readonly scopes: Scopes;
  readonly offset: number;
  readonly word: TypedWord;
}

function wordAt(text: string, base: number, start: number, at: number): TypedWord {
  return { span: span(base + start, base + nameEnd(text, at)), prefix: text.slice(start, at) };
}

function expectInString(view: View, before: readonly Token[], token: Token, mode: string): TemplateCursor {
  const { text, base } = view.parsed;
  const start = base + token.start + 1;
  const quote = text[token.start] as string;
  const end = Math.max(closingQuote(text, token.start + 1, quote), view.offset - base);
  const word: TypedWord = { span: span(start, base + end), prefix: text.slice(token.start + 1, view.offset - base) };
  const call = callAt(before, base);
  const statement = before[0]?.word ?? '';
  if (mode === 'block' && call === undefined && isLoading(statement) && before.slice(1).every(namesTemplates)) {
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

function comparedWith(view: View, before: readonly Token[]): ReceiverPath | undefined {
  let end = before.length - 1;
  // In `tone in ["grim", "|"]` the list stands between.
  while (end > 0 && (before[end]?.kind === ',' || before[end]?.kind === 'string')) end--;
  const inList = before[end]?.kind === '[' || before[end]?.kind === '(';
  const operator = before[inList ? end - 1 : before.length - 1];
  if (operator === undefined) return undefined;
  const index = inList ? end - 1 : before.length - 1;
  if (inList ? operator.word !== 'in' : operator.kind !== '==' && operator.kind !== '!=') return undefined;
  const negated = before[index - 1]?.word === 'not' && endsOperand(before, index - 2) ? 1 : 0;
  return receiverBefore(before.slice(0, index - negated), view.scopes, view.parsed.base);
}

function expectAfter(view: View, before: readonly Token[], mode: string): TemplateCursor {
  const { word, offset, scopes, parsed } = view;
  const { base } = parsed;
  const call = callAt(before, base);
  const last = before.at(-1);
  if (mode === 'block') {
    if (last === undefined) return { kind: 'statement', word, open: openBlocksAt(parsed, tagStart(parsed, offset)) };
    const special = expectInStatement(before, word);
    if (special !== undefined) return special === 'filter' ? { kind: 'filter', word, call } : special;
  }
  if (last?.kind === '|') return { kind: 'filter', word, call };
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

/** Places that a statement keeps for something other than an expression. */
function expectInStatement(before: readonly Token[], word: TypedWord): TemplateCursor | 'filter' | undefined {
  const name: TemplateCursor = { kind: 'name', word };
  const [statement] = before;
  const last = before.at(-1) as Token;
  const has = (found: string) => before.some(({ kind, word: text }) => kind === found || text === found);
  switch (statement?.word) {
    case 'filter':
      return before.length === 1 ? 'filter' : undefined;
    case 'set':
      return has('=') || has('|') ? undefined : last.kind === '.' ? undefined : name;
    case 'for':
      return before.slice(1).some(({ word: text }) => text === 'in')
        ? undefined
        : last.kind === 'name' && before.length > 1
          ? { kind: 'operator', word, call: undefined }
          : name;
    case 'with':
      return before.length === 1 || (last.kind === ',' && depthOf(before) === 0) ? name : undefined;
    case 'block':
    case 'endblock':
      return name;
    case 'macro':
      return before.length === 1 || last.kind === '(' || last.kind === ',' ? name : undefined;
    case 'import':
    case 'from':
      return last.word === 'as' ||
        (statement.word === 'from' && before.slice(2).some(({ word: text }) => text === 'import'))
        ? name
        : undefined;
    case 'include':
      return last.word === 'ignore' || last.word === 'with' || last.word === 'without'
        ? { kind: 'operator', word, call: undefined }
        : undefined;
    default:
      return undefined;
  }
}

function depthOf(tokens: readonly Token[]): number {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === '(' || kind === '[' || kind === '{') depth++;
    else if (kind === ')' || kind === ']' || kind === '}') depth--;
  }
  return depth;
}
