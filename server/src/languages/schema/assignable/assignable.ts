/**
 * Whether all values of a producer's schema fit a consumer's (docs/format.md, section 4). The answer is yes or no only where
 * that is certain, and else unknown.
 */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import { canonical, isList, isObject, type JsonObject, listUnder, objectUnder, own } from '../model.ts';
import { type SchemaContext, validateValue } from '../validate/value.ts';
import { conjunctsOf, resolveRef } from '../walk.ts';
import {
  type Assignability,
  type Comparison,
  clash,
  clashOf,
  type Extent,
  every,
  MAX_VISITS,
  type Pair,
  type Place,
  UNKNOWN,
  YES,
} from './base.ts';
import { relateFields, relateItems } from './collections.ts';
import { isAny, isUndecided, type Variant, valuesOf, variantsOf } from './combinations.ts';
import { relateNumber, relateText, relateType, relateValues } from './scalars.ts';

export type { Assignability, Extent, TypeClash } from './base.ts';

/** A schema or a part of one, with the root that its references start from. */
export interface SchemaPart extends Pick<SchemaContext, 'root' | 'dialect'> {
  readonly json: Json;
}

const MAX_DEPTH = 60;

/** Whether all values of the one schema fit the other; neither schema has errors. */
export function relateTypes(from: SchemaPart, to: SchemaPart, extent: Extent): Assignability {
  const state = { regexes: new Map(), open: new Set<string>(), ids: new Map(), visits: 0, hasSameRoot: undefined };
  return relate([from.json], to.json, { path: [], fills: true }, { from, to, extent, ...state });
}

function relate(
  from: readonly Json[],
  to: Json,
  { path, fills }: Pick<Place, 'path' | 'fills'>,
  comparison: Comparison,
): Assignability {
  if (isAny(to) || from.includes(false)) return YES;
  if (++comparison.visits > MAX_VISITS || path.length > MAX_DEPTH) return UNKNOWN;
  if (from.every(isAny)) return UNKNOWN;
  if (from.some((schema) => isSame(schema, to, fills, comparison))) return YES;
  const key = [...from, to].map((schema) => idOf(schema, comparison)).join(' ') + String(fills);
  if (comparison.open.has(key)) return YES;
  const variants = variantsOf(comparison.from.root, from);
  if (!variants) return UNKNOWN;
  comparison.open.add(key);
  const shown = from.find((schema) => !isAny(schema)) ?? true;
  const label = boundedLabel(shown, comparison.from.root);
  const place: Place = { path, fills, label, filled: fills ? filledBy(to, comparison.to.root, 0) : new Set() };
  const verdict = every(
    variants.map((variant) => {
      const own = relateVariant(variant, to, place, comparison);
      return variant.loose && own.kind === 'clash' ? UNKNOWN : own;
    }),
  );
  comparison.open.delete(key);
  return verdict;
}

/** The same schema has the same values, also where its keywords are not decided here. */
function isSame(schema: Json, to: Json, fills: boolean, comparison: Comparison): boolean {
  if (!isObject(schema) || !isObject(to)) return schema === to;
  const text = canonical(schema);
  // Where defaults are filled in, more is accepted than where they are not.
  if (text !== canonical(to) || (!fills && text.includes('"default":'))) return false;
  if (!/"\$(?:dynamicR|r)ef":/.test(text)) return true;
  comparison.hasSameRoot ??= canonical(comparison.from.root) === canonical(comparison.to.root);
  return comparison.hasSameRoot;
}

function idOf(schema: Json, { ids }: Comparison): string {
  if (!isObject(schema)) return String(schema);
  const id = ids.get(schema) ?? ids.size;
  ids.set(schema, id);
  return String(id);
}

/** The properties that defaults fill in before the consumer validates. */
function filledBy(schema: Json, root: JsonObject, depth: number): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const properties = Object.entries(objectUnder(schema, 'properties'));
  return new Set([
    ...conjunctsOf(root, schema).flatMap((part) => [...filledBy(part, root, depth + 1)]),
    ...properties.flatMap(([name, sub]) => (isObject(sub) && Object.hasOwn(sub, 'default') ? [name] : [])),
  ]);
}

