/**
 * The parser for expressions. The precedence is as in MiniJinja, lowest first: `if`/`else`, `or`, `and`, `not`,
 * comparisons, `+ -`, `~`, `* / // %`, `**`, operands. Every word can be a variable if an operand is expected. Chains
 * are parsed in loops, so that long chains do not overflow the stack.
 */
import { type Argument, type BinaryOperator, type Expression, type Literal, replacement } from './ast.ts';
import { numberValue, valueOfString } from './lexer.ts';
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

/**
 * Returns a parser for left-associative operators with the same precedence. `take` consumes the next operator, if any.
 */
const chain =
  (operand: Parse, take: (parser: TagParser) => BinaryOperator | undefined): Parse =>
  (parser) => {
    const { start } = parser;
    let left = operand(parser);
    for (let operator = take(parser); operator !== undefined; operator = take(parser)) {
      const right = operand(parser);
      left = { kind: 'binary', span: parser.spanSince(start), operator, left, right };
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
  // In a tag, `=` can start an assignment or a keyword argument, which other functions parse.
  if (parser.kind === '=' && parser.mode === 'expression' && parser.brackets.length === 0) {
    parser.failAssigning('An expression cannot assign a value. Write `==` to compare.');
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

/** Parses an expression without a conditional, as in `if`, and in `for … in`, where `if` can follow the expression. */
export const parseOr = chain(parseAnd, takeAny('or'));

/** Parses `value if condition else otherwise`. The value of `else` can be a conditional. */
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
    } else expression = { kind: 'conditional', span: parser.spanSince(start), value: expression, condition };
  }
  for (const part of pending.reverse()) {
    const { value, condition } = part;
    expression = { kind: 'conditional', span: parser.spanSince(part.start), value, condition, otherwise: expression };
  }
  return expression;
}

/**
 * Parses a name, literal or bracket, and the attributes, calls, filters and tests after it. Unary minus has a higher
 * precedence than an attribute, as in the engine: `-a.b` is `(-a).b`.
 */
function parseOperand(parser: TagParser): Expression {
  const { start } = parser;
  let expression = parseBare(parser);
  for (;;) {
    if (parser.take('|')) expression = parseFilter(parser, start, expression);
    else if (parser.takeWord('is')) expression = parseTest(parser, start, expression);
    else return expression;
  }
}

/** Parses an operand without filters and tests, such as the argument of a test without parentheses. */
function parseBare(parser: TagParser): Expression {
  const begin = parser.start;
  const signs: number[] = [];
  for (let { start } = parser; parser.take('-'); start = parser.start) signs.push(start);
  return parsePostfix(parser, begin, prefixed(parser, signs, '-', parser.nested(parsePrimary)));
}

/** Adds unary operators to an operand. `starts` contains the offsets of the operators, innermost last. */
function prefixed(
  parser: TagParser,
  starts: readonly number[],
  operator: 'not' | '-',
  operand: Expression,
): Expression {
  return starts.reduceRight(
    (inner, start): Expression => ({ kind: 'unary', span: parser.spanSince(start), operator, operand: inner }),
    operand,
  );
}

function parsePostfix(parser: TagParser, start: number, primary: Expression): Expression {
  let expression = primary;
  for (;;) {
    if (parser.take('.')) {
      refuseDottedIndex(parser);
      const name = parser.expectName('the name of an attribute after `.`');
      expression = { kind: 'attribute', span: parser.spanSince(start), receiver: expression, name };
    } else if (parser.kind === '(') {
      const args = parseArguments(parser);
      expression = { kind: 'call', span: parser.spanSince(start), callee: expression, args };
    } else if (parser.take('[')) expression = parseSubscript(parser, start, expression);
    else return expression;
  }
}

function refuseDottedIndex(parser: TagParser): void {
  if (parser.kind !== 'number') return;
  // In `people.0.name`, the number token is `0.`, and in `rows.0.1` it is `0.1`.
  const written = parser.text.slice(parser.start, parser.end).replace(/\.$/, '');
  const end = parser.start + written.length;
  const right = written.split('.').map((index) => `[${index}]`);
  const message = `\`.${written}\` requires MiniJinja 2.18 or later. Write \`${right.join('')}\`.`;
  const fix = replacement(parser.spanAt(parser.lastEnd - 1, end), right.join(''));
  const isIndex = /^\d+(?:\.\d+)*$/.test(written);
  parser.fail('newer-syntax', parser.spanAt(parser.start, end), message, isIndex ? { fix } : {});
}

