/** Helpers for plain data. */
import type { Json } from '../languages/yaml/node.ts';

/** Returns whether a JSON value is a map. */
export const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a copy of a JSON value with the keys of all maps sorted by UTF-16 code units. */
export function sortKeys<Value extends Json>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sortKeys) as Json as Value;
  if (!isMap(value)) return value;
  const entries = Object.entries<Json>(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)])) as Json as Value;
}

/** The maximum depth of values from models and tools, the same as in YAML. It limits the recursion of their readers. */
export const MAX_DEPTH = 200;

export const isTooDeep = (value: Json, left = MAX_DEPTH): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((one: Json) => isTooDeep(one, left - 1)));
