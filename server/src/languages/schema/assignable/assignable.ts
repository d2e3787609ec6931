/**
 * Whether all values of a producer's schema fit a consumer's (skill-format.md, section 4, "Assignability"). It says no only
 * where it is certain, yes only where it is certain, and else that it does not know.
 */
import type { Json } from '../../yaml/node.ts';
import { judge } from '../judge.ts';
import { canonical, isList, isObject, type JsonObject, own } from '../model.ts';
import { resolveRef } from '../walk.ts';
import {
  type Assignability,
  clash,
  type Extent,
  every,
  type Place,
  type Relating,
  type SchemaContext,
  UNKNOWN,
  YES,
} from './base.ts';
import { relateFields, relateItems } from './collections.ts';
import { isAny, isUndecided, type Variant, valuesOf, variantsOf } from './combinations.ts';
import { boundedLabel } from './labels.ts';
import { relateNumber, relateText, relateType, relateValues } from './scalars.ts';

export type { Assignability, ClashKind, Extent, TypeClash } from './base.ts';

/** A schema or a part of one, with the root that its references start from. */
export interface SchemaPart extends SchemaContext {
  readonly json: Json;
}

const MAX_VISITS = 1_000;
const MAX_DEPTH = 60;

export function relateSchemas(
  from: SchemaPart,
  to: SchemaPart,
  extent: Extent,
  hasFormat: Relating['hasFormat'],
): Assignability {
  // Most fields say no more than their type, and of a composite each is held against many: a tenth of the time of all rules.
  const type = bareType(from.json);
  if (type !== undefined && type === bareType(to.json)) return YES;
  const relating: Relating = {
    from,
    to,
    extent,
    hasFormat,
    regexes: new Map(),
    open: new Set(),
    ids: new Map(),
    visits: 0,
    hasSameRoot: undefined,
  };
  return relate([from.json], to.json, { path: [], fills: true }, relating);
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
  relating: Relating,
): Assignability {
  if (isAny(to) || from.includes(false)) return YES;
  if (++relating.visits > MAX_VISITS || path.length > MAX_DEPTH) return UNKNOWN;
  if (from.every(isAny)) return UNKNOWN;
  if (from.some((schema) => isSame(schema, to, fills, relating))) return YES;
  const key = [...from, to].map((schema) => idOf(schema, relating)).join(' ') + String(fills);
  if (relating.open.has(key)) return YES;
  const variants = variantsOf(relating.from.root, from);
  if (!variants) return UNKNOWN;
  relating.open.add(key);
  const shown = from.find((schema) => !isAny(schema)) ?? true;
  const label = boundedLabel(shown, relating.from.root);
  const place: Place = { path, fills, label, filled: fills ? filledBy(to, relating.to.root, 0) : new Set() };
  const verdict = every(
    variants.map((variant) => {
      const own = relateVariant(variant, to, place, relating);
      return variant.loose && own.kind === 'clash' ? UNKNOWN : own;
    }),
  );
  relating.open.delete(key);
  return verdict;
}

/** The same schema holds the same values, also where it says what is not decided here. */
function isSame(schema: Json, to: Json, fills: boolean, relating: Relating): boolean {
  if (!isObject(schema) || !isObject(to)) return schema === to;
  const text = canonical(schema);
  // What fills in defaults before it looks accepts more than what does not.
  if (text !== canonical(to) || (!fills && text.includes('"default":'))) return false;
  if (!/"\$(?:dynamicR|r)ef":/.test(text)) return true;
  relating.hasSameRoot ??= canonical(relating.from.root) === canonical(relating.to.root);
  return relating.hasSameRoot;
}

function idOf(schema: Json, { ids }: Relating): string {
  if (!isObject(schema)) return String(schema);
  const id = ids.get(schema) ?? ids.size;
  ids.set(schema, id);
  return String(id);
}

/** The properties that defaults fill in before the consumer judges. */
function filledBy(schema: Json, root: JsonObject, depth: number): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const ref = own(schema, '$ref');
  const all = own(schema, 'allOf');
  const parts = [...(typeof ref === 'string' ? [resolveRef(root, ref) ?? true] : []), ...(isList(all) ? all : [])];
  const properties = own(schema, 'properties');
  return new Set([
    ...parts.flatMap((part) => [...filledBy(part, root, depth + 1)]),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, sub]) =>
      isObject(sub) && Object.hasOwn(sub, 'default') ? [name] : [],
    ),
  ]);
}

