/** The parser for `{% … %}` tags, without their closers. `tree-builder.ts` checks the tags against the open blocks. */
import type * as ast from './ast.ts';
import {
  type AssignmentTarget,
  type Attribute,
  type Expression,
  type Name,
  type NameExpression,
  type Node,
  type Parameter,
  replacement,
} from './ast.ts';
import { parseFilterChain, parseOr } from './expressions.ts';
import { type BlockKind, closedBy, nearestStatement } from './keywords.ts';
import { DEPTH_LIMIT, type TagParser } from './tag-parser.ts';

export type Head = OpeningHead | SimpleHead | DividingHead | EndHead | UnknownHead;

/** The part of a node that its first tag defines. */
type HeadOf<Begun> = Begun extends Node ? Omit<Begun, 'span' | 'tag' | 'body' | 'otherwise'> : never;

/** A tag that opens a block. */
export type OpeningHead =
  | { readonly kind: 'if'; readonly condition: Expression }
  | HeadOf<ast.For | ast.SetBlock | ast.With | ast.FilterBlock | ast.Autoescape>
  | HeadOf<ast.Macro | ast.CallBlock | ast.TemplateBlock>;

/** A tag that is a complete node. */
export type SimpleHead = HeadOf<
  ast.Set | ast.Extends | ast.Include | ast.Import | ast.FromImport | ast.Do | ast.LoopControl
>;

type DividingHead =
  | { readonly kind: 'else'; readonly word: Name }
  | { readonly kind: 'elif'; readonly word: Name; readonly condition: Expression };

/** A tag that closes a block. `trailing` is the optional name after `endblock`. */
export interface EndHead {
  readonly kind: 'end';
  readonly word: Name;
  readonly closes: BlockKind;
  readonly trailing?: Name;
}

/** A tag with an unknown statement. `meant` is its most probable correction. */
interface UnknownHead {
  readonly kind: 'unknown';
  readonly word: Name;
  readonly meant?: string;
}

/** Parses a tag from its first token. Records problems in the parser. */
export function parseHead(parser: TagParser): Head {
  const { kind, word, start } = parser;
  if (kind !== 'name') {
    parser.failHere('a statement such as `if`, `for` or `set`');
    return { kind: 'unknown', word: { text: '', span: parser.spanAt(start, start) } };
  }
  const name: Name = { text: word, span: parser.tokenSpan() };
  const closes = closedBy(word);
  if (closes !== undefined) return parseEnd(parser, name, closes);
  if (word === 'else' || word === 'elif') return parseDivision(parser, name);
  const read = STATEMENTS.get(word);
  if (read === undefined) return refuseUnknown(parser, name);
  return parser.nested(() => {
    parser.advance();
    return read(parser);
  });
}

function parseEnd(parser: TagParser, word: Name, closes: BlockKind): Head {
  parser.advance();
  if (closes !== 'block' || parser.kind !== 'name') return { kind: 'end', word, closes };
  return { kind: 'end', word, closes, trailing: parser.expectName('a name') };
}

function parseDivision(parser: TagParser, word: Name): Head {
  parser.advance();
  if (word.text === 'elif') return { kind: 'elif', word, condition: parseOr(parser) };
  if (!parser.isWord('if')) return { kind: 'else', word };
  const place = { start: word.span.start, end: parser.base + parser.end };
  const message = 'MiniJinja has no `else if`. Write `elif`.';
  parser.fail('unexpected', place, message, { fix: replacement(place, 'elif') });
  return { kind: 'elif', word, condition: parser.missing() };
}

function refuseUnknown(parser: TagParser, word: Name): Head {
  const { text, span } = word;
  if (text === 'raw' || text === 'endraw') {
    const message =
      text === 'raw'
        ? '`{% raw %}` accepts no arguments. Remove the text after `raw`.'
        : '`endraw` has no matching `{% raw %}`. Remove the tag.';
    parser.fail('stray-tag', span, message);
    return { kind: 'unknown', word };
  }
  const meant = nearestStatement(text, parser.openBlock);
  const message = `MiniJinja has no statement \`${text.slice(0, 40)}\``;
  if (meant === undefined) {
    parser.fail('unknown-tag', span, `${message}.`);
    return { kind: 'unknown', word };
  }
  // `not` would belong only to the first operand of `and` and `or`.
  const isNegated = text.toLowerCase() === 'unless';
  const written = isNegated ? 'if not' : meant;
  const isFixable =
    !isNegated ||
    !/^[^%]*(?:\b(?:and|or|if)\b|&&|\|\|)/.test(
      parser.text.slice(span.end - parser.base, span.end - parser.base + 500),
    );
  parser.fail('unknown-tag', span, `${message}. Did you mean \`${written}\`?`, {
    ...(isFixable && { fix: replacement(span, written) }),
  });
  return { kind: 'unknown', word, meant };
}

