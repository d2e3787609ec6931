/** Operands: names, literals and brackets, with the attributes, calls, filters and tests that follow them. */
import { parseArguments, positional } from './arguments.ts';
import type { Expression, Literal } from './ast.ts';
import { advance } from './lexer.ts';
import { numberValue, valueOfString } from './literals.ts';
import {
  at,
  enter,
  expect,
  expectName,
  fail,
  failHere,
  isToken,
  isWord,
  leave,
  missing,
  type Parser,
  since,
  take,
  takeWord,
} from './state.ts';

export function parseOperand(parser: Parser): Expression {
  const { start } = parser;
  return parseFilters(parser, start, parsePostfix(parser, start, parseSigned(parser)));
}

/** An operand with its minus signs, attributes and so on, but no filters or tests: what a test takes bare. */
function parseBareArgument(parser: Parser): Expression {
  const { start } = parser;
  return parsePostfix(parser, start, parseSigned(parser));
}

function parseSigned(parser: Parser): Expression {
  if (parser.kind !== '-') return parsePrimary(parser);
  const starts: number[] = [];
  while (parser.kind === '-') {
    starts.push(parser.start);
    advance(parser);
  }
  return prefixed(parser, starts, '-', parsePrimary(parser));
}

/** An operand behind its signs, the innermost sign last. */
export function prefixed(parser: Parser, starts: number[], sign: 'not' | '-', operand: Expression): Expression {
  let expression = operand;
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    expression = { kind: 'unary', span: since(parser, start), operator: sign, operand: expression };
  }
  return expression;
}

function parsePostfix(parser: Parser, start: number, primary: Expression): Expression {
  let expression = primary;
  for (;;) {
    if (take(parser, '.')) {
      refuseDottedIndex(parser);
      const name = expectName(parser, 'the name of an attribute after `.`');
      expression = { kind: 'attribute', span: since(parser, start), receiver: expression, name };
    } else if (parser.kind === '(') {
      const args = parseArguments(parser);
      expression = { kind: 'call', span: since(parser, start), callee: expression, args };
    } else if (take(parser, '[')) expression = parseSubscript(parser, start, expression);
    else return expression;
  }
}

function refuseDottedIndex(parser: Parser): void {
  if (parser.kind !== 'number') return;
  const place = at(parser, parser.start, parser.end);
  const written = parser.text.slice(parser.start, parser.end);
  const message = `\`.${written}\` needs MiniJinja 2.18 or later: write \`[${written}]\`, which every version takes.`;
  const edit = { span: at(parser, parser.lastEnd - 1, parser.end), newText: `[${written}]` };
  fail(
    parser,
    'newer-syntax',
    place,
    message,
    /^\d+$/.test(written) ? { fix: { title: `Replace with \`[${written}]\``, edit } } : {},
  );
}

function parseSubscript(parser: Parser, begin: number, receiver: Expression): Expression {
  if (parser.kind === ']') failHere(parser, 'an index or a slice between `[` and `]`');
  const start = parser.kind === ':' ? undefined : parser.grammar.expression(parser);
  if (!take(parser, ':')) {
    expect(parser, ']', '`]`');
    return { kind: 'item', span: since(parser, begin), receiver, index: start ?? missing(parser) };
  }
  const stop = parser.kind === ']' || parser.kind === ':' ? undefined : parser.grammar.expression(parser);
  const step = take(parser, ':') && parser.kind !== ']' ? parser.grammar.expression(parser) : undefined;
  expect(parser, ']', '`]`');
  return {
    kind: 'slice',
    span: since(parser, begin),
    receiver,
    ...(start && { start }),
    ...(stop && { stop }),
    ...(step && { step }),
  };
}

function parseFilters(parser: Parser, start: number, input: Expression): Expression {
  let expression = input;
  for (;;) {
    if (parser.kind === '|') expression = parseFilter(parser, start, expression);
    else if (isWord(parser, 'is')) expression = parseTest(parser, start, expression);
    else return expression;
  }
}

/** A filter with the `|` before it; `input` is absent where a block's text is filtered. */
function parseFilter(parser: Parser, start: number, input: Expression): Expression {
  advance(parser);
  return filterCall(parser, start, input);
}

function filterCall(parser: Parser, start: number, input: Expression | undefined): Expression {
  const name = expectName(parser, 'the name of a filter after `|`');
  refuseDottedName(parser, 'filter');
  const args = parser.kind === '(' ? parseArguments(parser) : [];
  return { kind: 'filter', span: since(parser, start), ...(input && { input }), name, args };
}

function refuseDottedName(parser: Parser, what: string): void {
  if (parser.kind !== '.') return;
  const place = at(parser, parser.start, parser.end);
  const message = `A dot in the name of a ${what} needs MiniJinja 2.18 or later. To take an attribute of the result, put parentheses around what stands before the dot.`;
  fail(parser, 'newer-syntax', place, message);
}

