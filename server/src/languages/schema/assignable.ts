/**
 * Checks whether all values that a producer's schema accepts also fit a consumer's schema (docs/format.md, section 4).
 * If this is not certain, the result is `unknown`.
 */
import type { Json } from '../yaml/node.ts';
import { KEYWORDS } from './keywords.ts';
import { boundedLabel, impliedType } from './label.ts';
import {
  canonical,
  isList,
  isObject,
  type JsonObject,
  type KeyPath,
  listUnder,
  numberUnder,
  objectUnder,
  own,
} from './model.ts';
import type { Regex } from './regex/regex.ts';
import { type SchemaContext, validateValue } from './validate/value.ts';
import {
  conjunctsOf,
  firstItemSchemasOf,
  hasKeyword,
  hasReference,
  otherItemsSchemaOf,
  type PropertySchemas,
  propertySchemas,
  regexOf,
  resolveRef,
} from './walk.ts';

/** A schema or a part of a schema, with the schema from which its references are resolved (`root`). */
export interface SchemaPart extends Pick<SchemaContext, 'root' | 'dialect'> {
  readonly json: Json;
}

const MAX_DEPTH = 60;

/**
 * Returns whether all values that the producer's schema `from` accepts fit the consumer's schema `to` (docs/format.md,
 * section 4). Both schemas must be free of errors. Never throws.
 */
export function compareTypes(from: SchemaPart, to: SchemaPart, extent: ProducerValues): Assignability {
  const state = { regexes: new Map(), open: new Set<string>(), ids: new Map(), visits: 0, hasSameRoot: undefined };
  return relate([from.json], to.json, { path: [], fills: true }, { from, to, extent, ...state });
}

function relate(
  from: readonly Json[],
  to: Json,
  { path, fills }: Pick<ValueContext, 'path' | 'fills'>,
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
  const place: ValueContext = { path, fills, label, filled: fills ? filledBy(to, comparison.to.root, 0) : new Set() };
  const verdict = every(
    variants.map((variant) => {
      const own = relateVariant(variant, to, place, comparison);
      return variant.loose && own.kind === 'clash' ? UNKNOWN : own;
    }),
  );
  comparison.open.delete(key);
  return verdict;
}

/** Returns true if both schemas are equal, so that they accept the same values. */
function isSame(schema: Json, to: Json, fills: boolean, comparison: Comparison): boolean {
  if (!isObject(schema) || !isObject(to)) return schema === to;
  if (canonical(schema) !== canonical(to)) return false;
  // The consumer's schema accepts more values where defaults are added before validation.
  if (!fills && hasKeyword(schema, 'default')) return false;
  if (!hasReference(schema)) return true;
  comparison.hasSameRoot ??= canonical(comparison.from.root) === canonical(comparison.to.root);
  return comparison.hasSameRoot;
}

function idOf(schema: Json, { ids }: Comparison): string {
  if (!isObject(schema)) return String(schema);
  const id = ids.get(schema) ?? ids.size;
  ids.set(schema, id);
  return String(id);
}

/** Returns the properties that defaults add before the consumer validates. */
function filledBy(schema: Json, root: JsonObject, depth: number): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const properties = Object.entries(objectUnder(schema, 'properties'));
  return new Set([
    ...conjunctsOf(root, schema).flatMap((part) => [...filledBy(part, root, depth + 1)]),
    ...properties.flatMap(([name, sub]) => (isObject(sub) && Object.hasOwn(sub, 'default') ? [name] : [])),
  ]);
}

/**
 * Compares one variant of the producer's schema with a consumer's schema, including the consumer's `$ref`, `allOf`
 * and alternatives.
 */
