import type { Range, Span } from '../text.ts';

/**
 * A value as it goes over the wire: every place `{uri, span}` in it becomes `{uri, range}`, in the position encoding that
 * was agreed upon.
 */
export type OnWire<T> = T extends { readonly uri: string; readonly span: Span }
  ? { readonly [Key in Exclude<keyof T, 'span'>]: OnWire<T[Key]> } & { readonly range: Range }
  : T extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: OnWire<T[Key]> }
      : T;
