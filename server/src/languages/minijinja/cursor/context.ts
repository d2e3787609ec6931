/** What stands to the left of a cursor: an operand, the value that a dot is put behind, the call around it. */
import { span } from '../../../text.ts';
import { takesMore } from '../keywords.ts';
import type { Scopes } from '../scope-model.ts';
import { visibleAt } from '../scopes.ts';
import type { CallAt, FilterInput, ReceiverPath } from './model.ts';
import type { Token } from './tokens.ts';

/** Words behind which an operand follows. */
const CONNECTING: readonly string[] = 'and or not in is if else elif recursive as'.split(' ');
const CLOSING: readonly string[] = ['string', 'number', ')', ']', '}'];

/** Whether the token at `index` ends an operand, so that an operator may follow. */
export function endsOperand(tokens: readonly Token[], index: number): boolean {
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
export function receiverBefore(tokens: readonly Token[], scopes: Scopes, base: number): ReceiverPath | undefined {
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
export function filteredBefore(tokens: readonly Token[], scopes: Scopes, base: number): FilterInput | undefined {
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
export function callAt(tokens: readonly Token[], base: number): CallAt | undefined {
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
