/** Defaults, filled in before anything is judged (skill-format.md, section 3). */

import { type Json, put } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, own } from './model.ts';
import { resolveRef } from './walk.ts';

const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Levels down to which the objects of defaults are completed themselves; a recursive schema would never end. */
const MAX_FILLED = 8;

/** The value with the defaults of absent properties, as a new value; defaults apply before anything is judged. */
export function fillDefaults(root: JsonObject, value: Json): Json {
  let visits = 0;
  const fill = (schema: Json | undefined, item: Json, depth: number, filled: number): Json => {
    if (!isObject(schema) || depth > MAX_DEPTH || filled > MAX_FILLED || ++visits > MAX_VISITS) return item;
    let result = item;
    const ref = own(schema, '$ref');
    if (typeof ref === 'string') result = fill(resolveRef(root, ref), result, depth + 1, filled);
    const parts = own(schema, 'allOf');
    for (const part of isList(parts) ? parts : []) result = fill(part, result, depth + 1, filled);
    const items = own(schema, 'items');
    if (isList(result) && items !== undefined && !isList(items)) {
      return result.map((entry) => fill(items, entry, depth + 1, filled));
    }
    const properties = own(schema, 'properties');
    if (!isObject(result) || !isObject(properties)) return result;
    const copy: Record<string, Json> = {};
    for (const [name, entry] of Object.entries(result))
      put(copy, name, fill(own(properties, name), entry, depth + 1, filled));
    for (const [name, sub] of Object.entries(properties)) {
      if (!isObject(sub) || !Object.hasOwn(sub, 'default') || Object.hasOwn(result, name)) continue;
      put(copy, name, fill(sub, sub.default as Json, depth + 1, filled + 1));
    }
    return copy;
  };
  return fill(root, value, 0, 0);
}