const STATEMENTS: ReadonlyMap<string, (parser: TagParser) => Head> = new Map(
  Object.entries({
    if: (parser) => ({ kind: 'if', condition: parseOr(parser) }),
    for: parseFor,
    set: parseSet,
    with: parseWith,
    filter: (parser) => ({ kind: 'filter-block', filter: parseFilterChain(parser) }),
    autoescape: (parser) => ({ kind: 'autoescape', enabled: parser.expression() }),
    macro: parseMacro,
    call: parseCallBlock,
    block: parseBlock,
    extends: (parser) => ({ kind: 'extends', template: parser.expression() }),
    include: parseInclude,
    import: parseImport,
    from: parseFromImport,
    do: (parser) => ({ kind: 'do', call: parseCallExpression(parser, 'do') }),
    break: () => ({ kind: 'break' }),
    continue: () => ({ kind: 'continue' }),
  }),
);

function parseFor(parser: TagParser): Head {
  const target = parseAssignment(parser);
  parser.expectWord('in');
  const iterable = parseOr(parser);
  const condition = parser.takeWord('if') ? parser.expression() : undefined;
  const recursive = parser.takeWord('recursive');
  return { kind: 'for', target, iterable, ...(condition && { condition }), recursive };
}

function parseSet(parser: TagParser): Head {
  const { target, unpacks } = parseSetTarget(parser);
  if (!unpacks && parser.take('|')) return { kind: 'set-block', target, filter: parseFilterChain(parser) };
  if (!unpacks && parser.is('end')) return { kind: 'set-block', target };
  parser.expect('=', '`=` and a value');
  const value = parser.expression();
  if (parser.is(',')) {
    const message = 'A tuple without parentheses requires MiniJinja 2.14 or later. Put the values in parentheses.';
    parser.fail('newer-syntax', parser.tokenSpan(), message);
  }
  return { kind: 'set', target, value };
}

function parseWith(parser: TagParser): Head {
  const assignments: { target: AssignmentTarget; value: Expression }[] = [];
  if (parser.kind === 'end') return { kind: 'with', assignments };
  do {
    const target = parseWithTarget(parser);
    parser.expect('=', '`=` and a value');
    assignments.push({ target, value: parser.expression() });
  } while (parser.take(','));
  return { kind: 'with', assignments };
}

function parseMacro(parser: TagParser): Head {
  const name = parser.expectName('the name of the macro');
  parser.expect('(', '`(` and the parameters of the macro');
  return { kind: 'macro', name, parameters: parseParameters(parser) };
}

function parseCallBlock(parser: TagParser): Head {
  const parameters = parser.take('(') ? parseParameters(parser) : [];
  return { kind: 'call-block', parameters, call: parseCallExpression(parser, 'call') };
}

/** Parses parameters after the `(`, including the `)`. */
function parseParameters(parser: TagParser): Parameter[] {
  const parameters: Parameter[] = [];
  let defaults = false;
  while (parser.kind !== ')' && parser.kind !== 'failed') {
    const name = parseBoundName(parser);
    if (parser.take('=')) {
      defaults = true;
      parameters.push({ name, default: parser.expression() });
    } else {
      if (defaults) parser.failHere('`=` and a default, because the previous parameter has one');
      parameters.push({ name });
    }
    if (!parser.take(',')) break;
  }
  parser.expect(')', '`,` or `)`');
  return parameters;
}

function parseCallExpression(parser: TagParser, keyword: string): Expression {
  const { start } = parser;
  const call = parser.expression();
  if (call.kind !== 'call') {
    const message = `\`{% ${keyword} %}\` requires a call, such as \`${keyword} name()\`.`;
    parser.fail('unexpected', parser.spanSince(start), message);
  }
  return call;
}

function parseBlock(parser: TagParser): Head {
  const name = parser.expectName('the name of the block');
  const { start } = parser;
  parser.takeWord('scoped');
  const required = parser.takeWord('required');
  if (parser.start !== start) parser.recordNewerSyntax('required-block', parser.spanSince(start));
  return { kind: 'block', name, required };
}

function parseInclude(parser: TagParser): Head {
  const template = parser.expression();
  const isMarked = takeContextMark(parser);
  const ignoreMissing = parser.takeWord('ignore');
  if (ignoreMissing) {
    parser.expectWord('missing');
    if (!isMarked) takeContextMark(parser);
  }
  return { kind: 'include', template, ignoreMissing };
}

/** Skips `with context` and `without context` of Jinja2, which have no effect in MiniJinja. */
function takeContextMark(parser: TagParser): boolean {
  if (!parser.takeWord('with') && !parser.takeWord('without')) return false;
  parser.expectWord('context');
  return true;
}

function parseImport(parser: TagParser): Head {
  const template = parser.expression();
  parser.expectWord('as');
  const target = parseImportTarget(parser);
  takeContextMark(parser);
  return { kind: 'import', template, target };
}

function parseFromImport(parser: TagParser): Head {
  const template = parser.expression();
  parser.expectWord('import');
  const names: { name: Name; alias?: Name }[] = [];
  const ends = () => parser.is('end') || parser.is('failed') || takeContextMark(parser);
  while (!ends()) {
    if (names.length > 0) {
      parser.expect(',', '`,` or the end of the tag');
      if (ends()) break;
    }
    const name = parseBoundName(parser);
    names.push(parser.takeWord('as') ? { name, alias: parseBoundName(parser) } : { name });
  }
  return { kind: 'from-import', template, names };
}

