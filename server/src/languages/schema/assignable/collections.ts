/** Assignability of lists and maps. */
import type { Json } from '../../yaml/node.ts';
import { canonical, isList, isObject, type JsonObject, own } from '../model.ts';
import { parseRegex } from '../regex/regex.ts';
import {
  type Assignability,
  clash,
  every,
  type Place,
  type Relate,
  type Relating,
  type SchemaContext,
  UNKNOWN,
} from './base.ts';
import { atLeast, atMost, isAny, under, type Variant } from './combinations.ts';
import { boundedLabel } from './labels.ts';

export function relateItems(
  { all }: Variant,
  to: JsonObject,
  place: Place,
  relating: Relating,
  relate: Relate,
): Assignability {
  const verdicts: Assignability[] = [];
  const label = () => boundedLabel(to, relating.to.root);
  const most = atMost(all, 'maxItems');
  const [least, greatest] = [own(to, 'minItems'), own(to, 'maxItems')];
  const isShort = typeof least === 'number' && least > 0 && atLeast(all, 'minItems') < least;
  if (isShort || (typeof greatest === 'number' && most > greatest)) verdicts.push(clash(place, 'range', label()));
  if (own(to, 'uniqueItems') === true && most > 1) {
    const fills = canonical(own(to, 'items') ?? null).includes('"default":');
    const isUnique = under(all, 'uniqueItems').includes(true) && !fills;
    if (!isUnique) verdicts.push(fills || prefixes(all, relating.from) > 0 ? UNKNOWN : clash(place, 'range', label()));
  }
  const count = Math.max(prefixes(all, relating.from), prefixes([to], relating.to));
  // The item behind the last that is described by itself stands for all that follow.
  for (let index = 0; index <= count && index < most; index++) {
    const [wanted] = itemsAt([to], index, relating.to);
    if (wanted === undefined) continue;
    const step = index < count ? index : '[]';
    verdicts.push(
      relate(itemsAt(all, index, relating.from), wanted, {
        path: [...place.path, step],
        fills: place.fills && count === 0,
      }),
    );
  }
  return every(verdicts);
}

const headsOf = (schema: JsonObject, { dialect }: SchemaContext): Json | undefined =>
  own(schema, dialect === '2020-12' ? 'prefixItems' : 'items');

const prefixes = (all: readonly JsonObject[], context: SchemaContext): number =>
  Math.max(
    0,
    ...all.map((schema) => {
      const heads = headsOf(schema, context);
      return isList(heads) ? heads.length : 0;
    }),
  );

/** What each schema says of the item at an index; nothing where it lets any item pass. */
function itemsAt(all: readonly JsonObject[], index: number, context: SchemaContext): readonly Json[] {
  return all.flatMap((schema) => {
    const heads = headsOf(schema, context);
    if (isList(heads) && index < heads.length) return heads[index] as Json;
    const rest = isList(heads) && context.dialect !== '2020-12' ? own(schema, 'additionalItems') : own(schema, 'items');
    return rest === undefined || isList(rest) ? [] : rest;
  });
}

export function relateFields(
  variant: Variant,
  to: JsonObject,
  place: Place,
  relating: Relating,
  relate: Relate,
): Assignability {
  const { all } = variant;
  const properties = mapUnder(to, 'properties');
  const patterns = Object.entries(mapUnder(to, 'patternProperties'));
  const rest = own(to, 'additionalProperties');
  const isClosed = relating.extent === 'as-produced' || under(all, 'additionalProperties').includes(false);
  const verdicts: Assignability[] = [];
  const at = (name: string) => ({ path: [...place.path, name], fills: place.fills });

  const required = own(to, 'required');
  for (const name of isList(required) ? required.map(String) : []) {
    if (isGiven(all, name, relating) || place.filled.has(name)) continue;
    const declared = own(properties, name);
    const wanted = declared === undefined ? 'any' : boundedLabel(declared, relating.to.root);
    const known = fieldsOf(all, name).map((sub) => boundedLabel(sub, relating.from.root));
    const label = known.length > 0 ? `${known[0]}, optional` : 'nothing';
    verdicts.push(clash({ ...at(name), label }, 'missing', wanted));
  }

  const names = new Set(all.flatMap((schema) => Object.keys(mapUnder(schema, 'properties'))));
  for (const name of new Set([...names, ...Object.keys(properties)])) {
    const own = Object.hasOwn(properties, name) ? [properties[name] as Json] : [];
    const wanted = patterns.filter(([pattern]) => parseRegex(pattern).test(name)).map(([, sub]) => sub);
    if (own.length + wanted.length === 0 && rest !== undefined) wanted.push(rest);
    const given = fieldsOf(all, name);
    if (given.length === 0 && isClosed) continue;
    for (const sub of own) verdicts.push(relate(given, sub, at(name)));
    for (const sub of wanted) {
      // An extra field is ignored, though a map that is closed would refuse it: nothing is said of that.
      verdicts.push(sub === false ? UNKNOWN : relate(given, sub, { ...at(name), fills: false }));
    }
  }

  // Fields that neither side names.
  const others = under(all, 'additionalProperties').filter((sub) => sub !== false);
  const named = under(all, 'patternProperties').flatMap((sub) => (isObject(sub) ? Object.values(sub) : []));
  const hasOthers = others.length > 0 || named.length > 0 || !isClosed;
  for (const sub of hasOthers ? [...patterns.map(([, item]) => item), ...(rest === undefined ? [] : [rest])] : []) {
    if (isAny(sub)) continue;
    const isPlain = patterns.length === 0 && named.length === 0 && sub !== false;
    verdicts.push(isPlain && others.length > 0 ? relate(others, sub, { ...at('*'), fills: false }) : UNKNOWN);
  }

  const [fewest, most] = [own(to, 'minProperties'), own(to, 'maxProperties')];
  const given = [...names].filter((name) => isGiven(all, name, relating)).length;
  if (typeof fewest === 'number' && Math.max(given, atLeast(all, 'minProperties')) < fewest) verdicts.push(UNKNOWN);
  if (typeof most === 'number') {
    const limit = Math.min(atMost(all, 'maxProperties'), hasOthers ? Infinity : names.size);
    if (limit > most || place.filled.size > 0) verdicts.push(UNKNOWN);
  }
  return every(verdicts);
}

/** Whether the producer's value certainly has the field. */
function isGiven(all: readonly JsonObject[], name: string, { extent }: Relating): boolean {
  const isRequired = all.some((schema) => {
    const required = own(schema, 'required');
    return isList(required) && required.includes(name);
  });
  const hasDefault = fieldsOf(all, name).some((sub) => isObject(sub) && Object.hasOwn(sub, 'default'));
  // What validation fills in before it looks need not have been there.
  return extent === 'as-produced' ? isRequired || hasDefault : isRequired && !hasDefault;
}

/** What the schemas say of a field. */
function fieldsOf(all: readonly JsonObject[], name: string): readonly Json[] {
  return all.flatMap((schema) => {
    const properties = mapUnder(schema, 'properties');
    const patterns = Object.entries(mapUnder(schema, 'patternProperties'));
    const fitting = patterns.filter(([pattern]) => parseRegex(pattern).test(name)).map(([, sub]) => sub);
    const own = Object.hasOwn(properties, name) ? [properties[name] as Json] : [];
    if (own.length + fitting.length > 0) return [...own, ...fitting];
    const rest = schema.additionalProperties;
    return isObject(rest) ? [rest] : [];
  });
}

function mapUnder(schema: JsonObject, keyword: string): JsonObject {
  const map = own(schema, keyword);
  return isObject(map) ? map : {};
}
