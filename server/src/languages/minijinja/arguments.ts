/** The arguments of a call, a filter or a test. */
import type { Argument, Expression } from './ast.ts';
import type { TagParser } from './tag-parser.ts';

const LIMIT = 2000;
const KEYWORD_DEPTH_LIMIT = 300;

/** From the `(` at the current token to its `)`. */
export function parseArguments(parser: TagParser): Argument[] {
  const args: Argument[] = [];
  let named = false;
  parser.advance();
  while (parser.kind !== ')' && parser.kind !== 'failed') {
    const argument = parseArgument(parser);
    if (argument.kind === 'keyword' || argument.kind === 'keyword-splat') named = true;
    else if (named && argument.kind === 'positional') {
      const message = 'A positional argument cannot follow a keyword argument: move it to the front, or name it.';
      parser.fail('unexpected', argument.span, message);
    }
    args.push(argument);
    if (args.length > LIMIT) {
      parser.fail('unexpected', argument.span, `MiniJinja takes at most ${LIMIT} arguments: pass a list.`);
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
  if (splat) return { kind: splat, span: parser.since(start), value: first };
  // As in the engine `f((a)=1)` is `f(a=1)`.
  if (first.kind !== 'name' || !parser.take('=')) return positional(parser, start, first);
  const valueStart = parser.base + parser.start;
  const value = parseKeywordValue(parser);
  // Every version takes a conditional in parentheses, whose span starts behind the parenthesis.
  if (value.kind === 'conditional' && value.span.start === valueStart) {
    parser.noteNewer('conditional-keyword-argument', value.span);
  }
  return { kind: 'keyword', span: parser.since(start), name: { text: first.name, span: first.span }, value };
}

function parseKeywordValue(parser: TagParser): Expression {
  parser.keywordDepth++;
  if (parser.keywordDepth > KEYWORD_DEPTH_LIMIT) {
    parser.fail('too-deep', parser.here(), 'These calls are nested too deeply.');
  }
  const value = parser.conditional();
  parser.keywordDepth--;
  return value;
}

/** `start` is where the argument's first token stands, which a missing value does not reach. */
export function positional(parser: TagParser, start: number, value: Expression): Argument {
  return { kind: 'positional', span: value.kind === 'missing' ? value.span : parser.since(start), value };
}