function relateVariant(variant: Variant, to: Json, place: ValueContext, comparison: Comparison): Assignability {
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
    const below: ValueContext = { ...place, fills: false, filled: new Set() };
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

/** Validates one of the producer's values with the consumer's schema. */
function relateValue(value: Json, pair: Pair): Assignability {
  const { all, to, comparison } = pair;
  const { regexes, from } = comparison;
  const own = all.map((schema) => validateValue({ ...from, regexes }, value, schema));
  // The producer never returns a value that other keywords of its schema reject.
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
  // If the type is wrong, the fields are not reported as well.
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
  const apartIn = (verdict: Assignability) =>
    verdict.kind === 'clash'
      ? verdict.clashes.find(({ isDisjoint, disjointAt, path }) => isDisjoint && (disjointAt ?? path.length) <= depth)
      : undefined;
  const near = verdicts.filter((verdict) => !apartIn(verdict));
  if (verdicts.some(({ kind }) => kind === 'assignable')) {
    return keyword === 'anyOf' || near.length === 1 ? YES : UNKNOWN;
  }
  if (verdicts.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  const [only, ...others] = near;
  if (!only) return sharedClash(verdicts.flatMap((one) => apartIn(one) ?? [])) ?? clashOf(pair, 'type', true);
  // Two alternatives together may cover values that neither covers by itself.
  return others.length === 0 ? only : UNKNOWN;
}

/** Returns the clash of alternatives that one field distinguishes, such as a constant `kind`. */
function sharedClash(clashes: readonly TypeClash[]): Assignability | undefined {
  const [first, ...others] = clashes;
  const path = first?.path.join('\0');
  if (!first || first.disjointAt === undefined || others.some((one) => one.path.join('\0') !== path)) return undefined;
  const to = [...new Set(clashes.map((one) => one.to))].join(' | ');
  return { kind: 'clash', clashes: [{ ...first, to }] };
}

type ClashKind = 'type' | 'value' | 'missing' | 'extra' | 'range' | 'pattern' | 'format';

/** A reason why values of the producer do not fit the consumer. */
export interface TypeClash {
  /** The path in the value. */
  readonly path: KeyPath;
  readonly kind: ClashKind;
  /** The types at that path, in words. `from` is `nothing` for a field that the producer does not have. */
  readonly from: string;
  readonly to: string;
  /** True if no value of the producer fits at the path, false if some may fit. */
  readonly isDisjoint: boolean;
  /** If no value fits: the length of the shortest beginning of the path at which no value fits; by default the path's. */
  readonly disjointAt?: number;
}

/** The result of a comparison. `unknown` means that a schema has keywords that are not compared. */
export type Assignability =
  | { readonly kind: 'assignable' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'clash'; readonly clashes: readonly [TypeClash, ...TypeClash[]] };

const YES: Assignability = { kind: 'assignable' };
const UNKNOWN: Assignability = { kind: 'unknown' };

/** Returns all clashes in the verdicts. Without a clash, returns `unknown` if any verdict is unknown. */
function every(verdicts: Iterable<Assignability>): Assignability {
  const clashes: TypeClash[] = [];
  let isKnown = true;
  for (const verdict of verdicts) {
    if (verdict.kind === 'clash') clashes.push(...verdict.clashes);
    else if (verdict.kind === 'unknown') isKnown = false;
  }
  const [first, ...others] = clashes;
  if (first) return { kind: 'clash', clashes: [first, ...others] };
  return isKnown ? YES : UNKNOWN;
}

/**
 * The values to compare. `any-value`: all values that the producer's schema accepts. `as-given`: only the accepted values
 * without undeclared fields. `as-produced`: only those of them with all fields that have a default.
 */
export type ProducerValues = 'any-value' | 'as-given' | 'as-produced';

/** The limit for visited pairs in one comparison. */
const MAX_VISITS = 1_000;

interface Comparison {
  readonly from: SchemaContext;
  readonly to: SchemaContext;
  readonly extent: ProducerValues;
  readonly regexes: Map<string, Regex>;
  /** The pairs whose comparison is not finished. A reference back to such a pair counts as assignable. */
  readonly open: Set<string>;
  readonly ids: Map<Json, number>;
  visits: number;
  /** True if the root schemas are equal. Undefined until needed. */
  hasSameRoot: boolean | undefined;
}

/** The position in the value at which a schema of the consumer applies. */
interface ValueContext {
  readonly path: KeyPath;
  /** The properties that defaults add before the consumer validates. Empty if `fills` is false. */
  readonly filled: ReadonlySet<string>;
  /** False inside alternatives, where defaults are not added. */
  readonly fills: boolean;
  /** The producer's type at this position, in words. */
  readonly label: string;
}

/** A variant of the producer's schema, and a consumer's schema. */
interface Pair {
  /** The producer's plain schemas, all of which apply. */
  readonly all: readonly JsonObject[];
  /** The producer's type. */
  readonly type: string;
  readonly to: JsonObject;
  readonly place: ValueContext;
  readonly comparison: Comparison;
  /** Compares the schemas that apply to a part of the value. */
  readonly relate: (from: readonly Json[], to: Json, place: Pick<ValueContext, 'path' | 'fills'>) => Assignability;
}

const clash = (
  { path, label }: Pick<ValueContext, 'path' | 'label'>,
  kind: ClashKind,
  to: string,
  apart = false,
): Assignability => ({ kind: 'clash', clashes: [{ path, kind, from: label, to, isDisjoint: apart }] });

/** Returns a clash that names the whole type of the consumer's schema. */
const clashOf = ({ to, place, comparison }: Omit<Pair, 'relate'>, kind: ClashKind, apart = false): Assignability =>
  clash(place, kind, boundedLabel(to, comparison.to.root), apart);

// Lists and maps.

function* relateItems(pair: Pair): Iterable<Assignability> {
  const { all, to, place, comparison, relate } = pair;
  const most = atMost(all, 'maxItems');
  if (mayExceed(all, to, 'minItems', 'maxItems')) yield clashOf(pair, 'range');
  const heads = headCount(all, comparison.from);
  if (own(to, 'uniqueItems') === true && most > 1) {
    const fills = canonical(own(to, 'items') ?? null).includes('"default":');
    const isUnique = under(all, 'uniqueItems').includes(true) && !fills;
    if (!isUnique) yield fills || heads > 0 ? UNKNOWN : clashOf(pair, 'range');
  }
  const count = Math.max(heads, headCount([to], comparison.to));
  // The item after the last item with its own schema represents all later items.
  for (let index = 0; index <= count && index < most; index++) {
    const [wanted] = itemsAt([to], index, comparison.to);
    if (wanted === undefined) continue;
    const path = [...place.path, index < count ? index : '[]'];
    yield relate(itemsAt(all, index, comparison.from), wanted, { path, fills: place.fills && count === 0 });
  }
}

const headCount = (all: readonly JsonObject[], { dialect }: SchemaContext): number =>
  Math.max(0, ...all.map((schema) => firstItemSchemasOf(schema, dialect).length));

/** Returns the schemas of the item at an index. A schema that accepts any item is left out. */
const itemsAt = (all: readonly JsonObject[], index: number, { dialect }: SchemaContext): readonly Json[] =>
  all.flatMap((schema) => firstItemSchemasOf(schema, dialect)[index] ?? otherItemsSchemaOf(schema, dialect) ?? []);

function* relateFields({ all, to, place, comparison, relate }: Pair): Iterable<Assignability> {
  const properties = objectUnder(to, 'properties');
  const patterns = Object.values(objectUnder(to, 'patternProperties'));
  const rest = own(to, 'additionalProperties');
  const isClosed = comparison.extent !== 'any-value' || under(all, 'additionalProperties').includes(false);
  const at = (name: string, fills = place.fills) => ({ path: [...place.path, name], fills });

  for (const name of listUnder(to, 'required').map(String)) {
    if (hasField(all, name, comparison) || place.filled.has(name)) continue;
    if (comparison.visits > MAX_VISITS) return yield UNKNOWN;
    const [known] = fieldsOf(all, name, comparison);
    const label = known === undefined ? 'nothing' : `${boundedLabel(known, comparison.from.root)}, optional`;
    yield clash({ ...at(name), label }, 'missing', boundedLabel(own(properties, name) ?? true, comparison.to.root));
  }

  const names = new Set(all.flatMap((schema) => Object.keys(objectUnder(schema, 'properties'))));
  for (const name of new Set([...names, ...Object.keys(properties)])) {
    const { declared, patterned, additional } = schemasOf(to, name, comparison);
    const given = fieldsOf(all, name, comparison);
    if (comparison.visits > MAX_VISITS) return yield UNKNOWN;
    if (given.length === 0 && isClosed) continue;
    if (declared !== undefined) {
      const verdict = relate(given, declared, at(name));
      const isConstant = valuesOf(given.filter(isObject))?.length === 1 && hasField(all, name, comparison);
      yield isConstant ? lifted(verdict, place.path.length) : verdict;
    }
    for (const sub of additional === undefined ? patterned : [additional]) {
      if (sub !== false) yield relate(given, sub, at(name, false));
      // A field that no value has, or that only a pattern gives a schema, does no harm.
      else if (given.length === 0 || !names.has(name) || given.includes(false)) yield UNKNOWN;
      else {
        const label = boundedLabel(given[0] ?? true, comparison.from.root);
        yield clash({ ...at(name), label }, 'extra', 'no such field', hasField(all, name, comparison));
      }
    }
  }

  // Fields that neither schema names.
  const others = under(all, 'additionalProperties').filter((sub) => sub !== false);
  const named = under(all, 'patternProperties').flatMap((sub) => (isObject(sub) ? Object.values(sub) : []));
  const hasOthers = others.length > 0 || named.length > 0 || !isClosed;
  for (const sub of hasOthers ? [...patterns, ...(rest === undefined ? [] : [rest])] : []) {
    if (isAny(sub)) continue;
    const isPlain = patterns.length === 0 && named.length === 0 && sub !== false;
    yield isPlain && others.length > 0 ? relate(others, sub, at('*', false)) : UNKNOWN;
  }

  const fewest = numberUnder(to, 'minProperties');
  const given = (): number => [...names].filter((name) => hasField(all, name, comparison)).length;
  if (fewest !== undefined && Math.max(given(), atLeast(all, 'minProperties')) < fewest) yield UNKNOWN;
  const most = numberUnder(to, 'maxProperties');
  const limit = Math.min(atMost(all, 'maxProperties'), hasOthers ? Infinity : names.size);
  if (most !== undefined && (limit > most || place.filled.size > 0)) yield UNKNOWN;
}

/**
 * Returns a verdict on a field in which the producer's value certainly has one constant. If the constant does not fit,
 * no value of the map at `depth` fits. Such constants distinguish the alternatives of a union.
 */
function lifted(verdict: Assignability, depth: number): Assignability {
  if (verdict.kind !== 'clash') return verdict;
  const lift = (one: TypeClash): TypeClash =>
    one.isDisjoint && one.kind === 'value' && (one.disjointAt ?? one.path.length) === depth + 1
      ? { ...one, disjointAt: depth }
      : one;
  const [first, ...others] = verdict.clashes;
  return { kind: 'clash', clashes: [lift(first), ...others.map(lift)] };
}

/** Returns true if the producer's value certainly has the field. */
function hasField(all: readonly JsonObject[], name: string, comparison: Comparison): boolean {
  const isRequired = all.some((schema) => listUnder(schema, 'required').includes(name));
  const hasDefault = fieldsOf(all, name, comparison).some((sub) => isObject(sub) && Object.hasOwn(sub, 'default'));
  // A field with a default may be absent before validation adds it.
  return comparison.extent === 'as-produced' ? isRequired || hasDefault : isRequired && !hasDefault;
}

/** Returns the schemas of a field. */
const fieldsOf = (all: readonly JsonObject[], name: string, comparison: Comparison): readonly Json[] =>
  all.flatMap((schema) => {
    const { declared, patterned, additional } = schemasOf(schema, name, comparison);
    return [declared, ...patterned, isObject(additional) ? additional : undefined].filter((sub) => sub !== undefined);
  });

/**
 * Returns the schemas of a field. Returns no schemas if the limit for visits is exceeded. The cost of regular
 * expressions counts as visits.
 */
function schemasOf(schema: JsonObject, name: string, comparison: Comparison): Omit<PropertySchemas, 'cost'> {
  if (comparison.visits > MAX_VISITS) return { declared: undefined, patterned: [], additional: undefined };
  const { cost, ...schemas } = propertySchemas(schema, name, comparison.regexes);
  comparison.visits += cost / STEPS_OF_VISIT;
  return schemas;
}

const STEPS_OF_VISIT = 10_000;

/**
 * One alternative of the producer's schema: a single type, and an unmerged list of schemas without `$ref`, `allOf`,
 * `anyOf` and `oneOf`.
 */
export interface Variant {
  /** The plain schemas, all of which apply. */
  readonly all: readonly JsonObject[];
  readonly type: string;
  /**
   * True if the schemas may accept fewer values than the comparison assumes, because the schemas have no type or have
   * keywords that are not compared.
   */
  readonly loose: boolean;
}

const TYPES: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The limit for variants. Schemas with more variants are not compared. */
const MAX_VARIANTS = 48;
const MAX_COMBINED_DEPTH = 40;

/** Keywords that restrict values and are not compared. */
export const UNDECIDED_KEYWORDS: readonly string[] = [
  '$dynamicRef',
  'contains',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'not',
  'nullable',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const isUndecided = (schema: JsonObject): boolean =>
  UNDECIDED_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));

const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/**
 * Returns the variants of schemas that apply together to one value. Returns undefined if there are too many variants
 * or a reference has no target.
 */
export function variantsOf(root: JsonObject, schemas: readonly Json[]): readonly Variant[] | undefined {
  const flat = productOf(schemas.map((schema) => flatten(root, schema, 0)));
  const variants = flat?.flatMap(splitTypes);
  return variants && variants.length <= MAX_VARIANTS ? variants : undefined;
}

type Alternatives = readonly (readonly JsonObject[])[];

function flatten(root: JsonObject, schema: Json, depth: number): Alternatives | undefined {
  if (schema === false) return [];
  if (!isObject(schema)) return [[]];
  if (depth > MAX_COMBINED_DEPTH) return undefined;
  const deeper = (sub: Json | undefined) => (sub === undefined ? undefined : flatten(root, sub, depth + 1));
  const rest = IN_PLACE.some((key) => Object.hasOwn(schema, key))
    ? (Object.fromEntries(Object.entries(schema).filter(([key]) => !IN_PLACE.includes(key))) as JsonObject)
    : schema;
  const factors: (Alternatives | undefined)[] = [[[rest]]];
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') factors.push(deeper(resolveRef(root, ref)));
  for (const part of listUnder(schema, 'allOf')) factors.push(deeper(part));
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = own(schema, keyword);
    if (!isList(list)) continue;
    const alternatives = list.map(deeper);
    factors.push(alternatives.includes(undefined) ? undefined : alternatives.flatMap((one) => one ?? []));
  }
  return productOf(factors);
}

