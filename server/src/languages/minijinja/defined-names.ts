/**
 * The names that a condition proves to be defined. Printing an undefined name fails, and looping over it. It may be the
 * input of `is defined`, `is undefined` and `default`, and a test such as `{% if name %}` may read it (docs/templates.md,
 * "Undefined values").
 */
import type { Expression } from './ast.ts';

/**
 * The protection of a use against undefined names. `defined` and `default`: the use is the input of that test or
 * filter. `truth`: only the truth of the name is tested (which fails only in strict mode, and not under `not`). `proven`: an
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

/** A condition that must hold, or must not hold. */
export interface ConditionPart {
  readonly part: Expression;
  readonly truth: boolean;
}

/**
 * Returns the operands of `not`, `and`, `or` and `if` that must be true or false if the expression has this truth value.
 * `conditionOf` returns the expression that a variable was set to, if the variable stands for a condition.
 */
export function conditionParts(
  expression: Expression,
  truth: boolean,
  conditionOf: (name: string) => Expression | undefined = () => undefined,
): readonly ConditionPart[] {
  const parts: ConditionPart[] = [];
  const seen = new Set<Expression>();
  const pending: ConditionPart[] = [{ part: expression, truth }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, truth: asked } = next;
    if (part.kind === 'unary' && part.operator === 'not') pending.push({ part: part.operand, truth: !asked });
    else if (part.kind === 'binary' && part.operator === (asked ? 'and' : 'or')) {
      pending.push({ part: part.left, truth: asked }, { part: part.right, truth: asked });
    } else if (part.kind === 'conditional' && constantTruth(part.otherwise) === !asked) {
      pending.push({ part: part.condition, truth: true });
      if (constantTruth(part.value) === undefined) pending.push({ part: part.value, truth: asked });
    } else if (part.kind === 'conditional' && constantTruth(part.value) === !asked) {
      pending.push({ part: part.condition, truth: false });
      if (part.otherwise && constantTruth(part.otherwise) === undefined)
        pending.push({ part: part.otherwise, truth: asked });
    } else {
      parts.push(next);
      const condition = part.kind === 'name' ? conditionOf(part.name) : undefined;
      if (condition && !seen.has(condition)) pending.push({ part: condition, truth: asked });
      seen.add(part);
      if (condition) seen.add(condition);
    }
  }
  return parts;
}

/** Returns the truth of a constant, or of a missing `else`; undefined for other expressions. */
const constantTruth = (expression: Expression | undefined): boolean | undefined =>
  !expression ? false : expression.kind === 'literal' ? Boolean(expression.value) : undefined;

/** A path that a condition proves not to be undefined, or not to be null. */
export interface Exclusion {
  readonly key: string;
  readonly excluded: 'undefined' | 'null';
}

/** What is known about the value of a path: `other` is a value that is neither undefined nor null. */
export type Presence = 'unknown' | 'text' | 'other';
type PresenceOf = (path: AttributePath) => Presence;

/** The maximum number of paths of one condition whose values are tried. */
const MAX_PATHS = 24;

/**
 * Returns the keys (see `keyOf`) of the paths that cannot be undefined, or null, in an operand of a condition. For each
 * path, the operand is evaluated with this value. `presenceOf` returns what is known about the other paths.
 */
export function exclusionsOf(
  { part, truth }: ConditionPart,
  presenceOf: PresenceOf = () => 'unknown',
): readonly Exclusion[] {
  const exclusions: Exclusion[] = [];
  for (const key of pathKeysIn(part)) {
    for (const assumed of [UNDEFINED, NULL]) {
      const result = new Evaluation([key], assumed, presenceOf).of(part).truth;
      if (result !== undefined && result !== truth) exclusions.push({ key, excluded: assumed.is });
    }
  }
  return exclusions;
}

/** Returns the keys (see `keyOf`) of the names and paths that are defined if the expression has this truth value. */
export const keysProvenBy = (expression: Expression, truth: boolean): readonly string[] =>
  conditionParts(expression, truth).flatMap((part) =>
    exclusionsOf(part).flatMap(({ key, excluded }) => (excluded === 'undefined' ? key : [])),
  );

