/** Defaults, filled in before a value is validated (docs/format.md, section 3). */

import { type Json, put } from '../../yaml/node.ts';
import { isList, isObject, type JsonObject, objectUnder, own } from '../model.ts';
import { conjunctsOf } from '../walk.ts';

const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Levels down to which the objects of defaults are completed themselves; a recursive schema has no end. */
const MAX_FILLED = 8;

/** The value with the defaults of absent properties; the same value where none is absent. */
export function fillDefaults(root: JsonObject, value: Json): Json {
  let visits = 0;
  const fill = (schema: Json | undefined, item: Json, depth: number, filled: number): Json => {
    if (!isObject(schema) || depth > MAX_DEPTH || filled > MAX_FILLED || ++visits > MAX_VISITS) return item;
    let result = item;
    for (const part of conjunctsOf(root, schema)) result = fill(part, result, depth + 1, filled);
    const items = own(schema, 'items');
    if (isList(result) && items !== undefined && !isList(items)) {
      const list = result;
      const copy = list.map((entry) => fill(items, entry, depth + 1, filled));
      return copy.some((entry, at) => entry !== list[at]) ? copy : list;
    }
    if (!isObject(result)) return result;
    const properties = objectUnder(schema, 'properties');
    const added: [string, Json][] = [];
    for (const name of Object.keys(result)) {
      const entry = result[name] as Json;
      const full = fill(own(properties, name), entry, depth + 1, filled);
      if (full !== entry) added.push([name, full]);
    }
    for (const name of Object.keys(properties)) {
      const sub = properties[name];
      if (!isObject(sub) || !Object.hasOwn(sub, 'default') || Object.hasOwn(result, name)) continue;
      added.push([name, fill(sub, sub.default as Json, depth + 1, filled + 1)]);
    }
    if (added.length === 0) return result;
    const copy: Record<string, Json> = { ...result };
    for (const [name, entry] of added) put(copy, name, entry);
    return copy;
  };
  return fill(root, value, 0, 0);
}