function productOf(factors: readonly (Alternatives | undefined)[]): Alternatives | undefined {
  let product: Alternatives = [[]];
  for (const factor of factors) {
    if (!factor || product.length * factor.length > MAX_VARIANTS) return undefined;
    product = product.flatMap((left) => factor.map((right) => [...left, ...right]));
  }
  return product;
}

function splitTypes(all: readonly JsonObject[]): readonly Variant[] {
  const isLoose = all.some(isUndecided);
  let types: readonly string[] | undefined;
  for (const schema of all) {
    const type = own(schema, 'type');
    if (type === undefined) continue;
    const named = (isList(type) ? type : [type]).map(String);
    types = types ? intersect(types, named) : named;
  }
  if (types) return types.map((type) => ({ all, type, loose: isLoose }));
  const values = valuesOf(all);
  if (values) return [{ all, type: 'any', loose: isLoose }];
  const implied = all.map(impliedType).find((type) => type !== 'any');
  // A schema with `properties` is intended for a map, although it accepts all other types too.
  return TYPES.map((type) => ({ all, type, loose: isLoose || type !== implied }));
}

const intersect = (a: readonly string[], b: readonly string[]): readonly string[] => [
  ...new Set([
    ...a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number'))),
    ...b.filter((type) => type === 'integer' && a.includes('number')),
  ]),
];

