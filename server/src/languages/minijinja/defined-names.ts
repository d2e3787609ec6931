/**
 * The names that a condition proves to be defined. With strict undefined values, a use of an undefined name fails,
 * except as the input of `is defined`, `is undefined` and `default`, and as the operand of `not`. `{% if name %}` fails
 * too, but its body does not run.
 */
import type { Expression } from './ast.ts';

/**
 * The protection of a use against undefined names. `defined` and `default`: the use is the input of that test or
 * filter. `truth`: only the truth of the name is tested (strict rendering fails except under `not`). `proven`: an
 * enclosing condition proves that the name is defined.
 */
export type Guard = 'defined' | 'default' | 'truth' | 'proven';

/** One step into the value of a variable: `.name`, `["name"]` or `[0]`. */
export interface PathSegment {
  readonly kind: 'attribute' | 'item' | 'index';
  readonly name: string;
  /** The span of the attribute's name, or of the subscript including its quotes. */
  readonly span: { readonly start: number; readonly end: number };
  /** True for the name of a method that is called. */
  readonly called: boolean;
}

export interface AttributePath {
  readonly base: Expression;
  readonly segments: readonly PathSegment[];
}

/**
 * Returns the attributes and constant subscripts at the end of an expression, and the expression before them. `called`
 * marks the last attribute as the name of a called method.
 */
export function pathOf(expression: Expression, called = false): AttributePath {
  const segments: PathSegment[] = [];
  let base = expression;
  for (;;) {
    const segment = segmentOf(base, called && segments.length === 0);
    if (segment === undefined || !('receiver' in base)) return { base, segments: segments.reverse() };
    segments.push(segment);
    base = base.receiver;
  }
}

function segmentOf(expression: Expression, called: boolean): PathSegment | undefined {
  if (expression.kind === 'attribute') {
    const { text, span } = expression.name;
    return { kind: 'attribute', name: text, span, called };
  }
  if (expression.kind !== 'item' || expression.index.kind !== 'literal') return undefined;
  const { value, span } = expression.index;
  if (typeof value === 'string') return { kind: 'item', name: value, span, called };
  return Number.isInteger(value) ? { kind: 'index', name: String(value), span, called } : undefined;
}

/**
 * The limit for the length of a tracked path. Longer paths are not tracked, because all prefixes of a path become keys.
 */
const PATH_LIMIT = 16;

/** Returns the key of a name and its path, or `undefined` if the path is too long. */
export function keyOf(name: string, segments: readonly PathSegment[]): string | undefined {
  if (segments.length > PATH_LIMIT) return undefined;
  return [name, ...segments.map((segment) => segment.name)].join('\0');
}

/** Tests that are false for an undefined value. */
const FALSE_OF_UNDEFINED: readonly string[] =
  'defined string number integer int float boolean mapping odd even divisibleby true startingwith endingwith'.split(
    ' ',
  );

/** Returns the keys (see `keyOf`) of the names and paths that are defined if the expression has this truth value. */
export function keysProvenBy(expression: Expression, truth: boolean): readonly string[] {
  const keys: string[] = [];
  const pending: { expression: Expression; truth: boolean }[] = [{ expression, truth }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { expression: part, truth: asked } = next;
    switch (part.kind) {
      case 'unary':
        if (part.operator === 'not') pending.push({ expression: part.operand, truth: !asked });
        break;
      case 'binary':
        if (part.operator === (asked ? 'and' : 'or')) {
          pending.push({ expression: part.left, truth: asked }, { expression: part.right, truth: asked });
        } else if (asked && part.operator === '==') proveCompared(part.left, part.right, keys);
        break;
      case 'test':
        if (provesInput(part.name.text, asked !== part.negated)) prove(part.input, keys);
        break;
      case 'name':
      case 'attribute':
      case 'item':
        if (asked) prove(part, keys);
        break;
    }
  }
  return keys;
}

const provesInput = (test: string, holds: boolean) =>
  holds ? FALSE_OF_UNDEFINED.includes(test) : test === 'undefined';

/** Adds the keys of a value that equals a constant and is therefore defined. */
function proveCompared(left: Expression, right: Expression, keys: string[]): void {
  if (right.kind === 'literal' && right.value !== null) prove(left, keys);
  if (left.kind === 'literal' && left.value !== null) prove(right, keys);
}

/** Adds the keys of a path and of its prefixes, because a path is defined only if its prefixes are defined. */
function prove(expression: Expression, keys: string[]): void {
  const { base, segments } = pathOf(expression);
  if (base.kind !== 'name') return;
  for (let length = 0; length <= Math.min(segments.length, PATH_LIMIT); length++) {
    const key = keyOf(base.name, segments.slice(0, length));
    if (key !== undefined) keys.push(key);
  }
}
