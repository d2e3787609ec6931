/** The numbers that a schema allows: bounds and multiples (docs/format.md, section 3). */
import { isList, type JsonObject, numberUnder, own } from '../model.ts';

/** The bounds of a number. `steps` are the numbers of which it must be a multiple. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** True if the number must not be equal to `low`. */
  readonly aboveLow: boolean;
  /** True if the number must not be equal to `high`. */
  readonly belowHigh: boolean;
  readonly steps: readonly number[];
}

/** The number of numbers that `numbersIn` yields at most, for each way to choose them. */
const MAX_NUMBERS = 150;

/**
 * Returns the range of the numbers that match all schemas. `isInteger` is true if only whole numbers match. Never
 * throws.
 */
export function rangeOf(schemas: readonly JsonObject[], isInteger: boolean): NumberRange {
  const under = (keyword: string): readonly number[] => schemas.flatMap((schema) => numberUnder(schema, keyword) ?? []);
  const [from, above] = [Math.max(...under('minimum')), Math.max(...under('exclusiveMinimum'))];
  const [to, below] = [Math.min(...under('maximum')), Math.min(...under('exclusiveMaximum'))];
  const steps = under('multipleOf').filter((step) => step > 0);
  return {
    low: Math.max(from, above),
    high: Math.min(to, below),
    aboveLow: above >= from && above > Number.NEGATIVE_INFINITY,
    belowHigh: below <= to && below < Number.POSITIVE_INFINITY,
    steps: isInteger ? [1, ...steps] : steps,
  };
}

/** Returns true if a schema with this `type` allows whole numbers, but no other numbers. */
export function isIntegerOnly(schema: JsonObject): boolean {
  const type = own(schema, 'type');
  const types = isList(type) ? type : [type];
  return types.includes('integer') && !types.includes('number');
}

/** Returns true if it is certain that no number is in the range. */
export function isEmptyRange({ low, high, aboveLow, belowHigh, steps }: NumberRange): boolean {
  if (low > high || (low === high && (aboveLow || belowHigh))) return true;
  return steps.some((step) => firstMultiple(low, step, aboveLow) > lastMultiple(high, step, belowHigh));
}

/** Returns the smallest factor whose product with `step` is in the range that begins at `low`. */
function firstMultiple(low: number, step: number, aboveLow: boolean): number {
  const factor = low / step;
  const near = Math.round(factor);
  return isNearly(factor, near) ? near + (aboveLow ? 1 : 0) : Math.ceil(factor);
}

function lastMultiple(high: number, step: number, belowHigh: boolean): number {
  const factor = high / step;
  const near = Math.round(factor);
  return isNearly(factor, near) ? near - (belowHigh ? 1 : 0) : Math.floor(factor);
}

/** Ignores rounding errors of a division, so that `0.3` counts as a multiple of `0.1`. */
const isNearly = (factor: number, whole: number): boolean =>
  Math.abs(factor - whole) <= 1e-9 * Math.max(1, Math.abs(factor));

/** Yields numbers in the range, the simplest ones first. Some of them may have a rounding error. */
export function* numbersIn(range: NumberRange): Generator<number> {
  if (isEmptyRange(range)) return;
  const { low, high, aboveLow, belowHigh, steps } = range;
  const isFree = steps.length === 0;
  const step = isFree ? 1 : Math.max(...steps);
  const isInside = (value: number): boolean =>
    Number.isFinite(value) && (aboveLow ? value > low : value >= low) && (belowHigh ? value < high : value <= high);
  if (isFree && !aboveLow && low > Number.NEGATIVE_INFINITY) yield low;
  const first = firstMultiple(low, step, aboveLow);
  const last = lastMultiple(high, step, belowHigh);
  const start = first > Number.NEGATIVE_INFINITY ? first : Math.min(1, last);
  for (let count = 0; count < MAX_NUMBERS && start + count <= last; count++) yield product(start + count, step);
  if (first === Number.NEGATIVE_INFINITY) {
    for (let count = 1; count < MAX_NUMBERS; count++) yield product(start - count, step);
  }
  if (!isFree) return;
  if (!belowHigh && high < Number.POSITIVE_INFINITY) yield high;
  const [from, to] = [low > Number.NEGATIVE_INFINITY ? low : Math.min(0, high - 1), Math.min(high, low + 1)];
  const end = Number.isFinite(to) ? to : Number.isFinite(high) ? high : from + 1;
  for (let parts = 2; parts < MAX_NUMBERS; parts++) {
    const value = from + (end - from) / parts;
    if (isInside(value)) yield value;
  }
}

/** Returns the product without the rounding error of a decimal step: `3 * 0.1` is `0.3`. */
const product = (factor: number, step: number): number =>
  Number.isInteger(step) ? factor * step : Number((factor * step).toPrecision(15));
