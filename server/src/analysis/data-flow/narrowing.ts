/** The facts that the conditions of steps prove about the values that they read (docs/format.md, section 4, "Data flow"). */

import type { Expression } from '../../languages/minijinja/ast.ts';
import {
  type AssumedValue,
  type AttributePath,
  type Presence,
  pathKeysIn,
  pathOf,
  truthWith,
} from '../../languages/minijinja/defined-names.ts';
import { kindsOfTest } from '../../languages/minijinja/types/environment.ts';
import type { Kind } from '../../languages/minijinja/types/value-type.ts';
import type { JsonObject, SchemaPart } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { plainName } from '../../skill/conditions.ts';
import type { Doubt, Guards } from './doubts.ts';
import { NEGATED, type Operand, type StepCondition } from './step-condition.ts';
import { isPathWith, isPathWithin, keysOf, type ValuePath, valueAtPath, valuePathIn } from './value-paths.ts';

/** Returns the operands of all conditions that hold, or do not hold, where a step runs. */
const operandsOf = ({ conditions, negated }: Guards): readonly Operand[] => [
  ...conditions.flatMap((condition) => condition.operandsIf(true)),
  ...negated.flatMap((condition) => condition.operandsIf(false)),
];

const reads = (operand: Operand, keys: readonly string[]): boolean => keys.some((key) => operand.keys.has(key));

/**
 * Returns whether the conditions in `guards` prove that a value exists: one of them reads the value, or a field of it, and
 * does not hold without it. A condition that cannot be decided counts as a proof if it reads the value plainly. A proof that
 * the value of the first `least` names exists is enough.
 */
export function isProven({ source, fields }: ValuePath, guards: Guards, least = fields.length): boolean {
  const operands = operandsOf(guards);
  if (operands.length === 0) return false;
  const lengths = Array.from({ length: fields.length - least + 1 }, (_, at) => least + at);
  const paths = lengths.map((length) => keysOf({ source, fields: fields.slice(0, length) }));
  return operands.some((operand) =>
    paths.some((keys) => {
      if (!reads(operand, keys)) return false;
      const { part, truth } = operand;
      const others = operands.filter((other) => other !== operand);
      const isRefuted = comparedWithout(operand, keys, guards, others);
      if (isRefuted !== undefined) return isRefuted;
      const result = truthWith(part, keys, { is: 'undefined' }, (path) => presenceOf(path, guards));
      return result === undefined ? readsPlainly(part, keys) : result !== truth;
    }),
  );
}

/** Returns what is known about the value of a path where conditions are evaluated. */
function presenceOf(read: AttributePath, { valueAt }: Guards): Presence {
  const path = valueAtPath(read);
  const value = path && valueAt(path);
  if (!value?.isGiven || !isObject(value.part.json)) return 'unknown';
  const types = typesOf(value.part.json);
  if (types.length === 0 || types.includes('null')) return 'unknown';
  return types.every((type) => type === 'string') ? 'text' : 'other';
}

/** The result of each comparison of a missing value: with a value that exists, and with another missing value. */
const WITHOUT: ReadonlyMap<string, readonly [given: boolean, missing: boolean]> = new Map([
  ['==', [false, true]],
  ['!=', [true, false]],
  ['<', [true, false]],
  ['<=', [true, true]],
  ['>', [false, false]],
  ['>=', [false, true]],
]);

/**
 * Returns whether a comparison of the value with these keys cannot hold without it; undefined for other operands. Two
 * missing values are equal, and a string contains a missing value.
 */
function comparedWithout(
  { part, truth }: Operand,
  keys: readonly string[],
  guards: Guards,
  others: readonly Operand[],
): boolean | undefined {
  if (part.kind !== 'binary') return undefined;
  const { left, right } = part;
  const isMissing = (other: Expression): boolean => mayMiss(other, guards, others);
  if (isPathWithin(left, keys) && (part.operator === 'in' || part.operator === 'not in')) {
    const isList = right.kind === 'list' || right.kind === 'tuple';
    if (!isList && !valuePathIn(right)) return undefined;
    const mayContain = isList ? right.items.some(isMissing) : mayBeText(right, guards);
    return truth === (part.operator === 'in') && !mayContain;
  }
  const isLeft = isPathWithin(left, keys);
  if (!isLeft && !isPathWithin(right, keys)) return undefined;
  const results = WITHOUT.get(isLeft ? part.operator : (FLIPPED.get(part.operator) ?? part.operator));
  if (!results) return undefined;
  const [given, missing] = results;
  return given !== truth && (missing !== truth || !isMissing(isLeft ? right : left));
}

