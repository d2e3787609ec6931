/** JSON as clients send it: nothing about its shape is known. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Returns a property of an object, or undefined for any other value. */
export const property = (value: Json | undefined, key: string): Json | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })[key]
    : undefined;

/** Returns the items of an array; none for any other value. */
export const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Returns a string; undefined for any other value. */
export const string = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** A string in a JSON value, with its path, for example `messages.0.content`. */
export interface PlacedString {
  readonly path: string;
  readonly text: string;
}

/** Returns every string in a value, in the order of the text. */
export function stringsIn(value: Json, path = ''): readonly PlacedString[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    stringsIn(inner as Json, path === '' ? key : `${path}.${key}`),
  );
}

/** Parses JSON; undefined if the text is something else. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