/** One variant of the producer against a consumer's schema, which may be made of parts that judge the same value. */
function relateVariant(variant: Variant, to: Json, place: Place, relating: Relating): Assignability {
  if (isAny(to)) return YES;
  if (++relating.visits > MAX_VISITS) return UNKNOWN;
  if (!isObject(to)) return clash(place, 'type', 'never', true);
  const values = finiteValues(variant);
  if (values) return every(values.map((value) => relateValue(value, variant, to, place, relating)));
  const verdicts: Assignability[] = [relatePlain(variant, to, place, relating)];
  const ref = own(to, '$ref');
  if (typeof ref === 'string') {
    const target = resolveRef(relating.to.root, ref);
    verdicts.push(target === undefined ? UNKNOWN : relateVariant(variant, target, place, relating));
  }
  const all = own(to, 'allOf');
  for (const part of isList(all) ? all : []) verdicts.push(relateVariant(variant, part, place, relating));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = own(to, keyword);
    if (isList(list)) verdicts.push(relateAlternatives(variant, list, keyword, to, place, relating));
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
function relateValue(value: Json, variant: Variant, to: JsonObject, place: Place, relating: Relating): Assignability {
  const { hasFormat, regexes, from } = relating;
  const own = variant.all.map((schema) => judge({ ...from, hasFormat, regexes }, value, schema));
  // What the producer's other keywords refuse is never produced.
  if (own.some(({ violations, sure }) => sure && violations.length > 0)) return YES;
  const { violations, sure } = judge({ ...relating.to, hasFormat, regexes }, value, to);
  const fills = (isObject(value) || isList(value)) && canonical(relating.to.root).includes('"default":');
  if (!sure || (fills && violations.length > 0)) return UNKNOWN;
  const [first] = violations;
  if (!first) return fills ? UNKNOWN : YES;
  const kind = first.kind === 'format' ? 'format' : first.kind === 'type' ? 'type' : 'value';
  return clash(place, kind, boundedLabel(to, relating.to.root), true);
}

function relatePlain(variant: Variant, to: JsonObject, place: Place, relating: Relating): Assignability {
  const type = relateType(variant, to, place, relating);
  // What has another type does not also lack fields: one defect.
  if (type.kind === 'clash') return type;
  const deeper = (from: readonly Json[], sub: Json, at: Pick<Place, 'path' | 'fills'>) =>
    relate(from, sub, at, relating);
  const inner = (): Assignability => {
    switch (variant.type) {
      case 'integer':
      case 'number':
        return relateNumber(variant, to, place, relating);
      case 'string':
        return relateText(variant, to, place, relating);
      case 'array':
        return relateItems(variant, to, place, relating, deeper);
      case 'object':
        return relateFields(variant, to, place, relating, deeper);
      default:
        return YES;
    }
  };
  return every([relateValues(variant, to, place, relating), inner()]);
}

function relateAlternatives(
  variant: Variant,
  alternatives: readonly Json[],
  keyword: 'anyOf' | 'oneOf',
  whole: JsonObject,
  place: Place,
  relating: Relating,
): Assignability {
  const below: Place = { ...place, fills: false, filled: new Set() };
  const verdicts = alternatives.map((sub) => relateVariant(variant, sub, below, relating));
  const fitting = verdicts.filter(({ kind }) => kind === 'assignable').length;
  const isApart = (verdict: Assignability) =>
    verdict.kind === 'clash' && verdict.clashes.some(({ apart, path }) => apart && path.length === place.path.length);
  const near = verdicts.filter((verdict) => !isApart(verdict));
  if (fitting > 0) return keyword === 'anyOf' || near.length === 1 ? YES : UNKNOWN;
  if (verdicts.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  if (near.length === 0) return clash(place, 'type', boundedLabel(whole, relating.to.root), true);
  // Two alternatives may cover together what neither covers alone.
  return near.length === 1 ? (near[0] as Assignability) : UNKNOWN;
}