function parseSubscript(parser: TagParser, begin: number, receiver: Expression): Expression {
  if (parser.kind === ']') parser.failHere('an index or a slice between `[` and `]`');
  const start = parser.kind === ':' ? undefined : parser.expression();
  if (!parser.take(':')) {
    parser.expect(']', '`]`');
    return { kind: 'item', span: parser.spanSince(begin), receiver, index: start ?? parser.missing() };
  }
  const stop = parser.kind === ']' || parser.kind === ':' ? undefined : parser.expression();
  const step = parser.take(':') && !parser.is(']') ? parser.expression() : undefined;
  parser.expect(']', '`]`');
  const parts = { ...(start && { start }), ...(stop && { stop }), ...(step && { step }) };
  return { kind: 'slice', span: parser.spanSince(begin), receiver, ...parts };
}

/** Parses a filter, beginning at its name. `input` is absent if the text of a block is filtered. */
function parseFilter(parser: TagParser, start: number, input: Expression | undefined): Expression {
  const name = parser.expectName('the name of a filter after `|`');
  refuseDottedName(parser, 'filter');
  const args = parser.kind === '(' ? parseArguments(parser) : [];
  return { kind: 'filter', span: parser.spanSince(start), ...(input && { input }), name, args };
}

function refuseDottedName(parser: TagParser, noun: 'filter' | 'test'): void {
  if (parser.kind !== '.') return;
  const message = `A dot in the name of a ${noun} requires MiniJinja 2.18 or later. For an attribute of the result, add parentheses: \`(a | b).c\`.`;
  parser.fail('newer-syntax', parser.tokenSpan(), message);
}

/** Parses the filters of `{% filter %}` and `{% set x | … %}`, such as `upper | trim(…)`, up to the end of the tag. */
export function parseFilterChain(parser: TagParser): Expression {
  const { start } = parser;
  if (parser.kind !== 'name') {
    parser.failHere('the name of a filter');
    return parser.missing();
  }
  let expression = parseFilter(parser, start, undefined);
  while (parser.take('|')) expression = parseFilter(parser, start, expression);
  return expression;
}

/** Parses a test after its `is`. */
function parseTest(parser: TagParser, start: number, input: Expression): Expression {
  const negated = parser.takeWord('not');
  const name = parser.expectName(`the name of a test after \`${negated ? 'is not' : 'is'}\``);
  refuseDottedName(parser, 'test');
  const first = parser.start;
  const args = parser.kind === '(' ? parseArguments(parser) : [];
  if (first === parser.start && takesBareArgument(parser)) args.push(positional(parser, first, parseBare(parser)));
  return { kind: 'test', span: parser.spanSince(start), input, negated, name, args };
}

/**
 * Returns true if an argument without parentheses follows a test. `if` and `in` start such an argument, as in the
 * engine.
 */
const takesBareArgument = ({ kind, word }: TagParser): boolean =>
  kind === 'name' ? !['and', 'or', 'else', 'is'].includes(word) : BARE_ARGUMENTS.has(kind);

const BARE_ARGUMENTS: ReadonlySet<string> = new Set(['string', 'number', '+', '-', '[', '{']);

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

function parsePrimary(parser: TagParser): Expression {
  const { kind, start, end, word, text } = parser;
  const span = parser.tokenSpan();
  switch (kind) {
    case 'string':
      return parseStrings(parser);
    case 'name': {
      parser.advance();
      const value = CONSTANTS.get(word);
      return value === undefined ? { kind: 'name', span, name: word } : { kind: 'literal', span, value };
    }
    case 'number':
      parser.advance();
      return { kind: 'literal', span, value: numberValue(text.slice(start, end)).value };
    case '(':
      return parseParentheses(parser);
    case '[':
      return parseList(parser);
    case '{':
      return parseDict(parser);
    default:
      parser.failHere('an expression');
      return parser.missing();
  }
}

/** Parses adjacent strings as one literal. */
function parseStrings(parser: TagParser): Literal {
  const { text, start } = parser;
  let value = '';
  let content: Literal['content'];
  for (let pieces = 1; parser.kind === 'string'; pieces++) {
    const isClosed = parser.end - parser.start > 1 && text[parser.end - 1] === text[parser.start];
    const [from, to] = [parser.start + 1, isClosed ? parser.end - 1 : parser.end];
    content = pieces === 1 ? parser.spanAt(from, to) : undefined;
    value += valueOfString(text.slice(from, to)).value;
    parser.advance();
  }
  return { kind: 'literal', span: parser.spanSince(start), value, ...(content && { content }) };
}

