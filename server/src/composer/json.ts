/** Helpers for plain data. */
import { nestsDeeper } from '../languages/yaml/json-values.ts';
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

// Values from users and programs are cloned and read by recursive code, so each host checks their depth first.

/** The maximum depth of values from models and tools, the same as in YAML. */
export const MAX_DEPTH = 200;

/**
 * The maximum depth of parameters, stubs, answers and other values that a user gives. At this depth, neither this
 * program nor the template engine overflows its stack.
 */
export const MAX_NESTING = 500;

export const isTooDeep = (value: Json | undefined, levels = MAX_DEPTH): boolean => nestsDeeper(value, levels);

/** Returns the sentences about a value with more than `MAX_NESTING` levels. `what` is its name. */
export const tooDeep = (what: string): readonly [message: string, suggestion: string] => [
  `${what} has more than ${MAX_NESTING} levels.`,
  'Use fewer levels.',
];
