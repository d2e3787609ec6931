/** Conditions of which one always holds (docs/format.md, section 4, "Data flow"). */
import type { Expression } from '../../languages/minijinja/ast.ts';
import { type AssumedValue, truthWith } from '../../languages/minijinja/defined-names.ts';
import type { JsonObject } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { ValueAt } from './doubts.ts';
import { isObject, typesOf } from './narrowing.ts';
import type { StepCondition } from './step-condition.ts';
import { keysOf, type ValuePath, valuePathOf } from './value-paths.ts';

/** The largest number of conditions that are compared. */
const MAX_CONDITIONS = 200;
/** The largest number of values that are tried. */
const MAX_VALUES = 200;

/** The largest number of characters of all conditions that are compared. */
const MAX_COMPARED = 50_000;

/**
 * Returns whether one of several conditions holds in every run: a condition and its negation, or conditions about one
 * value that cover all of its values. `valueAt` returns the schema of a value, and whether it is always given.
 */
export function coverEverything(conditions: readonly StepCondition[], valueAt: ValueAt): boolean {
  if (conditions.length < 2 || conditions.length > MAX_CONDITIONS) return false;
  if (conditions.reduce((sum, { source }) => sum + source.length, 0) > MAX_COMPARED) return false;
  const read = conditions.flatMap(({ facts }) => facts ?? []);
  const forms = new Set(read.map(({ form }) => form));
  if (read.some(({ negatedForm }) => forms.has(negatedForm))) return true;
  for (const key of new Set(read.flatMap(({ keys }) => [...keys]))) {
    const path = valuePathOf(key);
    if (!path) continue;
    const names = keysOf(path);
    const readers = read.flatMap(({ expression, keys }) => (names.some((name) => keys.has(name)) ? [expression] : []));
    const values = readers.length > 1 ? valuesOf(path, valueAt(path), readers) : undefined;
    if (values?.every((value) => readers.some((one) => truthWith(one, names, value) === true))) return true;
  }
  return false;
}

/**
 * Returns the values that a value can have: constants, numbers between those in the conditions, or one true and one false
 * value.
 */
function valuesOf(
  { fields }: ValuePath,
  found: ReturnType<ValueAt>,
  conditions: readonly Expression[],
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
  const isNumber = types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
  const numbers = isNumber ? numbersBetween(conditions, schema, !types.includes('number')) : undefined;
  if (numbers) return [...numbers.map((value): AssumedValue => ({ is: 'constant', value })), ...missing];
  const isBoolean = types.length > 0 && types.every((type) => type === 'boolean' || type === 'null');
  const truths = [true, false].map(
    (value): AssumedValue => (isBoolean ? { is: 'constant', value } : { is: 'other', truth: value }),
  );
  const hasNull = types.length === 0 || types.includes('null');
  return [...truths, ...(hasNull ? [{ is: 'null' } as const] : []), ...missing];
}

/**
 * Returns one number of each range that the numbers in conditions form, and these numbers; undefined if there are too many.
 * A condition that compares a number only with constants has one result in each range.
 */
function numbersBetween(
  conditions: readonly Expression[],
  schema: JsonObject,
  isInteger: boolean,
): readonly number[] | undefined {
  const limitOf = (key: string): number => (typeof schema[key] === 'number' ? schema[key] : Number.NaN);
  const [least, above] = [limitOf('minimum'), limitOf('exclusiveMinimum')];
  const [most, below] = [limitOf('maximum'), limitOf('exclusiveMaximum')];
  const limits = new Set([0, least, above, most, below].filter((limit) => !Number.isNaN(limit)));
  for (const number of conditions.flatMap(numbersIn)) limits.add(number).add(-number);
  const sorted = [...limits].toSorted((a, b) => a - b);
  if (sorted.length > MAX_VALUES / 3) return undefined;
  const inner = sorted.flatMap((limit, at) => {
    const next = sorted[at + 1] ?? limit + 2;
    const before = at === 0 ? [limit - 1] : [];
    if (!isInteger) return [...before, limit, (limit + next) / 2];
    const whole = [Math.ceil(limit) - 1, Math.ceil(limit), Math.floor(limit) + 1];
    return whole.filter((number) => number <= next && (at === 0 || number >= limit));
  });
  const isOutside = (value: number): boolean => value < least || value <= above || value > most || value >= below;
  return inner.filter((value) => !isOutside(value));
}

/** Returns all numbers in an expression. */
function numbersIn(root: Expression): readonly number[] {
  const found: number[] = [];
  const pending: unknown[] = [root];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const { kind, value } = part as { readonly kind?: unknown; readonly value?: unknown };
    if (kind === 'literal' && typeof value === 'number') found.push(value);
    for (const [key, inner] of Object.entries(part)) if (key !== 'span') pending.push(inner);
  }
  return found;
}
