/**
 * Resolves the keywords that combine schemas: references, `allOf`, `anyOf`, `oneOf`, `not`, `if` and dependencies. The
 * result is lists of schemas whose other keywords a value must match (docs/composer.md, "Generated values").
 */
import type { Json } from '../../yaml/node.ts';
import { JSON_TYPES } from '../keywords.ts';
import { isList, isObject, type JsonObject, listUnder, objectUnder, own } from '../model.ts';
import { isEmptyRange, rangeOf } from '../ranges.ts';
import { conjunctsOf, resolveRef } from '../walk.ts';

/** The types of values. `fraction` is a number that is not whole. */
export type ValueType = 'string' | 'integer' | 'fraction' | 'boolean' | 'object' | 'array' | 'null';

/** Schemas of which a value must match one. */
class AlternativeSchemas {
  readonly options: readonly Json[];

  constructor(options: readonly Json[]) {
    this.options = options;
  }
}

type Demand = Json | AlternativeSchemas;

/** The maximum number of schemas that apply to one value. */
const MAX_PARTS = 300;

/** The maximum number of alternatives of a `oneOf` for which a value that matches only one of them is searched. */
const MAX_OVERLAPPING = 4;

/**
 * Yields the ways to match all schemas. Each way is the list of schemas that apply, after one alternative of each
 * `anyOf` and similar keywords is chosen. Skips ways that no value can match. `spend` returns false if the search must
 * stop. Never throws.
 */
export function* alternativesOf(
  root: JsonObject,
  schemas: readonly Json[],
  spend: () => boolean,
): Generator<readonly JsonObject[]> {
  function* choose(demands: readonly Demand[], parts: readonly JsonObject[], steps: number): Generator<JsonObject[]> {
    if (!spend() || steps > MAX_PARTS) return;
    const [demand, ...rest] = demands;
    if (demand === undefined) yield [...parts];
    else if (demand instanceof AlternativeSchemas) {
      for (const option of demand.options) yield* choose([option, ...rest], parts, steps + 1);
    } else if (demand === false) return;
    else if (!isObject(demand) || parts.includes(demand)) yield* choose(rest, parts, steps + 1);
    else {
      const all = [...parts, demand];
      if (typesOf(all).length === 0) return;
      const more = demandsOf(root, demand);
      // Alternatives come last, because the other schemas exclude some of them.
      const fixed = more.filter((one) => !(one instanceof AlternativeSchemas));
      const choices = more.filter((one) => one instanceof AlternativeSchemas);
      yield* choose([...fixed, ...rest, ...choices], all, steps + 1);
    }
  }
  yield* choose(schemas, [], 0);
}

/** Returns the types that all schemas allow, in the order in which a schema lists them, `null` last. */
export function typesOf(parts: readonly JsonObject[]): readonly ValueType[] {
  const lists = parts.flatMap((part) => {
    const type = own(part, 'type');
    return type === undefined ? [] : [valueTypes(isList(type) ? type : [type])];
  });
  const [first, ...others] = lists.length > 0 ? lists : [valueTypes(JSON_TYPES)];
  const shared = (first ?? []).filter((type) => others.every((list) => list.includes(type)));
  const possible = shared.filter((type) => {
    if (type !== 'integer' && type !== 'fraction') return true;
    return !isEmptyRange(rangeOf(parts, type === 'integer'));
  });
  return [...possible.filter((type) => type !== 'null'), ...possible.filter((type) => type === 'null')];
}

const valueTypes = (types: readonly Json[]): readonly ValueType[] => [
  ...new Set(types.flatMap((type) => (type === 'number' ? ['integer', 'fraction'] : [type]) as ValueType[])),
];