/** Returns the keys of the first paths in an expression, and of their prefixes. */
export function pathKeysIn(expression: Expression, most = MAX_PATHS): ReadonlySet<string> {
  const keys = new Set<string>();
  const pending: Expression[] = [expression];
  for (let part = pending.pop(); part !== undefined && keys.size < most; part = pending.pop()) {
    const { base, segments } = pathOf(part);
    if (base.kind === 'name') {
      for (let length = 0; length <= Math.min(segments.length, PATH_LIMIT); length++) {
        keys.add(keyOf(base.name, segments.slice(0, length)) ?? base.name);
      }
      continue;
    }
    const field = part.kind === 'binary' ? containedKey(part.left, part.right) : undefined;
    if (field !== undefined) keys.add(field);
    pending.push(...operandsOf(base));
  }
  return keys;
}

/** Returns the key of the field whose presence `"name" in object` tests. */
function containedKey(field: Expression, object: Expression): string | undefined {
  if (field.kind !== 'literal' || typeof field.value !== 'string') return undefined;
  const { base, segments } = pathOf(object);
  if (base.kind !== 'name') return undefined;
  return keyOf(base.name, [...segments, { kind: 'item', name: field.value, span: field.span, called: false }]);
}

function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.value, ...(expression.otherwise ? [expression.otherwise] : [])];
    case 'filter':
    case 'test':
      return [...(expression.input ? [expression.input] : []), ...expression.args.map(({ value }) => value)];
    case 'item':
    case 'attribute':
      return [expression.receiver];
    case 'list':
    case 'tuple':
      return expression.items;
    default:
      return [];
  }
}

/** What is known about a value. A part that fails counts as undefined, because the code after it does not run. */
interface Known {
  readonly is?: 'undefined' | 'null' | 'other';
  readonly truth?: boolean;
  readonly value?: string | number | boolean;
  readonly isText?: true;
}

const UNKNOWN: Known = Object.freeze({});
const UNDEFINED = { is: 'undefined', truth: false } as const;
const NULL = { is: 'null', truth: false } as const;
const EMPTY: Known = { is: 'other', truth: false };
const OTHER: Known = { is: 'other' };
const TEXT: Known = { is: 'other', isText: true };
const constant = (value: string | number | boolean): Known => ({ is: 'other', truth: Boolean(value), value });
const truthOf = (truth: boolean | undefined): Known => (truth === undefined ? OTHER : constant(truth));
const isAbsent = ({ is }: Known): boolean => is === 'undefined' || is === 'null';

const namesOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Filters that return an empty string for an undefined value, and the text `none` for null. */
const TO_TEXT = namesOf('capitalize e escape indent lower replace safe string striptags title trim upper');
/** Filters that fail for an undefined value, and return an empty list for an empty value. */
const TO_LIST = namesOf('batch list map reject rejectattr select selectattr sort unique');
const TO_ITEM = namesOf('abs attr first items last lines max min round split');
/** Tests that are false for an undefined value and for null. */
const FALSE_TESTS = namesOf(
  'boolean divisibleby endingwith even false float int integer mapping number odd sequence startingwith string true',
);
const COMPARING_TESTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '==': 'eq equalto',
    '!=': 'ne',
    '<': 'lt lessthan',
    '<=': 'le',
    '>': 'gt greaterthan',
    '>=': 'ge',
  }).flatMap(([operator, names]) => [operator, ...names.split(' ')].map((name) => [name, operator] as const)),
);
const KNOWN = { unknown: UNKNOWN, text: TEXT, other: OTHER } as const;
const RANKS = ['undefined', 'null', 'other'];
const MAX_NESTED = 40;

/** A value that is assumed for a path: a constant, or any other value that is true or false. */
export type AssumedValue =
  | { readonly is: 'undefined' | 'null' }
  | { readonly is: 'constant'; readonly value: string | number | boolean }
  | { readonly is: 'other'; readonly truth: boolean };

/**
 * Returns the truth of an expression if the paths with these keys, which are names of one value, have this value;
 * undefined if it depends on other values, of which `presenceOf` returns what is known.
 */
export function truthWith(
  expression: Expression,
  keys: readonly string[],
  assumed: AssumedValue,
  presenceOf: PresenceOf = () => 'unknown',
): boolean | undefined {
  const { is } = assumed;
  const known: Known =
    is === 'undefined' ? UNDEFINED : is === 'null' ? NULL : is === 'constant' ? constant(assumed.value) : assumed;
  return new Evaluation(keys, known, presenceOf).of(expression).truth;
}