/** Returns the values of `const` or `enum`, or undefined if no schema has these keywords. */
export function valuesOf(all: readonly JsonObject[]): readonly Json[] | undefined {
  for (const schema of all) {
    const constant = own(schema, 'const');
    if (constant !== undefined) return [constant];
    const values = own(schema, 'enum');
    if (isList(values)) return values;
  }
  return undefined;
}

const numbers = (all: readonly JsonObject[], keyword: string): readonly number[] =>
  all.flatMap((schema) => numberUnder(schema, keyword) ?? []);

/** Returns the largest lower bound, or `-Infinity` if there is no bound. */
const atLeast = (all: readonly JsonObject[], keyword: string): number => Math.max(...numbers(all, keyword));

/** Returns the smallest upper bound, or `Infinity` if there is no bound. */
const atMost = (all: readonly JsonObject[], keyword: string): number => Math.min(...numbers(all, keyword));

/** Returns true if the schemas allow a length outside the consumer's bounds. */
function mayExceed(all: readonly JsonObject[], to: JsonObject, least: string, most: string): boolean {
  const fewest = numberUnder(to, least) ?? 0;
  return (fewest > 0 && atLeast(all, least) < fewest) || atMost(all, most) > (numberUnder(to, most) ?? Infinity);
}

/** Returns the values of a keyword in the schemas that have it. */
const under = (all: readonly JsonObject[], keyword: string): readonly Json[] =>
  all.flatMap((schema) => own(schema, keyword) ?? []);

