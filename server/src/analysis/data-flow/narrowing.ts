/**
 * The facts that the conditions of steps prove about the values that they read (docs/format.md, section 4, "Data flow"): the
 * values that a condition rules out, and conditions of which one always holds.
 */

import type { BinaryOperator, Expression } from '../../languages/minijinja/ast.ts';
import {
  type AssumedValue,
  type ConditionPart,
  conditionParts,
  keyOf,
  pathKeysIn,
  pathOf,
  truthWith,
} from '../../languages/minijinja/defined-names.ts';
import { parseExpression } from '../../languages/minijinja/parser.ts';
import { kindsOfTest } from '../../languages/minijinja/types/environment.ts';
import type { Kind } from '../../languages/minijinja/types/value-type.ts';
import type { JsonObject, SchemaPart } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { plainName, withPlainReferences } from '../../skill/conditions.ts';
import type { Guard } from '../../skill/execution/execution.ts';
import type { Doubt, Guards } from './doubts.ts';

/** A value that a reference names: an input of the composite, or an output of a step, with the fields after it. */
export interface ValuePath {
  /** `input`, or the name of a step. */
  readonly source: string;
  /** The names after `$input`, or after `$step.output`. */
  readonly fields: readonly string[];
}

/** Returns the keys of the names that a value has in conditions. `$input.x`, `parameters.x` and `x` are one value. */
function keysOf({ source, fields }: ValuePath): readonly string[] {
  const paths =
    source === 'input'
      ? [fields, ['parameters', ...fields], [plainName('input'), ...fields]]
      : [[plainName(source), 'output', ...fields]];
  return paths.map((path) => path.join('\0'));
}

/** The length of the longest condition that is read, in UTF-16 code units. */
const MAX_LENGTH = 1000;

/** Returns the expression of a condition; undefined if it is too long or has a syntax error. */
function expressionOf({ source }: Guard): Expression | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const { expression, problems } = parseExpression(withPlainReferences(source));
  return problems.length === 0 ? expression : undefined;
}

/** A condition that is true or false. */
interface Proof {
  readonly expression: Expression;
  readonly truth: boolean;
}

function proofsOf({ conditions, negated }: Guards): readonly Proof[] {
  const of = (guards: readonly Guard[], truth: boolean): readonly Proof[] =>
    guards.flatMap((guard) => {
      const expression = expressionOf(guard);
      return expression ? [{ expression, truth }] : [];
    });
  return [...of(conditions, true), ...of(negated, false)];
}

/**
 * Returns whether the conditions in `guards` prove that a value exists: one of them reads the value, or a field of it, and
 * does not hold without it. A condition that cannot be decided counts as a proof if it reads the value plainly. A proof that
 * the value of the first `least` names exists is enough.
 */
export function isProven({ source, fields }: ValuePath, guards: Guards, least = fields.length): boolean {
  const parts = proofsOf(guards).flatMap(({ expression, truth }) => conditionParts(expression, truth));
  const lengths = Array.from({ length: fields.length - least + 1 }, (_, at) => least + at);
  const paths = lengths.map((length) => keysOf({ source, fields: fields.slice(0, length) }));
  return parts.some(({ part, truth }) =>
    paths.some((keys) => {
      const read = pathKeysIn(part);
      if (!keys.some((key) => read.has(key))) return false;
      const result = truthWith(part, keys, { is: 'undefined' });
      return result === undefined ? readsPlainly(part, keys) : result !== truth;
    }),
  );
}

/** Tests and filters that expect a value which may be missing. */
const LENIENT: ReadonlySet<string> = new Set(['defined', 'undefined', 'none', 'default', 'd']);

/** Returns whether an expression reads a value in a place where code usually expects it to exist. */
function readsPlainly(expression: Expression, keys: readonly string[]): boolean {
  const reads = (part: Expression | undefined): boolean => part !== undefined && readsPlainly(part, keys);
  switch (expression.kind) {
    case 'unary':
      return reads(expression.operand);
    case 'binary':
      return !['or', 'and'].includes(expression.operator) && (reads(expression.left) || reads(expression.right));
    case 'filter':
    case 'test':
      if (LENIENT.has(expression.name.text)) return false;
      return reads(expression.input) || expression.args.some(({ value }) => reads(value));
    case 'name':
    case 'attribute':
    case 'item': {
      const { base } = pathOf(expression);
      if (base.kind === 'item') return reads(base.receiver) || reads(base.index);
      if (base.kind !== 'name') return reads(base);
      const found = pathKeysIn(expression);
      return keys.some((key) => found.has(key));
    }
    default:
      return false;
  }
}

/**
 * Returns whether the step that uses a value runs only if the step that provides it has run: the conditions in `guards`
 * prove that it has an output, or contain its condition.
 */
