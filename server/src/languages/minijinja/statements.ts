/** What a `{% … %}` tag says, up to but without its end. Nothing here knows which blocks are open: `blocks.ts` does. */
import type { Expression, Name, Parameter, Target } from './ast.ts';
import { parseExpressionNode, parseOr } from './expressions.ts';
import { type BlockKind, closedBy, nearestStatement } from './keywords.ts';
import { advance } from './lexer.ts';
import { parseFilterChain } from './operands.ts';
import {
  at,
  enter,
  expect,
  expectName,
  expectWord,
  fail,
  failHere,
  isToken,
  isWord,
  leave,
  missing,
  noteNewer,
  type Parser,
  since,
  take,
  takeWord,
} from './state.ts';
import { parseAssignment, parseBoundName, parseImportTarget, parseSetTarget, parseWithTarget } from './targets.ts';

export type Head = OpeningHead | SimpleHead | DividingHead | EndHead | UnknownHead;

/** A tag that opens a block. */
export type OpeningHead =
  | { readonly kind: 'if'; readonly condition: Expression }
  | {
      readonly kind: 'for';
      readonly target: Target;
      readonly iterable: Expression;
      readonly condition?: Expression;
      readonly recursive: boolean;
    }
  | { readonly kind: 'set-block'; readonly target: Target; readonly filter?: Expression }
  | { readonly kind: 'with'; readonly assignments: readonly { readonly target: Target; readonly value: Expression }[] }
  | { readonly kind: 'filter-block'; readonly filter: Expression }
  | { readonly kind: 'autoescape'; readonly enabled: Expression }
  | { readonly kind: 'macro'; readonly name: Name; readonly parameters: readonly Parameter[] }
  | { readonly kind: 'call-block'; readonly parameters: readonly Parameter[]; readonly call: Expression }
  | { readonly kind: 'block'; readonly name: Name; readonly required: boolean };

export type SimpleHead =
  | { readonly kind: 'set'; readonly target: Target; readonly value: Expression }
  | { readonly kind: 'extends'; readonly template: Expression }
  | { readonly kind: 'include'; readonly template: Expression; readonly ignoreMissing: boolean }
  | { readonly kind: 'import'; readonly template: Expression; readonly target: Target }
  | {
      readonly kind: 'from-import';
      readonly template: Expression;
      readonly names: readonly { readonly name: Name; readonly alias?: Name }[];
    }
  | { readonly kind: 'do'; readonly call: Expression }
  | { readonly kind: 'break' | 'continue' };

export type DividingHead =
  | { readonly kind: 'else'; readonly word: Name }
  | { readonly kind: 'elif'; readonly word: Name; readonly condition: Expression };

/** `trailing` is the name that `endblock` may repeat. */
export interface EndHead {
  readonly kind: 'end';
  readonly word: Name;
  readonly closes: BlockKind;
  readonly trailing?: Name;
}

/** `meant` is the statement that it resembles, and stands for while blocks are matched. */
export interface UnknownHead {
  readonly kind: 'unknown';
  readonly word: Name;
  readonly meant?: string;
}

/** Reads a tag from its first token. */
export function parseHead(parser: Parser): Head {
  const { kind, word, start, end } = parser;
  const name: Name = { text: kind === 'name' ? word : '', span: at(parser, start, kind === 'name' ? end : start) };
  if (kind !== 'name') {
    failHere(parser, 'a statement such as `if`, `for` or `set`');
    return { kind: 'unknown', word: name };
  }
  const closes = closedBy(word);
  if (closes !== undefined) return parseEnd(parser, name, closes);
  if (word === 'else' || word === 'elif') return parseDivision(parser, name);
  if (!Object.hasOwn(STATEMENTS, word)) return refuseUnknown(parser, name);
  enter(parser);
  advance(parser);
  const head = (STATEMENTS[word] as (parser: Parser) => Head)(parser);
  leave(parser);
  return head;
}

function parseEnd(parser: Parser, word: Name, closes: BlockKind): Head {
  advance(parser);
  if (closes !== 'block' || parser.kind !== 'name') return { kind: 'end', word, closes };
  return { kind: 'end', word, closes, trailing: expectName(parser, 'a name') };
}

function parseDivision(parser: Parser, word: Name): Head {
  advance(parser);
  if (word.text === 'elif') return { kind: 'elif', word, condition: parseOr(parser) };
  if (!isWord(parser, 'if')) return { kind: 'else', word };
  const place = { start: word.span.start, end: parser.base + parser.end };
  const fix = { title: 'Replace with `elif`', edit: { span: place, newText: 'elif' } };
  fail(parser, 'unexpected', place, 'MiniJinja writes `else if` as one word: `elif`.', { fix });
  return { kind: 'elif', word, condition: missing(parser) };
}

function refuseUnknown(parser: Parser, word: Name): Head {
  if (word.text === 'raw' || word.text === 'endraw') {
    const message =
      word.text === 'raw'
        ? '`{% raw %}` takes nothing: remove what stands behind `raw`.'
        : '`endraw` closes nothing: no `{% raw %}` is open here. Remove the tag.';
    fail(parser, 'stray-tag', word.span, message);
    return { kind: 'unknown', word };
  }
  const meant = nearestStatement(word.text, parser.openBlock);
  const shown = word.text.slice(0, 40);
  if (meant === undefined) {
    fail(parser, 'unknown-tag', word.span, `MiniJinja has no statement \`${shown}\`.`);
    return { kind: 'unknown', word };
  }
  const fix = { title: `Replace with \`${meant}\``, edit: { span: word.span, newText: meant } };
  fail(parser, 'unknown-tag', word.span, `MiniJinja has no statement \`${shown}\`: did you mean \`${meant}\`?`, {
    fix,
  });
  return { kind: 'unknown', word, meant };
}

