import type { Json } from './node.ts';

/** Whether two values are equal as JSON, whatever the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]))
    );
  }
  const [left, right] = [a as JsonObject, b as JsonObject];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}

export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as it is in a JSON file: what JSON has no word for, such as infinity, becomes null. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
