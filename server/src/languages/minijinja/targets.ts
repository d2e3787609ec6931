/** What `set`, `for`, `with`, macros and imports bind names to. */
import type { Expression, Name, Target } from './ast.ts';
import { at, DEPTH_LIMIT, describe, expect, expectName, fail, isWord, type Parser, since, take } from './state.ts';

const RESERVED: ReadonlySet<string> = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'loop', 'self']);

/** A name that may be assigned to. */
export function parseBoundName(parser: Parser): Name {
  if (parser.kind === 'name' && RESERVED.has(parser.word)) {
    const { word, start, end } = parser;
    const span = at(parser, start, end);
    fail(parser, 'reserved-name', span, `\`${word}\` is reserved: choose another name.`);
    return { text: word, span };
  }
  return expectName(parser, 'a name');
}

function nameTarget(parser: Parser): Target {
  const { text, span } = parseBoundName(parser);
  return { kind: 'name', span, name: text };
}

/** `a`, `a, b`, `(a, (b, c))` or nothing at all, which the engine accepts and unpacks into no names. */
export function parseAssignment(parser: Parser, nesting = 0): Target {
  const { start } = parser;
  const items: Target[] = [];
  let unpacks = false;
  while (!endsTargets(parser)) {
    items.push(take(parser, '(') ? parseNested(parser, nesting) : nameTarget(parser));
    if (!take(parser, ',')) break;
    unpacks = true;
  }
  const [only] = items;
  if (only !== undefined && !unpacks) return only;
  return { kind: 'targets', span: items.length === 0 ? at(parser, start, start) : since(parser, start), items };
}

function endsTargets(parser: Parser): boolean {
  return parser.kind === ')' || parser.kind === 'end' || parser.kind === 'failed' || isWord(parser, 'in');
}

function parseNested(parser: Parser, nesting: number): Target {
  if (nesting > DEPTH_LIMIT) {
    fail(parser, 'too-deep', at(parser, parser.start, parser.end), 'These names are nested too deeply to unpack.');
  }
  const target = parseAssignment(parser, nesting + 1);
  expect(parser, ')', '`,` or `)`');
  return target;
}

/** The target of `with`: one name, or several in parentheses. */
export function parseWithTarget(parser: Parser): Target {
  return take(parser, '(') ? parseNested(parser, 0) : nameTarget(parser);
}

/** The target of `set`; `unpacks` where it stands in parentheses, and cannot begin a block then. */
export function parseSetTarget(parser: Parser): { readonly target: Target; readonly unpacks: boolean } {
  if (take(parser, '(')) return { target: parseNested(parser, 0), unpacks: true };
  const { start } = parser;
  let target = nameTarget(parser);
  while (take(parser, '.')) {
    const name = expectName(parser, 'the name of an attribute after `.`');
    target = { kind: 'attribute', span: since(parser, start), receiver: receiverOf(target), name };
  }
  if (parser.kind === ',') {
    const message =
      'Unpacking without parentheses needs MiniJinja 2.14 or later: put the names in parentheses, `{% set (a, b) = … %}`.';
    fail(parser, 'newer-syntax', at(parser, parser.start, parser.end), message);
  }
  return { target, unpacks: false };
}

function receiverOf(target: Target): Expression {
  if (target.kind === 'name') return target;
  if (target.kind === 'attribute') return target;
  return { kind: 'missing', span: target.span };
}

/** The engine reads any expression behind `as`; only what can be assigned to survives its compiler. */
export function parseImportTarget(parser: Parser, parse: (parser: Parser) => Expression): Target {
  const { start } = parser;
  const found = describe(parser);
  const target = targetOf(parse(parser));
  if (target !== undefined) return target;
  const span = since(parser, start);
  fail(parser, 'unexpected', span, `Expected a name after \`as\`, found ${found}.`);
  return { kind: 'name', span, name: '' };
}

function targetOf(expression: Expression): Target | undefined {
  switch (expression.kind) {
    case 'name':
      return expression;
    case 'attribute':
      return expression;
    case 'list':
    case 'tuple': {
      const items = expression.items.map(targetOf);
      return items.includes(undefined) ? undefined : { ...expression, kind: 'targets', items: items as Target[] };
    }
    default:
      return undefined;
  }
}
