/**
 * Generates values from a schema (docs/composer.md, "Generated values"). Candidates are made from the keywords of the
 * schema, the most readable ones first, and the validator decides which of them match.
 */
import { type Json, setProperty } from '../../yaml/node.ts';
import {
  canonical,
  type Dialect,
  isObject,
  type JsonObject,
  listUnder,
  numberUnder,
  objectUnder,
  own,
  type Schema,
} from '../model.ts';
import { numbersIn, rangeOf } from '../ranges.ts';
import type { Regex } from '../regex/regex.ts';
import { isUsable, validateJson } from '../validate/validate.ts';
import { validateValue } from '../validate/value.ts';
import { firstItemSchemasOf, otherItemsSchemaOf, propertySchemas, regexOf } from '../walk.ts';
import { alternativesOf, namesUnder, typesOf, type ValueType } from './alternatives.ts';
import { hasKnownFormat, textsFor } from './texts.ts';

/** Generated values for the fields of an object. */
export interface GeneratedValues {
  /** The values that match the schema, in the order of the schema. */
  readonly values: JsonObject;
  /** True if the values, with the given ones, match the whole schema. */
  readonly complete: boolean;
}

/** The number of candidates for the whole object that are validated. */
const MAX_OBJECTS = 60;

/**
 * Returns generated values for the fields that are not in `given` (docs/composer.md, "Generated values"). If no
 * combination of values matches the schema, returns only values that match their own field. Never throws.
 */
export function generateValues(schema: Schema, given: JsonObject): GeneratedValues {
  const { json, dialect } = schema;
  if (!isUsable(schema)) return { values: {}, complete: false };
  const maker = new ValueMaker(json, dialect);
  let count = 0;
  for (const candidate of maker.objects([json, { type: 'object' }], given)) {
    const isMatch = validateJson(schema, candidate).every(({ path: [name] }) => isGiven(given, name));
    if (isMatch) return { values: without(candidate, given), complete: true };
    if (++count >= MAX_OBJECTS) break;
  }
  const values: Record<string, Json> = {};
  const fieldMaker = new ValueMaker(json, dialect);
  for (const { name, json: field } of schema.fields) {
    if (Object.hasOwn(given, name)) continue;
    const value = fieldMaker.first([field], name);
    if (value !== undefined) setProperty(values, name, value);
  }
  return { values, complete: false };
}

const isGiven = (given: JsonObject, name: string | number | undefined): boolean =>
  name !== undefined && Object.hasOwn(given, String(name));

const without = (value: JsonObject, given: JsonObject): JsonObject => {
  const result: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) if (!isGiven(given, name)) setProperty(result, name, item);
  return result;
};

/** The limits for one value. They end the search in hostile and circular schemas. */
const MAX_COST = 10_000;
const MAX_DEPTH = 30;
const MAX_ITEMS = 100;
/** How often a schema may apply to a value inside another value to which it applies. */
const MAX_NESTED = 2;
/** The number of combinations of fields or items that are tried for one object or list. */
const MAX_COMBINATIONS = 8;

const NOTHING_GIVEN: JsonObject = {};

/** The schemas that apply to the enclosing values, with the nearest one last. */
type Above = readonly JsonObject[];

class ValueMaker {
  readonly #root: JsonObject;
  readonly #dialect: Dialect;
  readonly #regexes = new Map<string, Regex>();
  #left = MAX_COST;

  constructor(root: JsonObject, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
  }

  /** Yields objects that contain the given values; violations in the given values are ignored. */
  *objects(schemas: readonly Json[], given: JsonObject): Generator<JsonObject> {
    for (const parts of this.#alternatives(schemas)) {
      for (const value of this.#objectsOf(parts, parts, given)) {
        if (this.#matches(schemas, value, given)) yield value;
      }
    }
  }

  /** Returns the first value that matches all schemas, or undefined. */
  first(schemas: readonly Json[], name: string): Json | undefined {
    const { value, done } = this.#values(schemas, name, []).next();
    return done ? undefined : value;
  }

  #spend(cost = 1): boolean {
    this.#left -= cost;
    return this.#left > 0;
  }

  #alternatives(schemas: readonly Json[]): Generator<readonly JsonObject[]> {
    return alternativesOf(this.#root, schemas, () => this.#spend(0.1));
  }

