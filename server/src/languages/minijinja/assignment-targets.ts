/** What `set`, `for`, `with`, macros and imports bind names to. */
import type { Attribute, Expression, Name, NameExpression, Target } from './ast.ts';
import { DEPTH_LIMIT, type TagParser } from './tag-parser.ts';

const RESERVED: ReadonlySet<string> = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'loop', 'self']);

/** A name that may be assigned to. */
export function parseBoundName(parser: TagParser): Name {
  if (parser.kind === 'name' && RESERVED.has(parser.word)) {
    const { word } = parser;
    const span = parser.here();
    parser.fail('reserved-name', span, `\`${word}\` is reserved: choose another name.`);
    return { text: word, span };
  }
  return parser.expectName('a name');
}

function nameTarget(parser: TagParser): NameExpression {
  const { text, span } = parseBoundName(parser);
  return { kind: 'name', span, name: text };
}

/** `a`, `a, b`, `(a, (b, c))` or nothing at all, which the engine accepts and unpacks into no names. */
export function parseAssignment(parser: TagParser, nesting = 0): Target {
  const { start } = parser;
  const items: Target[] = [];
  let unpacks = false;
  while (!endsTargets(parser)) {
    items.push(parser.take('(') ? parseNested(parser, nesting) : nameTarget(parser));
    if (!parser.take(',')) break;
    unpacks = true;
  }
  const [only] = items;
  if (only !== undefined && !unpacks) return only;
  return { kind: 'targets', span: items.length === 0 ? parser.at(start, start) : parser.since(start), items };
}

function endsTargets(parser: TagParser): boolean {
  return parser.kind === ')' || parser.kind === 'end' || parser.kind === 'failed' || parser.isWord('in');
}

function parseNested(parser: TagParser, nesting: number): Target {
  if (nesting > DEPTH_LIMIT) {
    parser.fail('too-deep', parser.here(), 'These names are nested too deeply to unpack.');
  }
  const target = parseAssignment(parser, nesting + 1);
  parser.expect(')', '`,` or `)`');
  return target;
}

/** The target of `with`: one name, or several in parentheses. */
export function parseWithTarget(parser: TagParser): Target {
  return parser.take('(') ? parseNested(parser, 0) : nameTarget(parser);
}

/** The target of `set`; `unpacks` where it stands in parentheses, and cannot begin a block then. */
export function parseSetTarget(parser: TagParser): { readonly target: Target; readonly unpacks: boolean } {
  if (parser.take('(')) return { target: parseNested(parser, 0), unpacks: true };
  const { start } = parser;
  let target: NameExpression | Attribute = nameTarget(parser);
  while (parser.take('.')) {
    const name = parser.expectName('the name of an attribute after `.`');
    target = { kind: 'attribute', span: parser.since(start), receiver: target, name };
  }
  if (parser.kind === ',') {
    const message =
      'Unpacking without parentheses needs MiniJinja 2.14 or later: put the names in parentheses, `{% set (a, b) = … %}`.';
    parser.fail('newer-syntax', parser.here(), message);
  }
  return { target, unpacks: false };
}

/** The engine reads any expression behind `as`; only what can be assigned to survives its compiler. */
export function parseImportTarget(parser: TagParser): Target {
  const { start } = parser;
  const found = parser.describe();
  const target = targetOf(parser.expression());
  if (target !== undefined) return target;
  const span = parser.since(start);
  parser.fail('unexpected', span, `Expected a name after \`as\`, found ${found}.`);
  return { kind: 'name', span, name: '' };
}

function targetOf(expression: Expression): Target | undefined {
  switch (expression.kind) {
    case 'name':
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