/** Parses parentheses, which have no node unless they contain a tuple. */
function parseParentheses(parser: TagParser): Expression {
  const { start } = parser;
  parser.advance();
  if (parser.take(')')) return { kind: 'tuple', span: parser.spanSince(start), items: [] };
  const first = parser.expression();
  if (parser.kind !== ',') {
    parser.expect(')', '`)`');
    return first;
  }
  const items = [first];
  while (parser.take(',') && !parser.is(')')) items.push(parser.expression());
  parser.expect(')', '`,` or `)`');
  return { kind: 'tuple', span: parser.spanSince(start), items };
}

function parseList(parser: TagParser): Expression {
  const { start } = parser;
  parser.advance();
  const items: Expression[] = [];
  while (parser.kind !== ']') {
    items.push(parser.expression());
    if (!parser.take(',')) break;
  }
  parser.expect(']', '`,` or `]`');
  return { kind: 'list', span: parser.spanSince(start), items };
}

function parseDict(parser: TagParser): Expression {
  const { start } = parser;
  parser.advance();
  const entries: { key: Expression; value: Expression }[] = [];
  while (parser.kind !== '}') {
    const key = parser.expression();
    parser.expect(':', '`:` and a value after the key');
    entries.push({ key, value: parser.is('failed') ? parser.missing() : parser.expression() });
    if (!parser.take(',')) break;
  }
  parser.expect('}', '`,` or `}`');
  return { kind: 'dict', span: parser.spanSince(start), entries };
}

// The arguments of a call, a filter or a test.

const LIMIT = 2000;
const KEYWORD_DEPTH_LIMIT = 300;

/** Parses arguments from the current `(` to its `)`. */
function parseArguments(parser: TagParser): Argument[] {
  const args: Argument[] = [];
  let named = false;
  parser.advance();
  while (parser.kind !== ')' && parser.kind !== 'failed') {
    const argument = parseArgument(parser);
    if (argument.kind === 'keyword' || argument.kind === 'keyword-splat') named = true;
    else if (named && argument.kind === 'positional') {
      const message =
        'A positional argument cannot follow a keyword argument. Move it before the keyword arguments, or add its name.';
      parser.fail('unexpected', argument.span, message);
    }
    args.push(argument);
    if (args.length > LIMIT) {
      parser.fail('unexpected', argument.span, `MiniJinja accepts at most ${LIMIT} arguments. Pass a list.`);
    }
    if (!parser.take(',')) break;
  }
  parser.expect(')', '`,` or `)`');
  return args;
}

function parseArgument(parser: TagParser): Argument {
  const { start } = parser;
  const splat = parser.take('**') ? 'keyword-splat' : parser.take('*') ? 'splat' : undefined;
  const first = parser.expression();
  if (splat) return { kind: splat, span: parser.spanSince(start), value: first };
  // The engine reads `f((a)=1)` as `f(a=1)`.
  if (first.kind !== 'name' || !parser.take('=')) return positional(parser, start, first);
  const valueStart = parser.base + parser.start;
  const value = parseKeywordValue(parser);
  // Every version accepts a conditional in parentheses, whose span starts after the parenthesis.
  if (value.kind === 'conditional' && value.span.start === valueStart) {
    parser.recordNewerSyntax('conditional-keyword-argument', value.span);
  }
  return { kind: 'keyword', span: parser.spanSince(start), name: { text: first.name, span: first.span }, value };
}

function parseKeywordValue(parser: TagParser): Expression {
  parser.keywordDepth++;
  if (parser.keywordDepth > KEYWORD_DEPTH_LIMIT) {
    parser.fail('too-deep', parser.tokenSpan(), 'Calls are nested too deeply. Move a part into a `{% set %}`.');
  }
  const value = parser.conditional();
  parser.keywordDepth--;
  return value;
}

/** Returns a positional argument. `start` is the offset of its first token. Without a value, the span is empty. */
function positional(parser: TagParser, start: number, value: Expression): Argument {
  return { kind: 'positional', span: value.kind === 'missing' ? value.span : parser.spanSince(start), value };
}
