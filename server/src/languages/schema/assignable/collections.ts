/** Assignability of lists and maps. */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import { canonical, isObject, type JsonObject, listUnder, objectUnder, own } from '../model.ts';
import type { SchemaContext } from '../validate/value.ts';
import { headsOf, propertySchemas, restOf } from '../walk.ts';
import { type Assignability, type Comparison, clash, every, type Place, type Relate, UNKNOWN } from './base.ts';
import { atLeast, atMost, isAny, under, type Variant } from './combinations.ts';

export function relateItems(
  { all }: Variant,
  to: JsonObject,
  place: Place,
  comparison: Comparison,
  relate: Relate,
): Assignability {
  const verdicts: Assignability[] = [];
  const label = () => boundedLabel(to, comparison.to.root);
  const most = atMost(all, 'maxItems');
  const [least, greatest] = [own(to, 'minItems'), own(to, 'maxItems')];
  const isShort = typeof least === 'number' && least > 0 && atLeast(all, 'minItems') < least;
  if (isShort || (typeof greatest === 'number' && most > greatest)) verdicts.push(clash(place, 'range', label()));
  if (own(to, 'uniqueItems') === true && most > 1) {
    const fills = canonical(own(to, 'items') ?? null).includes('"default":');
    const isUnique = under(all, 'uniqueItems').includes(true) && !fills;
    if (!isUnique)
      verdicts.push(fills || headCount(all, comparison.from) > 0 ? UNKNOWN : clash(place, 'range', label()));
  }
  const count = Math.max(headCount(all, comparison.from), headCount([to], comparison.to));
  // The item behind the last that is described by itself stands for all that follow.
  for (let index = 0; index <= count && index < most; index++) {
    const [wanted] = itemsAt([to], index, comparison.to);
    if (wanted === undefined) continue;
    const step = index < count ? index : '[]';
    verdicts.push(
      relate(itemsAt(all, index, comparison.from), wanted, {
        path: [...place.path, step],
        fills: place.fills && count === 0,
      }),
    );
  }
  return every(verdicts);
}

const headCount = (all: readonly JsonObject[], { dialect }: SchemaContext): number =>
  Math.max(0, ...all.map((schema) => headsOf(schema, dialect).length));

/** What each schema says of the item at an index; nothing where it lets any item pass. */
const itemsAt = (all: readonly JsonObject[], index: number, { dialect }: SchemaContext): readonly Json[] =>
  all.flatMap((schema) => headsOf(schema, dialect)[index] ?? restOf(schema, dialect) ?? []);

export function relateFields(
  variant: Variant,
  to: JsonObject,
  place: Place,
  comparison: Comparison,
  relate: Relate,
): Assignability {
  const { all } = variant;
  const properties = objectUnder(to, 'properties');
  const patterns = Object.entries(objectUnder(to, 'patternProperties'));
  const rest = own(to, 'additionalProperties');
  const isClosed = comparison.extent === 'as-produced' || under(all, 'additionalProperties').includes(false);
  const verdicts: Assignability[] = [];
  const at = (name: string) => ({ path: [...place.path, name], fills: place.fills });

  for (const name of listUnder(to, 'required').map(String)) {
    if (isGiven(all, name, comparison) || place.filled.has(name)) continue;
    const declared = own(properties, name);
    const wanted = declared === undefined ? 'any' : boundedLabel(declared, comparison.to.root);
    const known = fieldsOf(all, name, comparison).map((sub) => boundedLabel(sub, comparison.from.root));
    const label = known.length > 0 ? `${known[0]}, optional` : 'nothing';
    verdicts.push(clash({ ...at(name), label }, 'missing', wanted));
  }

  const names = new Set(all.flatMap((schema) => Object.keys(objectUnder(schema, 'properties'))));
  for (const name of new Set([...names, ...Object.keys(properties)])) {
    const { declared, patterned, additional } = propertySchemas(to, name, comparison.regexes);
    const given = fieldsOf(all, name, comparison);
    if (given.length === 0 && isClosed) continue;
    if (declared !== undefined) verdicts.push(relate(given, declared, at(name)));
    for (const sub of additional === undefined ? patterned : [additional]) {
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
  const given = [...names].filter((name) => isGiven(all, name, comparison)).length;
  if (typeof fewest === 'number' && Math.max(given, atLeast(all, 'minProperties')) < fewest) verdicts.push(UNKNOWN);
  if (typeof most === 'number') {
    const limit = Math.min(atMost(all, 'maxProperties'), hasOthers ? Infinity : names.size);
    if (limit > most || place.filled.size > 0) verdicts.push(UNKNOWN);
  }
  return every(verdicts);
}

/** Whether the producer's value certainly has the field. */
function isGiven(all: readonly JsonObject[], name: string, comparison: Comparison): boolean {
  const isRequired = all.some((schema) => listUnder(schema, 'required').includes(name));
  const hasDefault = fieldsOf(all, name, comparison).some((sub) => isObject(sub) && Object.hasOwn(sub, 'default'));
  // What validation fills in need not have been there before.
  return comparison.extent === 'as-produced' ? isRequired || hasDefault : isRequired && !hasDefault;
}

/** What the schemas say of a field. */
const fieldsOf = (all: readonly JsonObject[], name: string, { regexes }: Comparison): readonly Json[] =>
  all.flatMap((schema) => {
    const { declared, patterned, additional } = propertySchemas(schema, name, regexes);
    return [declared, ...patterned, isObject(additional) ? additional : undefined].filter((sub) => sub !== undefined);
  });