/** Returns the schemas that a value must also match because of the keywords that combine schemas. */
function demandsOf(root: JsonObject, schema: JsonObject): readonly Demand[] {
  const demands: Demand[] = [...conjunctsOf(root, schema)];
  const dynamic = own(schema, '$dynamicRef');
  if (typeof dynamic === 'string') demands.push(resolveRef(root, dynamic) ?? true);
  for (const keyword of ['anyOf', 'oneOf']) {
    const options = [...listUnder(schema, keyword)].sort((a, b) => Number(isNull(a)) - Number(isNull(b)));
    if (options.length === 0) continue;
    // Values of overlapping alternatives match more than one; such values are rare in long lists.
    const overlapping = keyword === 'oneOf' && options.length <= MAX_OVERLAPPING ? options : [];
    const exclusive = overlapping.map((option) => ({
      allOf: [option, ...options.filter((other) => other !== option).map(not)],
    }));
    demands.push(new AlternativeSchemas([...options, ...exclusive]));
  }
  const refused = own(schema, 'not');
  if (refused !== undefined) demands.push(...negate(root, refused));
  const condition = own(schema, 'if');
  const [yes, no] = [own(schema, 'then') ?? true, own(schema, 'else') ?? true];
  if (condition !== undefined && (yes !== true || no !== true)) {
    demands.push(new AlternativeSchemas([{ allOf: [condition, yes] }, { allOf: [{ not: condition }, no] }]));
  }
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, needed] of Object.entries(objectUnder(schema, keyword))) {
      const present = isList(needed)
        ? { required: [name, ...needed] }
        : { required: [name], ...(needed !== true && { allOf: [needed] }) };
      demands.push(new AlternativeSchemas([present, { properties: { [name]: false } }]));
    }
  }
  return demands;
}

const isNull = (schema: Json): boolean =>
  isObject(schema) && (own(schema, 'type') === 'null' || own(schema, 'const') === null);

/**
 * Returns demands that help to find a value that does not match a schema. They can be incomplete, because the value is
 * validated afterwards.
 */
function negate(root: JsonObject, schema: Json): readonly Demand[] {
  if (typeof schema === 'boolean') return [!schema];
  if (!isObject(schema)) return [];
  const options = Object.keys(schema).flatMap((keyword) => {
    const make = NEGATIONS.get(keyword);
    return make ? make(schema[keyword] as Json, root) : [];
  });
  return options.length === 0 ? [] : [new AlternativeSchemas([...options, true])];
}

const not = (schema: Json): JsonObject => ({ not: schema });

const bounded =
  (type: string, keyword: string, by: number) =>
  (bound: Json): readonly Json[] =>
    typeof bound === 'number' ? [{ type, [keyword]: bound + by }] : [];

type Negation = (value: Json, root: JsonObject) => readonly Json[];

/** For each keyword the schemas of values that do not match it. */
const NEGATIONS: ReadonlyMap<string, Negation> = new Map<string, Negation>([
  ['type', (value) => otherTypes(isList(value) ? value : [value])],
  ['minimum', bounded('number', 'exclusiveMaximum', 0)],
  ['maximum', bounded('number', 'exclusiveMinimum', 0)],
  ['exclusiveMinimum', bounded('number', 'maximum', 0)],
  ['exclusiveMaximum', bounded('number', 'minimum', 0)],
  ['minLength', bounded('string', 'maxLength', -1)],
  ['maxLength', bounded('string', 'minLength', 1)],
  ['minItems', bounded('array', 'maxItems', -1)],
  ['maxItems', bounded('array', 'minItems', 1)],
  ['minProperties', bounded('object', 'maxProperties', -1)],
  ['maxProperties', bounded('object', 'minProperties', 1)],
  [
    'required',
    (names) => (isList(names) ? names.map((name) => ({ type: 'object', properties: { [String(name)]: false } })) : []),
  ],
  [
    'properties',
    (properties) =>
      Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => ({
        type: 'object',
        required: [name],
        properties: { [name]: not(field) },
      })),
  ],
  ['items', (items) => [{ type: 'array', minItems: 1, contains: not(items) }]],
  ['contains', (items) => [{ type: 'array', items: not(items) }]],
  ['allOf', (parts) => (isList(parts) ? parts.map(not) : [])],
  ['anyOf', (parts) => (isList(parts) ? [{ allOf: parts.map(not) }] : [])],
  ['oneOf', (parts) => (isList(parts) ? [{ allOf: parts.map(not) }] : [])],
  ['not', (value) => [value]],
  ['$ref', (ref, root) => (typeof ref === 'string' ? [not(resolveRef(root, ref) ?? true)] : [])],
]);

function otherTypes(types: readonly Json[]): readonly Json[] {
  const others = JSON_TYPES.filter(
    (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  );
  if (others.length === 0) return [];
  return [{ type: others.filter((type) => type !== 'number' || !types.includes('integer')) }, { type: others }];
}

/** Returns the names that the lists under a keyword of the schemas contain. */
export const namesUnder = (parts: readonly JsonObject[], keyword: string): readonly string[] => [
  ...new Set(parts.flatMap((part) => listUnder(part, keyword).filter((name) => typeof name === 'string'))),
];
