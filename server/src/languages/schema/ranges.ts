/** Reports bounds, allowed values and constants that no value can match (docs/format.md, section 3). */
import type { Span } from '../../text.ts';
import { isEmptyRange, isIntegerOnly, rangeOf } from './generate/numbers.ts';
import { type Dialect, isList, type JsonObject, objectUnder, own, type SchemaProblem, show } from './model.ts';
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
  for (const [low, high] of BOUNDS) {
    const [min, max] = [own(schema, low), own(schema, high)];
    const [from, to] = [written(low), written(high)];
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max || !from || !to) continue;
    if (low === 'minContains' && own(schema, 'contains') === undefined) continue;
    isNumberFree &&= low !== 'minimum';
    const advice = high === 'maxItems' && low !== 'minItems' ? 'Change one of them.' : 'Swap the two, or change one.';
    yield {
      span: from.span,
      message: `\`${from.name}\` ${show(min)} is greater than \`${to.name}\` ${show(max)}. ${advice}`,
    };
  }
  if (isNumberFree) yield* findEmptyNumbers(schema, written);
  yield* findEmptyCounts(schema, dialect, written);
  yield* findEmptyConstants(root, schema, dialect, written);
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