/** Returns true if a schema accepts every value: it has only annotations. */
const isAny = (schema: Json): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every((key) => KEYWORDS.get(key)?.isAnnotation));

// Single values: type, constants, ranges, lengths, patterns, formats.

function relateType(pair: Pair): Assignability {
  const { all, type, to } = pair;
  const wanted = own(to, 'type');
  const types = wanted === undefined ? [type] : isList(wanted) ? wanted : [wanted];
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return YES;
  const isPart = type === 'number' && types.includes('integer');
  if (isPart && under(all, 'multipleOf').some(Number.isInteger)) return YES;
  return clashOf(pair, 'type', !isPart);
}

/** Compares a type that is not an enumeration with an enumeration. */
function relateValues(pair: Pair): Assignability {
  const { all, type, to } = pair;
  if (own(to, 'const') === undefined && own(to, 'enum') === undefined) return YES;
  // A bounded range of numbers, or a pattern, may allow only the values in the enumeration.
  const isNarrow =
    type === 'integer' || type === 'number'
      ? lower(pair) > -Infinity && upper(pair) < Infinity
      : type !== 'string' || under(all, 'pattern').length > 0 || atMost(all, 'maxLength') < 2;
  return isNarrow ? UNKNOWN : clashOf(pair, 'value');
}