/** Evaluates expressions in which only the value of one path is known. Compared with the engine by tests. */
class Evaluation {
  readonly #keys: readonly string[];
  readonly #assumed: Known;
  readonly #presenceOf: PresenceOf;
  #depth = 0;

  constructor(keys: readonly string[], assumed: Known, presenceOf: PresenceOf) {
    this.#keys = keys;
    this.#assumed = assumed;
    this.#presenceOf = presenceOf;
  }

  of(expression: Expression | undefined): Known {
    if (!expression || this.#depth >= MAX_NESTED) return UNKNOWN;
    this.#depth++;
    const result = this.#valueOf(expression);
    this.#depth--;
    return result;
  }

  #valueOf(expression: Expression): Known {
    switch (expression.kind) {
      case 'literal':
        return expression.value === null ? NULL : constant(expression.value);
      case 'list':
      case 'tuple':
        return expression.items.length > 0 ? { is: 'other', truth: true } : EMPTY;
      case 'dict':
        return expression.entries.length > 0 ? { is: 'other', truth: true } : EMPTY;
      case 'name':
      case 'attribute':
      case 'item':
        return this.#path(expression);
      case 'unary': {
        const operand = this.of(expression.operand);
        if (expression.operator === 'not') return truthOf(operand.truth === undefined ? undefined : !operand.truth);
        if (isAbsent(operand)) return UNDEFINED;
        return typeof operand.value === 'number' ? constant(-operand.value) : OTHER;
      }
      case 'binary':
        return expression.operator === 'and' || expression.operator === 'or'
          ? this.#chain(expression)
          : this.#binary(expression.operator, expression.left, expression.right);
      case 'conditional': {
        const { truth } = this.of(expression.condition);
        if (truth === false && !expression.otherwise) return UNDEFINED;
        if (truth !== undefined) return this.of(truth ? expression.value : expression.otherwise);
        const [yes, no] = [this.of(expression.value), this.of(expression.otherwise)];
        return yes.truth === no.truth && yes.truth !== undefined ? { truth: yes.truth } : UNKNOWN;
      }
      case 'filter':
        return this.#filtered(expression);
      case 'test':
        return this.#tested(expression);
      default:
        return UNKNOWN;
    }
  }

  #path(expression: Expression): Known {
    const path = pathOf(expression);
    const { base, segments } = path;
    if (base.kind !== 'name') {
      const inner = this.of(base === expression && base.kind === 'item' ? base.receiver : base);
      return inner.truth === false ? UNDEFINED : UNKNOWN;
    }
    const key = keyOf(base.name, segments);
    if (key !== undefined && this.#keys.includes(key)) return this.#assumed;
    if (this.#keys.some((own) => key?.startsWith(`${own}\0`))) return UNDEFINED;
    return KNOWN[this.#presenceOf(path)];
  }

  /** Evaluates `a or b or c`, or the same with `and`, without a limit for its length. */
  #chain(expression: Expression & { kind: 'binary' }): Known {
    const { operator } = expression;
    const isAnd = operator === 'and';
    const operands: Expression[] = [];
    let first: Expression = expression;
    for (; first.kind === 'binary' && first.operator === operator; first = first.left) operands.push(first.right);
    let value = this.of(first);
    for (const operand of operands.reverse()) {
      if (value.truth === !isAnd) return value;
      const next = this.of(operand);
      value = value.truth === isAnd ? next : next.truth === !isAnd ? { truth: !isAnd } : UNKNOWN;
    }
    return value;
  }

  #binary(operator: string, leftPart: Expression, rightPart: Expression): Known {
    const left = this.of(leftPart);
    if (operator === 'in' || operator === 'not in') {
      const isField = this.#keys.includes(containedKey(leftPart, rightPart) ?? '');
      const holds = isField ? this.#assumed.is !== 'undefined' : this.#isIn(left, rightPart);
      if (holds === 'fails') return UNDEFINED;
      return holds === undefined ? OTHER : constant(holds === (operator === 'in'));
    }
    const right = this.of(rightPart);
    if (COMPARING_TESTS.has(operator)) return truthOf(compare(operator, left, right));
    if (operator === '~') {
      const [start, end] = [textOf(left), textOf(right)];
      return start === undefined || end === undefined ? TEXT : constant(start + end);
    }
    return isAbsent(left) || isAbsent(right) ? UNDEFINED : OTHER;
  }

