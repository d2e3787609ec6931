/**
 * Expressions, by MiniJinja's grammar, from the loosest operator to the tightest: `if`/`else`, `or`, `and`, `not`,
 * comparisons, `+ -`, `~`, `* / // %`, `**`; `operands.ts` has the rest. As in the engine every word may be a variable
 * where an operand is expected. Repetition is a loop, so that long chains do not exhaust the stack.
 */
import type { BinaryOperator, Expression } from './ast.ts';
import { parseOperand, prefixed } from './operands.ts';
import { TagParser } from './tag-parser.ts';

export class Parser extends TagParser {
  expression(): Expression {
    return this.nested(parseConditional);
  }

  conditional(): Expression {
    return parseConditional(this);
  }
}

type Parse = (parser: TagParser) => Expression;

/** Operands joined by operators of one level, from left to right; `take` consumes such an operator if one follows. */
const chain =
  (operand: Parse, take: (parser: TagParser) => BinaryOperator | undefined): Parse =>
  (parser) => {
    const { start } = parser;
    let left = operand(parser);
    for (let operator = take(parser); operator !== undefined; operator = take(parser)) {
      const right = operand(parser);
      left = { kind: 'binary', span: parser.since(start), operator, left, right };
    }
    return left;
  };

const takeAny =
  (...operators: readonly BinaryOperator[]) =>
  (parser: TagParser): BinaryOperator | undefined => {
    const written = parser.kind === 'name' ? parser.word : parser.kind;
    const operator = operators.find((one) => one === written);
    if (operator !== undefined) parser.advance();
    return operator;
  };

const takeSymbol = takeAny('==', '!=', '<', '<=', '>', '>=', 'in');

function takeComparison(parser: TagParser): BinaryOperator | undefined {
  // In a tag an assignment or a keyword argument may follow, and those who read them look after it.
  if (parser.kind === '=' && parser.mode === 'expression' && parser.brackets.length === 0) {
    parser.failAssigning('An expression cannot assign: write `==` to compare.');
  }
  if (!parser.takeWord('not')) return takeSymbol(parser);
  if (!parser.takeWord('in')) parser.failHere('`in` after `not`');
  return 'not in';
}

const parsePower = chain(parseOperand, takeAny('**'));
const parseProduct = chain(parsePower, takeAny('*', '/', '//', '%'));
const parseConcatenation = chain(parseProduct, takeAny('~'));
const parseSum = chain(parseConcatenation, takeAny('+', '-'));
const parseComparison = chain(parseSum, takeComparison);

function parseNot(parser: TagParser): Expression {
  const starts: number[] = [];
  for (let { start } = parser; parser.takeWord('not'); start = parser.start) starts.push(start);
  return prefixed(parser, starts, 'not', parseComparison(parser));
}

const parseAnd = chain(parseNot, takeAny('and'));

/** An expression without a conditional: what `if` and `for … in` take, since `if` may follow. */
export const parseOr = chain(parseAnd, takeAny('or'));

/** `value if condition else otherwise`; the value of an `else` may be a conditional itself. */
function parseConditional(parser: TagParser): Expression {
  const pending: { start: number; value: Expression; condition: Expression }[] = [];
  let { start } = parser;
  let expression = parseOr(parser);
  while (parser.takeWord('if')) {
    const condition = parseOr(parser);
    if (parser.takeWord('else')) {
      pending.push({ start, value: expression, condition });
      start = parser.start;
      expression = parseOr(parser);
    } else expression = { kind: 'conditional', span: parser.since(start), value: expression, condition };
  }
  for (const part of pending.reverse()) {
    const { value, condition } = part;
    expression = { kind: 'conditional', span: parser.since(part.start), value, condition, otherwise: expression };
  }
  return expression;
}
