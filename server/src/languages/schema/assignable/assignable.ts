/**
 * Whether all values of a producer's schema fit a consumer's (docs/format.md, section 4, "Assignability"). It says no only
 * where it is certain, yes only where it is certain, and else that it does not know.
 */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import { canonical, isList, isObject, type JsonObject, listUnder, objectUnder, own } from '../model.ts';
import { type SchemaContext, validateValue } from '../validate/value.ts';
import { conjunctsOf, resolveRef } from '../walk.ts';
import { type Assignability, type Comparison, clash, type Extent, every, type Place, UNKNOWN, YES } from './base.ts';
import { relateFields, relateItems } from './collections.ts';
import { isAny, isUndecided, type Variant, valuesOf, variantsOf } from './combinations.ts';
import { relateNumber, relateText, relateType, relateValues } from './scalars.ts';

export type { Assignability, ClashKind, Extent, TypeClash } from './base.ts';

/** A schema or a part of one, with the root that its references start from. */
export interface SchemaPart extends Pick<SchemaContext, 'root' | 'dialect'> {
  readonly json: Json;
}

const MAX_VISITS = 1_000;
const MAX_DEPTH = 60;

/** Whether all values of the one schema fit the other; neither schema has errors. */
export function relateTypes(from: SchemaPart, to: SchemaPart, extent: Extent): Assignability {
  const type = bareType(from.json);
  if (type !== undefined && type === bareType(to.json)) return YES;
  const comparison: Comparison = {
    from,
    to,
    extent,
    regexes: new Map(),
    open: new Set(),
    ids: new Map(),
    visits: 0,
    hasSameRoot: undefined,
  };
  return relate([from.json], to.json, { path: [], fills: true }, comparison);
}

const SAYS_NOTHING: ReadonlySet<string> = new Set(['type', 'title', 'description']);

/** The type of a schema that asks for nothing else. */
function bareType(schema: Json): string | undefined {
  if (!isObject(schema)) return undefined;
  const type = own(schema, 'type');
  return typeof type === 'string' && Object.keys(schema).every((key) => SAYS_NOTHING.has(key)) ? type : undefined;
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

/** The same schema holds the same values, also where it says what is not decided here. */
function isSame(schema: Json, to: Json, fills: boolean, comparison: Comparison): boolean {
  if (!isObject(schema) || !isObject(to)) return schema === to;
  const text = canonical(schema);
  // What fills in defaults before it looks accepts more than what does not.
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

/** The properties that defaults fill in before the consumer judges. */
function filledBy(schema: Json, root: JsonObject, depth: number): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const properties = Object.entries(objectUnder(schema, 'properties'));
  return new Set([
    ...conjunctsOf(root, schema).flatMap((part) => [...filledBy(part, root, depth + 1)]),
    ...properties.flatMap(([name, sub]) => (isObject(sub) && Object.hasOwn(sub, 'default') ? [name] : [])),
  ]);
}

/** One variant of the producer against a consumer's schema, which may be made of parts that judge the same value. */
function relateVariant(variant: Variant, to: Json, place: Place, comparison: Comparison): Assignability {
  if (isAny(to)) return YES;
  if (++comparison.visits > MAX_VISITS) return UNKNOWN;
  if (!isObject(to)) return clash(place, 'type', 'never', true);
  const values = finiteValues(variant);
  if (values) return every(values.map((value) => relateValue(value, variant, to, place, comparison)));
  const verdicts: Assignability[] = [relatePlain(variant, to, place, comparison)];
  const ref = own(to, '$ref');
  if (typeof ref === 'string') {
    const target = resolveRef(comparison.to.root, ref);
    verdicts.push(target === undefined ? UNKNOWN : relateVariant(variant, target, place, comparison));
  }
  for (const part of listUnder(to, 'allOf')) verdicts.push(relateVariant(variant, part, place, comparison));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = own(to, keyword);
    if (isList(list)) verdicts.push(relateAlternatives(variant, list, keyword, to, place, comparison));
  }
  if (isUndecided(to)) verdicts.push(UNKNOWN);
  return every(verdicts);
}

function finiteValues({ all, type }: Variant): readonly Json[] | undefined {
  const values = valuesOf(all);
  if (values) return values;
  if (type === 'null') return [null];
  return type === 'boolean' ? [true, false] : undefined;
}

/** A value is held against the consumer as validation would do it. */
function relateValue(
  value: Json,
  variant: Variant,
  to: JsonObject,
  place: Place,
  comparison: Comparison,
): Assignability {
  const { regexes, from } = comparison;
  const own = variant.all.map((schema) => validateValue({ ...from, regexes }, value, schema));
  // What the producer's other keywords refuse is never produced.
  if (own.some(({ violations, certain }) => certain && violations.length > 0)) return YES;
  const { violations, certain } = validateValue({ ...comparison.to, regexes }, value, to);
  const fills = (isObject(value) || isList(value)) && canonical(comparison.to.root).includes('"default":');
  if (!certain || (fills && violations.length > 0)) return UNKNOWN;
  const [first] = violations;
  if (!first) return fills ? UNKNOWN : YES;
  const kind = first.kind === 'format' ? 'format' : first.kind === 'type' ? 'type' : 'value';
  return clash(place, kind, boundedLabel(to, comparison.to.root), true);
}

function relatePlain(variant: Variant, to: JsonObject, place: Place, comparison: Comparison): Assignability {
  const type = relateType(variant, to, place, comparison);
  // What has another type does not also lack fields: one defect.
  if (type.kind === 'clash') return type;
  const deeper = (from: readonly Json[], sub: Json, at: Pick<Place, 'path' | 'fills'>) =>
    relate(from, sub, at, comparison);
  const inner = (): Assignability => {
    switch (variant.type) {
      case 'integer':
      case 'number':
        return relateNumber(variant, to, place, comparison);
      case 'string':
        return relateText(variant, to, place, comparison);
      case 'array':
        return relateItems(variant, to, place, comparison, deeper);
      case 'object':
        return relateFields(variant, to, place, comparison, deeper);
      default:
        return YES;
    }
  };
  return every([relateValues(variant, to, place, comparison), inner()]);
}

function relateAlternatives(
  variant: Variant,
  alternatives: readonly Json[],
  keyword: 'anyOf' | 'oneOf',
  whole: JsonObject,
  place: Place,
  comparison: Comparison,
): Assignability {
  const below: Place = { ...place, fills: false, filled: new Set() };
  const verdicts = alternatives.map((sub) => relateVariant(variant, sub, below, comparison));
  const fitting = verdicts.filter(({ kind }) => kind === 'assignable').length;
  const isApart = (verdict: Assignability) =>
    verdict.kind === 'clash' && verdict.clashes.some(({ apart, path }) => apart && path.length === place.path.length);
  const near = verdicts.filter((verdict) => !isApart(verdict));
  if (fitting > 0) return keyword === 'anyOf' || near.length === 1 ? YES : UNKNOWN;
  if (verdicts.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  if (near.length === 0) return clash(place, 'type', boundedLabel(whole, comparison.to.root), true);
  // Two alternatives may cover together what neither covers alone.
  return near.length === 1 ? (near[0] as Assignability) : UNKNOWN;
}