export const isGuarded = ({ guard, step }: Doubt, guards: Guards): boolean =>
  isProven({ source: step, fields: [] }, guards) || (guard !== undefined && isContained(guard, guards));

/** Returns whether a step has run when a condition is evaluated, or when the part after `and` that first reads it is. */
export function isGuardedIn(doubt: Doubt, guards: Guards, own: Guard): boolean {
  if (isGuarded(doubt, guards)) return true;
  const expression = expressionOf(own);
  if (!expression || !doubt.guard) return false;
  const parts = conditionParts(expression, true).toSorted((a, b) => a.part.span.start - b.part.span.start);
  const at = parts.findIndex(({ part }) => pathKeysIn(part).has(plainName(doubt.step)));
  return isContained(doubt.guard, guards, parts.slice(0, Math.max(at, 0)));
}

/** Returns whether the conditions in `guards` and `others` contain all operands of `and` in another condition. */
function isContained(guard: Guard, guards: Guards, others: readonly ConditionPart[] = []): boolean {
  if (guards.conditions.some(({ source }) => source === guard.source)) return true;
  const expression = expressionOf(guard);
  if (!expression) return false;
  const keyOfPart = ({ part, truth }: ConditionPart): string => `${truth} ${textOf(part)}`;
  const parts = proofsOf(guards).flatMap((proof) => conditionParts(proof.expression, proof.truth));
  const known = new Set([...parts, ...others].map(keyOfPart));
  return conditionParts(expression, true).every((part) => known.has(keyOfPart(part)));
}

/**
 * Returns the schema of a value without the values that the conditions in `guards` rule out: null, types, values of an
 * `enum`, and numbers outside of a range.
 */
export function narrowedPart<Part extends SchemaPart>(part: Part, path: ValuePath, guards: Guards): Part {
  const proofs = proofsOf(guards);
  if (proofs.length === 0) return part;
  const keys = keysOf(path);
  const isOpen = (assumed: AssumedValue): boolean =>
    proofs.every(({ expression, truth }) => {
      const result = truthWith(expression, keys, assumed);
      return result === undefined || result === truth;
    });
  const json = narrowed(part.json, { isOpen, facts: factsAbout(keys, proofs) }, 0);
  return json === part.json ? part : { ...part, json: json ?? part.json };
}

/** The values and types that are left for one value. */
interface Narrowing {
  /** Returns whether the value may be this one. */
  readonly isOpen: (assumed: AssumedValue) => boolean;
  readonly facts: Facts;
}

interface Facts {
  readonly only: readonly (readonly Kind[])[];
  readonly not: readonly Kind[];
  readonly bounds: JsonObject;
  /** The only values, if a condition lists them. */
  readonly values: readonly Json[] | undefined;
}

const MAX_DEPTH = 10;

/** Returns a schema without the values that are ruled out; undefined if no value is left. */
function narrowed(json: Json, narrowing: Narrowing, depth: number): Json | undefined {
  if (!isObject(json) || depth > MAX_DEPTH) return json;
  const schema = json;
  const result: Record<string, Json> = { ...schema };
  for (const key of ['anyOf', 'oneOf'] as const) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    const left = parts.flatMap((one: Json) => narrowed(one, narrowing, depth + 1) ?? []);
    if (left.length === 0) return undefined;
    result[key] = left;
  }
  if (Array.isArray(schema.enum)) {
    const left = schema.enum.filter((value: Json) => isValueOpen(value, narrowing));
    if (left.length === 0) return undefined;
    result.enum = left;
  }
  if (schema.const !== undefined && !isValueOpen(schema.const, narrowing)) return undefined;
  const types = typesOf(schema).filter((type) => isTypeOpen(type, narrowing));
  const listed = valuesOfTypes(narrowing.facts.values, types);
  if (listed && listed.length > 0 && schema.enum === undefined && schema.const === undefined) result.enum = listed;
  if (schema.type !== undefined) {
    if (types.length === 0) return undefined;
    result.type = types.length === 1 ? (types[0] ?? '') : types;
  }
  if (types.length === 0 || types.some((type) => type !== 'integer' && type !== 'number')) return result;
  return { ...result, ...strictest(schema, narrowing.facts.bounds) };
}

const isObject = (json: Json): json is JsonObject => typeof json === 'object' && json !== null && !Array.isArray(json);

const typesOf = ({ type }: JsonObject): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');

/** Returns the listed values that have one of the types; undefined if a number and a boolean may be equal in a condition. */
function valuesOfTypes(values: readonly Json[] | undefined, types: readonly string[]): readonly Json[] | undefined {
  const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
  const mayBeEqual =
    types.includes('boolean') && (types.some(isNumber) || values?.some((one) => typeof one === 'number'));
  if (mayBeEqual) return undefined;
  return values?.filter((value) =>
    typeof value === 'number'
      ? types.includes('number') || (types.includes('integer') && Number.isInteger(value))
      : types.includes(typeof value),
  );
}