function mayBeText(expression: Expression, { valueAt }: Guards): boolean {
  const path = valuePathIn(expression);
  const json = path && valueAt(path)?.part.json;
  return json !== undefined && isObject(json) && typesOf(json).includes('string');
}

/** Returns whether an expression is a value that may be missing, although `operands` hold. */
function mayMiss(expression: Expression, { valueAt }: Guards, operands: readonly Operand[]): boolean {
  const path = valuePathIn(expression);
  if (!path || valueAt(path)?.isGiven !== false) return false;
  const keys = keysOf(path);
  return !operands.some((operand) => {
    const result = reads(operand, keys) ? truthWith(operand.part, keys, { is: 'undefined' }) : undefined;
    return result !== undefined && result !== operand.truth;
  });
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
export function isGuardedIn(doubt: Doubt, guards: Guards, own: StepCondition): boolean {
  if (isGuarded(doubt, guards)) return true;
  if (!doubt.guard) return false;
  const operands = own.operandsIf(true).toSorted((a, b) => a.part.span.start - b.part.span.start);
  const at = operands.findIndex(({ keys }) => keys.has(plainName(doubt.step)));
  return isContained(doubt.guard, guards, operands.slice(0, Math.max(at, 0)));
}

/** Returns whether the conditions in `guards` and `others` contain all operands of `and` in another condition. */
function isContained(guard: StepCondition, guards: Guards, others: readonly Operand[] = []): boolean {
  if (guards.conditions.some(({ source }) => source === guard.source)) return true;
  const held = [...operandsOf(guards), ...others];
  if (held.length === 0 || !guard.expression) return false;
  const known = new Set(held.map(({ form }) => form));
  return guard.operandsIf(true).every(({ form }) => known.has(form));
}

/**
 * Returns the schema of a value without the values that the conditions in `guards` rule out: null, types, values of an
 * `enum`, and numbers outside of a range.
 */
export function narrowedPart<Part extends SchemaPart>(part: Part, path: ValuePath, guards: Guards): Part {
  const keys = keysOf(path);
  const operands = operandsOf(guards).filter((operand) => reads(operand, keys));
  if (operands.length === 0) return part;
  const isOpen = (assumed: AssumedValue): boolean =>
    operands.every((operand) => {
      const result = truthWith(operand.part, keys, assumed);
      return result === undefined || result === operand.truth;
    });
  const json = narrowed(part.json, { isOpen, facts: factsAbout(keys, operands) }, 0);
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

export const isObject = (json: Json): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

export const typesOf = ({ type }: JsonObject): readonly string[] =>
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
function factsAbout(keys: readonly string[], operands: readonly Operand[]): Facts {
  const only: (readonly Kind[])[] = [];
  const not: Kind[] = [];
  const bounds: Record<string, number> = {};
  let values: readonly Json[] | undefined;
  const isOwn = (expression: Expression): boolean => isPathWith(expression, keys);
  for (const { part, truth: holds } of operands) {
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
  return { only, not, bounds, values };
}

/** Returns the constants to which a value is equal: of `x == "a"`, of `x in ["a", "b"]`, and of two of them with `or`. */
function valuesListed(
  { operator, left, right }: Expression & { kind: 'binary' },
  isOwn: (expression: Expression) => boolean,
): readonly Json[] | undefined {
  if (operator === 'or') {
    const values: Json[] = [];
    // The stack replaces recursion, because a long expression is a deep tree.
    const pending: Expression[] = [left, right];
    for (let side = pending.pop(); side !== undefined; side = pending.pop()) {
      if (side.kind !== 'binary') return undefined;
      if (side.operator === 'or') pending.push(side.left, side.right);
      else {
        const listed = valuesListed(side, isOwn);
        if (!listed) return undefined;
        values.push(...listed);
      }
    }
    return values;
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
