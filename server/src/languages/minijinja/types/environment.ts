/** The variables at one point of a template, with what the enclosing conditions prove about their values. */
import type { Expression } from '../ast.ts';
import { keyOf, pathOf } from '../defined-names.ts';
import { ANY, type Kind, only, unionOf, type ValueType, without } from './value-type.ts';

/** What a condition proves about the kind of a value. */
interface Narrowing {
  readonly only?: readonly Kind[];
  readonly not?: readonly Kind[];
}

/** A path (see `keyOf`), and what is proven about its value. */
export interface Fact extends Narrowing {
  readonly key: string;
}

const narrow = (type: ValueType, { only: kept, not = [] }: Narrowing): ValueType =>
  without(kept ? only(type, ...kept) : type, ...not);

/** Returns what two facts about one value prove together. */
function both(one: Narrowing, other: Narrowing): Narrowing {
  const kept =
    one.only && other.only ? one.only.filter((kind) => other.only?.includes(kind)) : (one.only ?? other.only);
  return { ...(kept && { only: kept }), not: [...new Set([...(one.not ?? []), ...(other.not ?? [])])] };
}

/** The largest number of types that are compared after the branches of an `if`. */
const MAX_MERGED = 10_000;

/** A layer of variables and facts. A block has its own layer, which hides those of its parents. */
export class Environment {
  readonly #parent: Environment | undefined;
  readonly #variables = new Map<string, ValueType>();
  readonly #facts = new Map<string, Narrowing>();

  constructor(parent?: Environment) {
    this.#parent = parent;
  }

  /** Returns a new layer in which these facts hold. */
  with(facts: readonly Fact[] = []): Environment {
    const inner = new Environment(this);
    for (const fact of facts) inner.prove(fact);
    return inner;
  }

  /** Sets a variable. What is known about its earlier value no longer holds. */
  define(name: string, type: ValueType): void {
    this.#variables.set(name, type);
    for (const key of this.#facts.keys()) {
      if (key === name || key.startsWith(`${name}\0`)) this.#facts.delete(key);
    }
  }

  prove({ key, ...fact }: Fact): void {
    const known = this.#facts.get(key);
    this.#facts.set(key, known ? both(known, fact) : fact);
  }

  /** Returns the type of a variable, or undefined if no layer has it. */
  typeOf(name: string): ValueType | undefined {
    for (let layer: Environment | undefined = this; layer; layer = layer.#parent) {
      const type = layer.#variables.get(name);
      if (type) return this.narrowed(name, name, type);
    }
    return undefined;
  }

  /** Returns the type of the path `key`, which begins with the variable `root`, as the facts restrict it. */
  narrowed(root: string, key: string, type: ValueType): ValueType {
    let result = type;
    for (let layer: Environment | undefined = this; layer; layer = layer.#parent) {
      const fact = layer.#facts.get(key);
      if (fact) result = narrow(result, fact);
      if (layer.#variables.has(root)) break;
    }
    return result;
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

/** Returns the facts that hold if an expression has this truth value. */
export function factsOf(expression: Expression, truth: boolean): readonly Fact[] {
  const facts: Fact[] = [];
  const pending: { readonly part: Expression; readonly truth: boolean }[] = [{ part: expression, truth }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, truth: asked } = next;
    if (part.kind === 'unary' && part.operator === 'not') pending.push({ part: part.operand, truth: !asked });
    else if (part.kind === 'binary') {
      const { operator, left, right } = part;
      if (operator === (asked ? 'and' : 'or'))
        pending.push({ part: left, truth: asked }, { part: right, truth: asked });
      else if (operator === (asked ? '==' : '!=')) facts.push(...equalFacts(left, right), ...equalFacts(right, left));
      else if (operator === 'in' && asked) facts.push(...about(left, { not: ['undefined'] }));
      else if (operator === (asked ? '!=' : '==')) facts.push(...unequalFacts(left, right));
      if (operator !== 'and' && operator !== 'or') facts.push(...edgeFacts(part));
    } else if (part.kind === 'test') facts.push(...factsOfTest(part, asked !== part.negated));
    else if (part.kind === 'filter' && asked) pending.push(...unfiltered(part));
    else if (part.kind === 'name' || part.kind === 'attribute' || part.kind === 'item') {
      if (asked) facts.push(...about(part, { not: ['undefined', 'null'] }));
      facts.push(...edgeFacts(part));
    }
  }
  return facts;
}

function factsOfTest({ name, input }: Expression & { kind: 'test' }, holds: boolean): readonly Fact[] {
  const { text } = name;
  if (text === 'defined') return about(input, holds ? { not: ['undefined'] } : { only: ['undefined'] });
  const kinds = KINDS_OF_TEST.get(text);
  if (!kinds || !(holds || BY_KIND.includes(text))) return [];
  return about(input, holds ? { only: kinds } : { not: kinds });
}

/** Filters that return a true value only for a true input: `x | length`, `x | default("")`. */
const KEEPS_FALSE: readonly string[] = 'list sort unique length count first last'.split(' ');

function unfiltered({ input, name, args }: Expression & { kind: 'filter' }) {
  if (!input) return [];
  const [fallback] = args;
  const isDefault = name.text === 'default' || name.text === 'd';
  const isFalse = fallback === undefined || (fallback.kind === 'positional' && isFalsy(fallback.value));
  const passes = isDefault ? isFalse : KEEPS_FALSE.includes(name.text);
  return passes ? [{ part: input, truth: true }] : [];
}

const isFalsy = (value: Expression): boolean =>
  (value.kind === 'literal' && !value.value) ||
  (value.kind === 'list' && value.items.length === 0) ||
  (value.kind === 'dict' && value.entries.length === 0);

/** A value that equals a constant is defined, and null only if the constant is. */
function equalFacts(value: Expression, other: Expression): readonly Fact[] {
  if (other.kind !== 'literal') return [];
  return about(value, other.value === null ? { only: ['null'] } : { not: ['undefined', 'null'] });
}

const unequalFacts = (left: Expression, right: Expression): readonly Fact[] => {
  if (right.kind === 'literal' && right.value === null) return about(left, { not: ['null'] });
  return left.kind === 'literal' && left.value === null ? about(right, { not: ['null'] }) : [];
};

/** A condition on `loop`, such as `not loop.first`, usually proves that there is a previous or a next item. */
function edgeFacts(part: Expression): readonly Fact[] {
  const sides = part.kind === 'binary' ? [part.left, part.right] : [part];
  const hasLoop = sides.some((side) => {
    const { base } = pathOf(side);
    return base.kind === 'name' && base.name === 'loop';
  });
  return hasLoop ? EDGES : [];
}

const EDGES: readonly Fact[] = ['previtem', 'nextitem'].map((name) => ({ key: `loop\0${name}`, not: ['undefined'] }));

/** Returns a fact about a path. A path is defined only if the values before it are defined. */
function about(expression: Expression, narrowing: Narrowing): readonly Fact[] {
  const { base, segments } = pathOf(expression);
  if (base.kind !== 'name') return [];
  const key = keyOf(base.name, segments);
  if (key === undefined) return [];
  const before = segments.map((_, length) => keyOf(base.name, segments.slice(0, length)) ?? '');
  return [
    { key, ...narrowing },
    ...before.map((outer): Fact => ({ key: outer, not: ['undefined', ...nullOf(narrowing)] })),
  ];
}

/** The field of a null value is undefined, so a defined field has a receiver that is not null. */
const nullOf = ({ only: kept, not = [] }: Narrowing): readonly Kind[] =>
  not.includes('undefined') || (kept && !kept.includes('undefined')) ? ['null'] : [];