  /** Yields values that match all schemas. */
  *#values(schemas: readonly Json[], name: string, above: Above): Generator<Json> {
    if (above.length > 0 && this.#depthOf(above) > MAX_DEPTH) return;
    for (const parts of this.#alternatives(schemas)) {
      if (parts.some((part) => above.filter((one) => one === part).length >= MAX_NESTED)) continue;
      const inside = [...above, LEVEL, ...parts];
      for (const value of this.#candidates(parts, name, inside)) {
        if (!this.#spend()) return;
        if (this.#matches(schemas, value)) yield value;
      }
    }
  }

  #depthOf(above: Above): number {
    return above.filter((part) => part === LEVEL).length;
  }

  #matches(schemas: readonly Json[], value: Json, given = NOTHING_GIVEN): boolean {
    if (!this.#spend((sizeOf(value) + schemas.reduce(allowedCount, 0)) / 100)) return false;
    return schemas.every((schema) => {
      const context = { root: this.#root, dialect: this.#dialect, regexes: this.#regexes };
      const { violations, exhausted } = validateValue(context, value, schema);
      return !exhausted && violations.every(({ path: [name] }) => isGiven(given, name));
    });
  }

  *#candidates(parts: readonly JsonObject[], name: string, above: Above): Generator<Json> {
    yield* writtenValues(parts);
    if (parts.some((part) => own(part, 'const') !== undefined || own(part, 'enum') !== undefined)) return;
    const types = typesOf(parts);
    const implied = impliedType(parts);
    const first = types.includes(implied) && !parts.some((part) => own(part, 'type') !== undefined) ? [implied] : [];
    for (const type of new Set([...first, ...types])) yield* this.#typed(type, parts, name, above);
  }

  #typed(type: ValueType, parts: readonly JsonObject[], name: string, above: Above): Iterable<Json> {
    switch (type) {
      case 'object':
        return this.#objectsOf(parts, above, NOTHING_GIVEN);
      case 'array':
        return this.#listsOf(parts, name, above);
      case 'string':
        return this.#textsOf(parts, name);
      case 'integer':
      case 'fraction':
        return numbersIn(rangeOf(parts, type === 'integer'));
      case 'boolean':
        return [false, true];
      case 'null':
        return [null];
    }
  }

