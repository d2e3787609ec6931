/**
 * Expressions, by MiniJinja's grammar: `if`/`else`, `or`, `and`, `not`, comparisons, `+ -`, `~`, `* / // %`, `**`,
 * unary minus, then attributes, items and calls, then filters and tests. As in the engine every word may be a
 * variable where an operand is expected, unary minus binds tighter than an attribute (`-a.b` is `(-a).b`), and `**`
 * is left-associative. Repetition is a loop and never a recursion, so long chains do not exhaust the stack.
 */

import type { BinaryOperator, Expression } from './ast.ts';
import { advance } from './lexer.ts';
import { parseOperand, prefixed } from './operands.ts';
import { at, enter, fail, failHere, isWord, leave, type Parser, since, take, takeWord } from './state.ts';

/** A whole expression, one level deeper. */
export function parseExpressionNode(parser: Parser): Expression {
  enter(parser);
  const expression = parseConditional(parser);
  leave(parser);
  return expression;
}

/** `value if condition else otherwise`, at the level where it stands. */
export function parseConditional(parser: Parser): Expression {
  const pending: { start: number; value: Expression; condition: Expression }[] = [];
  let start = parser.start;
  let expression = parseOr(parser);
  while (takeWord(parser, 'if')) {
    const condition = parseOr(parser);
    if (takeWord(parser, 'else')) {
      pending.push({ start, value: expression, condition });
      start = parser.start;
      expression = parseOr(parser);
    } else expression = { kind: 'conditional', span: since(parser, start), value: expression, condition };
  }
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { value, condition } = part;
    expression = { kind: 'conditional', span: since(parser, part.start), value, condition, otherwise: expression };
  }
  return expression;
}

/** An expression without a conditional: what `if` and `for … in` take, since `if` may follow. */
export function parseOr(parser: Parser): Expression {
  const start = parser.start;
  let left = parseAnd(parser);
  while (takeWord(parser, 'or')) left = binary(parser, start, 'or', left, parseAnd(parser));
  return left;
}

function parseAnd(parser: Parser): Expression {
  const start = parser.start;
  let left = parseNot(parser);
  while (takeWord(parser, 'and')) left = binary(parser, start, 'and', left, parseNot(parser));
  return left;
}

function parseNot(parser: Parser): Expression {
  if (!isWord(parser, 'not')) return parseComparison(parser);
  const starts: number[] = [];
  while (isWord(parser, 'not')) {
    starts.push(parser.start);
    advance(parser);
  }
  return prefixed(parser, starts, 'not', parseComparison(parser));
}

function parseComparison(parser: Parser): Expression {
  const start = parser.start;
  let left = parseSum(parser);
  for (let operator = comparison(parser); operator !== undefined; operator = comparison(parser)) {
    left = binary(parser, start, operator, left, parseSum(parser));
  }
  return left;
}

function comparison(parser: Parser): BinaryOperator | undefined {
  const { kind } = parser;
  switch (kind) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      advance(parser);
      return kind;
    case '=':
      refuseAssignment(parser);
      return undefined;
    case 'name':
      if (takeWord(parser, 'in')) return 'in';
      if (!takeWord(parser, 'not')) return undefined;
      if (!takeWord(parser, 'in')) failHere(parser, '`in` after `not`');
      return 'not in';
    default:
      return undefined;
  }
}

/** `=` ends an operand only in an assignment or a keyword argument, and those see to it themselves. */
function refuseAssignment(parser: Parser): void {
  if (parser.mode !== 'expression' || parser.brackets.length > 0) return;
  const place = at(parser, parser.start, parser.end);
  const fix = { title: 'Replace with `==`', edit: { span: place, newText: '==' } };
  fail(parser, 'unexpected', place, 'An expression cannot assign: write `==` to compare.', { fix });
}

function parseSum(parser: Parser): Expression {
  const start = parser.start;
  let left = parseConcatenation(parser);
  for (let { kind } = parser; kind === '+' || kind === '-'; kind = parser.kind) {
    advance(parser);
    left = binary(parser, start, kind, left, parseConcatenation(parser));
  }
  return left;
}

function parseConcatenation(parser: Parser): Expression {
  const start = parser.start;
  let left = parseProduct(parser);
  while (take(parser, '~')) left = binary(parser, start, '~', left, parseProduct(parser));
  return left;
}

function parseProduct(parser: Parser): Expression {
  const start = parser.start;
  let left = parsePower(parser);
  for (let { kind } = parser; kind === '*' || kind === '/' || kind === '//' || kind === '%'; kind = parser.kind) {
    advance(parser);
    left = binary(parser, start, kind, left, parsePower(parser));
  }
  return left;
}

function parsePower(parser: Parser): Expression {
  const start = parser.start;
  let left = parseOperand(parser);
  while (take(parser, '**')) left = binary(parser, start, '**', left, parseOperand(parser));
  return left;
}

function binary(
  parser: Parser,
  start: number,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
): Expression {
  return { kind: 'binary', span: since(parser, start), operator, left, right };
}
