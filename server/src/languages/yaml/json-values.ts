import type { Json } from './node.ts';

/** Returns whether two JSON values are equal. The order of keys does not matter. */
export function isEqualJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isEqualJson(item, b[at]))
    );
  }
  const [left, right] = [a as JsonObject, b as JsonObject];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name]))
  );
}

export type JsonObject = { readonly [key: string]: Json };

/** Returns whether a value is a JSON object. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Converts a value to JSON. Numbers that JSON does not have, such as infinity, become null. Throws for cyclic values.
 */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