// The targets of `set`, `for`, `with`, macros and imports.

const RESERVED: ReadonlySet<string> = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'loop', 'self']);

/** Parses a name that can be assigned. */
function parseBoundName(parser: TagParser): Name {
  if (parser.kind === 'name' && RESERVED.has(parser.word)) {
    const { word } = parser;
    const span = parser.tokenSpan();
    parser.fail('reserved-name', span, `\`${word}\` is a reserved name. Choose another name.`);
    return { text: word, span };
  }
  return parser.expectName('a name');
}

function nameTarget(parser: TagParser): NameExpression {
  const { text, span } = parseBoundName(parser);
  return { kind: 'name', span, name: text };
}

/** Parses `a`, `a, b`, `(a, (b, c))` or nothing, which the engine accepts and unpacks into no names. */
function parseAssignment(parser: TagParser, nesting = 0): AssignmentTarget {
  const { start } = parser;
  const items: AssignmentTarget[] = [];
  let unpacks = false;
  while (!endsTargets(parser)) {
    items.push(parser.take('(') ? parseNested(parser, nesting) : nameTarget(parser));
    if (!parser.take(',')) break;
    unpacks = true;
  }
  const [only] = items;
  if (only !== undefined && !unpacks) return only;
  return { kind: 'targets', span: items.length === 0 ? parser.spanAt(start, start) : parser.spanSince(start), items };
}

function endsTargets(parser: TagParser): boolean {
  return parser.kind === ')' || parser.kind === 'end' || parser.kind === 'failed' || parser.isWord('in');
}

function parseNested(parser: TagParser, nesting: number): AssignmentTarget {
  if (nesting > DEPTH_LIMIT) {
    parser.fail('too-deep', parser.tokenSpan(), 'Names are nested too deeply. Unpack them in several steps.');
  }
  const target = parseAssignment(parser, nesting + 1);
  parser.expect(')', '`,` or `)`');
  return target;
}

/** Parses the target of `with`: one name, or several names in parentheses. */
function parseWithTarget(parser: TagParser): AssignmentTarget {
  return parser.take('(') ? parseNested(parser, 0) : nameTarget(parser);
}

/** Parses the target of `set`. `unpacks` is true for a target in parentheses, which cannot start a block. */
function parseSetTarget(parser: TagParser): { readonly target: AssignmentTarget; readonly unpacks: boolean } {
  if (parser.take('(')) return { target: parseNested(parser, 0), unpacks: true };
  const { start } = parser;
  let target: NameExpression | Attribute = nameTarget(parser);
  while (parser.take('.')) {
    const name = parser.expectName('the name of an attribute after `.`');
    target = { kind: 'attribute', span: parser.spanSince(start), receiver: target, name };
  }
  if (parser.kind === ',') {
    const message = 'Unpacking without parentheses requires MiniJinja 2.14 or later.';
    const right = withParentheses(parser, start);
    const advice = right ? `Write \`set ${right.newText}\`.` : 'Write `{% set (a, b) = (…, …) %}`.';
    parser.fail('newer-syntax', parser.tokenSpan(), `${message} ${advice}`, right ? { fix: right.fix } : {});
  }
  return { target, unpacks: false };
}

/** Names, `=` and values without strings, brackets and tags, up to the end of a tag. */
const PLAIN_UNPACKING = /^(\w+(?:\s*,\s*\w+)+)\s*=\s*([^"'()[\]{}%]{1,200}?)\s*(?=-?%\})/;

/** Returns the assignment from `start` with parentheses, and its fix; undefined if the values are not simple. */
function withParentheses(parser: TagParser, start: number) {
  const [whole, names = '', values = ''] = PLAIN_UNPACKING.exec(parser.text.slice(start, start + 500)) ?? [];
  if (whole === undefined) return undefined;
  const newText = `(${names}) = ${values.includes(',') ? `(${values})` : values}`;
  return { newText, fix: replacement(parser.spanAt(start, start + whole.trimEnd().length), newText) };
}

/** Parses the target after `as`. The engine parses any expression and accepts only assignable expressions. */
function parseImportTarget(parser: TagParser): AssignmentTarget {
  const { start } = parser;
  const found = parser.describe();
  const target = targetOf(parser.expression());
  if (target !== undefined) return target;
  const span = parser.spanSince(start);
  parser.fail('unexpected', span, `Expected a name after \`as\`, found ${found}.`);
  return { kind: 'name', span, name: '' };
}

function targetOf(expression: Expression): AssignmentTarget | undefined {
  switch (expression.kind) {
    case 'name':
    case 'attribute':
      return expression;
    case 'list':
    case 'tuple': {
      const items = expression.items.map(targetOf);
      return items.includes(undefined)
        ? undefined
        : { ...expression, kind: 'targets', items: items as AssignmentTarget[] };
    }
    default:
      return undefined;
  }
}
