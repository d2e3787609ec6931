/** The arguments of a call, a filter or a test. */
import type { Argument, Expression } from './ast.ts';
import { advance } from './lexer.ts';
import { at, expect, fail, noteNewer, type Parser, since, take } from './state.ts';

const LIMIT = 2000;

/** From the `(` at the current token to its `)`. */
export function parseArguments(parser: Parser): Argument[] {
  const args: Argument[] = [];
  let named = false;
  advance(parser);
  while (parser.kind !== ')' && parser.kind !== 'failed') {
    const argument = parseArgument(parser);
    if (argument.kind === 'keyword' || argument.kind === 'keyword-splat') named = true;
    else if (named && argument.kind === 'positional') refuseOrder(parser, argument);
    args.push(argument);
    if (args.length > LIMIT) {
      fail(parser, 'unexpected', argument.span, `MiniJinja takes at most ${LIMIT} arguments: pass a list.`);
    }
    if (!take(parser, ',')) break;
  }
  expect(parser, ')', '`,` or `)`');
  return args;
}

function refuseOrder(parser: Parser, argument: Argument): void {
  const message = 'A positional argument cannot follow a keyword argument: move it to the front, or name it.';
  fail(parser, 'unexpected', argument.span, message);
}

function parseArgument(parser: Parser): Argument {
  const { start } = parser;
  if (take(parser, '**')) {
    const value = parser.grammar.expression(parser);
    return { kind: 'keyword-splat', span: since(parser, start), value };
  }
  if (take(parser, '*')) {
    const value = parser.grammar.expression(parser);
    return { kind: 'splat', span: since(parser, start), value };
  }
  const first = parser.grammar.expression(parser);
  // The engine asks only that the name be a variable: `f((a)=1)` is `f(a=1)`.
  if (first.kind !== 'name' || parser.kind !== '=') return positional(parser, start, first);
  advance(parser);
  const valueStart = at(parser, parser.start, parser.start).start;
  const value = parseKeywordValue(parser);
  // In parentheses a conditional has always been allowed; its span then starts behind the parenthesis.
  if (value.kind === 'conditional' && value.span.start === valueStart)
    noteNewer(parser, 'conditional-keyword-argument', value.span);
  const name = { text: first.name, span: first.span };
  return { kind: 'keyword', span: since(parser, start), name, value };
}

const KEYWORD_DEPTH_LIMIT = 300;

function parseKeywordValue(parser: Parser): Expression {
  parser.keywordDepth++;
  if (parser.keywordDepth > KEYWORD_DEPTH_LIMIT) {
    fail(parser, 'too-deep', at(parser, parser.start, parser.end), 'These calls are nested too deeply.');
  }
  const value = parser.grammar.conditional(parser);
  parser.keywordDepth--;
  return value;
}

/** `start` is where the argument's first token stands, which a missing value does not reach. */
export function positional(parser: Parser, start: number, value: Expression): Argument {
  return { kind: 'positional', span: value.kind === 'missing' ? value.span : since(parser, start), value };
}