/** Returns the smallest number that the producer allows, rounded up to a whole number for integers. */
function lower({ all, type }: Pair): number {
  const [least, above] = [atLeast(all, 'minimum'), atLeast(all, 'exclusiveMinimum')];
  return type === 'integer' ? Math.max(Math.ceil(least), Math.floor(above) + 1) : Math.max(least, above);
}

function upper({ all, type }: Pair): number {
  const [most, below] = [atMost(all, 'maximum'), atMost(all, 'exclusiveMaximum')];
  return type === 'integer' ? Math.min(Math.floor(most), Math.ceil(below) - 1) : Math.min(most, below);
}

function* relateNumber(pair: Pair): Iterable<Assignability> {
  const { all, to } = pair;
  const [low, high] = [lower(pair), upper(pair)];
  // The bounds of integers are inclusive, so no such bound equals an exclusive bound.
  const excludes = (keyword: string, bound: number) => under(all, keyword).includes(bound);
  const bounds: readonly (readonly [string, (bound: number) => boolean])[] = [
    ['minimum', (bound) => low >= bound],
    ['maximum', (bound) => high <= bound],
    ['exclusiveMinimum', (bound) => low > bound || (low === bound && excludes('exclusiveMinimum', bound))],
    ['exclusiveMaximum', (bound) => high < bound || (high === bound && excludes('exclusiveMaximum', bound))],
  ];
  const misses = bounds.some(([keyword, holds]) => {
    const bound = numberUnder(to, keyword);
    return bound !== undefined && !holds(bound);
  });
  if (misses) yield clashOf(pair, 'range');
  const format = own(to, 'format');
  if (format !== undefined && !under(all, 'format').includes(format)) yield UNKNOWN;
  const step = numberUnder(to, 'multipleOf');
  if (step !== undefined && !isStepped(pair, step))
    yield misses || !hasOffStep(pair, step) ? UNKNOWN : clashOf(pair, 'range');
}

