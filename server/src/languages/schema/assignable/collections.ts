/** Assignability of lists and maps. */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import { canonical, isObject, type JsonObject, listUnder, numberUnder, objectUnder, own } from '../model.ts';
import type { SchemaContext } from '../validate/value.ts';
import { headsOf, type PropertySchemas, propertySchemas, restOf } from '../walk.ts';
import { type Assignability, type Comparison, clash, clashOf, MAX_VISITS, type Pair, UNKNOWN } from './base.ts';
import { atLeast, atMost, isAny, mayExceed, under } from './combinations.ts';

export function* relateItems(pair: Pair): Iterable<Assignability> {
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
  // The item behind the last one with a schema of its own stands for all that follow.
  for (let index = 0; index <= count && index < most; index++) {
    const [wanted] = itemsAt([to], index, comparison.to);
    if (wanted === undefined) continue;
    const path = [...place.path, index < count ? index : '[]'];
    yield relate(itemsAt(all, index, comparison.from), wanted, { path, fills: place.fills && count === 0 });
  }
}

const headCount = (all: readonly JsonObject[], { dialect }: SchemaContext): number =>
  Math.max(0, ...all.map((schema) => headsOf(schema, dialect).length));

/** What each schema says of the item at an index; nothing where it lets any item pass. */
const itemsAt = (all: readonly JsonObject[], index: number, { dialect }: SchemaContext): readonly Json[] =>
  all.flatMap((schema) => headsOf(schema, dialect)[index] ?? restOf(schema, dialect) ?? []);

export function* relateFields({ all, to, place, comparison, relate }: Pair): Iterable<Assignability> {
  const properties = objectUnder(to, 'properties');
  const patterns = Object.values(objectUnder(to, 'patternProperties'));
  const rest = own(to, 'additionalProperties');
  const isClosed = comparison.extent === 'as-produced' || under(all, 'additionalProperties').includes(false);
  const at = (name: string, fills = place.fills) => ({ path: [...place.path, name], fills });

  for (const name of listUnder(to, 'required').map(String)) {
    if (isGiven(all, name, comparison) || place.filled.has(name)) continue;
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
    if (declared !== undefined) yield relate(given, declared, at(name));
    for (const sub of additional === undefined ? patterned : [additional]) {
      // A closed map refuses an extra field, which is not reported.
      yield sub === false ? UNKNOWN : relate(given, sub, at(name, false));
    }
  }

  // Fields that neither side names.
  const others = under(all, 'additionalProperties').filter((sub) => sub !== false);
  const named = under(all, 'patternProperties').flatMap((sub) => (isObject(sub) ? Object.values(sub) : []));
  const hasOthers = others.length > 0 || named.length > 0 || !isClosed;
  for (const sub of hasOthers ? [...patterns, ...(rest === undefined ? [] : [rest])] : []) {
    if (isAny(sub)) continue;
    const isPlain = patterns.length === 0 && named.length === 0 && sub !== false;
    yield isPlain && others.length > 0 ? relate(others, sub, at('*', false)) : UNKNOWN;
  }

  const fewest = numberUnder(to, 'minProperties');
  const given = (): number => [...names].filter((name) => isGiven(all, name, comparison)).length;
  if (fewest !== undefined && Math.max(given(), atLeast(all, 'minProperties')) < fewest) yield UNKNOWN;
  const most = numberUnder(to, 'maxProperties');
  const limit = Math.min(atMost(all, 'maxProperties'), hasOthers ? Infinity : names.size);
  if (most !== undefined && (limit > most || place.filled.size > 0)) yield UNKNOWN;
}

/** Whether the producer's value certainly has the field. */
function isGiven(all: readonly JsonObject[], name: string, comparison: Comparison): boolean {
  const isRequired = all.some((schema) => listUnder(schema, 'required').includes(name));
  const hasDefault = fieldsOf(all, name, comparison).some((sub) => isObject(sub) && Object.hasOwn(sub, 'default'));
  // What validation fills in need not have been there before.
  return comparison.extent === 'as-produced' ? isRequired || hasDefault : isRequired && !hasDefault;
}

/** What the schemas say of a field. */
const fieldsOf = (all: readonly JsonObject[], name: string, comparison: Comparison): readonly Json[] =>
  all.flatMap((schema) => {
    const { declared, patterned, additional } = schemasOf(schema, name, comparison);
    return [declared, ...patterned, isObject(additional) ? additional : undefined].filter((sub) => sub !== undefined);
  });

/** What a schema says of a field; beyond the visits, which the steps of regular expressions count for, nothing. */
function schemasOf(schema: JsonObject, name: string, comparison: Comparison): Omit<PropertySchemas, 'cost'> {
  if (comparison.visits > MAX_VISITS) return { declared: undefined, patterned: [], additional: undefined };
  const { cost, ...schemas } = propertySchemas(schema, name, comparison.regexes);
  comparison.visits += cost / STEPS_OF_VISIT;
  return schemas;
}

const STEPS_OF_VISIT = 10_000;
