/** The keywords that judge lists and maps. */
import { inWords } from '../../nearest.ts';
import type { Json } from '../yaml/node.ts';
import { counted, type Deeper, type Judging, lower, nearName, number, regexOf, violation } from './judge-base.ts';
import { typeLabel } from './label.ts';
import { canonical, isList, isObject, type JsonObject, type JsonViolation, own, type Path, show } from './model.ts';

export function checkItems(
  schema: JsonObject,
  value: readonly Json[],
  path: Path,
  judging: Judging,
  deeper: Deeper,
): readonly JsonViolation[] {
  const result: JsonViolation[] = [];
  const [fewest, most] = [number(schema, 'minItems'), number(schema, 'maxItems')];
  const items = (count: number): string => counted(count, 'item');
  if (fewest !== undefined && value.length < fewest)
    result.push(violation(path, 'length', `Expected at least ${items(fewest)}, found ${value.length}.`));
  if (most !== undefined && value.length > most)
    result.push(violation(path, 'length', `Expected at most ${items(most)}, found ${value.length}.`));
  const modern = judging.dialect === '2020-12';
  const each = own(schema, 'items');
  const heads = modern ? own(schema, 'prefixItems') : each;
  const rest = modern ? each : isList(each) ? own(schema, 'additionalItems') : each;
  const count = isList(heads) ? heads.length : 0;
  value.forEach((item, index) => {
    const sub = index < count && isList(heads) ? heads[index] : rest;
    if (sub !== undefined) result.push(...deeper(sub, item, index));
  });
  if (own(schema, 'uniqueItems') === true) {
    const first = new Map<string, number>();
    value.forEach((item, index) => {
      const key = canonical(item);
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, index);
      else
        result.push(
          violation([...path, index], 'duplicate', `${show(item)} stands in this list already; its items must differ.`),
        );
    });
  }
  const wanted = own(schema, 'contains');
  if (wanted !== undefined) {
    const least = (modern ? number(schema, 'minContains') : undefined) ?? 1;
    const greatest = modern ? number(schema, 'maxContains') : undefined;
    const hits = value.filter((item, index) => deeper(wanted, item, index).length === 0).length;
    const label = show(typeLabel(wanted, judging.root));
    if (hits < least)
      result.push(violation(path, 'other', `Expected at least ${items(least)} of ${label}, found ${hits}.`));
    else if (greatest !== undefined && hits > greatest)
      result.push(violation(path, 'other', `Expected at most ${items(greatest)} of ${label}, found ${hits}.`));
  }
  return result;
}

export function checkProperties(
  schema: JsonObject,
  value: JsonObject,
  path: Path,
  judging: Judging,
  deeper: Deeper,
): readonly JsonViolation[] {
  const result: JsonViolation[] = [];
  const names = Object.keys(value);
  const properties = own(schema, 'properties');
  const declared: JsonObject = isObject(properties) ? properties : {};
  const known = Object.keys(declared);
  const required = own(schema, 'required');
  const missing = isList(required) ? required.map(String).filter((name) => !Object.hasOwn(value, name)) : [];
  const strangers = new Set(names.filter((name) => !Object.hasOwn(declared, name)));

  const mistaken = new Set<string>();
  for (const name of new Set(missing)) {
    const near = nearName(
      name,
      [...strangers].filter((stranger) => !mistaken.has(stranger)),
    );
    if (near !== undefined) mistaken.add(near);
    const sub = own(declared, name);
    const type = sub === undefined ? '' : ` (${typeLabel(sub, judging.root)})`;
    const advice = near === undefined ? 'Add it.' : `Is ${show(near)} meant to be it?`;
    result.push(
      violation([...path, name], 'missing', `The required field ${show(name)}${type} is missing. ${advice}`, near),
    );
  }

  const patterns = own(schema, 'patternProperties');
  const patterned = isObject(patterns) ? Object.entries(patterns) : [];
  const additional = own(schema, 'additionalProperties');
  const free = known.filter((name) => !Object.hasOwn(value, name));
  for (const name of names) {
    const item = value[name] as Json;
    const sub = own(declared, name);
    const fitting = patterned.length === 0 ? [] : patterned.filter(([pattern]) => regexOf(pattern, judging).test(name));
    if (sub !== undefined) result.push(...deeper(sub, item, name));
    for (const [, pattern] of fitting) result.push(...deeper(pattern, item, name));
    if (sub !== undefined || fitting.length > 0 || additional === undefined) continue;
    if (additional !== false) result.push(...deeper(additional, item, name));
    else if (!mistaken.has(name)) {
      const near = nearName(name, free);
      const allowed = known.length === 0 ? 'None is.' : known.length > 12 ? '' : `Known: ${inWords(known, 'and')}.`;
      const advice = near ? `Did you mean ${show(near)}?` : allowed;
      result.push(
        violation([...path, name], 'additional', `${show(name)} is not allowed here. ${advice}`.trim(), near),
      );
    }
  }

  const [fewest, most] = [number(schema, 'minProperties'), number(schema, 'maxProperties')];
  if (fewest !== undefined && names.length < fewest)
    result.push(violation(path, 'length', `Expected at least ${counted(fewest, 'field')}, found ${names.length}.`));
  if (most !== undefined && names.length > most)
    result.push(violation(path, 'length', `Expected at most ${counted(most, 'field')}, found ${names.length}.`));

  const naming = own(schema, 'propertyNames');
  if (naming !== undefined) {
    for (const name of names) {
      const [bad] = deeper(naming, name, name);
      if (bad)
        result.push(
          violation([...path, name], 'other', `The name ${show(name)} is not allowed here: ${lower(bad.message)}`),
        );
    }
  }
  if (judging.dialect === 'draft-07') return result;
  const dependent = own(schema, 'dependentRequired');
  for (const [name, needs] of isObject(dependent) ? Object.entries(dependent) : []) {
    if (!Object.hasOwn(value, name) || !isList(needs)) continue;
    for (const need of needs.map(String)) {
      if (!Object.hasOwn(value, need))
        result.push(
          violation([...path, need], 'missing', `${show(need)} is missing; it has to stand beside ${show(name)}.`),
        );
    }
  }
  const dependents = own(schema, 'dependentSchemas');
  for (const [name, sub] of isObject(dependents) ? Object.entries(dependents) : []) {
    if (Object.hasOwn(value, name)) result.push(...deeper(sub, value));
  }
  return result;
}