/** Returns true if one of the first numbers that the producer allows is certainly not a multiple of a step. */
function hasOffStep(pair: Pair, step: number): boolean {
  const { all, type, comparison } = pair;
  const [own = type === 'integer' ? 1 : step / 2] = numbers(all, 'multipleOf');
  const low = lower(pair);
  const first = Number.isFinite(low) ? Math.ceil(low / own) : 0;
  return Array.from({ length: MAX_STEPS }, (_, at) => (first + at) * own).some(
    (value) => Math.abs(value / step - Math.round(value / step)) > 1e-6 && accepts(all, value, comparison),
  );
}

/** The number of values that are tested in search of one that is not a multiple. */
const MAX_STEPS = 10;

/** Returns true if the producer's numbers are certainly multiples of a step. */
const isStepped = ({ all, type }: Pair, step: number): boolean =>
  (step === 1 && type === 'integer') ||
  under(all, 'multipleOf').some(
    (own) => own === step || (Number.isInteger(own) && Number.isInteger(step) && (own as number) % step === 0),
  );

/** Strings that are tested in search of a string that the producer allows and the consumer's pattern rejects. */
const WITNESSES: readonly string[] = ['', 'a', 'A', '0', ' ', 'ab', 'a b', 'a-b', '_', '.', '\n', '龍', 'x'.repeat(40)];

function* relateText(pair: Pair): Iterable<Assignability> {
  const { all, to, comparison } = pair;
  const has = (keyword: string) => under(all, keyword).length > 0;
  // The possible lengths of strings with a pattern or a format are not computed.
  if (mayExceed(all, to, 'minLength', 'maxLength'))
    yield has('pattern') || has('format') ? UNKNOWN : clashOf(pair, 'range');
  const pattern = own(to, 'pattern');
  if (typeof pattern === 'string' && !under(all, 'pattern').includes(pattern)) {
    const regex = regexOf(pattern, comparison.regexes);
    const refused = WITNESSES.some((text) => !regex.test(text) && accepts(all, text, comparison));
    yield refused ? clashOf(pair, 'pattern') : UNKNOWN;
  }
  const format = own(to, 'format');
  if (typeof format === 'string' && !under(all, 'format').some((own) => promises(String(own), format)))
    yield clashOf(pair, 'format');
}

const accepts = (all: readonly JsonObject[], value: Json, { from, regexes }: Comparison): boolean =>
  all.every((schema) => {
    const { violations, certain } = validateValue({ ...from, regexes }, value, schema);
    return certain && violations.length === 0;
  });

/** For each format, the wider formats that accept all of its strings. */
const WIDER: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    uri: ['uri-reference', 'iri', 'iri-reference'],
    'uri-reference': ['iri-reference'],
    iri: ['iri-reference'],
    email: ['idn-email'],
    hostname: ['idn-hostname'],
  }),
);

const promises = (own: string, wanted: string): boolean => own === wanted || WIDER.get(own)?.includes(wanted) === true;
