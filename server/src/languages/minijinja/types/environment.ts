/** The variables at one point of a template, with what the enclosing conditions prove about their values. */
import type { Expression } from '../ast.ts';
import {
  type AttributePath,
  type ConditionPart,
  conditionParts,
  exclusionsOf,
  keyOf,
  type Presence,
  pathKeysIn,
  pathOf,
} from '../defined-names.ts';
import { literalNumber } from './facts.ts';
import { ANY, hasKind, isAny, isOnly, type Kind, only, unionOf, type ValueType, without } from './value-type.ts';

/** The kinds of a value that a condition proves. */
interface Narrowing {
  readonly only?: readonly Kind[];
  readonly not?: readonly Kind[];
  /** True if the value counts as true. */
  readonly isTruthy?: true;
  /** The smallest length. */
  readonly leastSize?: number;
}

/** A path (see `keyOf`), and what is proven about its value; or conditions of which at least one holds. */
export interface Fact extends Narrowing {
  readonly key: string;
  readonly choice?: readonly ConditionPart[];
}

/** Returns the kinds that a false test excludes: the test `sequence` is false for lists such as the result of `split`. */
const excludedFrom = ({ list }: ValueType, not: readonly Kind[]): readonly Kind[] =>
  list?.form ? not.filter((kind) => kind !== 'list') : not;

function narrow(type: ValueType, { only: kept, not = [], isTruthy, leastSize = 0 }: Narrowing): ValueType {
  const result = without(kept ? only(type, ...kept) : type, ...excludedFrom(type, not));
  if (isAny(result) || (!isTruthy && leastSize < 2)) return result;
  const size = Math.max(leastSize, result.facts?.leastSize ?? 0);
  return { ...result, facts: { ...result.facts, ...(isTruthy && { isTruthy }), ...(size > 1 && { leastSize: size }) } };
}

/** Returns the type of a value and of its fields as the facts about them restrict it. `key` is the key of the value. */
export function refined(type: ValueType, key: string, facts: readonly Fact[]): ValueType {
  const own = facts.filter((fact) => fact.key === key).reduce(narrow, type);
  const inner = facts.filter((fact) => fact.key.startsWith(`${key}\0`));
  const { map } = own;
  if (!map || inner.length === 0) return own;
  const field = (name: string): ValueType | undefined => {
    const known = map.field(name);
    return known && refined(known, `${key}\0${name}`, inner);
  };
  return { ...own, map: { ...map, field } };
}

/** Returns what two facts about one value prove together. */
function both(one: Narrowing, other: Narrowing): Narrowing {
  const kept =
    one.only && other.only ? one.only.filter((kind) => other.only?.includes(kind)) : (one.only ?? other.only);
  const isTruthy = one.isTruthy ?? other.isTruthy;
  const leastSize = Math.max(one.leastSize ?? 0, other.leastSize ?? 0);
  const not = [...new Set([...(one.not ?? []), ...(other.not ?? [])])];
  return { ...(kept && { only: kept }), not, ...(isTruthy && { isTruthy }), ...(leastSize > 1 && { leastSize }) };
}

/** The variables whose fields are the parameters: `parameters`, and `$input` in conditions of steps. */
const PARAMETERS: readonly string[] = ['parameters', '_input'];

/** The largest number of choices that a layer knows, and of operators in a choice. */
const MAX_CHOICES = 10;

const includesAll = (choice: readonly ConditionPart[], parts: readonly ConditionPart[]): boolean =>
  parts.every((part) => choice.includes(part));

/** The largest number of types that are compared after the branches of an `if`. */
const MAX_MERGED = 10_000;

/** A layer of variables and facts. A block has its own layer, which hides those of its parents. */
export class Environment {
  readonly #parent: Environment | undefined;
  readonly #variables = new Map<string, ValueType>();
  readonly #facts = new Map<string, Narrowing>();
  #choices: (readonly ConditionPart[])[] = [];
  /** The moment at which each variable was set, counted by the clock of the outermost layer. */
  readonly #moments = new Map<string, number>();
  readonly #clock: { now: number };

