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

/** Returns whether a value has more than `levels` nested levels. Does not recurse. The value may be cyclic. */
export function nestsDeeper(value: Json | undefined, levels: number): boolean {
  const open: (readonly [container: object, depth: number])[] = [];
  /** The greatest depth at which each container was found. */
  const depths = new Map<object, number>();
  const add = (json: Json | undefined, depth: number): void => {
    if (typeof json !== 'object' || json === null || (depths.get(json) ?? -1) >= depth) return;
    depths.set(json, depth);
    open.push([json, depth]);
  };
  add(value, 0);
  for (let next = open.pop(); next; next = open.pop()) {
    const [container, depth] = next;
    const inner: readonly Json[] = Object.values(container);
    if (inner.length > 0 && depth >= levels) return true;
    for (const json of inner) add(json, depth + 1);
  }
  return false;
}

/**
 * Converts a value to JSON. Numbers that JSON does not have, such as infinity, become null. Throws for cyclic values.
 */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
