/** The keywords for lists and maps. */
import { inWords } from '../../../nearest.ts';
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import {
  canonical,
  counted,
  isList,
  type JsonObject,
  type JsonViolation,
  listUnder,
  numberUnder,
  objectUnder,
  own,
  type Path,
  show,
} from '../model.ts';
import { headsOf, propertySchemas, restOf } from '../walk.ts';
import { checkCount, type Deeper, lower, nearName, type Run, violation } from './base.ts';

export function checkItems(
  schema: JsonObject,
  value: readonly Json[],
  path: Path,
  run: Run,
  deeper: Deeper,
): readonly JsonViolation[] {
  const result = [...checkCount(schema, ['minItems', 'maxItems'], 'item', value.length, path)];
  const heads = headsOf(schema, run.dialect);
  const rest = restOf(schema, run.dialect);
  value.forEach((item, index) => {
    const sub = heads[index] ?? rest;
    if (sub !== undefined) result.push(...deeper(sub, item, index));
  });
  if (own(schema, 'uniqueItems') === true) result.push(...checkUnique(value, path));
  const wanted = own(schema, 'contains');
  if (wanted !== undefined) {
    const isModern = run.dialect === '2020-12';
    const least = (isModern ? numberUnder(schema, 'minContains') : undefined) ?? 1;
    const most = (isModern ? numberUnder(schema, 'maxContains') : undefined) ?? Number.POSITIVE_INFINITY;
    const hits = value.filter((item, index) => deeper(wanted, item, index).length === 0).length;
    if (hits < least || hits > most) {
      const bound = hits < least ? `least ${counted(least, 'item')}` : `most ${counted(most, 'item')}`;
      const label = show(typeLabel(wanted, run.root));
      result.push(violation(path, 'other', `Expected at ${bound} of ${label}, found ${hits}.`));
    }
  }
  return result;
}

function* checkUnique(list: readonly Json[], path: Path): Generator<JsonViolation> {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const key = canonical(item);
    if (seen.has(key)) {
      const message = `${show(item)} stands in this list already; its items must differ.`;
      yield violation([...path, index], 'duplicate', message);
    }
    seen.add(key);
  }
}

export function checkProperties(
  schema: JsonObject,
  value: JsonObject,
  path: Path,
  run: Run,
  deeper: Deeper,
): readonly JsonViolation[] {
  const names = Object.keys(value);
  const missing = checkRequired(schema, value, path, run);
  const result = [...missing];
  const declared = Object.keys(objectUnder(schema, 'properties'));
  const mistaken = new Set(missing.map(({ nearest }) => nearest));
  for (const name of names) {
    const item = value[name] as Json;
    const said = propertySchemas(schema, name, run.regexes);
    if (said.declared !== undefined) result.push(...deeper(said.declared, item, name));
    for (const sub of said.patterned) result.push(...deeper(sub, item, name));
    if (said.additional !== undefined && said.additional !== false) result.push(...deeper(said.additional, item, name));
    if (said.additional !== false || mistaken.has(name)) continue;
    const near = nearName(
      name,
      declared.filter((other) => !Object.hasOwn(value, other)),
    );
    const allowed =
      declared.length === 0 ? 'None is.' : declared.length > 12 ? '' : `Known: ${inWords(declared, 'and')}.`;
    const advice = near ? `Did you mean ${show(near)}?` : allowed;
    result.push(violation([...path, name], 'additional', `${show(name)} is not allowed here. ${advice}`.trim(), near));
  }
  result.push(...checkCount(schema, ['minProperties', 'maxProperties'], 'field', names.length, path));
  const naming = own(schema, 'propertyNames');
  for (const name of naming === undefined ? [] : names) {
    const [bad] = deeper(naming as Json, name, name);
    if (!bad) continue;
    const message = `The name ${show(name)} is not allowed here: ${lower(bad.message)}`;
    result.push(violation([...path, name], 'other', message));
  }
  if (run.dialect === '2020-12') result.push(...checkDependents(schema, value, path, deeper));
  return result;
}

function checkRequired(schema: JsonObject, value: JsonObject, path: Path, { root }: Run): readonly JsonViolation[] {
  const properties = objectUnder(schema, 'properties');
  const missing = new Set(listUnder(schema, 'required').map(String));
  // An undeclared name that is near to a missing one is taken for a misspelling of it, once.
  let strangers: readonly string[] | undefined;
  const result: JsonViolation[] = [];
  for (const name of missing) {
    if (Object.hasOwn(value, name)) continue;
    strangers ??= Object.keys(value).filter((other) => !Object.hasOwn(properties, other));
    const near = nearName(name, strangers);
    strangers = strangers.filter((stranger) => stranger !== near);
    const sub = own(properties, name);
    const type = sub === undefined ? '' : ` (${typeLabel(sub, root)})`;
    const advice = near === undefined ? 'Add it.' : `Is ${show(near)} meant to be it?`;
    const message = `The required field ${show(name)}${type} is missing. ${advice}`;
    result.push(violation([...path, name], 'missing', message, near));
  }
  return result;
}

/** `dependentRequired` and `dependentSchemas`. */
function checkDependents(schema: JsonObject, value: JsonObject, path: Path, deeper: Deeper): readonly JsonViolation[] {
  const result: JsonViolation[] = [];
  for (const [name, needs] of Object.entries(objectUnder(schema, 'dependentRequired'))) {
    for (const need of Object.hasOwn(value, name) && isList(needs) ? needs.map(String) : []) {
      if (Object.hasOwn(value, need)) continue;
      const message = `${show(need)} is missing; it has to stand beside ${show(name)}.`;
      result.push(violation([...path, need], 'missing', message));
    }
  }
  for (const [name, sub] of Object.entries(objectUnder(schema, 'dependentSchemas'))) {
    if (Object.hasOwn(value, name)) result.push(...deeper(sub, value));
  }
  return result;
}