/** `upper | trim(…)`, as `{% filter %}` and `{% set x | … %}` take it, up to the end of the tag. */
export function parseFilterChain(parser: Parser): Expression {
  const { start } = parser;
  if (parser.kind !== 'name') {
    failHere(parser, 'the name of a filter');
    return missing(parser);
  }
  let expression = filterCall(parser, start, undefined);
  while (take(parser, '|')) expression = filterCall(parser, start, expression);
  return expression;
}

function parseTest(parser: Parser, start: number, input: Expression): Expression {
  advance(parser);
  const negated = takeWord(parser, 'not');
  const name = expectName(parser, `the name of a test after \`${negated ? 'is not' : 'is'}\``);
  refuseDottedName(parser, 'test');
  const first = parser.start;
  const args = parser.kind === '(' ? parseArguments(parser) : [];
  if (first === parser.start && takesBareArgument(parser))
    args.push(positional(parser, first, parseBareArgument(parser)));
  return { kind: 'test', span: since(parser, start), input, negated, name, args };
}

/** Whether a test's single argument follows without parentheses. `if` and `in` do begin one, in the engine too. */
function takesBareArgument({ kind, word }: Parser): boolean {
  switch (kind) {
    case 'name':
      return word !== 'and' && word !== 'or' && word !== 'else' && word !== 'is';
    case 'string':
    case 'number':
    case '+':
    case '-':
    case '[':
    case '{':
      return true;
    default:
      return false;
  }
}

function parsePrimary(parser: Parser): Expression {
  enter(parser);
  const expression = parsePrimaryInside(parser);
  leave(parser);
  return expression;
}

function parsePrimaryInside(parser: Parser): Expression {
  const { kind, start, end, word } = parser;
  switch (kind) {
    case 'name': {
      advance(parser);
      const value = CONSTANTS.get(word);
      if (value === undefined) return { kind: 'name', span: at(parser, start, end), name: word };
      return { kind: 'literal', span: at(parser, start, end), value };
    }
    case 'string':
      return parseStrings(parser);
    case 'number':
      advance(parser);
      return { kind: 'literal', span: at(parser, start, end), value: numberValue(parser.text.slice(start, end)).value };
    case '(':
      advance(parser);
      return parseParentheses(parser, start);
    case '[':
      advance(parser);
      return parseList(parser, start);
    case '{':
      advance(parser);
      return parseDict(parser, start);
    default:
      failHere(parser, 'an expression');
      return missing(parser);
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

/** Adjacent strings are one. */
function parseStrings(parser: Parser): Literal {
  const { start, end } = parser;
  let value = '';
  let pieces = 0;
  while (parser.kind === 'string') {
    const closed = parser.end - parser.start > 1 && parser.text[parser.end - 1] === parser.text[parser.start];
    const content = parser.text.slice(parser.start + 1, closed ? parser.end - 1 : parser.end);
    value += content.includes('\\') ? valueOfString(content).value : content;
    pieces++;
    advance(parser);
    if (pieces > 1) continue;
    if (parser.kind !== 'string') {
      const content = at(parser, start + 1, closed ? end - 1 : end);
      return { kind: 'literal', span: at(parser, start, end), value, content };
    }
  }
  return { kind: 'literal', span: since(parser, start), value };
}

/** Parentheses leave no node of their own, except around a tuple. */
function parseParentheses(parser: Parser, start: number): Expression {
  if (take(parser, ')')) return { kind: 'tuple', span: since(parser, start), items: [] };
  const first = parser.grammar.expression(parser);
  if (parser.kind !== ',') {
    expect(parser, ')', '`)`');
    return first;
  }
  const items = [first];
  while (take(parser, ',') && !isToken(parser, ')')) items.push(parser.grammar.expression(parser));
  expect(parser, ')', '`,` or `)`');
  return { kind: 'tuple', span: since(parser, start), items };
}

function parseList(parser: Parser, start: number): Expression {
  const items: Expression[] = [];
  if (parser.kind !== ']') {
    items.push(parser.grammar.expression(parser));
    while (take(parser, ',') && !isToken(parser, ']')) items.push(parser.grammar.expression(parser));
  }
  expect(parser, ']', '`,` or `]`');
  return { kind: 'list', span: since(parser, start), items };
}

function parseDict(parser: Parser, start: number): Expression {
  const entries: { key: Expression; value: Expression }[] = [];
  while (parser.kind !== '}') {
    const key = parser.grammar.expression(parser);
    expect(parser, ':', '`:` and a value after the key');
    entries.push({ key, value: parser.kind === 'failed' ? missing(parser) : parser.grammar.expression(parser) });
    if (!take(parser, ',')) break;
  }
  expect(parser, '}', '`,` or `}`');
  return { kind: 'dict', span: since(parser, start), entries };
}