function isValueOpen(value: Json, narrowing: Narrowing): boolean {
  if (value === null) return isTypeOpen('null', narrowing);
  if (typeof value === 'object') return true;
  return narrowing.isOpen({ is: 'constant', value }) && isTypeOpen(typeof value, narrowing);
}

/** The kinds of templates for the types of JSON Schema. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['null', 'null'],
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['number', 'number'],
  ['string', 'string'],
  ['array', 'list'],
  ['object', 'map'],
]);

function isTypeOpen(type: string, { isOpen, facts }: Narrowing): boolean {
  const kind = KINDS.get(type);
  if (kind === undefined) return true;
  if (facts.not.includes(kind) || facts.only.some((kinds) => !kinds.includes(kind))) return false;
  if (kind === 'null') return isOpen({ is: 'null' });
  if (kind === 'boolean') return [true, false].some((value) => isOpen({ is: 'constant', value }));
  return [true, false].some((truth) => isOpen({ is: 'other', truth }));
}

/** Returns the kinds and the bounds that conditions prove for the value with these keys. */
function factsAbout(keys: readonly string[], proofs: readonly Proof[]): Facts {
  const only: (readonly Kind[])[] = [];
  const not: Kind[] = [];
  const bounds: Record<string, number> = {};
  let values: readonly Json[] | undefined;
  const isOwn = (expression: Expression): boolean => {
    const { base, segments } = pathOf(expression);
    return base.kind === 'name' && keys.includes(keyOf(base.name, segments) ?? '');
  };
  for (const { expression, truth } of proofs) {
    for (const { part, truth: holds } of conditionParts(expression, truth)) {
      if (part.kind === 'test' && isOwn(part.input)) {
        const test = kindsOfTest(part.name.text);
        if (!test) continue;
        if (holds !== part.negated) only.push(test.kinds);
        else if (test.isExact) not.push(...test.kinds);
      }
      values ??= part.kind === 'binary' && holds ? valuesListed(part, isOwn) : undefined;
      const bound = part.kind === 'binary' ? boundOf(part, isOwn, holds) : undefined;
      if (bound) bounds[bound.key] = tighter(bound.key, bounds[bound.key], bound.value);
    }
  }
  return { only, not, bounds, values };
}

/** Returns the constants to which a value is equal: of `x == "a"`, of `x in ["a", "b"]`, and of two of them with `or`. */
function valuesListed(
  { operator, left, right }: Expression & { kind: 'binary' },
  isOwn: (expression: Expression) => boolean,
): readonly Json[] | undefined {
  if (operator === 'or') {
    const [one, other] = [left, right].map((side) => (side.kind === 'binary' ? valuesListed(side, isOwn) : undefined));
    return one && other && [...one, ...other];
  }
  const constants = (items: readonly Expression[]): readonly Json[] | undefined => {
    const values = items.flatMap((item) => (item.kind === 'literal' && item.value !== null ? [item.value] : []));
    return values.length === items.length ? values : undefined;
  };
  if (operator === '==' && (isOwn(left) || isOwn(right))) return constants([isOwn(left) ? right : left]);
  const isList = right.kind === 'list' || right.kind === 'tuple';
  return operator === 'in' && isOwn(left) && isList ? constants(right.items) : undefined;
}