/** One variant of the producer against a consumer's schema, which may be made of parts that apply to the same value. */
function relateVariant(variant: Variant, to: Json, place: Place, comparison: Comparison): Assignability {
  if (isAny(to)) return YES;
  if (++comparison.visits > MAX_VISITS) return UNKNOWN;
  if (!isObject(to)) return clash(place, 'type', 'never', true);
  const pair: Pair = {
    all: variant.all,
    type: variant.type,
    to,
    place,
    comparison,
    relate: (from, sub, at) => relate(from, sub, at, comparison),
  };
  const values = finiteValues(variant);
  if (values) return every(values.map((value) => relateValue(value, pair)));
  return every(relateParts(variant, pair));
}

function* relateParts(variant: Variant, pair: Pair): Iterable<Assignability> {
  const { to, place, comparison } = pair;
  yield relatePlain(pair);
  const ref = own(to, '$ref');
  if (typeof ref === 'string') {
    const target = resolveRef(comparison.to.root, ref);
    yield target === undefined ? UNKNOWN : relateVariant(variant, target, place, comparison);
  }
  for (const part of listUnder(to, 'allOf')) yield relateVariant(variant, part, place, comparison);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = own(to, keyword);
    if (!isList(list)) continue;
    const below: Place = { ...place, fills: false, filled: new Set() };
    const verdicts = list.map((sub) => relateVariant(variant, sub, below, comparison));
    yield relateAlternatives(pair, keyword, verdicts);
  }
  if (isUndecided(to)) yield UNKNOWN;
}

function finiteValues({ all, type }: Variant): readonly Json[] | undefined {
  const values = valuesOf(all);
  if (values) return values;
  if (type === 'null') return [null];
  return type === 'boolean' ? [true, false] : undefined;
}

/** One value of the producer, validated by the consumer's schema. */
function relateValue(value: Json, pair: Pair): Assignability {
  const { all, to, comparison } = pair;
  const { regexes, from } = comparison;
  const own = all.map((schema) => validateValue({ ...from, regexes }, value, schema));
  // What the producer's other keywords refuse is never produced.
  if (own.some(({ violations, certain }) => certain && violations.length > 0)) return YES;
  const { violations, certain } = validateValue({ ...comparison.to, regexes }, value, to);
  const fills = (isObject(value) || isList(value)) && canonical(comparison.to.root).includes('"default":');
  if (!certain || (fills && violations.length > 0)) return UNKNOWN;
  const [first] = violations;
  if (!first) return fills ? UNKNOWN : YES;
  return clashOf(pair, first.kind === 'format' || first.kind === 'type' ? first.kind : 'value', true);
}

function relatePlain(pair: Pair): Assignability {
  const type = relateType(pair);
  // A value of another type is not also reported for its fields.
  if (type.kind === 'clash') return type;
  return every([relateValues(pair), every(BY_TYPE.get(pair.type)?.(pair) ?? [])]);
}

const BY_TYPE: ReadonlyMap<string, (pair: Pair) => Iterable<Assignability>> = new Map(
  Object.entries({
    integer: relateNumber,
    number: relateNumber,
    string: relateText,
    array: relateItems,
    object: relateFields,
  }),
);

function relateAlternatives(pair: Pair, keyword: 'anyOf' | 'oneOf', verdicts: readonly Assignability[]): Assignability {
  const depth = pair.place.path.length;
  const isApart = (verdict: Assignability) =>
    verdict.kind === 'clash' && verdict.clashes.some(({ apart, path }) => apart && path.length === depth);
  const near = verdicts.filter((verdict) => !isApart(verdict));
  if (verdicts.some(({ kind }) => kind === 'assignable')) {
    return keyword === 'anyOf' || near.length === 1 ? YES : UNKNOWN;
  }
  if (verdicts.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  const [only, ...others] = near;
  if (!only) return clashOf(pair, 'type', true);
  // Two alternatives may cover together what neither covers alone.
  return others.length === 0 ? only : UNKNOWN;
}
