/**
 * What the author may type at a place, also in the middle of a broken tag: it is read from the tokens before the
 * cursor, not from the tree.
 */
import { span, touches } from '../../../text.ts';
import type { Tag, Template, TemplateExpression } from '../ast.ts';
import { isLoading } from '../keywords.ts';
import { nameEnd } from '../lexer.ts';
import type { Scopes } from '../scope-model.ts';
import { resolveScopes, visibleAt } from '../scopes.ts';
import { callAt, endsOperand, filteredBefore, receiverBefore } from './context.ts';
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