  /** The variables of outer layers that the layer of a macro sees, and the type of the others. */
  #closure: { readonly passed: ReadonlySet<string>; readonly absent: ValueType } | undefined;
  readonly #isContext: boolean;

  private constructor(parent?: Environment) {
    this.#parent = parent;
    this.#isContext = parent === undefined;
    this.#clock = parent ? parent.#clock : { now: 0 };
  }

  /** Returns a layer inside the layer of the variables that the composer passes. */
  static of(context: ReadonlyMap<string, ValueType>): Environment {
    const layer = new Environment();
    for (const [name, type] of context) layer.define(name, type);
    return layer.with();
  }

  /** Returns a new layer in which these facts hold. */
  with(facts: readonly Fact[] = []): Environment {
    const inner = new Environment(this);
    for (const fact of facts) inner.prove(fact);
    return inner;
  }

  /** Returns a new layer that sees, of the variables that the template sets, only those that are passed. */
  closed(passed: ReadonlySet<string>, absent: ValueType): Environment {
    const inner = new Environment(this);
    inner.#closure = { passed, absent };
    return inner;
  }

  /** Sets a variable. What is known about its earlier value no longer holds. */
  define(name: string, type: ValueType): void {
    this.#variables.set(name, type);
    this.#moments.set(name, ++this.#clock.now);
    this.#choices = [];
    for (const key of this.#facts.keys()) {
      if (key === name || key.startsWith(`${name}\0`)) this.#facts.delete(key);
    }
  }

  prove({ key, choice, ...fact }: Fact): void {
    if (choice) {
      this.#choices = [choice, ...this.#choices.filter((one) => !includesAll(one, choice))].slice(0, MAX_CHOICES);
      return;
    }
    const known = this.#facts.get(key);
    this.#facts.set(key, known ? both(known, fact) : fact);
  }

  /** Returns the condition that a variable was set to, if the variables in the condition have kept their values. */
  conditionOf(name: string): Expression | undefined {
    const condition = this.typeOf(name)?.condition;
    if (!condition) return undefined;
    const moment = this.#momentOf(name);
    const roots = new Set([...pathKeysIn(condition)].map((key) => key.split('\0', 1)[0] ?? ''));
    return [...roots].every((root) => root !== name && this.#momentOf(root) <= moment) ? condition : undefined;
  }

  #momentOf(name: string): number {
    for (let layer: Environment | undefined = this; layer; layer = layer.#parent) {
      const moment = layer.#moments.get(name);
      if (moment !== undefined) return moment;
    }
    return 0;
  }

