/** The numbers that a schema allows, and bounds and constants that no value can match (docs/format.md, section 3). */
import type { Span } from '../../text.ts';
import {
  type Dialect,
  isList,
  type JsonObject,
  numberUnder,
  objectUnder,
  own,
  type SchemaProblem,
  show,
} from './model.ts';
import { validateValue } from './validate/value.ts';
import { firstItemSchemasOf, otherItemsSchemaOf } from './walk.ts';

/** A keyword as the author wrote it. */
export interface WrittenKeyword {
  /** The key, which differs from the keyword in the shorthand: `min` for `minimum`. */
  readonly name: string;
  /** The span of the value. */
  readonly span: Span;
}

/** Returns a keyword of the schema; undefined if it is missing or its value is invalid. */
export type FindWritten = (keyword: string) => WrittenKeyword | undefined;

/** Pairs of bounds of which the lower one must not be above the upper one. */
const BOUNDS: readonly (readonly [low: string, high: string])[] = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
  ['minContains', 'maxItems'],
];

/**
 * Returns the problems with bounds and constants of a schema, for which no value is valid. `root` is the schema from
 * which its references are resolved. Never throws.
 */
export function* findEmptyRanges(
  root: JsonObject,
  schema: JsonObject,
  dialect: Dialect,
  written: FindWritten,
): Generator<SchemaProblem> {
  let isNumberFree = true;
  let isReported = false;
  for (const [low, high] of BOUNDS) {
    const [min, max] = [own(schema, low), own(schema, high)];
    const [from, to] = [written(low), written(high)];
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max || !from || !to) continue;
    if (low === 'minContains' && own(schema, 'contains') === undefined) continue;
    isNumberFree &&= low !== 'minimum';
    isReported = true;
    const advice = high === 'maxItems' && low !== 'minItems' ? 'Change one of them.' : 'Swap the two, or change one.';
    yield {
      span: from.span,
      message: `\`${from.name}\` ${show(min)} is greater than \`${to.name}\` ${show(max)}. ${advice}`,
    };
  }
  const others = [
    ...(isNumberFree ? findEmptyNumbers(schema, written) : []),
    ...findEmptyCounts(schema, dialect, written),
  ];
  yield* others;
  // Constants are outside an empty range, too.
  if (!isReported && others.length === 0) yield* findEmptyConstants(root, schema, dialect, written);
}

/** Reports a range of numbers without a whole number or without a multiple of `multipleOf`. */
function* findEmptyNumbers(schema: JsonObject, written: FindWritten): Generator<SchemaProblem> {
  const isInteger = isIntegerOnly(schema);
  const range = rangeOf([schema], isInteger);
  if (!isEmptyRange(range)) return;
  const { multipleOf: _, ...anyStep } = schema;
  const isStepWrong = !isEmptyRange(rangeOf([anyStep], isInteger));
  const [low, high] = [strictest(schema, 'minimum', range.low), strictest(schema, 'maximum', range.high)];
  const [from, to, step] = [written(low), written(high), written('multipleOf')];
  if (!from || !to || (isStepWrong && !step)) return;
  const isPlain = !isStepWrong && isEmptyRange(rangeOf([anyStep], false));
  const noun = isStepWrong ? `multiple of ${show(own(schema, 'multipleOf'))}` : isPlain ? 'number' : 'whole number';
  const bounds = `\`${from.name}\` ${show(range.low)} and \`${to.name}\` ${show(range.high)}`;
  yield {
    span: isStepWrong && step ? step.span : from.span,
    message: `No ${noun} is between ${bounds}. Change one of them.`,
  };
}

/** Returns the keyword with this bound: `minimum` or `exclusiveMinimum`. */
function strictest(schema: JsonObject, keyword: string, bound: number): string {
  const exclusive = `exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`;
  return own(schema, exclusive) === bound ? exclusive : keyword;
}

/** Reports a number of items or fields that other keywords make impossible. */
function* findEmptyCounts(schema: JsonObject, dialect: Dialect, written: FindWritten): Generator<SchemaProblem> {
  const tuple = firstItemSchemasOf(schema, dialect);
  const isClosedList = tuple.length > 0 && otherItemsSchemaOf(schema, dialect) === false;
  const isClosedMap = own(schema, 'additionalProperties') === false && own(schema, 'patternProperties') === undefined;
  const fields = Object.keys(objectUnder(schema, 'properties'));
  const limits: readonly (readonly [keyword: string, limit: number | undefined, noun: string])[] = [
    ['minItems', isClosedList ? tuple.length : undefined, 'items'],
    ['minProperties', isClosedMap ? fields.length : undefined, 'fields'],
  ];
  for (const [keyword, limit, noun] of limits) {
    const least = own(schema, keyword);
    const place = written(keyword);
    if (typeof least !== 'number' || limit === undefined || least <= limit || !place) continue;
    const message = `\`${place.name}\` ${show(least)} is greater than the number of ${noun} that the schema allows, ${limit}. Change one of them.`;
    yield { span: place.span, message };
  }
  const [required, most] = [own(schema, 'required'), own(schema, 'maxProperties')];
  const place = written('maxProperties');
  if (!isList(required) || typeof most !== 'number' || new Set(required).size <= most || !place) return;
  yield {
    span: place.span,
    message: `\`${place.name}\` ${show(most)} is less than the number of required fields, ${new Set(required).size}. Change one of them.`,
  };
}

/** Reports `enum` and `const` if the other keywords of the schema exclude all of their values. */
function* findEmptyConstants(
  root: JsonObject,
  schema: JsonObject,
  dialect: Dialect,
  written: FindWritten,
): Generator<SchemaProblem> {
  const { enum: list, const: constant, ...rest } = schema;
  const isRefused = (value: NonNullable<typeof constant>): boolean => {
    const { violations, certain } = validateValue({ root, dialect }, value, rest);
    return certain && violations.length > 0;
  };
  const [values, single] = [written('enum'), written('const')];
  if (values && isList(list) && list.length > 0 && list.every((value) => isRefused(value as never))) {
    yield {
      span: values.span,
      message: `No value of \`${values.name}\` matches the other keywords of the schema. Change the values or the other keywords.`,
    };
  }
  if (single && constant !== undefined && isRefused(constant as never)) {
    yield {
      span: single.span,
      message: `The value of \`${single.name}\` does not match the other keywords of the schema. Change one of them.`,
    };
  }
}

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
function isIntegerOnly(schema: JsonObject): boolean {
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