  /** Returns whether a value is in a list, or a part of a string. Other containers are taken for lists. */
  #isIn(left: Known, rightPart: Expression): boolean | 'fails' | undefined {
    if (rightPart.kind === 'list' || rightPart.kind === 'tuple') {
      const results = rightPart.items.map((item) => compare('==', left, this.of(item)));
      if (results.includes(true)) return true;
      return results.includes(undefined) ? undefined : false;
    }
    const right = this.of(rightPart);
    if (isAbsent(right)) return 'fails';
    if (left.is === 'undefined') return right.isText === true || typeof right.value === 'string';
    return undefined;
  }

  #filtered({ name, input: inputPart, args }: Expression & { kind: 'filter' }): Known {
    const input = this.of(inputPart);
    const { text } = name;
    if (text === 'default' || text === 'd') {
      const isLax = this.of(args[1]?.value).truth === true;
      const given = args.length === 0 ? NULL : this.of(args[0]?.value);
      const fallback = given.is === 'null' ? constant('') : given;
      if (input.is === 'undefined' || (isLax && input.truth === false)) return fallback;
      if (input.is !== undefined && (!isLax || input.truth === true)) return input;
      return fallback.truth === false && input.truth === false ? { truth: false } : UNKNOWN;
    }
    if (TO_TEXT.has(text)) {
      if (input.is === 'undefined') return constant('');
      if (input.is === 'null') return { is: 'other', truth: true };
      return typeof input.value === 'string' && text === 'trim' ? constant(input.value.trim()) : TEXT;
    }
    if (text === 'join' || text === 'truncate') return isAbsent(input) ? constant('') : OTHER;
    if (text === 'bool') return truthOf(input.truth);
    if (text === 'int' || text === 'float') return isAbsent(input) ? constant(0) : OTHER;
    if (text === 'tojson') return { is: 'other', truth: true };
    if (TO_LIST.has(text)) return input.is === 'undefined' ? UNDEFINED : input.truth === false ? EMPTY : OTHER;
    if (text === 'length' || text === 'count') {
      if (isAbsent(input)) return UNDEFINED;
      if (typeof input.value === 'string') return constant([...input.value].length);
      if (typeof input.value === 'number') return UNDEFINED;
      return input.truth === false ? constant(0) : OTHER;
    }
    if (typeof input.value === 'number') return UNKNOWN;
    return TO_ITEM.has(text) && (isAbsent(input) || input.truth === false) ? UNDEFINED : UNKNOWN;
  }

  #tested({ name, input: inputPart, args, negated }: Expression & { kind: 'test' }): Known {
    const input = this.of(inputPart);
    const [argument] = args;
    const operator = COMPARING_TESTS.get(name.text);
    const holds =
      name.text === 'in' && argument
        ? this.#isIn(input, argument.value)
        : operator && argument
          ? compare(operator, input, this.of(argument.value))
          : isKind(name.text, input);
    return holds === 'fails' ? UNDEFINED : truthOf(holds === undefined ? undefined : holds !== negated);
  }
}

/** Returns the text of a value in an output tag, if it is known. */
const textOf = ({ is, value }: Known): string | undefined =>
  is === 'undefined' ? '' : is === 'null' ? 'none' : typeof value === 'string' ? value : undefined;

/** Returns whether a test that depends only on the kind of the value holds. */
function isKind(test: string, input: Known): boolean | 'fails' | undefined {
  if (input.is === undefined) return undefined;
  if (test === 'defined') return input.is !== 'undefined';
  if (test === 'undefined') return input.is === 'undefined';
  if (test === 'none') return input.is === 'null';
  if (!isAbsent(input)) return test === 'string' && typeof input.value === 'string' ? true : undefined;
  if (test === 'iterable') return true;
  if (test === 'upper' || test === 'lower') return 'fails';
  return FALSE_TESTS.has(test) ? false : undefined;
}

/** Compares two values as the engine does: undefined is less than null, and null is less than all other values. */
function compare(operator: string, left: Known, right: Known): boolean | undefined {
  if (left.is === undefined || right.is === undefined) return undefined;
  let order = RANKS.indexOf(left.is) - RANKS.indexOf(right.is);
  if (order === 0 && left.is === 'other') {
    const [one, other] = [left.value, right.value];
    if (one === undefined || other === undefined || typeof one !== typeof other) return undefined;
    order = one === other ? 0 : one < other ? -1 : 1;
  }
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}