const STATEMENTS: Readonly<Record<string, (parser: Parser) => Head>> = {
  if: (parser) => ({ kind: 'if', condition: parseOr(parser) }),
  for: parseFor,
  set: parseSet,
  with: parseWith,
  filter: (parser) => ({ kind: 'filter-block', filter: parseFilterChain(parser) }),
  autoescape: (parser) => ({ kind: 'autoescape', enabled: parseExpressionNode(parser) }),
  macro: parseMacro,
  call: parseCallBlock,
  block: parseBlock,
  extends: (parser) => ({ kind: 'extends', template: parseExpressionNode(parser) }),
  include: parseInclude,
  import: parseImport,
  from: parseFromImport,
  do: (parser) => ({ kind: 'do', call: parseCallExpression(parser, 'do') }),
  break: () => ({ kind: 'break' }),
  continue: () => ({ kind: 'continue' }),
};

function parseFor(parser: Parser): Head {
  const target = parseAssignment(parser);
  expectWord(parser, 'in');
  const iterable = parseOr(parser);
  const condition = takeWord(parser, 'if') ? parseExpressionNode(parser) : undefined;
  const recursive = takeWord(parser, 'recursive');
  return { kind: 'for', target, iterable, ...(condition && { condition }), recursive };
}

function parseSet(parser: Parser): Head {
  const { target, unpacks } = parseSetTarget(parser);
  if (!unpacks && parser.kind === '|') {
    advance(parser);
    return { kind: 'set-block', target, filter: parseFilterChain(parser) };
  }
  if (!unpacks && parser.kind === 'end') return { kind: 'set-block', target };
  expect(parser, '=', '`=` and a value');
  const value = parseExpressionNode(parser);
  if (parser.kind === ',') {
    const message = 'A tuple without parentheses needs MiniJinja 2.14 or later: put the values in parentheses.';
    fail(parser, 'newer-syntax', at(parser, parser.start, parser.end), message);
  }
  return { kind: 'set', target, value };
}

function parseWith(parser: Parser): Head {
  const assignments: { target: Target; value: Expression }[] = [];
  if (parser.kind === 'end') return { kind: 'with', assignments };
  do {
    const target = parseWithTarget(parser);
    expect(parser, '=', '`=` and a value');
    assignments.push({ target, value: parseExpressionNode(parser) });
  } while (take(parser, ','));
  return { kind: 'with', assignments };
}

function parseMacro(parser: Parser): Head {
  const name = expectName(parser, 'the name of the macro');
  expect(parser, '(', '`(` and the parameters of the macro');
  return { kind: 'macro', name, parameters: parseParameters(parser) };
}

function parseCallBlock(parser: Parser): Head {
  const parameters = take(parser, '(') ? parseParameters(parser) : [];
  return { kind: 'call-block', parameters, call: parseCallExpression(parser, 'call') };
}

/** The parameters behind a `(`, with the `)`. */
function parseParameters(parser: Parser): Parameter[] {
  const parameters: Parameter[] = [];
  let defaults = false;
  while (parser.kind !== ')' && parser.kind !== 'failed') {
    const name = parseBoundName(parser);
    if (take(parser, '=')) {
      defaults = true;
      parameters.push({ name, default: parseExpressionNode(parser) });
    } else {
      if (defaults) failHere(parser, '`=` and a default, since the parameter before has one');
      parameters.push({ name });
    }
    if (!take(parser, ',')) break;
  }
  expect(parser, ')', '`,` or `)`');
  return parameters;
}

function parseCallExpression(parser: Parser, keyword: string): Expression {
  const { start } = parser;
  const call = parseExpressionNode(parser);
  if (call.kind !== 'call') {
    fail(
      parser,
      'unexpected',
      since(parser, start),
      `\`{% ${keyword} %}\` takes a call, such as \`${keyword} name()\`.`,
    );
  }
  return call;
}

function parseBlock(parser: Parser): Head {
  const name = expectName(parser, 'the name of the block');
  const { start } = parser;
  takeWord(parser, 'scoped');
  const required = takeWord(parser, 'required');
  if (parser.start !== start) noteNewer(parser, 'required-block', since(parser, start));
  return { kind: 'block', name, required };
}

function parseInclude(parser: Parser): Head {
  const template = parseExpressionNode(parser);
  const marked = takeContextMark(parser);
  const ignoreMissing = takeWord(parser, 'ignore');
  if (ignoreMissing) {
    expectWord(parser, 'missing');
    if (!marked) takeContextMark(parser);
  }
  return { kind: 'include', template, ignoreMissing };
}

/** `with context` and `without context` are Jinja2's, and mean nothing here. */
function takeContextMark(parser: Parser): boolean {
  if (!isWord(parser, 'with') && !isWord(parser, 'without')) return false;
  advance(parser);
  expectWord(parser, 'context');
  return true;
}

function parseImport(parser: Parser): Head {
  const template = parseExpressionNode(parser);
  expectWord(parser, 'as');
  const target = parseImportTarget(parser, parseExpressionNode);
  takeContextMark(parser);
  return { kind: 'import', template, target };
}

function parseFromImport(parser: Parser): Head {
  const template = parseExpressionNode(parser);
  expectWord(parser, 'import');
  const names: { name: Name; alias?: Name }[] = [];
  while (parser.kind !== 'end' && parser.kind !== 'failed' && !takeContextMark(parser)) {
    if (names.length > 0) expect(parser, ',', '`,` or the end of the tag');
    if (isToken(parser, 'end') || isToken(parser, 'failed') || takeContextMark(parser)) break;
    const name = parseBoundName(parser);
    names.push(takeWord(parser, 'as') ? { name, alias: parseBoundName(parser) } : { name });
  }
  return { kind: 'from-import', template, names };
}
