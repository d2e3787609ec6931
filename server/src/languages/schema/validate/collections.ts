/** The keywords for lists and maps. */
import { inWords } from '../../../nearest.ts';
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import {
  canonical,
  counted,
  type JsonObject,
  type JsonViolation,
  listUnder,
  numberUnder,
  objectUnder,
  own,
  show,
} from '../model.ts';
import { headsOf, propertySchemas, restOf } from '../walk.ts';
import { checkCount, lower, MAX_STEPS, nearName, type Spot, type Violations, violation } from './base.ts';

export function* checkItems(spot: Spot, value: readonly Json[]): Violations {
  const { schema, path, run, check } = spot;
  yield* checkCount(spot, ['minItems', 'maxItems'], 'item', value.length);
  const heads = headsOf(schema, run.dialect);
  const rest = restOf(schema, run.dialect);
  for (const [index, item] of value.entries()) {
    const sub = heads[index] ?? rest;
    if (sub !== undefined) yield* check(sub, item, index);
  }
  if (own(schema, 'uniqueItems') === true) yield* checkUnique(spot, value);
  const wanted = own(schema, 'contains');
  if (wanted === undefined) return;
  const isModern = run.dialect === '2020-12';
  const least = (isModern ? numberUnder(schema, 'minContains') : undefined) ?? 1;
  const most = (isModern ? numberUnder(schema, 'maxContains') : undefined) ?? Number.POSITIVE_INFINITY;
  const hits = value.filter((item, index) => check(wanted, item, index).length === 0).length;
  if (hits >= least && hits <= most) return;
  const bound = hits < least ? `least ${counted(least, 'item')}` : `most ${counted(most, 'item')}`;
  const label = show(typeLabel(wanted, run.root));
  yield violation(path, 'other', `Expected at ${bound} of ${label}, found ${hits}.`);
}

function* checkUnique({ path }: Spot, list: readonly Json[]): Violations {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const key = canonical(item);
    const message = `${show(item)} stands in this list already; its items must differ.`;
    if (seen.has(key)) yield violation([...path, index], 'duplicate', message);
    seen.add(key);
  }
}

export function* checkProperties(spot: Spot, value: JsonObject): Violations {
  const { schema, path, run, check } = spot;
  const names = Object.keys(value);
  const missing = [...checkRequired(spot, value)];
  yield* missing;
  const mistaken = new Set(missing.map(({ nearest }) => nearest));
  for (const name of names) {
    const item = value[name] as Json;
    const { declared, patterned, additional, cost } = propertySchemas(schema, name, run.regexes);
    run.steps += cost;
    if (run.steps > MAX_STEPS) {
      run.exhausted = true;
      return;
    }
    if (declared !== undefined) yield* check(declared, item, name);
    for (const sub of patterned) yield* check(sub, item, name);
    if (additional === false && !mistaken.has(name)) yield notAllowed(spot, value, name);
    else if (additional !== undefined && additional !== false) yield* check(additional, item, name);
  }
  yield* checkCount(spot, ['minProperties', 'maxProperties'], 'field', names.length);
  const naming = own(schema, 'propertyNames');
  for (const name of naming === undefined ? [] : names) {
    const [bad] = check(naming as Json, name, name);
    if (!bad) continue;
    const message = `The name ${show(name)} is not allowed here: ${lower(bad.message)}`;
    yield violation([...path, name], 'other', message);
  }
  if (run.dialect === '2020-12') yield* checkDependents(spot, value);
}

function* checkRequired({ schema, path, run }: Spot, value: JsonObject): Violations {
  const properties = objectUnder(schema, 'properties');
  // An undeclared name that is near to a missing one is taken for a misspelling of it, once.
  let strangers: readonly string[] | undefined;
  for (const name of new Set(listUnder(schema, 'required').map(String))) {
    if (Object.hasOwn(value, name)) continue;
    strangers ??= Object.keys(value).filter((other) => !Object.hasOwn(properties, other));
    const near = nearName(name, strangers);
    strangers = strangers.filter((stranger) => stranger !== near);
    const sub = own(properties, name);
    const type = sub === undefined ? '' : ` (${typeLabel(sub, run.root)})`;
    const advice = near === undefined ? 'Add it.' : `Is ${show(near)} meant to be it?`;
    const message = `The required field ${show(name)}${type} is missing. ${advice}`;
    yield violation([...path, name], 'missing', message, near);
  }
}

function notAllowed({ schema, path }: Spot, value: JsonObject, name: string): JsonViolation {
  const declared = Object.keys(objectUnder(schema, 'properties'));
  const free = declared.filter((other) => !Object.hasOwn(value, other));
  const near = nearName(name, free);
  const known = declared.length === 0 ? 'None is.' : declared.length > 12 ? '' : `Known: ${inWords(declared, 'and')}.`;
  const advice = near ? `Did you mean ${show(near)}?` : known;
  return violation([...path, name], 'additional', `${show(name)} is not allowed here. ${advice}`.trim(), near);
}

/** `dependentRequired` and `dependentSchemas`. */
function* checkDependents({ schema, path, check }: Spot, value: JsonObject): Violations {
  const dependent = objectUnder(schema, 'dependentRequired');
  for (const name of Object.keys(dependent).filter((key) => Object.hasOwn(value, key))) {
    for (const need of listUnder(dependent, name).map(String)) {
      if (Object.hasOwn(value, need)) continue;
      const message = `${show(need)} is missing; it has to stand beside ${show(name)}.`;
      yield violation([...path, need], 'missing', message);
    }
  }
  for (const [name, sub] of Object.entries(objectUnder(schema, 'dependentSchemas'))) {
    if (Object.hasOwn(value, name)) yield* check(sub, value);
  }
}