const FLIPPED: ReadonlyMap<string, string> = new Map(Object.entries({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' }));
const NEGATED: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>(
  Object.entries({
    ...({ '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const),
    ...({ '==': '!=', '!=': '==', in: 'not in', 'not in': 'in' } as const),
  }),
);
const BOUNDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ '<': 'exclusiveMaximum', '<=': 'maximum', '>': 'exclusiveMinimum', '>=': 'minimum' }),
);

/** Returns the bound that a comparison with a number proves. */
function boundOf(
  { operator, left, right }: Expression & { kind: 'binary' },
  isOwn: (expression: Expression) => boolean,
  holds: boolean,
): { readonly key: string; readonly value: number } | undefined {
  const isLeft = isOwn(left);
  if (!isLeft && !isOwn(right)) return undefined;
  const value = numberIn(isLeft ? right : left);
  const turned = (isLeft ? operator : FLIPPED.get(operator)) ?? '';
  const key = BOUNDS.get(holds ? turned : (NEGATED.get(turned) ?? ''));
  return value === undefined || key === undefined ? undefined : { key, value };
}

function numberIn(expression: Expression): number | undefined {
  if (expression.kind === 'literal') return typeof expression.value === 'number' ? expression.value : undefined;
  if (expression.kind !== 'unary' || expression.operator === 'not') return undefined;
  const value = numberIn(expression.operand);
  return value === undefined ? undefined : -value;
}

const tighter = (key: string, one: number | undefined, other: number): number =>
  one === undefined ? other : /Minimum|minimum/.test(key) ? Math.max(one, other) : Math.min(one, other);

/** Returns the bounds that hold together with those of a schema. */
const strictest = (schema: JsonObject, bounds: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(bounds).flatMap(([key, value]) => {
      const own = schema[key];
      return typeof value === 'number' ? [[key, tighter(key, typeof own === 'number' ? own : undefined, value)]] : [];
    }),
  );

// Conditions of which one always holds.

/** The largest number of conditions that are compared. */
const MAX_CONDITIONS = 100;
/** The largest number of values that are tried. */
const MAX_VALUES = 200;

/**
 * Returns whether one of several conditions holds in every run: a condition and its negation, or conditions about one
 * value that cover all of its values. `schemaOf` returns the schema of a value, and whether it is always given.
 */
export function coverEverything(
  guards: readonly Guard[],
  schemaOf: (path: ValuePath) => { readonly part: SchemaPart; readonly isGiven: boolean } | undefined,
): boolean {
  if (guards.length < 2 || guards.length > MAX_CONDITIONS) return false;
  const expressions = guards.flatMap((guard) => expressionOf(guard) ?? []);
  const forms = new Set(expressions.map((expression) => textOf(expression)));
  if (expressions.some((expression) => forms.has(textOf(negationOf(expression))))) return true;
  const keys = new Set(expressions.flatMap((expression) => [...pathKeysIn(expression)]));
  for (const key of keys) {
    const path = valuePathOf(key);
    const values = path && valuesOf(path, schemaOf(path));
    if (!values) continue;
    const names = keysOf(path);
    if (values.every((value) => expressions.some((one) => truthWith(one, names, value) === true))) return true;
  }
  return false;
}

function valuePathOf(key: string): ValuePath | undefined {
  const [root = '', ...fields] = key.split('\0');
  if (root === 'parameters' || root === plainName('input'))
    return fields.length > 0 ? { source: 'input', fields } : undefined;
  // The name of a step is not certain, because a hyphen becomes an underscore.
  if (root.startsWith('_'))
    return fields[0] === 'output' ? { source: root.slice(1), fields: fields.slice(1) } : undefined;
  return { source: 'input', fields: [root, ...fields] };
}

/** Returns the values that a value can have: constants, or one true and one false value. */
function valuesOf(
  { fields }: ValuePath,
  found: { readonly part: SchemaPart; readonly isGiven: boolean } | undefined,
): readonly AssumedValue[] | undefined {
  if (!found || fields.length === 0) return undefined;
  const { json } = found.part;
  const schema: JsonObject = isObject(json) ? json : {};
  const missing: readonly AssumedValue[] = found.isGiven ? [] : [{ is: 'undefined' }];
  const listed: readonly Json[] | undefined = Array.isArray(schema.enum)
    ? schema.enum
    : schema.const === undefined
      ? undefined
      : [schema.const];
  if (listed && listed.length <= MAX_VALUES) {
    const values = listed.flatMap((value): readonly AssumedValue[] =>
      value === null ? [{ is: 'null' }] : typeof value === 'object' ? [] : [{ is: 'constant', value }],
    );
    return values.length === listed.length ? [...values, ...missing] : undefined;
  }
  const types = typesOf(schema);
  const isBoolean = types.length > 0 && types.every((type) => type === 'boolean' || type === 'null');
  const truths = [true, false].map(
    (value): AssumedValue => (isBoolean ? { is: 'constant', value } : { is: 'other', truth: value }),
  );
  const hasNull = types.length === 0 || types.includes('null');
  return [...truths, ...(hasNull ? [{ is: 'null' } as const] : []), ...missing];
}

/** Returns an expression that is true if another one is false. */
function negationOf(expression: Expression): Expression {
  const { span } = expression;
  if (expression.kind === 'unary' && expression.operator === 'not') return expression.operand;
  if (expression.kind === 'test') return { ...expression, negated: !expression.negated };
  const operator = expression.kind === 'binary' ? NEGATED.get(expression.operator) : undefined;
  if (expression.kind === 'binary' && operator !== undefined) return { ...expression, operator };
  return { kind: 'unary', operator: 'not', operand: expression, span };
}

/** Returns a text that is equal for equal expressions, without regard to spaces and brackets. */
const textOf = (expression: Expression): string =>
  JSON.stringify(expression, (key, value: unknown) => (key === 'span' || key === 'content' ? undefined : value));