  /** Yields strings, except those that the validator cannot check against a pattern or a format. */
  *#textsOf(parts: readonly JsonObject[], name: string): Generator<string> {
    const regexes = parts.flatMap((part) => {
      const pattern = own(part, 'pattern');
      return typeof pattern === 'string' ? [regexOf(pattern, this.#regexes)] : [];
    });
    const longest = hasKnownFormat(parts) ? 2_000 : Number.POSITIVE_INFINITY;
    for (const text of textsFor(parts, name)) {
      const cost = regexes.reduce((total, regex) => total + regex.cost(text.length), 0);
      if (!this.#spend(cost / 100_000)) return;
      if (text.length <= longest && regexes.every((regex) => regex.canTest(text.length))) yield text;
    }
  }

  *#objectsOf(parts: readonly JsonObject[], above: Above, given: JsonObject): Generator<JsonObject> {
    const schemasOf = (name: string): readonly Json[] =>
      parts.flatMap((part) => {
        const { declared, patterned, additional } = propertySchemas(part, name, this.#regexes);
        return [declared, ...patterned, additional].filter((schema) => schema !== undefined);
      });
    const fields = new Map<string, LazyValues>();
    const fieldAt = (name: string, at: number): Json | undefined => {
      if (Object.hasOwn(given, name)) return given[name];
      const known = fields.get(name) ?? new LazyValues(this.#values(schemasOf(name), name, above));
      fields.set(name, known);
      return known.at(at);
    };
    const required = new Set([...Object.keys(given), ...namesUnder(parts, 'required')]);
    const declared = parts.flatMap((part) => Object.keys(objectUnder(part, 'properties')));
    const names = [...new Set([...declared, ...required])];
    const needed = names.filter((name) => required.has(name));
    if (!this.#spend(names.length) || needed.some((name) => fieldAt(name, 0) === undefined)) return;
    const least = leastOf(parts, 'minProperties');
    const most = mostOf(parts, 'maxProperties');
    if (least > MAX_ITEMS || needed.length > most) return;
    const optional = names.filter((name) => !required.has(name) && fieldAt(name, 0) !== undefined);
    const extra = this.#extraNames(parts, names, above);
    const choose = (count: number): readonly string[] => {
      const chosen = new Set([...needed, ...optional.slice(0, count - needed.length)]);
      let missing = 0;
      for (const name of chosen.size < least ? extra : []) {
        if (fieldAt(name, 0) !== undefined) chosen.add(name);
        else missing++;
        if (chosen.size >= least || missing >= MAX_COMBINATIONS) break;
      }
      return [...new Set([...names.filter((name) => chosen.has(name)), ...chosen])];
    };
    const full = choose(Math.min(most, needed.length + optional.length));
    const small = choose(Math.max(least, needed.length));
    for (let at = 0; at < MAX_COMBINATIONS; at++) {
      for (const chosen of full.length === small.length ? [full] : [full, small]) {
        const result: Record<string, Json> = {};
        for (const name of chosen) setProperty(result, name, fieldAt(name, at) ?? null);
        yield result;
      }
    }
  }

  /** Yields names for additional fields. */
  *#extraNames(parts: readonly JsonObject[], names: readonly string[], above: Above): Generator<string> {
    const namings = parts.flatMap((part) => own(part, 'propertyNames') ?? []);
    const patterns = parts.flatMap((part) => Object.keys(objectUnder(part, 'patternProperties')));
    for (const pattern of [...patterns.map((one) => ({ pattern: one })), {}]) {
      for (const name of this.#values([{ type: 'string', ...pattern }, ...namings], 'field', above)) {
        if (typeof name !== 'string' || names.includes(name)) continue;
        // Without the quotation marks, the name may be too short for `propertyNames`.
        yield namings.length > 0 ? name : name.replace(/^«(.*)»$/, '$1').replace(' ', '_');
      }
    }
  }

  *#listsOf(parts: readonly JsonObject[], name: string, above: Above): Generator<readonly Json[]> {
    const heads = parts.map((part) => firstItemSchemasOf(part, this.#dialect));
    const rest = parts.flatMap((part) => otherItemsSchemaOf(part, this.#dialect) ?? []);
    const schemasAt = (at: number): readonly Json[] =>
      parts.flatMap((part, index) => {
        const schema = heads[index]?.[at] ?? otherItemsSchemaOf(part, this.#dialect);
        return schema === undefined ? [] : [schema];
      });
    const wanted = parts.flatMap((part) => {
      const schema = own(part, 'contains');
      const bounds = this.#dialect === '2020-12' ? part : NOTHING_GIVEN;
      const most = numberUnder(bounds, 'maxContains') ?? Number.POSITIVE_INFINITY;
      return schema === undefined ? [] : [{ schema, least: numberUnder(bounds, 'minContains') ?? 1, most }];
    });
    const least = Math.max(leastOf(parts, 'minItems'), ...wanted.map((one) => one.least));
    const most = mostOf(parts, 'maxItems');
    if (least > Math.min(most, MAX_ITEMS)) return;
    const tuple = Math.max(0, ...heads.map((list) => list.length));
    const contained = wanted.reduce((total, one) => total + one.least, 0);
    const usual = Math.min(Math.max(least, tuple, contained, 1), most, MAX_ITEMS);
    const isUnique = parts.some((part) => own(part, 'uniqueItems') === true);
    for (const length of new Set([usual, Math.min(usual, Math.max(least, 1)), least])) {
      for (let variant = 0; variant < (rest.length > 0 || tuple > 0 ? 3 : 1); variant++) {
        const list = this.#listOf({ length, variant, isUnique, tuple, schemasAt, wanted, name, above });
        if (list) yield list;
      }
    }
  }

  #listOf({ length, variant, isUnique, tuple, schemasAt, wanted, name, above }: ListPlan): readonly Json[] | undefined {
    const found = wanted.map(() => 0);
    const seen = new Set<string>();
    const shared = new Map<string, LazyValues>();
    const list: Json[] = [];
    for (let at = 0; at < length; at++) {
      const base = schemasAt(at);
      const missing = wanted.flatMap(({ schema, least }, index) => ((found[index] ?? 0) < least ? [schema] : []));
      const refused = wanted.flatMap(({ schema, most }, index) =>
        (found[index] ?? 0) >= most ? [{ not: schema }] : [],
      );
      let item: Json | undefined;
      for (const more of missing.length > 1 ? [missing, ...missing.map((one) => [one]), []] : [missing, []]) {
        // The items after the first ones have the same schemas, so that they can share their values.
        const key = `${Math.min(at, tuple)} ${more.length} ${missing.indexOf(more[0] ?? true)} ${refused.length}`;
        const make = () =>
          new LazyValues(
            this.#values([...base, ...more, ...refused], isUnique || length === 1 ? name : `${name} ${at + 1}`, above),
          );
        const values = isUnique ? (shared.get(key) ?? make()) : make();
        shared.set(key, values);
        item = isUnique ? values.next(seen) : (values.at(variant) ?? undefined);
        if (item !== undefined || missing.length === 0) break;
      }
      if (item === undefined || !this.#spend()) return undefined;
      seen.add(canonical(item));
      list.push(item);
      for (const [index, { schema }] of wanted.entries()) {
        if (this.#matches([schema], item)) found[index] = (found[index] ?? 0) + 1;
      }
    }
    return list;
  }
}

interface ListPlan {
  readonly length: number;
  /** The candidate of each item that is used. */
  readonly variant: number;
  readonly isUnique: boolean;
  /** The number of items with a schema of their own. */
  readonly tuple: number;
  readonly schemasAt: (at: number) => readonly Json[];
  /** The schemas of `contains`, with the numbers of items that match. */
  readonly wanted: readonly { readonly schema: Json; readonly least: number; readonly most: number }[];
  readonly name: string;
  readonly above: Above;
}

/** Marks the end of the schemas of one enclosing value. */
const LEVEL: JsonObject = {};

/** Values that are generated on demand. */
class LazyValues {
  readonly #source: Generator<Json>;
  readonly #made: Json[] = [];
  #used = 0;

  constructor(source: Generator<Json>) {
    this.#source = source;
  }

  /** Returns the value at an index, or the last one; otherwise undefined. */
  at(index: number): Json | undefined {
    while (this.#made.length <= index) {
      const { value, done } = this.#source.next();
      if (done) break;
      this.#made.push(value);
    }
    return this.#made[Math.min(index, this.#made.length - 1)];
  }

  /** Returns the next value that is not in `seen`. */
  next(seen: ReadonlySet<string>): Json | undefined {
    for (;;) {
      const at = this.#used++;
      const value = this.at(at);
      if (at >= this.#made.length || value === undefined) return undefined;
      if (!seen.has(canonical(value))) return value;
    }
  }
}

const leastOf = (parts: readonly JsonObject[], keyword: string): number =>
  Math.max(0, ...parts.map((part) => numberUnder(part, keyword) ?? 0));

const mostOf = (parts: readonly JsonObject[], keyword: string): number =>
  Math.min(...parts.map((part) => numberUnder(part, keyword) ?? Number.POSITIVE_INFINITY));

/** Returns the values that the author wrote: constants, defaults, allowed values and examples, in this order. */
const writtenValues = (parts: readonly JsonObject[]): readonly Json[] => [
  ...['const', 'default'].flatMap((keyword) =>
    parts.flatMap((part) => {
      const value = own(part, keyword);
      return value === undefined ? [] : [value];
    }),
  ),
  ...['enum', 'examples'].flatMap((keyword) => parts.flatMap((part) => listUnder(part, keyword))),
];

const IMPLYING: readonly (readonly [ValueType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems']],
  ['integer', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Returns the type that the keywords of schemas without `type` imply. */
const impliedType = (parts: readonly JsonObject[]): ValueType =>
  IMPLYING.find(([, keywords]) =>
    keywords.some((keyword) => parts.some((part) => Object.hasOwn(part, keyword))),
  )?.[0] ?? 'string';

/** Adds the number of allowed values of a schema, with which a value is compared. */
const allowedCount = (total: number, schema: Json): number =>
  total + (isObject(schema) ? listUnder(schema, 'enum').length : 0);

/** Returns the number of characters in a value, approximately. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (!isObject(value) && !Array.isArray(value)) return 1;
  return Object.values(value).reduce((total: number, item: Json) => total + sizeOf(item) + 5, 2);
}