  /** Returns what remains of the known choices, such as `a or b`, if these conditions hold, such as `not a`. */
  remaining(parts: readonly ConditionPart[]): readonly (readonly ConditionPart[])[] {
    const known = new Map(parts.map(({ part, truth }) => [keyOfPath(part), truth]));
    known.delete(undefined);
    const found: (readonly ConditionPart[])[] = [];
    const inner: Environment[] = [];
    for (let layer: Environment | undefined = known.size > 0 ? this : undefined; layer; layer = layer.#parent) {
      for (const choice of layer.#choices) {
        const open = choice.filter(({ part, truth }) => known.get(keyOfPath(part)) !== !truth);
        const isHidden = () =>
          choice.some(({ part }) =>
            [...pathKeysIn(part)].some((key) => inner.some((one) => one.#variables.has(key.split('\0', 1)[0] ?? ''))),
          );
        // An inner layer may know that more of the same conditions do not hold.
        const isNew = open.length > 0 && open.length < choice.length && !found.some((one) => includesAll(open, one));
        if (isNew && !isHidden()) found.push(open);
      }
      inner.push(layer);
    }
    return found;
  }

  /** Returns the type of a variable, or undefined if no layer has it. */
  typeOf(name: string): ValueType | undefined {
    for (let layer: Environment | undefined = this; layer; layer = layer.#parent) {
      const type = layer.#variables.get(name) ?? layer.#hidden(name);
      if (type) return this.narrowed(name, name, type);
    }
    return undefined;
  }

  /** Returns the type of a variable that this layer hides: that of the composer's variable, or the absent value. */
  #hidden(name: string): ValueType | undefined {
    if (!this.#closure || this.#closure.passed.has(name)) return undefined;
    let isSet = false;
    for (let layer = this.#parent; layer; layer = layer.#parent) {
      const type = layer.#variables.get(name);
      if (type && layer.#isContext && !isSet) return undefined;
      if (layer.#isContext && isSet) this.#variables.set(name, type ?? this.#closure.absent);
      isSet ||= type !== undefined;
    }
    return this.#variables.get(name);
  }

  /**
   * Returns the type of the path `key`, which begins with the variable `root`, as the facts restrict it. A parameter is
   * also a field of `parameters` and of `$input`.
   */
  narrowed(root: string, key: string, given: ValueType): ValueType {
    const { type: result, layer } = this.#restricted(root, key, given);
    if (layer === undefined || !layer.#isContext) return result;
    const plain = PARAMETERS.includes(root) ? key.slice(root.length + 1) : key;
    const names = [plain, ...PARAMETERS.map((name) => `${name}\0${plain}`)].filter((name) => name !== key);
    return names.reduce((type, other) => {
      const same = this.#restricted(other.split('\0', 1)[0] ?? '', other, type);
      return same.layer === layer ? same.type : type;
    }, result);
  }

  /** Returns the type as the facts about this key restrict it, and the layer that defines the variable. */
  #restricted(root: string, key: string, type: ValueType): { type: ValueType; layer: Environment | undefined } {
    let result = type;
    for (let layer: Environment | undefined = this; layer; layer = layer.#parent) {
      const fact = layer.#facts.get(key);
      if (fact) result = narrow(result, fact);
      if (layer.#variables.has(root)) return { type: result, layer };
    }
    return { type: result, layer: undefined };
  }

  /** Returns the type of a path, if all values before its last part are maps. */
  #typeAt(key: string): ValueType | undefined {
    const [root = '', ...names] = key.split('\0');
    let type = this.typeOf(root);
    for (const [at, name] of names.entries()) {
      const field = type && isOnly(type, 'map') ? type.map?.field(name) : undefined;
      type = field && this.narrowed(root, [root, ...names.slice(0, at + 1)].join('\0'), field);
    }
    return type;
  }

  /** Returns whether no value has all these facts, so that the code for them does not run. */
  excludes(facts: readonly Fact[]): boolean {
    return facts.some(({ key, only: kept, not = [] }) => {
      const type = kept || not.length > 0 ? this.#typeAt(key) : undefined;
      if (!type || isAny(type)) return false;
      const gone = excludedFrom(type, not);
      return [...type.kinds].every((kind) => gone.includes(kind) || (kept && !kept.includes(kind)));
    });
  }

  /** Returns what is known about the value of a path. */
  presenceOf({ base, segments }: AttributePath): Presence {
    const key = base.kind === 'name' ? keyOf(base.name, segments) : undefined;
    const type = key === undefined ? undefined : this.#typeAt(key);
    if (!type || hasKind(type, 'undefined', 'null', 'any')) return 'unknown';
    return isOnly(type, 'string') ? 'text' : 'other';
  }

  /** The variables of this layer. */
  get own(): ReadonlyMap<string, ValueType> {
    return this.#variables;
  }

  /** Sets the variables that one of several alternative layers sets. A variable that one of them lacks is unknown. */
  merge(branches: readonly Environment[]): void {
    const names = new Set(branches.flatMap(({ own }) => [...own.keys()]));
    const isLarge = names.size * branches.length > MAX_MERGED;
    for (const name of names) {
      const types = isLarge ? [ANY] : branches.map((branch) => branch.typeOf(name) ?? ANY);
      this.define(name, unionOf(types));
    }
  }
}

const KINDS_OF_TEST: ReadonlyMap<string, readonly Kind[]> = new Map<string, readonly Kind[]>([
  ['boolean', ['boolean']],
  ['divisibleby', ['number', 'boolean']],
  ['even', ['number', 'boolean']],
  ['odd', ['number', 'boolean']],
  ['float', ['number']],
  ['int', ['number']],
  ['integer', ['number']],
  ['number', ['number']],
  ['mapping', ['map']],
  ['none', ['null']],
  ['sequence', ['list']],
  ['string', ['string']],
  ['startingwith', ['string']],
  ['endingwith', ['string']],
  ['true', ['boolean']],
  ['undefined', ['undefined']],
  ['iterable', ['list', 'map', 'string', 'null', 'undefined']],
]);

/** The tests whose result depends only on the kind, so that a false result excludes the kinds. */
const BY_KIND: readonly string[] = 'boolean number mapping none sequence string undefined iterable'.split(' ');

/** Returns the kinds of values for which a test may be true. `isExact`: it is true for all of them. */
export function kindsOfTest(name: string): { readonly kinds: readonly Kind[]; readonly isExact: boolean } | undefined {
  const kinds = KINDS_OF_TEST.get(name);
  return kinds && { kinds, isExact: BY_KIND.includes(name) };
}

/** Returns the facts that hold if an expression has this truth value. */
export function factsOf(expression: Expression, truth: boolean, environment: Environment): readonly Fact[] {
  const facts: Fact[] = [];
  const conditionOf = (name: string) => environment.conditionOf(name);
  const partsOf = ({ part, truth: holds }: ConditionPart) => conditionParts(part, holds, conditionOf);
  const parts = [...partsOf({ part: expression, truth })];
  for (const choice of environment.remaining(parts)) {
    const [first] = choice;
    if (first && choice.length === 1) parts.push(...partsOf(first));
    else facts.push({ key: '', choice });
  }
  for (const one of parts) {
    const { part } = one;
    const choice = choiceOf(one);
    if (choice) facts.push({ key: '', choice });
    for (const { key, excluded } of exclusionsOf(one, (path) => environment.presenceOf(path))) {
      facts.push({ key, not: [excluded] });
    }
    if (part.kind === 'test') facts.push(...factsOfTest(part, one.truth !== part.negated));
    facts.push(...truthFacts(part, one.truth, conditionOf), ...loopEdgeFacts(part));
  }
  return facts;
}

/** Returns the operands of a true `or` or a false `and`, of which at least one has this truth value. */
function choiceOf({ part, truth }: ConditionPart): readonly ConditionPart[] | undefined {
  const operator = truth ? 'or' : 'and';
  const operands: ConditionPart[] = [];
  let rest = part;
  for (; rest.kind === 'binary' && rest.operator === operator; rest = rest.left) {
    if (operands.length >= MAX_CHOICES) return undefined;
    operands.push(plainPart(rest.right, truth));
  }
  return operands.length === 0 ? undefined : [...operands, plainPart(rest, truth)];
}

/** Returns a condition without `not`. */
function plainPart(part: Expression, truth: boolean): ConditionPart {
  return part.kind === 'unary' && part.operator === 'not' ? plainPart(part.operand, !truth) : { part, truth };
}

/** Returns the key of a path that begins with a variable. */
function keyOfPath(expression: Expression): string | undefined {
  const { base, segments } = pathOf(expression);
  return base.kind === 'name' ? keyOf(base.name, segments) : undefined;
}

const TEST_OPERATORS: ReadonlyMap<string, string> = new Map([
  ...['eq', 'equalto', 'sameas'].map((name) => [name, '=='] as const),
  ...['gt', 'greaterthan'].map((name) => [name, '>'] as const),
  ...['lt', 'lessthan'].map((name) => [name, '<'] as const),
  ['ne', '!='],
  ['ge', '>='],
  ['le', '<='],
]);
const OPPOSITE: ReadonlyMap<string, string> = new Map(
  ['== !=', '> <=', '< >='].flatMap((pair) => {
    const [one = '', other = ''] = pair.split(' ');
    return [[one, other] as const, [other, one] as const];
  }),
);
const MIRRORED: ReadonlyMap<string, string> = new Map([
  ['>', '<'],
  ['<', '>'],
  ['>=', '<='],
  ['<=', '>='],
]);

/** The filters whose result counts as false for a value that counts as false. */
const FALSE_IF_FALSE: readonly string[] = 'length count abs trim int float bool string list'.split(' ');

/**
 * Returns the facts that values count as true, if a condition with this truth value proves them. `conditionOf` returns
 * the expression that a variable was set to, as in `{% set n = names | length %}`.
 */
function truthFacts(
  part: Expression,
  truth: boolean,
  conditionOf: (name: string) => Expression | undefined,
): readonly Fact[] {
  const proven: Expression[] = [];
  let leastSize = 0;
  if (part.kind === 'binary') {
    const [left, right] = [literalNumber(part.left), literalNumber(part.right)];
    const isMirrored = left !== undefined;
    const operator = isMirrored ? (MIRRORED.get(part.operator) ?? part.operator) : part.operator;
    const other = isMirrored ? part.right : part.left;
    const value = other.kind === 'name' ? conditionOf(other.name) : undefined;
    if (excludesZero(operator, left ?? right, truth)) proven.push(other, ...(value ? [value] : []));
    const size = value ?? other;
    const isSize = size.kind === 'filter' && (size.name.text === 'length' || size.name.text === 'count');
    if (isSize) leastSize = leastOf(truth ? operator : OPPOSITE.get(operator), left ?? right ?? 0);
  } else if (part.kind === 'test') {
    const [argument] = part.args;
    const holds = truth !== part.negated;
    if (excludesZero(TEST_OPERATORS.get(part.name.text) ?? '', literalNumber(argument?.value), holds))
      proven.push(part.input);
  } else if (truth) proven.push(part);
  return proven.flatMap((expression) => {
    let value: Expression | undefined = expression;
    while (value?.kind === 'filter' && FALSE_IF_FALSE.includes(value.name.text)) value = value.input;
    const key = value && keyOfPath(value);
    return key === undefined ? [] : [{ key, isTruthy: true, ...(leastSize > 1 && { leastSize }) }];
  });
}

/** Returns the smallest whole number that compares with a number in this way; 0 if it is unknown. */
function leastOf(operator: string | undefined, number: number): number {
  if (operator === '>') return Math.floor(number) + 1;
  return operator === '>=' || operator === '==' ? Math.ceil(number) : 0;
}

/** Returns whether a comparison with a number proves that the other side is not 0. */
function excludesZero(operator: string, number: number | undefined, truth: boolean): boolean {
  if (number === undefined) return false;
  switch (truth ? operator : OPPOSITE.get(operator)) {
    case '==':
      return number !== 0;
    case '!=':
      return number === 0;
    case '>':
      return number >= 0;
    case '>=':
      return number > 0;
    case '<':
      return number <= 0;
    case '<=':
      return number < 0;
    default:
      return false;
  }
}

function factsOfTest({ name, input }: Expression & { kind: 'test' }, holds: boolean): readonly Fact[] {
  const kinds = KINDS_OF_TEST.get(name.text);
  if (!kinds || !(holds || BY_KIND.includes(name.text))) return [];
  const key = keyOfPath(input);
  return key === undefined ? [] : [{ key, ...(holds ? { only: kinds } : { not: kinds }) }];
}

/** A condition on `loop`, such as `not loop.first`, usually proves that there is a previous or a next item. */
function loopEdgeFacts(part: Expression): readonly Fact[] {
  const sides = part.kind === 'binary' ? [part.left, part.right] : [part];
  const hasLoop = sides.some((side) => {
    const { base } = pathOf(side);
    return base.kind === 'name' && base.name === 'loop';
  });
  return hasLoop ? EDGES : [];
}

const EDGES: readonly Fact[] = ['previtem', 'nextitem'].map((name) => ({ key: `loop\0${name}`, not: ['undefined'] }));
